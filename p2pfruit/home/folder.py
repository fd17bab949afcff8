"""One player's folder: who they are, what they are called, what they play.

    identity      the secret key, made on first use, readable by its owner only, never overwritten
    name          what the player goes by
    p2pfruit.db   tables, and the address book (store.py)
    settings.toml what is set (settings.py)
    games/        files of games that ended
    lock          held by the one process that plays from here

Nothing is made before it is needed: looking at a home leaves no trace.
"""

import getpass
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from p2pfruit import limits
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.atomic_write import PRIVATE, write_whole
from p2pfruit.home.places import home_folder
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path
from protocol.crypto.identity import KEY_SIZE, Identity
from protocol.limits import NAME_LENGTH_MOST

if TYPE_CHECKING:
    from p2pfruit.home.store import Store

_HEADER = "p2pfruit identity 1"
_PRIVATE_FOLDER = 0o700


class Home:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.identity_file = path / "identity"
        self.name_file = path / "name"
        self.database = path / "p2pfruit.db"
        self.games = path / "games"
        self.lock_file = path / "lock"

    @classmethod
    def find(cls, argument: str | None, environ: Mapping[str, str]) -> Self:
        """The folder that was asked for, else the environment's, else the platform's own place."""
        if argument == "":  # an unset variable in a script, hardly the usual home
            message = _("--home names no folder")
            raise Refusal(message, hint=_("write --home FOLDER, or leave it out"), code=USAGE)
        return cls(home_folder(argument, environ))

    def make(self) -> None:
        """The folder and the one for games, for their owner only."""
        try:
            self.path.mkdir(_PRIVATE_FOLDER, parents=True, exist_ok=True)
            self.games.mkdir(_PRIVATE_FOLDER, exist_ok=True)
        except OSError as error:
            raise _unusable(self.path, error) from None

    # Who I am.

    def identity(self) -> Identity:
        """The player's own key, made on first use."""
        found = self.known_identity()
        return self.make_identity() if found is None else found

    def known_identity(self) -> Identity | None:
        secret = self.secret()
        return None if secret is None else Identity(secret)

    def make_identity(self) -> Identity:
        """A new one, where there is none: whoever was faster is the one that stays."""
        with suppress(FileExistsError):
            self.keep_secret(secrets.token_bytes(KEY_SIZE), replace=False)
        made = self.known_identity()
        assert made is not None
        return made

    def keep_secret(self, secret: bytes, *, replace: bool) -> None:
        """The key stands beside the secret, and shows whether either was damaged."""
        self.make()
        lines = (_HEADER, f"secret {secret.hex()}", f"key {Identity(secret).key.hex()}")
        data = "".join(f"{line}\n" for line in lines).encode()
        write_whole(self.identity_file, data, replace=replace)

    def secret(self) -> bytes | None:
        """What the identity is made of, for export; None where there is none yet."""
        data = _read(self.identity_file)
        if data is None:
            return None
        match data.decode("utf-8", "replace").split():
            case [*header, "secret", secret, "key", key] if header == _HEADER.split():
                found = _from_hex(secret)
                if found is not None and Identity(found).key.hex() == key:
                    return found
        message = _("{path} is damaged").format(path=shown_path(str(self.identity_file)))
        hint = _("put a copy in its place, or move it away to become somebody new")
        raise Refusal(message, hint=hint)

    # What I am called.

    def name(self) -> str:
        """The name that was set, else the login name, as far as a table takes it."""
        data = _read(self.name_file)
        if data is None:
            return _login_name()
        name = data.decode("utf-8", "replace").removesuffix("\n")
        if not is_name(name):
            message = _("{path} is damaged").format(path=shown_path(str(self.name_file)))
            raise Refusal(message, hint=_("`p2pfruit id name NAME` writes it anew"))
        return name

    def set_name(self, name: str) -> None:
        check_name(name)
        self.make()
        write_whole(self.name_file, f"{name}\n".encode(), replace=True)

    # What I play.

    def open_store(self, now: int) -> "Store":
        """The database, with my own name pinned to my key: nobody else has it unnoticed."""
        from p2pfruit.home.store import Store

        self.make()
        store = Store(self.database)
        try:
            store.meet(self.identity().key, self.name(), now)
        except BaseException:
            store.close()
            raise
        return store

    def look(self) -> "Store | None":
        """The database for reading, if there is one."""
        from p2pfruit.home.store import Store

        return Store.look(self.database)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """One process a home: two would sign two stories with one key."""
        self.make()
        try:
            descriptor = os.open(self.lock_file, os.O_RDWR | os.O_CREAT, PRIVATE)
        except OSError as error:
            raise _unusable(self.lock_file, error) from None
        try:
            self._take(descriptor)
            os.truncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, f"{os.getpid()}\n".encode())
            yield
        finally:
            os.close(descriptor)

    def _take(self, descriptor: int) -> None:
        try:
            _take_lock(descriptor)
        except BlockingIOError:
            os.lseek(descriptor, 0, os.SEEK_SET)
            holder = os.read(descriptor, 20).decode("ascii", "replace").strip()
            message = _("{home} is in use by another p2pfruit, process {process}").format(
                home=shown_path(str(self.path)), process=holder if holder.isdigit() else "?"
            )
            hint = _("end that one, or play as somebody else with --home FOLDER")
            raise Refusal(message, hint=hint) from None
        except OSError as error:
            raise _unusable(self.lock_file, error) from None


if sys.platform == "win32":  # pragma: no cover - tested where the tests run

    def _take_lock(descriptor: int) -> None:
        import msvcrt

        os.lseek(descriptor, 1 << 30, os.SEEK_SET)  # far from the number, so that it can be read
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            raise BlockingIOError from None

else:

    def _take_lock(descriptor: int) -> None:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_name(name: str) -> bool:
    """Whether a table takes it."""
    return 0 < len(name) <= NAME_LENGTH_MOST and name.isprintable() and bool(name.strip())


def check_name(name: str) -> None:
    if not is_name(name):
        message = _("a name has 1 to {most} printable characters").format(most=NAME_LENGTH_MOST)
        raise Refusal(message, hint=_("choose another name"), code=USAGE)


def _login_name() -> str:
    try:
        login = getpass.getuser()
    except (ImportError, KeyError, OSError):  # nobody by name, as in many containers
        login = ""
    clean = "".join(filter(str.isprintable, login)).strip()[:NAME_LENGTH_MOST].strip()
    return clean or "player"


def _read(path: Path) -> bytes | None:
    """A small file; None if there is none."""
    try:
        with path.open("rb") as file:
            return file.read(limits.IDENTITY_FILE_SIZE_MOST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unusable(path, error) from None


def _from_hex(text: str) -> bytes | None:
    try:
        data = bytes.fromhex(text)
    except ValueError:
        return None
    return data if len(data) == KEY_SIZE else None


def _unusable(path: Path, error: OSError) -> Refusal:
    message = _("cannot use {path}: {why}").format(path=shown_path(str(path)), why=error.strerror)
    return Refusal(message, hint=_("--home FOLDER takes another folder"))
