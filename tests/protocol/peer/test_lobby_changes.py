"""A lobby whose host changes its offer, and what is said there."""

from dataclasses import replace

import pytest

from protocol import limits
from protocol.errors import LocalProtocolError
from protocol.link import messages
from protocol.link.messages import Accept, Join, Present, Relay, Say
from protocol.peer.lobby import FULL, Guest, Host
from protocol.peer.offer import Offer
from tests.protocol.peer.inn import OFFER, Inn, Sitter, Visitor
from tests.protocol.peer.test_lobby import NONCE, begun, guest, host, proposal, refusal
from tests.protocol.tables import secret

__all__ = ["guest", "host"]  # fixtures


# Offers that change.

SILENT = replace(OFFER, limits=(("chat", 0), ("turn_s", 60)))
FOUR = replace(OFFER, seats=4)


def asked(guest: Guest) -> bool:
    return guest.asked


def told(offer: Offer, *, number: int = 0, names: tuple[str, ...] = ()) -> messages.Lobby:
    here = tuple([Present(Sitter(name).key, name) for name in names])
    return messages.Lobby(replace(offer, number=number).encode(), here)


def test_everyone_agrees_to_what_has_changed() -> None:
    inn = Inn()
    fig, plum = Visitor("fig"), Visitor("plum")
    inn.come(fig)
    inn.settle()
    inn.change(SILENT)
    inn.come(plum)
    inn.settle()
    assert asked(fig.guest)
    assert not asked(plum.guest)  # it has seen no other offer
    assert [(one.name, one.agreed) for one in plum.guest.players] == [
        ("host", True),
        ("fig", False),
        ("plum", True),
    ]
    assert not begun(inn.host)
    fig.guest.agree(OFFER)  # what it was shown before
    assert asked(fig.guest)
    inn.agree(fig)
    assert not asked(fig.guest)
    inn.agree(fig)  # once is enough
    inn.settle()
    assert begun(inn.host)
    assert begun(fig.guest)
    assert inn.host.roster is not None
    assert inn.host.roster.terms == SILENT.terms
    assert fig.guest.agreed == inn.host.offer
    assert len(fig.sitter.nonces) == 2
    assert len(inn.sitter.nonces) == 1


def test_an_offer_that_changes_while_others_accept() -> None:
    inn = Inn()
    fig, plum = Visitor("fig"), Visitor("plum")
    inn.come(fig)
    inn.come(plum)
    while not fig.accepted:
        inn.possible()[0]()
    inn.change(SILENT)
    inn.settle()
    assert not begun(inn.host)
    assert inn.host.roster is None
    assert len(inn.sitter.nonces) == 2
    assert fig.guest.roster is None
    for visitor in (fig, plum):
        inn.agree(visitor)
    inn.settle()
    assert begun(inn.host)
    assert inn.host.roster == fig.guest.roster == plum.guest.roster


def test_the_host_starts_with_those_who_are_here() -> None:
    inn = Inn(FOUR)
    fig, plum, late = Visitor("fig"), Visitor("plum"), Visitor("late")
    inn.come(fig)
    inn.come(plum)
    inn.settle()
    with pytest.raises(LocalProtocolError, match="more players are here"):
        inn.host.change(replace(FOUR, seats=2))
    inn.change(OFFER)
    inn.come(late)
    inn.agree(fig)
    inn.settle()
    inn.agree(fig)
    inn.agree(plum)
    inn.settle()
    assert begun(inn.host)
    assert late.refused == FULL
    with pytest.raises(LocalProtocolError, match="begun"):
        inn.host.change(FOUR)


def test_a_change_that_is_taken_back_needs_no_answer() -> None:
    inn = Inn()
    fig, plum = Visitor("fig"), Visitor("plum")
    inn.come(fig)
    inn.settle()
    inn.change(SILENT)
    inn.change(OFFER)
    assert inn.host.offer.number == 2
    inn.come(plum)
    inn.settle()
    assert begun(inn.host)
    assert begun(fig.guest)


def test_a_join_that_crosses_a_change_keeps_the_seat() -> None:
    inn = Inn()
    fig = Visitor("fig")
    link = inn.come(fig)
    inn.hear(link)
    inn.change(SILENT)
    inn.answer(link)
    [_, here] = inn.host.present
    assert (here.name, here.agreed) == ("fig", False)
    inn.host.receive(link, Join(OFFER.id, secret("again"), "fog"), 0)  # changes nothing
    assert inn.host.present[1] == here
    inn.settle()
    assert asked(fig.guest)


def test_a_guest_who_is_sent_away() -> None:
    inn = Inn()
    fig, plum = Visitor("fig"), Visitor("plum")
    link = inn.come(fig)
    inn.settle()
    assert inn.host.link_of(fig.sitter.key) == link
    inn.host.send_away(link, "it is late")
    inn.post()
    assert inn.host.link_of(fig.sitter.key) is None
    assert len(inn.host.players) == 1
    inn.host.receive(link, Join(OFFER.id, NONCE, "fig"), 0)  # it has not heard yet
    assert len(inn.host.players) == 1
    inn.settle()
    assert fig.refused == "it is late"
    inn.come(plum)
    inn.come(Visitor("pear"))
    inn.settle()
    assert begun(inn.host)


def test_a_guest_agrees_over_a_new_link_when_it_has_heard_the_offer(guest: Guest) -> None:
    guest.receive(told(SILENT, number=1))
    assert asked(guest)
    guest.linked_again()
    assert guest.offer is not None
    guest.agree(guest.offer)
    assert not asked(guest)
    assert guest.take_messages() == []
    guest.receive(told(SILENT, number=3))
    [join] = guest.take_messages()
    assert isinstance(join, Join)
    assert join.offer == replace(SILENT, number=3).id


@pytest.mark.parametrize("agrees", [False, True])
def test_a_roster_of_an_offer_that_was_not_agreed_to(guest: Guest, agrees: bool) -> None:
    """A host begins nothing with what was said about another offer."""
    guest.receive(told(replace(OFFER, limits=()), number=1))
    assert guest.take_messages() == []
    if agrees:
        assert guest.offer is not None
        guest.agree(guest.offer)
        guest.take_messages()
    for changed in ({}, {"limits": ()}):
        assert refusal(lambda: guest.receive(proposal("plum", "host", **changed))) == "roster"  # noqa: B023
    assert guest.roster is None
    assert guest.take_messages() == []


def test_a_changed_offer_that_we_do_not_play(guest: Guest) -> None:
    assert refusal(lambda: guest.receive(told(replace(OFFER, game="chess"), number=1))) == "game"
    assert guest.offer == OFFER


def test_an_accept_names_the_offer(host: Host) -> None:
    host.receive(0, Join(OFFER.id, NONCE, "fig"), 0)
    host.receive(1, Join(OFFER.id, NONCE, "plum"), 0)
    assert host.roster is not None
    table = host.roster.table
    for link in (0, 1):
        host.receive(link, Accept(SILENT.id, table), 0)
    assert not begun(host)
    for link in (0, 1):
        host.receive(link, Accept(OFFER.id, table), 0)
    assert begun(host)


def test_a_watcher_is_never_asked() -> None:
    guest = Guest(None)
    assert not asked(guest)
    guest.receive(told(OFFER))
    guest.receive(told(SILENT, number=1))
    assert not asked(guest)
    assert guest.offer == replace(SILENT, number=1)


# Chat.


def test_the_host_passes_on_what_guests_say() -> None:
    inn = Inn()
    fig, watcher, shy = Visitor("fig"), Visitor("watcher", watching=True), Visitor("shy")
    link = inn.come(fig)
    inn.settle()
    inn.come(watcher)
    inn.come(shy)
    fig.guest.say("hello")
    fig.answers += fig.guest.take_messages()
    inn.host.say("welcome")
    inn.post()
    inn.answer(link)
    inn.settle()
    host, key = inn.sitter.key, fig.sitter.key
    assert inn.host.take_lines() == [(key, "hello")]
    assert fig.guest.take_lines() == [(host, "welcome")]
    assert watcher.guest.take_lines() == [(host, "welcome"), (key, "hello")]


def test_only_those_who_sit_are_heard_and_not_too_often(host: Host) -> None:
    host.receive(0, Join(OFFER.id, NONCE, "fig"), 0)
    host.take_messages()
    host.receive(1, Say("let me in"), 0)
    assert host.take_lines() == []
    for _time in range(20):
        host.receive(0, Say("hello"), 0)
    assert len(host.take_lines()) == limits.NOTES_AT_ONCE_MOST
    relayed = host.take_messages()
    assert relayed[:2] == [(1, Relay(Sitter("fig").key, "hello")), (2, relayed[0][1])]
    assert len(relayed) == 2 * limits.NOTES_AT_ONCE_MOST
    host.receive(0, Say("hello again"), limits.NOTE_EVERY_MS)
    assert host.take_lines() == [(Sitter("fig").key, "hello again")]


def test_no_words_are_put_into_my_mouth(guest: Guest) -> None:
    guest.receive(told(OFFER, names=("host", "fig", "plum")))
    guest.receive(told(SILENT, number=1, names=("host", "fig", "plum")))
    for name in ("fig", "plum", "nobody"):
        guest.receive(Relay(Sitter(name).key, "I am a fool"))
    assert guest.take_lines() == [(Sitter("plum").key, "I am a fool")]


def test_where_there_is_no_chat(host: Host, guest: Guest) -> None:
    quiet = Guest(Sitter("plum"))
    with pytest.raises(LocalProtocolError, match="has not answered"):
        quiet.say("hello")
    guest.receive(told(SILENT, number=1))
    host.receive(0, Join(OFFER.id, NONCE, "fig"), 0)
    host.change(SILENT)
    host.take_messages()
    host.receive(0, Say("hello"), 0)
    assert host.take_lines() == []
    assert host.take_messages() == []
    for one in (host, guest):
        with pytest.raises(LocalProtocolError, match="silence"):
            one.say("hello")
    for text in ("", "x" * (limits.CHAT_LENGTH_MOST + 1)):
        with pytest.raises(LocalProtocolError, match="letters at once"):
            Host(OFFER, Sitter("host")).say(text)
