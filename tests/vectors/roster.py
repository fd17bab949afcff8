"""Rosters, and those that are none. RULES: well formed, and no game that is known here."""

from dataclasses import replace
from typing import Any

from engine import registry
from engine.content import parse_content
from engine.limits import SEATS_MOST
from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import InSeries, Player, Roster
from protocol.version import VERSION
from tests.protocol.tables import Setup
from tests.vectors.cases import FORM, GOOD, RULES, Case

GAME = "tindahan"  # for 3 to 5 players


def make() -> list[Case]:
    setup = Setup(GAME, 3)
    good = setup.roster
    others = [Setup(GAME, count).roster for count in (4, 5)]
    two, six = (replace(good, players=_players(count)) for count in (2, 6))
    limited = replace(good, limits=(("chat", 0), ("turn_s", 60)))
    plain = _plain(good)
    upper = replace(good, rules_id=good.rules_id.upper())
    own = CONTENT.replace("mango", "rambutan")
    return [
        *[_case(f"{len(one.players)} players", one.encode(), GOOD) for one in (good, *others)],
        _case("with limits", limited.encode(), GOOD),
        *[_case(f"in a series, {what}", one.encode(), GOOD) for what, one in _in_series(good)],
        _case("with cards of its own", _with_content(good, own).encode(), GOOD),
        _case("too few players for the game", two.encode(), RULES),
        _case("too many players for the game", six.encode(), RULES),
        _case("an unknown game", replace(good, game="chess").encode(), RULES),
        _case("a rules id in capitals", upper.encode(), RULES),
        _case("a rules id cut short", replace(good, rules_id="0").encode(), RULES),
        _case("cards with the shipped id", replace(good, content=own).encode(), RULES),
        _case("cards that are none", replace(good, content="fruits = 5").encode(), RULES),
        _case("an option less", replace(good, options=good.options[1:]).encode(), RULES),
        _case("an unknown option", replace(good, options=(("fig", "1"),)).encode(), RULES),
        _case("an unknown value", replace(good, options=(("out", "fig"),)).encode(), RULES),
        *[_case(name, encode(tuple(value)), FORM) for name, value in _bad(plain).items()],
        _case("one byte long", good.encode() + b"\0", FORM),
        _case("empty", b"", FORM),
    ]


def _in_series(good: Roster) -> list[tuple[str, Roster]]:
    first = InSeries(b"\1" * 32, 1, b"")
    places = {
        "the first table": first,
        "the first game again": first._replace(before=b"\2" * 32),
        "the last game that there can be": InSeries(b"\1" * 32, 64, b"\2" * 32),
    }
    return [(what, replace(good, series=place)) for what, place in places.items()]


CONTENT = """title = "a box"
verified = false
fruits = ["banana", "mango", "pineapple", "durian", "lanzones"]
"""


def _with_content(roster: Roster, content: str) -> Roster:
    game = registry.build(GAME, dict(roster.options), parse_content(content))
    return replace(roster, content=content, rules_id=game.rules_id)


def _players(count: int) -> tuple[Player, ...]:
    return Setup("fruitoplay", count).roster.players


def _plain(roster: Roster) -> list[Any]:
    players = tuple((one.key, one.nonce, one.name) for one in roster.players)
    return [VERSION, *roster.terms, players]


def _bad(good: list[Any]) -> dict[str, list[Any]]:
    def changed(at: int, value: Any) -> list[Any]:
        return [*good[:at], value, *good[at + 1 :]]

    (key, nonce, name), *rest = good[6]
    mixed = bytes([key[0] ^ 1]) + key[1:]
    keys = [Identity(bytes([number]) * 32).key for number in range(SEATS_MOST + 1)]
    many = tuple([(each, nonce, name) for each in sorted(keys)])
    return {
        "another version": changed(0, 1),
        "the version is true": changed(0, True),
        "a field less": good[:-1],
        "a series of nothing": [*good, ()],
        "two fields more": [*good, (b"\1" * 32, 1, b""), ()],
        "the second game after nothing": [*good, (b"\1" * 32, 2, b"")],
        "game zero of a series": [*good, (b"\1" * 32, 0, b"\2" * 32)],
        "a game of a series beyond the last": [*good, (b"\1" * 32, 65, b"\2" * 32)],
        "a number of a series that is true": [*good, (b"\1" * 32, True, b"")],
        "a series with a short hash": [*good, (b"\1" * 31, 1, b"")],
        "a short hash of the file before": [*good, (b"\1" * 32, 1, b"\2" * 31)],
        "the game is bytes": changed(1, b"fig"),
        "options out of order": changed(3, good[3][::-1]),
        "an option twice": changed(3, (*good[3], good[3][-1])),
        "an option with a number": changed(3, (("out", 1),)),
        "an option with a long name": changed(3, (("x" * 33, "y"),)),
        "17 options": changed(3, tuple((f"{n:02}", "x") for n in range(17))),
        "a limit with a text": changed(5, (("chat", "0"),)),
        "a limit that is true": changed(5, (("chat", True),)),
        "no players": changed(6, ()),
        "nine players": changed(6, many),
        "players out of order": changed(6, good[6][::-1]),
        "a player twice": changed(6, (good[6][0], *good[6])),
        "a player of two fields": changed(6, ((key, nonce), *rest)),
        "a short nonce": changed(6, ((key, nonce[1:], name), *rest)),
        "no name": changed(6, ((key, nonce, ""), *rest)),
        "a name with a line feed": changed(6, ((key, nonce, "a\nb"), *rest)),
        "a key that is none": changed(6, tuple(sorted([(mixed, nonce, name), *rest]))),
    }


def _case(name: str, data: bytes, expect: str) -> Case:
    case: Case = {"name": name, "roster": data.hex(), "expect": expect}
    if expect == GOOD:
        roster = Roster.decode(data)
        case |= {"table": roster.table.hex(), "rules_id": roster.build().rules_id}
    return case


def check(case: Case) -> str:
    try:
        roster = Roster.decode(bytes.fromhex(case["roster"]))
    except RemoteProtocolError:
        return FORM
    try:
        game = roster.build()
    except RemoteProtocolError as error:
        return RULES if error.code in ("game", "rules") else error.code
    assert (roster.table.hex(), game.rules_id) == (case["table"], case["rules_id"])
    return GOOD
