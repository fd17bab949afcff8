"""The forms of the start menu, each with the function that turns its answers into a command line.

So everything that the menu can do, a command can do, too.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2pfruit import limits
from p2pfruit.exits import Refusal
from p2pfruit.home import settings
from p2pfruit.home.settings import Settings
from p2pfruit.home.settings_file import AUTO
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path
from p2pfruit.ui.forms import Answers, Field, Form, Offered

if TYPE_CHECKING:
    from engine.content import Option
    from p2pfruit.home.folder import Home
    from p2pfruit.net.beacon import Found
    from p2pfruit.net.invitations import Invitation

# Who can reach a table.
MACHINE, NETWORK, WORLD = "machine", "network", "world"

# The time limits for a decision that the menu offers.
TURN_LIMITS_S = (30, 60, 120, 300, 900, 3600, 86400)
TURN_LIMIT_S = 120


def _called(*values: Any) -> Offered:
    return [(value, str(value)) for value in values]


# What the bots and the game are.


def _game_field(start: str) -> Field:
    from engine import registry

    return Field(
        name="game",
        label=_("game"),
        start=start if start in registry.names() else settings.DEFAULTS.game,
        offered=lambda _answers: _called(*registry.names()),
        about=_("`p2pfruit games` describes them"),
    )


def _seats_field(start: int) -> Field:
    from engine import registry

    return Field(
        name="seats",
        label=_("players"),
        start=start,
        offered=lambda answers: _called(*registry.find(answers["game"]).game.seats),
        about=_("number of players, including you"),
    )


def level_names() -> Offered:
    return [("random", _("random")), ("greedy", _("greedy")), ("expert", _("expert"))]


def _level_field(start: str) -> Field:
    return Field(
        name="level",
        label=_("bot level"),
        start=start,
        offered=lambda _answers: level_names(),
        about=_("random: any card; greedy: the best card at first sight; expert: thinks ahead"),
        asked=lambda answers: answers.get("bots") != 0,
    )


def _option_fields(answers: Answers) -> list[Field]:
    """Return the variants of the chosen game; the other games are not imported."""
    from engine import registry

    game = answers["game"]
    return [_option_field(game, option) for option in registry.find(game).game.options]


def _option_field(game: str, option: "Option") -> Field:
    from p2pfruit.games.about import about

    words = about(game)
    values = [(value, words.called(value)) for value in option.values]
    explained = values if len(values) <= limits.VALUES_EXPLAINED_MOST else values[:2]
    means = [f"{called}: {words.option(option.name, value)}" for value, called in explained]
    return Field(
        name=_option_key(game, option),
        label=words.called(option.name),
        start=option.default,
        offered=lambda _answers: values,
        about="; ".join(means),
    )


def _option_key(game: str, option: "Option") -> str:
    """Return the name of the field: two games may have options of the same name."""
    return f"{game} {option.name}"


def _game_line(answers: Answers) -> list[str]:
    """Return the arguments for the game and for the options that are not at their default."""
    from engine import registry

    game = answers["game"]
    line = ["--game", game]
    for option in registry.find(game).game.options:
        value = answers[_option_key(game, option)]
        line += [] if value == option.default else ["--option", f"{option.name}={value}"]
    return line


def play_form(current: Settings) -> Form:
    return Form(
        title=_("Play against bots"),
        take=_("play"),
        fields=(
            _game_field(current.game),
            _seats_field(current.seats),
            _level_field(current.level),
        ),
        further=_option_fields,
    )


def play_argv(answers: Answers) -> list[str]:
    seats = str(answers["seats"])
    return ["play", *_game_line(answers), "--seats", seats, "--level", answers["level"]]


# A table for others.


def host_form(current: Settings) -> Form:
    return Form(
        title=_("Host a table"),
        take=_("open the table"),
        fields=(
            _game_field(current.game),
            _seats_field(current.seats),
            Field(
                name="bots",
                label=_("bots"),
                start=0,
                offered=lambda answers: _called(*range(answers["seats"])),
                about=_("how many seats your bots take; your friends get the others"),
            ),
            _level_field(current.level),
            _reach_field(),
            *_door_fields(),
            *_table_fields(),
        ),
        further=_option_fields,
    )


def _reach_field() -> Field:
    places = [(MACHINE, _("this computer only")), (WORLD, _("the internet"))]
    if local_addresses():
        places.insert(1, (NETWORK, _("the local network")))
    return Field(
        name="reach",
        label=_("reachable from"),
        start=MACHINE,
        offered=lambda _answers: places,
        about=_("the internet: your router must forward port {port}").format(
            port=limits.TABLE_PORT
        ),
    )


def local_addresses() -> list[str]:
    """Return the addresses of this computer that only its local networks can reach."""
    from p2pfruit.net.addresses import Address, Kind, own_addresses

    return [host for host in own_addresses() if Address(host, 0).kind is Kind.PRIVATE]


def _door_fields() -> tuple[Field, ...]:
    return (
        Field(
            name="upnp",
            label=_("UPnP"),
            start=False,
            offered=switch,
            about=_("ask the router to forward the port; needs the package miniupnpc"),
            asked=lambda answers: bool(answers["reach"] == WORLD),
        ),
        Field(
            name="announce",
            label=_("announce"),
            start=False,
            offered=switch,
            about=_("list the table for everyone on the local network"),
            asked=lambda answers: bool(answers["reach"] != MACHINE),
        ),
    )


def _table_fields() -> tuple[Field, ...]:
    return (
        Field(
            name="chat",
            label=_("chat"),
            start=True,
            offered=switch,
            about=_("off: for everyone at the table"),
        ),
        Field(
            name="spectators",
            label=_("spectators"),
            start=True,
            offered=switch,
            about=_("on: anyone with the WATCH- invitation can watch"),
        ),
        Field(
            name="turn",
            label=_("time per turn"),
            start=TURN_LIMIT_S,
            offered=lambda _answers: [(s, duration(s)) for s in TURN_LIMITS_S],
            about=_("when it is over, the others can vote to continue without that player"),
        ),
        Field(
            name="drop",
            label=_("if two vanish"),
            start=1,
            offered=lambda answers: _drops(answers["seats"]),
            about=_("two players who vanish together can otherwise end any game"),
            asked=lambda answers: len(_drops(answers["seats"])) > 1,
        ),
    )


def _drops(seats: int) -> Offered:
    """Return how many players the others may vote out together; more than half must be left."""
    from protocol.limits import drop_most

    words = {
        1: _("stop the table"),
        2: _("two may be voted out together"),
        3: _("three may be voted out together"),
    }
    return [(count, words[count]) for count in range(1, drop_most(seats) + 1)]


def switch(_answers: Answers) -> Offered:
    return [(True, _("on")), (False, _("off"))]


def duration(seconds: int) -> str:
    if seconds < 60:
        return plural("{count} second", "{count} seconds", seconds)
    if seconds < 3600:
        return plural("{count} minute", "{count} minutes", seconds // 60)
    return plural("{count} hour", "{count} hours", seconds // 3600)


def host_line(answers: Answers) -> list[str]:
    line = ["host", *_game_line(answers), "--seats", str(answers["seats"])]
    if answers["bots"]:
        line += ["--bots", ",".join([answers["level"]] * answers["bots"])]
    if answers["reach"] == NETWORK:
        for host in local_addresses():
            line += ["--bind", host]
    elif answers["reach"] == WORLD:
        line += ["--public", *(["--upnp"] if answers["upnp"] else [])]
    if answers["reach"] != MACHINE and answers["announce"]:
        line.append("--announce")
    line += [] if answers["chat"] else ["--no-chat"]
    line += [] if answers["spectators"] else ["--no-spectators"]
    if answers["turn"] != TURN_LIMIT_S:
        line += ["--turn-limit", str(answers["turn"])]
    if answers["drop"] > 1:
        line += ["--drop", str(answers["drop"])]
    return line


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


def _check_invitation(text: str, found: "Found | None") -> str:
    invitation = read_invitation(text)
    if found is not None and not _is_of(invitation, found):
        raise Refusal(
            _("this invitation is for another table"),
            hint=_("ask the host of this table, or use it with `Join a table` in the menu"),
        )
    where = ", ".join(invitation.addresses)
    if invitation.watching:
        return _("watch at {where}").format(where=where)
    return _("play at {where}").format(where=where)


def read_invitation(text: str) -> "Invitation":
    from p2pfruit.net import invitations

    text = text.strip()
    if text.startswith("@"):  # unlike on the command line, - does not mean stdin here
        text = invitations.read_argument(text)
    return invitations.parse(text)


def _is_of(invitation: "Invitation", found: "Found") -> bool:
    """Return True if the invitation can be for this table.

    An invitation to watch does not contain the key of the players, so it is always accepted here.
    """
    from protocol.link.link import key_id

    return invitation.watching or key_id(invitation.psk) == found.announcement.key_id


def join_line(answers: Answers) -> list[str]:
    from p2pfruit.net import invitations

    invitation = read_invitation(answers["invitation"])
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
