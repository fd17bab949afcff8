"""settings.toml as it is in a home, unchecked. settings.py checks it.

Every command looks here for its language before anything else, and most homes have no such file. So
modules that are needed only to read the file are imported only if there is one.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from p2pfruit import limits
from p2pfruit.exits import Refusal
from p2pfruit.home.location import home_folder
from p2pfruit.language import said
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path

FILE = "settings.toml"
AUTO = "auto"


def language_of(arguments: Sequence[str], environ: Mapping[str, str]) -> str:
    """Return the language that was set, for the start of every command.

    A file that cannot be read sets none. A command that needs the file reports what is wrong.
    """
    try:
        table = read_table(home_folder(said(arguments, "--home"), environ))
    except Refusal:
        return AUTO
    return str(table.get("language", AUTO))


def read_table(home: Path) -> dict[str, Any]:
    """Return the content of the file, unchecked; an empty dict if there is no file."""
    path = home / FILE
    try:
        with path.open("rb") as file:
            data = file.read(limits.SETTINGS_SIZE_MOST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        message = _("cannot read {path}: {why}").format(
            path=shown_path(str(path)), why=error.strerror
        )
        raise Refusal(message, hint=_("choose another folder with --home FOLDER")) from None
    if len(data) > limits.SETTINGS_SIZE_MOST:
        why = _("it is longer than {most} bytes").format(most=limits.SETTINGS_SIZE_MOST)
        raise _unreadable(path, why)
    return _parse(path, data)


def _parse(path: Path, data: bytes) -> dict[str, Any]:
    import re
    import tomllib

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _unreadable(path, _("line {line} is not UTF-8 text").format(line=line)) from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        raise _unreadable(path, _("line {line} is not TOML").format(line=line)) from None


def _unreadable(path: Path, why: str) -> Refusal:
    message = _("{path}: {why}").format(path=shown_path(str(path)), why=why)
    hint = _("fix it, or restore all defaults with `p2pfruit settings --reset`")
    return Refusal(message, hint=hint)
