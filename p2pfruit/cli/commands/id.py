"""p2pfruit id: your identity, your name, and the players you have met."""

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from p2pfruit import limits
from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE, USAGE, Refusal, say
from p2pfruit.home.atomic_write import write_whole
from p2pfruit.language import text as _
from p2pfruit.text.fingerprint import fingerprint, matches, well_typed
from p2pfruit.text.safe import padded, shown_names, shown_path, width

if TYPE_CHECKING:
    from p2pfruit.home.folder import Home
    from p2pfruit.home.store import Person


def examples() -> list[Example]:
    return [
        ("p2pfruit id", _("show your name and your fingerprint")),
        (
            "p2pfruit id export me.key",
            _("write your identity to a file, to take it to another computer"),
        ),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))
    parser.set_defaults(act=_show)
    actions = parser.add_subparsers(metavar=_("ACTION"))
    _configure_own(actions)
    _configure_moving(actions)
    words = _("list the players you have met, the most recent first")
    book = actions.add_parser("book", help=words, description=words)
    book.add_argument(
        "fingerprint",
        nargs="?",
        metavar=_("FINGERPRINT"),
        help=_("only the player with this fingerprint"),
    )
    book.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS,  # it may stand before `book`, too
        help=_("print one JSON object per player"),
    )
    book.add_argument(
        "--forget",
        action="store_true",
        help=_("forget the player with this fingerprint"),
    )
    book.set_defaults(act=_book)


def _configure_own(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    words = _("create your identity")
    make = actions.add_parser("make", help=words, description=words)
    make.add_argument(
        "--name", metavar=_("NAME"), help=_("the name that others see (default: your login name)")
    )
    make.set_defaults(act=_make)
    words = _("change the name that others see")
    name = actions.add_parser("name", help=words, description=words)
    name.add_argument("name", metavar=_("NAME"))
    name.set_defaults(act=_name)


def _configure_moving(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    words = _("export your identity to a file protected by a passphrase")
    export = actions.add_parser("export", help=words, description=words)
    export.set_defaults(act=_export)
    words = _("restore an exported identity")
    take = actions.add_parser("import", help=words, description=words)
    take.add_argument(
        "--force",
        action="store_true",
        help=_("replace the existing identity; a backup of it is kept"),
    )
    take.set_defaults(act=_import)
    for parser in (export, take):
        parser.add_argument("file", metavar=_("FILE"))
        parser.add_argument(
            "--passphrase-file",
            metavar=_("FILE"),
            help=_("read the passphrase from the first line of this file instead of asking for it"),
        )


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.home.folder import Home

    arguments.act(arguments, Home.find(arguments.home, os.environ))
    return FINE


# The own identity.


def _show(arguments: argparse.Namespace, home: "Home") -> None:
    identity = home.known_identity()
    if identity is None:
        message = _("there is no identity in {home} yet").format(home=shown_path(str(home.path)))
        hint = _("`p2pfruit id make` creates one, and so does your first game")
        raise Refusal(message, hint=hint)
    fields = {
        "name": home.name(),
        "fingerprint": fingerprint(identity.key),
        "key": identity.key.hex(),
        "file": str(home.identity_file),
    }
    if arguments.json:
        print(json.dumps(fields))
        return
    print(_("name:        {name}").format(name=shown_names([fields["name"]])[0]))
    print(_("fingerprint: {fingerprint}").format(fingerprint=fields["fingerprint"]))
    print(_("key:         {key}").format(key=fields["key"]))
    print(_("file:        {path}").format(path=shown_path(fields["file"])))


def _make(arguments: argparse.Namespace, home: "Home") -> None:
    from p2pfruit.home.folder import check_name

    if arguments.name is not None:
        check_name(arguments.name)
    with home.lock():
        if home.known_identity() is not None:
            message = _("there is already an identity in {home}")
            raise Refusal(
                message.format(home=shown_path(str(home.path))),
                hint=_(
                    "`p2pfruit id name NAME` renames it; use --home FOLDER for another identity"
                ),
            )
        home.make_identity()
        if arguments.name is not None:
            home.set_name(arguments.name)
    _show(arguments, home)


def _name(arguments: argparse.Namespace, home: "Home") -> None:
    home.set_name(arguments.name)


# From one home to another.


def _export(arguments: argparse.Namespace, home: "Home") -> None:
    from p2pfruit.home.keyfile import Exported, seal

    secret = home.secret()
    if secret is None:
        message = _("there is no identity in {home} yet").format(home=shown_path(str(home.path)))
        raise Refusal(message, hint=_("`p2pfruit id make` creates one"))
    path = Path(arguments.file)
    if os.path.lexists(path):  # before the player thinks of a passphrase
        raise _standing(path)
    text = seal(Exported(secret, home.name()), _passphrase(arguments, twice=True))
    try:
        write_whole(path, text.encode(), replace=False)
    except FileExistsError:
        raise _standing(path) from None
    say(_("anyone who has both the file and the passphrase can play as you: keep them apart"))


def _standing(path: Path) -> Refusal:
    message = _("{path} already exists").format(path=shown_path(str(path)))
    return Refusal(message, hint=_("choose a file that does not exist yet"))


def _import(arguments: argparse.Namespace, home: "Home") -> None:
    from p2pfruit.home.keyfile import unseal

    data = _read(arguments.file, limits.IDENTITY_FILE_SIZE_MOST)
    exported = unseal(data.decode("utf-8", "replace"), _passphrase(arguments, twice=False))
    with home.lock():
        if home.identity_file.exists():
            _set_aside(arguments, home, exported.secret)
        home.keep_secret(exported.secret, replace=True)
        home.set_name(exported.name)
    _show(arguments, home)


def _set_aside(arguments: argparse.Namespace, home: "Home", secret: bytes) -> None:
    """Keep a backup of the existing identity, unless it is the same one."""
    if not arguments.force:
        if home.secret() == secret:
            return
        message = _("there is already an identity in {home}")
        raise Refusal(
            message.format(home=shown_path(str(home.path))),
            hint=_("use --home FOLDER to keep both, or --force to replace it"),
        )
    old = _read(str(home.identity_file), limits.IDENTITY_FILE_SIZE_MOST)
    number = 1
    while True:
        backup = home.path / f"identity.backup-{number}"
        try:
            write_whole(backup, old, replace=False)
        except FileExistsError:
            number += 1
            continue
        say(_("the previous identity was saved as {path}").format(path=shown_path(str(backup))))
        return


def _passphrase(arguments: argparse.Namespace, *, twice: bool) -> str:
    if arguments.passphrase_file is not None:
        # A letter has up to four bytes; one too many is refused below.
        data = _read(arguments.passphrase_file, 4 * (limits.PASSPHRASE_LENGTH_MOST + 1))
        passphrase = data.decode("utf-8", "surrogateescape").partition("\n")[0].rstrip("\r")
    else:
        passphrase = _ask_passphrase(twice)
    least, most = limits.PASSPHRASE_LENGTH_LEAST, limits.PASSPHRASE_LENGTH_MOST
    if not least <= len(passphrase) <= most:
        message = _("a passphrase must have {least} to {most} characters").format(
            least=least, most=most
        )
        hint = _("use a few words that are hard to guess")
        raise Refusal(message, hint=hint, code=USAGE)
    return passphrase


def _ask_passphrase(twice: bool) -> str:
    from getpass import getpass

    if sys.stdin is None or not sys.stdin.isatty():
        message = _("there is no terminal to ask for the passphrase")
        raise Refusal(
            message, hint=_("use --passphrase-file FILE to read it from a file"), code=USAGE
        )
    try:
        passphrase = getpass(_("passphrase: "))
        again = getpass(_("repeat it: ")) if twice else passphrase
    except EOFError:
        raise KeyboardInterrupt from None
    if again != passphrase:
        raise Refusal(_("the passphrases differ"), hint=_("try again"), code=USAGE)
    return passphrase


def _read(path: str, most: int) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(most)
    except OSError as error:
        message = _("cannot read {path}: {why}").format(path=shown_path(path), why=error.strerror)
        raise Refusal(message, hint=_("choose a file that you can read")) from None


# The players met.


def _book(arguments: argparse.Namespace, home: "Home") -> None:
    if arguments.fingerprint is None and arguments.forget:
        hint = _("add the whole fingerprint of the player to forget")
        raise Refusal(_("--forget needs a fingerprint"), hint=hint, code=USAGE)
    store = home.look()
    people = []
    if store is not None:
        with store:
            people = store.people()
    if arguments.fingerprint is not None:
        people = [_find(arguments.fingerprint, people)]
    if arguments.forget:
        _forget(people[0], home)
    elif arguments.json:
        for person in people:
            print(json.dumps(_fields(person)))
    elif people:
        _list(people, home)
    else:
        say(_("no players have been met from {home} yet").format(home=shown_path(str(home.path))))


def _find(text: str, people: list["Person"]) -> "Person":
    if not well_typed(text):
        message = _("this is not a fingerprint: a letter is wrong or missing")
        hint = _("a fingerprint has three groups of six letters, as `p2pfruit id` shows them")
        raise Refusal(message, hint=hint, code=USAGE)
    for person in people:
        if matches(text, person.key):
            return person
    message = _("you have not met a player with this fingerprint")
    raise Refusal(message, hint=_("`p2pfruit id book` lists the players you have met"))


def _forget(person: "Person", home: "Home") -> None:
    with home.lock(), home.open_store(int(time.time())) as store:
        store.forget(person.key)


def _list(people: list["Person"], home: "Home") -> None:
    identity = home.known_identity()
    own = identity.key if identity is not None else b""
    names = [shown_names([person.name])[0] for person in people]
    columns = max(map(width, names))
    for name, person in zip(names, people, strict=True):
        met = _("first met {first}, last met {last}").format(
            first=_day(person.first), last=_day(person.last)
        )
        said = _("you") if person.key == own else met
        print(f"{padded(name, columns)}  {fingerprint(person.key)}  {said}")


def _day(seconds: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(seconds))


def _fields(person: "Person") -> dict[str, str | int]:
    return {
        "name": person.name,
        "key": person.key.hex(),
        "fingerprint": fingerprint(person.key),
        "first": person.first,
        "last": person.last,
    }
