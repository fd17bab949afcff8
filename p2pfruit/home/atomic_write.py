"""Files of one's own, written whole or not at all, for nobody else's eyes.

The text goes to a new file beside the place, reaches the disk, and takes the place in one step: a
crash leaves what was there before, or all of what is new.
"""

import contextlib
import os
import secrets
from pathlib import Path

from p2pfruit.exits import Refusal
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path

PRIVATE = 0o600


def write_whole(path: Path, data: bytes, *, replace: bool) -> None:
    """Raises FileExistsError where something stands and is not to be replaced, else Refusal."""
    try:
        _write(path, data, replace)
    except FileExistsError:
        raise
    except OSError as error:
        message = _("cannot write {path}: {why}").format(
            path=shown_path(str(path)), why=error.strerror
        )
        raise Refusal(message, hint=_("name a place that you can write to")) from None


def _write(path: Path, data: bytes, replace: bool) -> None:
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            os.replace(beside, path)
        else:
            _place(beside, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)
    _settle(path.parent)


def _place(beside: Path, path: Path) -> None:
    """A second name for the file is refused where there is one already; a rename would not be."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.rename(beside, path)


def _settle(folder: Path) -> None:
    """The new name reaches the disk too, where folders can be opened."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
