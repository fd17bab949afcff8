"""The lobby of a series: its contract is signed by all before the first roster is proposed."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from protocol.codec import encode
from protocol.errors import RemoteProtocolError
from protocol.feed.roster import InSeries, Roster
from protocol.link import messages
from protocol.link.messages import Contracted, Join, Message, Proposed, Signed
from protocol.peer.lobby import Guest, Host
from protocol.peer.offer import Offer
from protocol.peer.series_offer import SeriesOffer
from protocol.series.contract import Contract, Kind, Plan, SeriesGame, SignedContract
from protocol.version import VERSION
from tests.protocol.peer.inn import OFFER, Inn, Sitter, Visitor

PLAN = Plan(kind=Kind.BEST, count=3, games=(SeriesGame.of(OFFER),), points=(1,))
FIRST = replace(OFFER, series=SeriesOffer.first(PLAN))


def begin(offer: Offer = FIRST) -> tuple[Inn, Visitor, Visitor]:
    inn, fig, plum = Inn(offer), Visitor("fig"), Visitor("plum")
    inn.come(fig)
    inn.come(plum)
    inn.settle()
    return inn, fig, plum


def following(inn: Inn) -> Offer:
    """What is offered after the first game."""
    signed = inn.host.signed
    assert signed is not None
    place = InSeries(signed.contract.id, 2, b"\2" * 32)
    return replace(OFFER, series=SeriesOffer.following(signed, place))


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(RemoteProtocolError) as caught:
        act()
    return caught.value.code


def test_the_contract_is_signed_by_all() -> None:
    inn, fig, plum = begin()
    assert inn.host.begun
    roster, signed = inn.host.roster, inn.host.signed
    assert roster is not None
    assert signed is not None
    assert fig.guest.signed == plum.guest.signed == signed
    assert roster.series == InSeries(signed.contract.id, 1, b"")
    assert signed.contract.members == roster.players
    assert signed.contract.plan == PLAN


def test_the_next_game_goes_on_from_a_file() -> None:
    inn, *_ = begin()
    offer = following(inn)
    again, fig, _plum = begin(offer)
    assert again.host.begun
    assert again.host.roster is not None
    assert again.host.roster.series == InSeries(inn.host.signed.contract.id, 2, b"\2" * 32)  # type: ignore[union-attr]
    assert fig.guest.signed == inn.host.signed
    assert again.host.signed == inn.host.signed


def test_offers_and_bytes() -> None:
    inn, *_ = begin()
    for offer in (FIRST, following(inn)):
        assert Offer.decode(offer.encode()) == offer
        assert not offer.same_conditions(OFFER)
        assert offer.series is not None
        assert offer.series.plan == PLAN


@pytest.mark.parametrize("value", [(), 7, (b"", True, b""), (b"", 1), (b"", 1, 1)])
def test_what_is_no_game_of_a_series(value: Any) -> None:
    data = encode((VERSION, *OFFER.terms, OFFER.seats, 0, value))
    assert refusal(lambda: Offer.decode(data)) == "offer"
    longer = encode((VERSION, *OFFER.terms, OFFER.seats, 0, tuple(FIRST.series or ()), ()))
    assert refusal(lambda: Offer.decode(longer)) == "offer"


def come(offer: Offer, **more: Any) -> Guest:
    """A guest who has received an offer."""
    sitter = Sitter("fig")
    guest = Guest(sitter, sign=sitter.sign, **more)
    guest.receive(messages.Lobby(offer.encode(), ()))
    return guest


@pytest.mark.parametrize(
    "series",
    [
        SeriesOffer(b"", 1, b""),
        SeriesOffer(PLAN.encode(), 2, b""),
        SeriesOffer(replace(PLAN, count=5).encode(), 0, b""),
        SeriesOffer.first(replace(PLAN, games=(replace(PLAN.games[0], limits=()),))),
        SeriesOffer(PLAN.encode(), 1, b"\2" * 32),
    ],
)
def test_a_guest_refuses_what_the_series_does_not_say(series: SeriesOffer) -> None:
    assert refusal(lambda: come(replace(OFFER, series=series))) in ("offer", "codec", "contract")


def rows(guest: Guest) -> list[Any]:
    """The rows of a roster: the guest's own, and two others."""
    [join] = [one for one in guest.take_messages() if isinstance(one, Join)]
    mine = replace(Sitter("fig")(), nonce=join.nonce)
    return sorted([mine, Sitter("host")(), Sitter("plum")()], key=lambda one: one.key)


def contract(players: list[Any], plan: Plan = PLAN) -> Contract:
    return Contract(plan=plan, members=tuple(players))


def test_contracts_that_a_guest_does_not_sign() -> None:
    guest = come(FIRST)
    players = rows(guest)
    strange = [replace(one, nonce=bytes(32)) for one in players]
    for bad in (
        contract(strange),
        contract(players[:2]) if players[2].name != "fig" else contract(players[1:]),
        contract(players, replace(PLAN, count=5)),
    ):
        assert refusal(lambda bad=bad: guest.receive(Contracted(bad.encode()))) == "contract"  # type: ignore[misc]
    good = Contracted(contract(players).encode())
    guest.receive(good)
    [said] = guest.take_messages()
    assert isinstance(said, Signed)
    assert refusal(lambda: guest.receive(good)) == "contract"  # not twice with one nonce


def test_a_contract_where_none_was_offered() -> None:
    for offer in (OFFER, following(begin()[0])):
        guest = come(offer)
        data = contract(rows(guest)).encode()
        assert refusal(lambda guest=guest, data=data: guest.receive(Contracted(data))) == "contract"  # type: ignore[misc]
    silent = Guest(Sitter("fig"))
    silent.receive(messages.Lobby(FIRST.encode(), ()))
    data = contract(rows(silent)).encode()
    assert refusal(lambda: silent.receive(Contracted(data))) == "contract"


def signed_by_all(made: Contract) -> bytes:
    people = {one.key: one for one in map(Sitter, ("fig", "host", "plum"))}
    signatures = tuple(people[key].sign(made) for key in made.keys)
    return SignedContract(contract=made, signatures=signatures).encode()


def test_a_first_roster_needs_the_contract_that_was_signed() -> None:
    guest = come(FIRST)
    players = rows(guest)
    made = contract(players)
    guest.receive(Contracted(made.encode()))
    roster = FIRST.roster(players)
    other = contract(players, replace(PLAN, count=5))
    elsewhere = replace(roster, series=InSeries(made.id, 1, b"\2" * 32))
    for proposed, code in (
        (Proposed(roster.encode()), "codec"),
        (Proposed(roster.encode(), signed_by_all(other)), "contract"),
        (Proposed(elsewhere.encode(), signed_by_all(made)), "offer"),
        (Proposed(replace(roster, series=None).encode(), signed_by_all(made)), "offer"),
    ):
        assert refusal(lambda it=proposed: guest.receive(it)) == code  # type: ignore[misc]
    guest.receive(Proposed(roster.encode(), signed_by_all(made)))
    assert guest.roster == roster


def test_a_player_who_must_not_sit_down() -> None:
    """Its files say that this game was played already."""

    def check(_contract: Contract, _roster: Roster) -> None:
        raise RemoteProtocolError("series", "again")

    guest = come(following(begin()[0]), check=check)
    players = rows(guest)
    assert guest.offer is not None
    roster = guest.offer.roster(players)
    assert refusal(lambda: guest.receive(Proposed(roster.encode()))) == "series"
    assert guest.roster is None


def host_with_guests() -> tuple[Host, dict[int, Sitter]]:
    sitter = Sitter("host")
    host = Host(FIRST, sitter, sitter.sign)
    guests = {link: Sitter(name) for link, name in enumerate(("fig", "plum"))}
    for link, guest in guests.items():
        host.opened(link, guest.key, watching=False)
        host.receive(link, Join(FIRST.id, guest().nonce, guest.name), 0)
    return host, guests


def sent(host: Host, kind: type[Message]) -> list[Any]:
    return [message for _, message in host.take_messages() if isinstance(message, kind)]


def test_a_host_takes_good_signatures_only() -> None:
    host, guests = host_with_guests()
    [contracted, _] = sent(host, Contracted)
    made = Contract.decode(contracted.contract)
    assert refusal(lambda: host.receive(0, Signed(guests[1].sign(made)), 0)) == "signature"
    host.receive(0, Signed(guests[0].sign(made)), 0)
    host.receive(0, Signed(guests[0].sign(made)), 0)  # once is enough
    assert not sent(host, Proposed)
    assert [host.awaits(link) for link in (0, 1)] == [False, True]
    host.receive(1, Signed(guests[1].sign(made)), 0)
    assert [host.awaits(link) for link in (0, 1)] == [True, True]  # both shall accept now
    assert len(sent(host, Proposed)) == 2


def test_a_guest_goes_before_all_have_signed() -> None:
    host, guests = host_with_guests()
    [contracted, _] = sent(host, Contracted)
    made = Contract.decode(contracted.contract)
    host.receive(0, Signed(guests[0].sign(made)), 0)
    host.closed(1)
    host.receive(0, Signed(guests[0].sign(made)), 0)  # too late, it means nothing
    assert host.roster is None
    assert host.signed is None
    host.receive(0, Join(host.offer.id, guests[0]().nonce, "fig"), 0)
    host.receive(0, Signed(guests[0].sign(made)), 0)
    assert host.roster is None
