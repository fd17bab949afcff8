"""How a table comes about: whoever comes and goes, in whatever order."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import RemoteProtocolError
from protocol.link import messages
from protocol.link.messages import (
    Accept,
    Begin,
    Bye,
    Heads,
    Join,
    Near,
    Ping,
    Pong,
    Proposed,
    Twin,
)
from protocol.peer.lobby import FULL, Guest, Host, Refused
from protocol.peer.offer import Offer
from tests.protocol.peer.inn import OFFER, SETUP, Inn, Sitter, Visitor
from tests.protocol.tables import secret


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(RemoteProtocolError) as caught:
        act()
    return caught.value.code


def begun(one: Host | Guest) -> bool:
    return one.begun


# The way it goes.


def test_a_table_comes_about() -> None:
    inn = Inn()
    fig, plum = Visitor("fig"), Visitor("plum")
    inn.come(fig)
    inn.settle()
    assert fig.guest.offer == OFFER
    assert [name for _, name, *_ in fig.guest.players] == ["host", "fig"]
    assert not begun(inn.host)
    inn.come(plum)
    inn.settle()
    assert begun(inn.host)
    assert inn.host.roster == fig.guest.roster == plum.guest.roster
    assert begun(fig.guest)
    assert begun(plum.guest)
    roster = inn.host.roster
    assert roster is not None
    assert roster.terms == OFFER.terms
    assert {player.name for player in roster.players} == {"host", "fig", "plum"}
    assert roster.build().rules_id == OFFER.build().rules_id


def test_offers_and_bytes() -> None:
    assert Offer.decode(OFFER.encode()) == OFFER
    roster = SETUP.roster
    for data in (roster.encode(), b"", b"\x01"):
        with pytest.raises(RemoteProtocolError):
            Offer.decode(data)


def test_those_who_watch_see_who_is_there() -> None:
    inn = Inn()
    watcher = Visitor("watcher", watching=True)
    inn.come(watcher)
    inn.come(Visitor("fig"))
    inn.come(Visitor("plum"))
    inn.settle()
    assert begun(inn.host)
    assert [name for _, name, *_ in watcher.guest.players] == ["host", "fig", "plum"]
    assert watcher.guest.roster is None
    assert not begun(watcher.guest)


def test_all_seats_are_taken() -> None:
    inn = Inn()
    late = Visitor("late")
    inn.come(Visitor("fig"))
    inn.come(Visitor("plum"))
    inn.settle()
    link = inn.come(late)
    inn.settle()
    assert late.refused == FULL
    assert link not in inn.there
    assert begun(inn.host)


def test_somebody_goes_before_the_roster() -> None:
    inn = Inn()
    fig, plum = Visitor("fig"), Visitor("plum")
    link = inn.come(fig)
    inn.settle()
    inn.go(link)
    assert len(inn.host.players) == 1
    inn.come(plum)
    inn.come(Visitor("pear"))
    inn.settle()
    assert begun(inn.host)
    assert len(inn.sitter.nonces) == 1  # nothing was proposed with it
    assert len(plum.sitter.nonces) == 1


def test_somebody_goes_after_others_have_accepted() -> None:
    inn = Inn()
    fig, plum = Visitor("fig"), Visitor("plum")
    inn.come(fig)
    link = inn.come(plum)
    while not fig.accepted:
        inn.possible()[0]()
    inn.go(link)
    inn.settle()
    assert not begun(inn.host)
    assert inn.host.roster is None
    assert fig.guest.roster is None
    assert len(inn.host.players) == 2  # fig has asked again
    inn.come(plum)
    plum.guest.linked_again()
    inn.settle()
    assert begun(inn.host)
    first, last = fig.accepted
    nonces = {player.nonce for player in first.players}
    assert not nonces & {player.nonce for player in last.players}


def test_somebody_goes_after_the_beginning() -> None:
    inn = Inn()
    fig, plum = Visitor("fig"), Visitor("plum")
    inn.come(fig)
    link = inn.come(plum)
    inn.settle()
    inn.go(link)
    inn.host.closed(99)  # nobody's
    assert begun(inn.host)
    assert inn.host.roster == fig.guest.roster


# All orders.


@st.composite
def stories(draw: st.DrawFn) -> list[tuple[str, int]]:
    acts = st.sampled_from(("come", "go", "move", "move", "move", "move", "change", "agree"))
    return draw(st.lists(st.tuples(acts, st.integers(0, 50)), max_size=60))


OFFERS = [OFFER, replace(OFFER, limits=()), replace(OFFER, limits=(("turn_s", 90),))]


def agree(inn: Inn, visitor: Visitor) -> None:
    if visitor.guest.asked:
        inn.agree(visitor)


@pytest.mark.no_cover
@given(stories())
def test_all_orders_of_coming_and_going(story: list[tuple[str, int]]) -> None:
    inn = Inn()
    visitors = [Visitor(name) for name in ("fig", "plum", "pear", "lime")]
    visitors.append(Visitor("watcher", watching=True))
    for act, which in story:
        gone = [one for one in visitors if one not in inn.there.values()]
        if act == "come" and gone:
            fresh = gone[which % len(gone)]
            if not fresh.guest.begun:
                fresh.guest.linked_again()
                inn.come(fresh)
        elif act == "go" and inn.there and not inn.host.begun:
            inn.go(list(inn.there)[which % len(inn.there)])
        elif act == "change" and not inn.host.begun:
            inn.change(OFFERS[which % len(OFFERS)])
        elif act == "agree" and inn.there:
            agree(inn, list(inn.there.values())[which % len(inn.there)])
        elif possible := inn.possible():
            possible[which % len(possible)]()
    inn.settle()
    for visitor in inn.there.values():
        agree(inn, visitor)
    inn.settle()
    playing = [one for one in visitors if one.guest.begun]
    if inn.host.begun:
        roster = inn.host.roster
        assert roster is not None
        seated = {player.key for player in roster.players}
        there = [one for one in inn.there.values() if one.sitter.key in seated]
        assert len(there) == OFFER.seats - 1
        assert all(one.guest.begun and one.guest.roster == roster for one in there)
        assert playing == [one for one in visitors if one in there]
    else:
        assert playing == []
        assert inn.host.roster is None
        assert len(inn.host.players) < OFFER.seats
    rosters = {roster.table: roster for one in visitors for roster in one.accepted}
    nonces = [player.nonce for roster in rosters.values() for player in roster.players]
    for one in visitors:
        assert all(roster.terms in [offer.terms for offer in OFFERS] for roster in one.accepted)
        accepted = [p.nonce for r in one.accepted for p in r.players if p.key == one.sitter.key]
        assert len(accepted) == len(set(accepted))
    mine = [nonce for nonce in nonces if nonce in inn.sitter.nonces]
    assert len(mine) == len(set(mine))


def test_a_beginning_that_was_not_heard() -> None:
    """The link is cut between accept and begin; the table is met again, or the lobby."""
    inn = Inn()
    fig, plum = Visitor("fig"), Visitor("plum")
    inn.come(fig)
    inn.come(plum)
    while not plum.accepted:
        inn.possible()[-1]()
    plum.guest.linked_again()
    table = plum.accepted[0].table
    plum.guest.heard_of(bytes(32))
    assert not begun(plum.guest)
    plum.guest.heard_of(table)
    assert begun(plum.guest)
    plum.guest.heard_of(bytes(32))
    assert begun(plum.guest)
    plum.guest.receive(messages.Lobby(OFFER.encode(), ()))  # too late
    assert plum.guest.take_messages() == []


# What a host hears.


@pytest.fixture
def host() -> Host:
    host = Host(OFFER, Sitter("host"))
    host.opened(0, Sitter("fig").key, watching=False)
    host.opened(1, Sitter("plum").key, watching=False)
    host.opened(2, Sitter("watcher").key, watching=True)
    host.take_messages()
    return host


NONCE = bytes(32)


def test_a_watcher_gets_no_seat(host: Host) -> None:
    assert refusal(lambda: host.receive(2, Join(OFFER.id, NONCE, "watcher"), 0)) == "join"
    assert len(host.players) == 1
    assert host.take_messages() == []


def test_one_seat_each(host: Host) -> None:
    host.receive(0, Join(OFFER.id, NONCE, "fig"), 0)
    assert refusal(lambda: host.receive(0, Join(OFFER.id, NONCE, "fig"), 0)) == "join"
    host.opened(3, Sitter("fig").key, watching=False)
    assert refusal(lambda: host.receive(3, Join(OFFER.id, NONCE, "fig"), 0)) == "join"
    host.opened(4, Sitter("host").key, watching=False)
    assert refusal(lambda: host.receive(4, Join(OFFER.id, NONCE, "host"), 0)) == "join"
    assert len(host.players) == 2


@pytest.mark.parametrize("name", ["", "x" * 33, "a\nb"])
def test_names_have_a_place_in_a_roster(host: Host, name: str) -> None:
    assert refusal(lambda: host.receive(0, Join(OFFER.id, NONCE, name), 0)) == "roster"
    assert len(host.players) == 1


def test_everybody_is_asked_before_the_beginning(host: Host) -> None:
    host.receive(0, Join(OFFER.id, NONCE, "fig"), 0)
    host.receive(0, Accept(OFFER.id, NONCE), 0)
    host.receive(1, Join(OFFER.id, NONCE, "plum"), 0)
    assert host.roster is not None
    table = host.roster.table
    host.receive(0, Accept(OFFER.id, NONCE), 0)  # another
    host.receive(2, Accept(OFFER.id, table), 0)  # no seat
    host.receive(0, Accept(OFFER.id, table), 0)
    host.receive(0, Accept(OFFER.id, table), 0)
    assert not begun(host)
    host.take_messages()
    host.receive(1, Accept(OFFER.id, table), 0)
    assert begun(host)
    assert host.take_messages() == [(0, Begin(table)), (1, Begin(table))]
    host.receive(1, Accept(OFFER.id, table), 0)  # once is enough
    assert host.take_messages() == []


def test_what_was_accepted_is_void_when_somebody_goes(host: Host) -> None:
    host.receive(0, Join(OFFER.id, NONCE, "fig"), 0)
    host.receive(1, Join(OFFER.id, NONCE, "plum"), 0)
    assert host.roster is not None
    old = host.roster.table
    host.receive(0, Accept(OFFER.id, old), 0)
    host.closed(1)
    host.opened(3, Sitter("plum").key, watching=False)
    host.receive(0, Join(OFFER.id, secret("fresh"), "fig"), 0)
    host.receive(3, Join(OFFER.id, secret("fresher"), "plum"), 0)
    host.receive(0, Accept(OFFER.id, old), 0)
    host.receive(3, Accept(OFFER.id, host.roster.table), 0)
    assert not begun(host)
    host.receive(0, Accept(OFFER.id, host.roster.table), 0)
    assert begun(host)


def test_a_host_answers_and_hears_nothing_else(host: Host) -> None:
    host.receive(0, Ping(7), 0)
    assert host.take_messages() == [(0, Pong(7))]
    for message in (Pong(1), Twin(), Near((1,)), Begin(NONCE), Heads(NONCE, ())):
        host.receive(0, message, 0)
    assert host.take_messages() == []
    assert len(host.players) == 1


def test_a_host_is_owed_what_programs_answer_by_themselves(host: Host) -> None:
    def awaited() -> list[int]:
        return [link for link in range(5) if host.awaits(link)]

    assert awaited() == []
    host.receive(0, Join(OFFER.id, NONCE, "fig"), 0)
    assert awaited() == []  # the others may take their time to come
    host.receive(1, Join(OFFER.id, NONCE, "plum"), 0)
    assert awaited() == [0, 1]
    assert host.roster is not None
    host.receive(1, Accept(OFFER.id, host.roster.table), 0)
    assert awaited() == [0]
    host.receive(0, Accept(OFFER.id, host.roster.table), 0)
    assert awaited() == []


# What a guest hears.


@pytest.fixture
def guest() -> Guest:
    guest = Guest(Sitter("fig"))
    guest.receive(messages.Lobby(OFFER.encode(), ()))
    assert isinstance(guest.take_messages()[0], Join)
    return guest


def proposal(*more: str, **changed: object) -> Proposed:
    players = [Sitter(name)() for name in ("fig", *more)]
    return Proposed(replace(OFFER.roster(players), **changed).encode())  # type: ignore[arg-type]


def test_a_guest_accepts_once(guest: Guest) -> None:
    guest.receive(proposal("plum", "host"))
    assert guest.roster is not None
    assert guest.take_messages() == [Accept(OFFER.id, guest.roster.table)]
    accepted = guest.roster
    assert refusal(lambda: guest.receive(proposal("plum", "pear"))) == "roster"
    assert guest.roster == accepted
    guest.receive(Begin(NONCE))
    assert not begun(guest)
    guest.receive(Begin(accepted.table))
    assert begun(guest)


def test_37_a_roster_without_my_nonce(guest: Guest) -> None:
    old = proposal("plum", "host")
    guest.receive(old)
    guest.receive(messages.Lobby(OFFER.encode(), ()))
    guest.take_messages()
    assert refusal(lambda: guest.receive(old)) == "roster"  # with the nonce from before
    assert guest.roster is None
    assert guest.take_messages() == []


def test_another_name_of_mine(guest: Guest) -> None:
    sitter = Sitter("fig")
    players = [replace(sitter(), name="fog"), Sitter("plum")(), Sitter("host")()]
    roster = Proposed(OFFER.roster(players).encode())
    assert refusal(lambda: guest.receive(roster)) == "roster"


@pytest.mark.parametrize(
    "changed", [{"limits": ()}, {"game": "punnet"}, {"content": "x"}, {"rules_id": "0" * 64}]
)
def test_a_host_that_proposes_another_game(guest: Guest, changed: dict[str, object]) -> None:
    assert refusal(lambda: guest.receive(proposal("plum", "host", **changed))) == "offer"
    assert guest.roster is None


@pytest.mark.parametrize("more", [("plum",), ("plum", "host", "pear")])
def test_a_host_that_proposes_more_or_fewer(guest: Guest, more: tuple[str, ...]) -> None:
    assert refusal(lambda: guest.receive(proposal(*more))) == "offer"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"game": "chess"}, "game"),
        ({"rules_id": "0" * 64}, "rules"),
        ({"seats": 99}, "game"),
        ({"options": (("no", "such"),)}, "game"),
        ({"limits": (("turn_s", 0),)}, "limits"),
        ({"limits": (("duty_s", 0),)}, "limits"),
    ],
)
def test_an_offer_that_we_do_not_play(changed: dict[str, object], code: str) -> None:
    guest = Guest(Sitter("fig"))
    offer = replace(OFFER, **changed)  # type: ignore[arg-type]
    assert refusal(lambda: guest.receive(messages.Lobby(offer.encode(), ()))) == code
    assert guest.offer is None
    assert guest.take_messages() == []


def test_a_roster_before_the_offer() -> None:
    guest = Guest(Sitter("fig"))
    assert refusal(lambda: guest.receive(proposal("plum", "host"))) == "roster"


def test_a_watcher_is_never_proposed() -> None:
    guest = Guest(None)
    guest.receive(messages.Lobby(OFFER.encode(), ()))
    assert guest.take_messages() == []
    assert refusal(lambda: guest.receive(proposal("plum", "host"))) == "roster"


def test_a_guest_answers_and_hears_nothing_else(guest: Guest) -> None:
    guest.receive(Ping(3))
    assert guest.take_messages() == [Pong(3)]
    for message in (Pong(1), Twin(), Accept(OFFER.id, NONCE), Join(OFFER.id, NONCE, "x")):
        guest.receive(message)
    assert guest.take_messages() == []
    with pytest.raises(Refused, match="no more pears"):
        guest.receive(Bye("no more pears"))


def test_another_link_before_the_roster(guest: Guest) -> None:
    """The seat was asked for over a link that is gone."""
    guest.linked_again()
    guest.receive(messages.Lobby(OFFER.encode(), ()))
    assert len(guest.take_messages()) == 1


def test_a_guest_is_owed_the_next_word_of_the_host(guest: Guest) -> None:
    owed = [guest.awaits]  # it has asked for a seat
    for message in (messages.Lobby(OFFER.encode(), ()), Ping(3), proposal("plum", "host"), Ping(4)):
        guest.receive(message)
        owed.append(guest.awaits)
    guest.linked_again()
    assert [*owed, guest.awaits] == [True, False, False, True, True, True]
    watcher = Guest(None)
    watcher.receive(messages.Lobby(OFFER.encode(), ()))
    assert not watcher.awaits
