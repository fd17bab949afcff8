"""The forms of the start menu, each with the function that turns its answers into a command line.

So everything that the menu can do, a command can do, too.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from p2pfruit import limits
from p2pfruit.exits import Refusal
from p2pfruit.home import settings
from p2pfruit.home.settings import Settings
from p2pfruit.home.settings_file import AUTO
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path
from p2pfruit.ui.forms import Answers, Field, Form, Offered
from p2pfruit.ui.table_fields import (
    game_field,
    option_fields,
    option_key,
    seats_field,
)

if TYPE_CHECKING:
    from p2pfruit.home.folder import Home
    from p2pfruit.net.beacon import Found
    from p2pfruit.net.invitations import Invitation

# Who can reach a table.
MACHINE, NETWORK, WORLD = "machine", "network", "world"
_REACHED_BY = {MACHINE: [], NETWORK: ["--lan"], WORLD: ["--internet", "--announce"]}

# What the bots and the game are.


def level_names() -> Offered:
    return [("easy", _("easy")), ("normal", _("normal")), ("hard", _("hard"))]


def _level_field(start: str) -> Field:
    return Field(
        name="level",
        label=_("bot level"),
        start=start,
        offered=lambda _answers: level_names(),
        about=_("easy: plays any card; normal: the best card at first sight; hard: thinks ahead"),
        asked=lambda answers: answers.get("bots") != 0,
    )


def _game_line(answers: Answers) -> list[str]:
    """Return the arguments for the game and for the options that are not at their default."""
    from engine import registry

    game = answers["game"]
    line = ["--game", game]
    for option in registry.find(game).game.options:
        value = answers[option_key(game, option.name)]
        line += [] if value == option.default else ["--option", f"{option.name}={value}"]
    return line


def play_form(current: Settings) -> Form:
    return Form(
        title=_("Play against bots"),
        take=_("play"),
        fields=(
            game_field(current.game),
            seats_field(current.seats),
            _level_field(current.level),
        ),
        further=option_fields,
    )


def play_argv(answers: Answers) -> list[str]:
    seats = str(answers["seats"])
    return ["play", *_game_line(answers), "--seats", seats, "--level", answers["level"]]


# A table for others.


def host_form() -> Form:
    """Return the form that asks what cannot be changed once the table is open."""
    return Form(
        title=_("Host a table"),
        take=_("open the table"),
        intro=_("You choose the game, its options and the bots while you wait for the others."),
        fields=(_reach_field(),),
    )


def _reach_field() -> Field:
    from p2pfruit.net.addresses import local_addresses

    places = [(MACHINE, _("this computer only")), (WORLD, _("the internet"))]
    if local_addresses():
        places.insert(0, (NETWORK, _("the local network")))
    return Field(
        name="reach",
        label=_("reachable from"),
        start=places[0][0],
        offered=lambda _answers: places,
        about=_(
            "the local network: the table is announced there; the internet: your router is asked"
            " for a port, and Tor is used if that does not help"
        ),
    )


def host_line(current: Settings, answers: Answers) -> list[str]:
    """Return the command that opens the table: the settings say which game, for how many."""
    from engine import registry

    seats = registry.find(current.game).game.seats
    count = min(seats, key=lambda seat: abs(seat - current.seats))
    line = ["host", "--game", current.game, "--seats", str(count)]
    return [*line, *_REACHED_BY[answers["reach"]]]


# Another player's table.


def join_form(found: "Found | None" = None) -> Form:
    """Return the form that asks for an invitation; if `found` is given, to that table."""
    return Form(
        title=_("Join a table"),
        take=_("join"),
        intro=_(
            "Paste the invitation that the host sent you. It begins with FRUIT- to play, or with "
            "WATCH- to watch."
        )
        if found is None
        else _host_words(found),
        fields=(
            Field(
                name="invitation",
                label=_("invitation"),
                start="",
                about=_("@FILE reads it from a file"),
                most=limits.INVITATION_SIZE_MOST,
                pasted=True,
            ),
        ),
        check=lambda answers: _check_invitation(answers["invitation"], found),
    )


def _host_words(found: "Found") -> str:
    from p2pfruit.text.safe import shown_names

    return _(
        "Everyone on this network can see this table, but you need an invitation to join it. "
        "Ask {name} for it and paste it here."
    ).format(name=shown_names([found.announcement.name])[0])


def code_form(found: "Found", *, known: bool) -> Form:
    """Return the form that asks for the code of an announced table.

    `known`: the player's address book has the key of its host.
    """
    from p2pfruit.text.safe import shown_names

    name = shown_names([found.announcement.name])[0]
    intro = _("Type the code that the screen of {name} shows.").format(name=name)
    if known:
        without = _("Leave it empty, and {name} is asked whether to let you in.")
        intro = f"{intro} {without.format(name=name)}"
    return Form(
        title=_("Join a table"),
        take=_("join"),
        intro=intro,
        fields=(
            Field(name="code", label=_("code"), start="", about=_("four digits, or up to twelve")),
        ),
        check=lambda answers: _check_code(answers["code"], known=known),
    )


def _check_code(text: str, *, known: bool) -> str:
    from p2pfruit.net.codes import read_code

    if text.strip() or not known:
        read_code(text)
    return ""


def code_line(found: "Found", answers: Answers) -> list[str]:
    from p2pfruit.net.codes import read_code

    code = ["--code", read_code(answers["code"])] if answers["code"].strip() else []
    return ["join", "--lan", str(found.address), *code]


def _check_invitation(text: str, found: "Found | None") -> str:
    invitation, remark = read_invitation(text)
    if found is not None and not _is_of(invitation, found):
        raise Refusal(
            _("this invitation is for another table"),
            hint=_("ask the host of this table, or use it with `Join a table` in the menu"),
        )
    where = ", ".join(invitation.addresses)
    said = _("watch at {where}") if invitation.watching else _("play at {where}")
    return said.format(where=where) + (f"; {remark}" if remark else "")


def read_invitation(text: str) -> tuple["Invitation", str]:
    """Return the invitation in a text, one to play if there are both, and a remark about it."""
    from p2pfruit.net import pasted

    text = text.strip()
    if text.startswith("@"):  # unlike on the command line, - does not mean stdin here
        text = pasted.read_argument(text)
    return pasted.chosen(text, watching=False)


def _is_of(invitation: "Invitation", found: "Found") -> bool:
    """Return True if the invitation can be for this table.

    An invitation to watch does not contain the key of the players, so it is always accepted here.
    """
    from protocol.link.keys import key_id

    return invitation.watching or key_id(invitation.access.psk) == found.announcement.key_id


def join_line(answers: Answers) -> list[str]:
    from p2pfruit.net import invitations

    invitation, _remark = read_invitation(answers["invitation"])
    command = "watch" if invitation.watching else "join"
    return [command, invitations.format(invitation)]


# A file.


def file_form() -> Form:
    return Form(
        title=_("Replay a game"),
        take=_("replay"),
        fields=(Field(name="file", label=_("game file"), start=""),),
        check=lambda answers: _check_file(answers["file"]),
    )


def _path(text: str) -> Path:
    return Path(os.path.abspath(os.path.expanduser(text.strip())))


def _check_file(text: str) -> str:
    path = _path(text)
    if not path.is_file():
        message = _("there is no file {path}").format(path=shown_path(str(path)))
        raise Refusal(message, hint=_("choose a game file that you can read"))
    return shown_path(str(path))


def file_line(answers: Answers) -> list[str]:
    return ["replay", str(_path(answers["file"]))]


# The player.


def name_field(home: "Home") -> Field:
    from protocol.limits import NAME_LENGTH_MOST

    return Field(
        name="name",
        label=_("your name"),
        start=home.name(),
        about=_("the name that others see at the table"),
        most=NAME_LENGTH_MOST,
    )


def check_named(answers: Answers) -> str:
    from p2pfruit.home.folder import check_name

    check_name(answers["name"])
    return ""


def name_form(home: "Home") -> Form:
    return Form(
        title=_("Welcome to p2pfruit"),
        take=_("continue"),
        intro=_("Fruit card games with friends: no server, and nobody to trust. Who are you?"),
        fields=(name_field(home),),
        check=check_named,
    )


def settings_form(home: "Home") -> Form:
    current = settings.load(home.path)
    return Form(
        title=_("Settings"),
        take=_("back"),
        fields=(name_field(home), *(_setting_field(key, current) for key in settings.KEYS)),
        check=check_named,
    )


def _setting_field(key: settings.Key, current: Settings) -> Field:
    names = _value_names()
    return Field(
        name=key.name,
        label=key.label(),
        start=getattr(current, key.name),
        about=key.about(),
        offered=lambda _answers: [
            (value, names.get(settings.written(value), str(value))) for value in key.offered()
        ],
    )


def _value_names() -> Mapping[str, str]:
    return {
        AUTO: _("auto"),
        "on": _("on"),
        "off": _("off"),
        "full": _("full screen"),
        "lines": _("lines"),
        "unicode": "Unicode",
        "ascii": "ASCII",
        "en": "English",
        "fr": "français",
        **dict(level_names()),
    }
