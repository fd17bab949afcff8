"""Contracts: one byte form, everything bounded, and signed by every member."""

from dataclasses import replace
from typing import Any

import pytest

from protocol import limits
from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.series.contract import Contract, Counting, Effect, Kind, Plan, SignedContract
from protocol.version import VERSION
from tests.protocol.series.evenings import PEOPLE, contract_of, game_of, plan_of, player, signed

CONTRACT = contract_of(3)


def fields() -> list[Any]:
    plan = CONTRACT.plan
    members = tuple((one.key, one.nonce, one.name) for one in CONTRACT.members)
    games = tuple(game.value for game in plan.games)
    return [VERSION, "all", 3, games, (3, 1), ("again", "counts", "counts", "counts"), members]


def changed(at: int, value: Any) -> bytes:
    return encode((*fields()[:at], value, *fields()[at + 1 :]))


def code_of(data: bytes) -> str:
    with pytest.raises(RemoteProtocolError) as error:
        Contract.decode(data)
    return error.value.code


def test_a_contract_has_one_form() -> None:
    data = CONTRACT.encode()
    assert data == encode(tuple(fields()))
    assert Contract.decode(data) == CONTRACT
    assert Plan.decode(CONTRACT.plan.encode()) == CONTRACT.plan


def test_its_id_is_that_of_everything_in_it() -> None:
    other = replace(CONTRACT, plan=plan_of(points=(3, 2)))
    fresh = replace(CONTRACT, members=tuple(player(one, nth=1) for one in PEOPLE[:3]))
    assert len({CONTRACT.id, other.id, fresh.id}) == 3


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (1, "worst"),
        (1, b"all"),
        (2, 0),
        (2, limits.SERIES_COUNT_MOST + 1),
        (2, True),
        (3, ()),
        (3, (game_of().value,) * (limits.SERIES_GAMES_MOST + 1)),
        (3, (("punnet", "x", ()),)),
        (3, "punnet"),
        (4, ()),
        (4, (1,) * 9),
        (4, (1, 2)),
        (4, (0,)),
        (4, (limits.SERIES_POINTS_MOST + 1,)),
        (4, (True,)),
        (4, ("1",)),
        (5, ("again", "counts", "counts")),
        (5, ("again", "counts", "counts", "never")),
        (5, ("counts", "counts", "counts", "counts")),
        (5, 7),
        (6, fields()[6][:1]),
        (6, fields()[6][::-1]),
        (6, (fields()[6][0],) * 2),
    ],
)
def test_what_is_no_contract(at: int, value: Any) -> None:
    assert code_of(changed(at, value)) == "contract"


@pytest.mark.parametrize(
    ("at", "value", "code"),
    [
        (0, VERSION + 1, "version"),
        (0, True, "version"),
        (3, (("punnet", "x", (("b", "1"), ("a", "1")), ()),), "roster"),
        (3, (("punnet", "x", (), (("turn_s", "1"),)),), "roster"),
        (6, 7, "roster"),
        (6, (fields()[6][0], (b"\0" * 32, b"\0" * 32, "x")), "key"),
    ],
)
def test_what_is_no_contract_for_the_reason_of_a_roster(at: int, value: Any, code: str) -> None:
    assert code_of(changed(at, value)) == code


def test_bytes_that_are_no_list() -> None:
    for data, code in ((encode(7), "contract"), (encode((7,)), "contract"), (b"", "codec")):
        assert code_of(data) == code
    with pytest.raises(RemoteProtocolError, match="not a plan"):
        Plan.decode(encode("all"))


def test_the_largest_contract_fits() -> None:
    options = tuple((f"{at:02}", "x") for at in range(limits.PAIRS_MOST))
    bounds = tuple((name, at) for at, (name, _) in enumerate(options))
    game = replace(game_of(), options=options, limits=bounds)
    plan = plan_of(games=(game,) * limits.SERIES_GAMES_MOST, points=(8, 7, 6, 5, 4, 3, 2, 1))
    people = sorted([Identity(bytes([at]) * 32).key for at in range(8)])
    members = tuple(replace(player(PEOPLE[0]), key=key) for key in people)
    contract = Contract(plan=plan, members=members)
    assert Contract.decode(contract.encode()) == contract


def test_games_are_played_in_turn() -> None:
    plan = plan_of(games=(game_of("punnet"), game_of("brambles")))
    assert [plan.game(n).game for n in (1, 2, 3)] == ["punnet", "brambles", "punnet"]


@pytest.mark.parametrize(("members", "quorum"), [(2, 2), (3, 2), (4, 3)])
def test_two_games_share_a_member(members: int, quorum: int) -> None:
    assert contract_of(members).quorum == quorum


def test_a_game_without_places_cannot_count() -> None:
    with pytest.raises(RemoteProtocolError, match="cannot count"):
        Counting(stopped=Effect.COUNTS)


def test_signatures() -> None:
    whole = signed(CONTRACT)
    assert SignedContract.decode(whole.encode()) == whole


@pytest.mark.parametrize("kept", [slice(0), slice(2), slice(None, None, -1)])
def test_every_member_signs(kept: slice) -> None:
    whole = signed(CONTRACT)
    with pytest.raises(RemoteProtocolError) as error:
        replace(whole, signatures=whole.signatures[kept])
    assert error.value.code in ("contract", "signature")


def test_signatures_of_something_else() -> None:
    other = signed(replace(CONTRACT, plan=plan_of(kind=Kind.BEST)))
    short = signed(CONTRACT).signatures[0][:-1]
    for signatures in (other.signatures, (short, *other.signatures[1:])):
        with pytest.raises(RemoteProtocolError, match="member 0 has not signed"):
            SignedContract(contract=CONTRACT, signatures=signatures)


@pytest.mark.parametrize("value", [7, (b"", 7), (CONTRACT.encode(), (7,))])
def test_what_is_no_signed_contract(value: Any) -> None:
    with pytest.raises(RemoteProtocolError) as error:
        SignedContract.decode(encode(value))
    assert error.value.code == "contract"
