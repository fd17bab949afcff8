"""The folder of one player's home.

    identity      the secret key, made on first use, readable by its owner only, never overwritten
    name          the player's name
    p2pfruit.db   tables, and the address book (store.py)
    settings.toml the settings (settings.py)
    games/        files of games that ended
    relay         the secret of this player's relay, made on first use
    lock          held by the one process that plays from this home

Nothing is created before it is needed: looking at a home leaves no trace.
"""

import getpass
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from p2pfruit import limits
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.atomic_write import PRIVATE, write_whole
from p2pfruit.home.location import home_folder
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path
from protocol.feed import names
from protocol.limits import NAME_LENGTH_MOST

if TYPE_CHECKING:
    from p2pfruit.home.store import Store
    from protocol.crypto.identity import Identity

_HEADER = "p2pfruit identity 1"
_RELAY_HEADER = "p2pfruit relay 1"
_PRIVATE_FOLDER = 0o700


class Home:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.identity_file = path / "identity"
        self.name_file = path / "name"
        self.database = path / "p2pfruit.db"
        self.games = path / "games"
        self.relay_file = path / "relay"
        self.lock_file = path / "lock"

    @classmethod
    def find(cls, argument: str | None, environ: Mapping[str, str]) -> Self:
        """Find the home as home_folder() does. Raises Refusal for an empty argument."""
        if argument == "":  # an unset variable in a script, which hardly means the usual home
            message = _("--home needs a folder")
            raise Refusal(message, hint=_("use --home FOLDER, or leave it out"), code=USAGE)
        return cls(home_folder(argument, environ))

    def make(self) -> None:
        """Create the folder and the one for games, for their owner only."""
        try:
            self.path.mkdir(_PRIVATE_FOLDER, parents=True, exist_ok=True)
            self.games.mkdir(_PRIVATE_FOLDER, exist_ok=True)
        except OSError as error:
            raise _unusable(self.path, error) from None

    # Identity.

    def identity(self) -> "Identity":
        """Return the player's identity. It is made on first use."""
        found = self.known_identity()
        return self.make_identity() if found is None else found

    def known_identity(self) -> "Identity | None":
        from protocol.crypto.identity import Identity

        secret = self.secret()
        return None if secret is None else Identity(secret)

    def make_identity(self) -> "Identity":
        """Make an identity where there is none. If another process was faster, use its identity."""
        import secrets

        from protocol.crypto.identity import KEY_SIZE

        with suppress(FileExistsError):
            self.keep_secret(secrets.token_bytes(KEY_SIZE), replace=False)
        made = self.known_identity()
        assert made is not None
        return made

    def keep_secret(self, secret: bytes, *, replace: bool) -> None:
        """Write the secret. The key is written beside it, to show if either gets damaged."""
        from protocol.crypto.identity import Identity

        self.make()
        lines = (_HEADER, f"secret {secret.hex()}", f"key {Identity(secret).key.hex()}")
        data = "".join(f"{line}\n" for line in lines).encode()
        write_whole(self.identity_file, data, replace=replace)

    def secret(self) -> bytes | None:
        """Return the secret of the identity, for export; None if there is no identity yet."""
        from protocol.crypto.identity import KEY_SIZE, Identity

        data = _read(self.identity_file)
        if data is None:
            return None
        match data.decode("utf-8", "replace").split():
            case [*header, "secret", secret, "key", key] if header == _HEADER.split():
                found = _from_hex(secret, KEY_SIZE)
                if found is not None and Identity(found).key.hex() == key:
                    return found
        message = _("{path} is damaged").format(path=shown_path(str(self.identity_file)))
        hint = _("replace it with a backup, or move it away to get a new identity")
        raise Refusal(message, hint=hint)

    # Name.

    def name(self) -> str:
        """Return the name that was set, or else the login name, made acceptable to a table."""
        data = _read(self.name_file)
        if data is None:
            return _login_name()
        name = data.decode("utf-8", "replace").removesuffix("\n")
        if not is_name(name):
            message = _("{path} is damaged").format(path=shown_path(str(self.name_file)))
            raise Refusal(message, hint=_("set it again with `p2pfruit id name NAME`"))
        return name

    def set_name(self, name: str) -> None:
        check_name(name)
        self.make()
        write_whole(self.name_file, f"{name}\n".encode(), replace=True)

    # Relay.

    def relay_secret(self, *, new: bool = False) -> bytes:
        """Return the secret of the player's relay. It is made on first use, or made `new`."""
        import secrets

        from protocol.relay.keys import RELAY_SECRET_SIZE

        data = None if new else _read(self.relay_file)
        if data is None:
            secret = secrets.token_bytes(RELAY_SECRET_SIZE)
            self.make()
            written = f"{_RELAY_HEADER}\nsecret {secret.hex()}\n".encode()
            write_whole(self.relay_file, written, replace=True)
            return secret
        match data.decode("utf-8", "replace").split():
            case [*header, "secret", text] if header == _RELAY_HEADER.split():
                found = _from_hex(text, RELAY_SECRET_SIZE)
                if found is not None:
                    return found
        message = _("{path} is damaged").format(path=shown_path(str(self.relay_file)))
        raise Refusal(message, hint=_("replace it with a backup, or use --new-line"))

    # Database and lock.

    def open_store(self, now: int) -> "Store":
        """Open the database, with the player's own name pinned to their key.

        So another player who uses this name is noticed.
        """
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
        """Open the database for reading, if there is one."""
        if not self.database.exists():  # so the first start needs no SQLite
            return None
        from p2pfruit.home.store import Store

        return Store.look(self.database)

    def knows(self, key: bytes) -> bool:
        """Return True if a name in the player's address book belongs to this key."""
        store = self.look()
        if store is None:
            return False
        with store:
            return store.known_as(key) is not None

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the lock of this home. Two processes would sign two histories with one key."""
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
            hint = _("quit that one, or play as another player with --home FOLDER")
            raise Refusal(message, hint=hint) from None
        except OSError as error:
            raise _unusable(self.lock_file, error) from None


if sys.platform == "win32":  # pragma: no cover - tested where the tests run

    def _take_lock(descriptor: int) -> None:
        import msvcrt

        # Lock a byte far from the process number, so that the number can be read.
        os.lseek(descriptor, 1 << 30, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            raise BlockingIOError from None

else:

    def _take_lock(descriptor: int) -> None:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_name(name: str) -> bool:
    """Return True if a table accepts this name, and it can be seen."""
    return names.is_name(name) and bool(name.strip())


def check_name(name: str) -> None:
    if not is_name(name):
        message = _("a name has 1 to {most} printable characters").format(most=NAME_LENGTH_MOST)
        raise Refusal(message, hint=_("choose another name"), code=USAGE)


def _login_name() -> str:
    try:
        login = getpass.getuser()
    except (ImportError, KeyError, OSError):  # the user has no name, as in many containers
        login = ""
    clean = "".join(filter(names.allows, login)).strip()[:NAME_LENGTH_MOST].strip()
    return clean or "player"


def _read(path: Path) -> bytes | None:
    """Return the content of a small file, or None if it does not exist."""
    try:
        with path.open("rb") as file:
            return file.read(limits.IDENTITY_FILE_SIZE_MOST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unusable(path, error) from None


def _from_hex(text: str, size: int) -> bytes | None:
    try:
        data = bytes.fromhex(text)
    except ValueError:
        return None
    return data if len(data) == size else None


def _unusable(path: Path, error: OSError) -> Refusal:
    message = _("cannot use {path}: {why}").format(path=shown_path(str(path)), why=error.strerror)
    return Refusal(message, hint=_("choose another folder with --home FOLDER"))
