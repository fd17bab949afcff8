"""Private files, written whole or not at all.

The data goes to a new file in the same folder, reaches the disk, and then takes the place of the
old file in one step. A crash leaves either the old file or the whole new one. Only its owner can
read the file.
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
    """Write a file whole.

    Raises FileExistsError if the file exists and is not to be replaced, and Refusal for any other
    problem.
    """
    try:
        _write(path, data, replace)
    except FileExistsError:
        raise
    except OSError as error:
        message = _("cannot write {path}: {why}").format(
            path=shown_path(str(path)), why=error.strerror
        )
        raise Refusal(message, hint=_("choose a path that you can write to")) from None


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
    """Give the file its name, unless that name is taken.

    Linking fails if the name is taken; renaming would not.
    """
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.rename(beside, path)


def _settle(folder: Path) -> None:
    """Make the new name reach the disk, too, where folders can be opened."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
