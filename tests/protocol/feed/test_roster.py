"""Who plays what: one order, one byte form, one table."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import limits as engine_limits
from engine import registry
from engine.content import parse_content
from protocol import limits
from protocol.codec import Value, decode, encode
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.feed.names import is_name
from protocol.feed.roster import NONCE_SIZE, InSeries, Player, Roster
from protocol.version import VERSION
from tests.games.brambles import Brambles
from tests.protocol.tables import secret

KEYS = sorted(Identity(secret("key", at)).key for at in range(engine_limits.SEATS_MOST + 1))
NONCE = b"n" * NONCE_SIZE
RULES = "0" * 64


def player(at: int = 0, *, nonce: bytes = NONCE, name: str = "Ada") -> Player:
    return Player(KEYS[at], nonce, name)


def roster(count: int = 2) -> Roster:
    return Roster("punnet", RULES, (), "", (), tuple(map(player, range(count))))


def fields(held: Roster) -> list[Value]:
    value = decode(held.encode(), limits.ROSTER_SIZE_MOST)
    assert type(value) is tuple
    return list(value)


def refusal(data: bytes) -> RemoteProtocolError:
    with pytest.raises(RemoteProtocolError) as caught:
        Roster.decode(data)
    return caught.value


names = st.text(
    st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=limits.NAME_LENGTH_MOST
).filter(is_name)
words = st.text(max_size=limits.WORD_LENGTH_MOST)
rosters = st.builds(
    Roster,
    game=st.text(max_size=10),
    rules_id=st.text(max_size=64),
    options=st.dictionaries(words, st.text(max_size=8), max_size=limits.PAIRS_MOST).map(
        lambda pairs: tuple(sorted(pairs.items()))
    ),
    content=st.text(max_size=100),
    limits=st.dictionaries(words, st.integers(0, limits.INTEGER_MOST), max_size=4).map(
        lambda pairs: tuple(sorted(pairs.items()))
    ),
    players=st.lists(
        st.builds(
            Player,
            key=st.sampled_from(KEYS),
            nonce=st.binary(min_size=NONCE_SIZE, max_size=NONCE_SIZE),
            name=names,
        ),
        min_size=1,
        max_size=engine_limits.SEATS_MOST,
        unique_by=lambda one: one.key,
    ).map(lambda players: tuple(sorted(players, key=lambda one: one.key))),
)


@pytest.mark.no_cover
@given(rosters)
def test_what_is_written_is_read(held: Roster) -> None:
    assert Roster.decode(held.encode()) == held
    assert Roster.decode(held.encode()).encode() == held.encode()


@pytest.mark.no_cover
@given(rosters, rosters)
def test_another_roster_is_another_table(one: Roster, other: Roster) -> None:
    assert (one.table == other.table) == (one == other)


def test_everything_enters_the_table_id() -> None:
    held = roster()
    others = [
        replace(held, game="brambles"),
        replace(held, rules_id="1" * 64),
        replace(held, options=(("ties", "all"),)),
        replace(held, content="title"),
        replace(held, limits=(("grace_s", 60),)),
        replace(held, players=held.players[:1]),
        replace(held, players=(player(0, name="Bob"), player(1))),
        replace(held, players=(player(0, nonce=b"m" * NONCE_SIZE), player(1))),
    ]
    assert len({one.table for one in (held, *others)}) == 1 + len(others)


def test_a_fresh_nonce_of_anybody_makes_a_fresh_table() -> None:
    """Attack 37: nobody, having lost what was stored, signs twice for one place of one table."""
    for at in range(3):
        players = [player(0), player(1), player(2)]
        players[at] = player(at, nonce=b"m" * NONCE_SIZE)
        assert replace(roster(3), players=tuple(players)).table != roster(3).table


@given(st.binary(max_size=60))
def test_any_bytes_are_a_roster_or_refused(data: bytes) -> None:
    refusal(data)


def test_a_roster_has_a_size() -> None:
    held = replace(roster(), content="x" * (limits.ROSTER_SIZE_MOST - 500))
    assert Roster.decode(held.encode()) == held
    held = replace(roster(), content="x" * limits.ROSTER_SIZE_MOST)
    assert refusal(held.encode()).code == "size"


# Players.


@pytest.mark.parametrize("size", [0, NONCE_SIZE - 1, NONCE_SIZE + 1])
def test_a_nonce_has_its_size(size: int) -> None:
    with pytest.raises(RemoteProtocolError, match="a nonce has 32 bytes"):
        player(nonce=bytes(size))


@pytest.mark.parametrize(
    "name", ["", "x" * (limits.NAME_LENGTH_MOST + 1), "a\nb", "\x1b[2J", "\u202eadA", "a\x00"]
)
def test_a_name_is_short_and_printable(name: str) -> None:
    with pytest.raises(RemoteProtocolError, match="1 to 32 printable characters"):
        player(name=name)
    changed = fields(roster())
    changed[6] = ((KEYS[0], NONCE, name),)
    assert refusal(encode(tuple(changed))).code == "roster"


@pytest.mark.parametrize("name", ["a", "x" * limits.NAME_LENGTH_MOST, "Zoë ", "苹果", "O'Neil %s"])
def test_a_name_may_be_anything_else(name: str) -> None:
    assert player(name=name).name == name


def test_a_key_is_one() -> None:
    """Attack 36: no key of small order, nor one that is not canonical, takes a place."""
    for key in ((1).to_bytes(32, "little"), b"\xff" * 32, bytes(32), KEYS[0][:31]):
        with pytest.raises(RemoteProtocolError) as caught:
            Player(key, NONCE, "Ada")
        assert caught.value.code == "key"
        changed = fields(roster())
        changed[6] = ((key, NONCE, "Ada"),)
        assert refusal(encode(tuple(changed))).code == "key"


# Order.


@pytest.mark.parametrize(
    "players",
    [
        pytest.param((), id="nobody"),
        pytest.param((player(1), player(0)), id="out of order"),
        pytest.param((player(0), player(0)), id="one key twice"),
        pytest.param((player(0), player(0, name="Bob")), id="one key under two names"),
        pytest.param(tuple(map(player, range(engine_limits.SEATS_MOST + 1))), id="too many"),
    ],
)
def test_players_stand_in_the_order_of_their_keys(players: tuple[Player, ...]) -> None:
    with pytest.raises(RemoteProtocolError, match="in the order of their keys, each once"):
        replace(roster(), players=players)
    changed = fields(roster())
    changed[6] = tuple([(one.key, one.nonce, one.name) for one in players])
    assert refusal(encode(tuple(changed))).code == "roster"


@pytest.mark.parametrize("at", [3, 5])
@pytest.mark.parametrize(
    "keys",
    [
        pytest.param(("b", "a"), id="out of order"),
        pytest.param(("a", "a"), id="twice"),
        pytest.param(tuple(f"{n:02}" for n in range(limits.PAIRS_MOST + 1)), id="too many"),
    ],
)
def test_options_and_limits_stand_in_order(at: int, keys: tuple[str, ...]) -> None:
    value: Value = "x" if at == 3 else 1
    changed = fields(roster())
    changed[at] = tuple([(key, value) for key in keys])
    assert "in order, each once" in refusal(encode(tuple(changed))).why


# Form.


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("at", "value"),
    [
        *[(0, value) for value in ("1", None, b"1")],
        *[(at, value) for at in (1, 2, 4) for value in (b"punnet", 1, None, ())],
        *[(at, value) for at in (3, 5) for value in (None, 1, "", b"", (1,), ((),), (("a",),))],
        *[(3, ((name, "x"),)) for name in (1, b"a", "x" * (limits.WORD_LENGTH_MOST + 1))],
        *[(3, (("a", value),)) for value in (1, b"x", None, True)],
        *[(5, (("a", value),)) for value in ("1", None, True, ())],
        (3, (("a", "b", "c"),)),
        *[(6, value) for value in (None, 1, (1,), ((),), ((KEYS[0], NONCE),))],
        *[(6, (one,)) for one in (("k", NONCE, "Ada"), (KEYS[0], "n", "Ada"))],
        (6, ((KEYS[0], NONCE, b"Ada"),)),
        (6, ((KEYS[0], NONCE, "Ada", 1),)),
    ],
)
def test_what_is_no_roster(at: int, value: Value) -> None:
    changed = fields(roster())
    changed[at] = value
    assert refusal(encode(tuple(changed))).code == "roster"


def test_a_roster_has_seven_fields() -> None:
    whole = fields(roster())
    for some in ([], whole[:-1], [*whole, 0]):
        assert refusal(encode(tuple(some))).code == "roster"
    assert refusal(encode(7)).code == "roster"


@pytest.mark.parametrize("version", [0, 1, 3, True, False])
def test_other_versions(version: Value) -> None:
    assert refusal(encode((version, *fields(roster())[1:]))).code == "version"


# What is played.


def test_a_player_is_found_by_key() -> None:
    assert [roster(3).find(key) for key in KEYS[:4]] == [0, 1, 2, None]


def test_a_roster_is_made_of_a_game() -> None:
    game = registry.build("punnet", {"ties": "all"})
    held = Roster.of(game, (player(1), player(0)), (("grace_s", 60),))
    assert held.players == (player(0), player(1))
    assert held.options == (("ties", "all"),)
    assert held.limits == (("grace_s", 60),)
    built = Roster.decode(held.encode()).build()
    assert type(built) is type(game)
    assert built.chosen == game.chosen
    assert built.rules_id == game.rules_id


OWN = """
title = "own"
verified = true
numbers = [1, 2, 3, 4, 5, 6]
jars = [1, 2, 2, 9]
"""


def test_content_of_ones_own() -> None:
    game = registry.build("brambles", content=parse_content(OWN))
    held = Roster.of(game, (player(0), player(1)), content=OWN)
    assert Roster.decode(held.encode()).build().rules_id == game.rules_id


def unplayable(held: Roster) -> RemoteProtocolError:
    with pytest.raises(RemoteProtocolError) as caught:
        Roster.decode(held.encode()).build()
    return caught.value


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"game": "chess"}, id="an unknown game"),
        pytest.param({"game": "\x1b[2J"}, id="no name at all"),
        pytest.param({"options": (("ties", "never"),)}, id="an unknown value"),
        pytest.param({"options": (("trump", "fig"),)}, id="an unknown option"),
        pytest.param({"content": "title = "}, id="content that is no TOML"),
        pytest.param({"content": "title = 1"}, id="content without a title"),
        pytest.param({"content": 'title = ""\nverified = true\nx = 1.5'}, id="a float in content"),
        pytest.param({"content": "#" * (64 * 1024 + 1)}, id="too much content"),
        pytest.param({"players": (player(0),)}, id="too few players"),
        pytest.param({"players": tuple(map(player, range(7)))}, id="too many players"),
    ],
)
def test_what_cannot_be_built(change: dict[str, object]) -> None:
    held = Roster.of(registry.build("fruitoplay"), (player(0), player(1)))
    assert unplayable(replace(held, **change)).code == "game"  # type: ignore[arg-type]


def test_claims_that_would_not_fit_into_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Roster.of(registry.build("brambles"), (player(0), player(1)))
    monkeypatch.setattr(Brambles, "claimed_most", lambda _game, _seats: limits.CLAIMED_MOST)
    assert held.build().name == "brambles"
    monkeypatch.setattr(Brambles, "claimed_most", lambda _game, _seats: limits.CLAIMED_MOST + 1)
    assert unplayable(held).code == "game"


def test_other_rules_are_not_played() -> None:
    held = Roster.of(registry.build("fruitoplay"), (player(0), player(1)))
    assert unplayable(replace(held, rules_id=RULES)).code == "rules"
    assert unplayable(replace(held, options=(("ties", "all"),))).code == "rules"
    brambles = Roster.of(registry.build("brambles"), held.players)
    assert unplayable(replace(brambles, content=OWN)).code == "rules"


def test_a_roster_names_every_option() -> None:
    held = Roster.of(registry.build("fruitoplay"), (player(0), player(1)))
    assert held.build().rules_id == held.rules_id
    assert unplayable(replace(held, options=())).code == "game"


def test_other_rules_are_described() -> None:
    held = Roster.of(registry.build("fruitoplay"), (player(0), player(1)))
    other = unplayable(replace(held, rules_id=RULES))
    assert other.why == "the table plays other rules or other cards of fruitoplay than this program"


@given(st.text(max_size=200))
def test_content_is_parsed_or_refused(content: str) -> None:
    held = Roster.of(registry.build("fruitoplay"), (player(0), player(1)))
    if content:
        unplayable(replace(held, content=content))


# Series.


SERIES = InSeries(b"\1" * 32, 2, b"\2" * 32)


def test_a_roster_of_a_series_is_another_table() -> None:
    held = Roster.of(registry.build("punnet"), (player(0), player(1)))
    ours = replace(held, series=SERIES)
    assert Roster.decode(ours.encode()) == ours
    assert ours.table != held.table


@pytest.mark.parametrize(
    "series",
    [
        SERIES._replace(contract=b"\1"),
        SERIES._replace(before=b"\2"),
        SERIES._replace(before=b""),
        SERIES._replace(number=0),
        SERIES._replace(number=limits.SERIES_COUNT_MOST + 1),
        SERIES._replace(number=True),
        SERIES[:2],
    ],
)
def test_a_place_that_no_series_has(series: Any) -> None:
    held = Roster.of(registry.build("punnet"), (player(0), player(1)))
    players = tuple((one.key, one.nonce, one.name) for one in held.players)
    data = encode((VERSION, *held.terms, players, tuple(series)))
    with pytest.raises(RemoteProtocolError) as error:
        Roster.decode(data)
    assert error.value.code == "roster"
