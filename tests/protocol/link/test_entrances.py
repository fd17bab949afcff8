"""Links at the entrance of a table: with a code, with a knock, and every way to cheat there."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.noise import BARE_SIZE
from protocol.errors import RemoteProtocolError
from protocol.link.codes import CodeEntry, KnockEntry, Renewed
from protocol.link.entrance import HELLO_SIZE, KNOCK_SIZE, Entrance
from protocol.link.link import PREFACE_SIZE, Link
from tests.protocol.link.entrances import (
    OFFER,
    Change,
    Porch,
    caller,
    knocking,
    meet,
    unchanged,
    with_code,
)
from tests.protocol.link.links import ALICE, BOB, MALLORY, check_dead, dialler, frame, responder
from tests.protocol.tables import secret


def refusal(act: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(RemoteProtocolError) as caught:
        act(*arguments)
    return caught.value.code


def meet_refused(
    one: Link, porch: Porch, other: Link, there: Change = unchanged, back: Change = unchanged
) -> str:
    code = refusal(meet, one, porch, other, there, back)
    assert not one.opened
    assert not other.opened
    return code


def test_the_code_opens_a_link_and_messages_go_over_it() -> None:
    porch = Porch()
    one, other = with_code(porch.entrance, porch.keeper.digits), porch.link()
    said = meet(one, porch, other)
    assert (one.peer, other.peer) == (BOB.key, ALICE.key)
    assert one.key == other.key
    assert other.run is not None
    assert not other.run.knocks
    assert one.receive(other.send(b"the secret")) == [b"the secret"]
    assert other.receive(one.send(b"thanks")) == [b"thanks"]
    sizes = [len(part) for part in said]
    assert sizes == [PREFACE_SIZE + 2 + HELLO_SIZE, 2 + 33, 2 + BARE_SIZE, 50 + 156, 156]
    assert porch.renewals == [Renewed.USED]


def test_a_friend_knocks() -> None:
    porch = Porch(known=(ALICE.key,))
    one, other = knocking(porch.entrance), porch.link()
    said = meet(one, porch, other)
    assert one.opened
    assert other.opened
    assert other.run is not None
    assert other.run.knocks
    assert len(said[0]) == PREFACE_SIZE + 2 + KNOCK_SIZE + 2 + BARE_SIZE
    assert porch.keeper.failures == 0


def test_a_wrong_code_gets_a_share_and_not_one_byte_more() -> None:
    porch = Porch()
    one, other = with_code(porch.entrance, porch.wrong), porch.link()
    answer = porch.take(other, one.pending())
    assert len(answer) == 2 + 33
    one.receive(answer)
    assert refusal(porch.take, other, one.pending()) == "cipher"
    check_dead(other)
    assert porch.keeper.failures == 1


def test_the_code_is_new_before_the_host_says_anything() -> None:
    porch = Porch()
    digits = porch.keeper.digits
    one, other = with_code(porch.entrance, digits), porch.link()
    one.receive(porch.take(other, one.pending()))
    other.receive(one.pending())
    assert porch.keeper.digits != digits
    assert other.pending()


def test_of_two_with_the_same_code_the_second_is_too_late() -> None:
    porch = Porch()
    digits, entrance = porch.keeper.digits, porch.entrance
    one, first = with_code(entrance, digits), porch.link()
    two, second = with_code(entrance, digits, MALLORY), porch.link("second")
    two.receive(porch.take(second, two.pending()))
    meet(one, porch, first)
    assert one.opened
    assert refusal(second.receive, two.pending()) == "code"
    check_dead(second)


# 29, 40: strangers.


def test_who_has_not_heard_the_announcement_gets_no_byte() -> None:
    porch = Porch()
    guess = replace(porch.entrance, id=bytes(8))
    for one in (with_code(guess, porch.keeper.digits), knocking(guess), dialler()):
        other = porch.link()
        assert refusal(other.receive, one.pending()) == "stranger"
        check_dead(other)
    assert porch.keeper.failures == 0


def test_without_an_entrance_there_is_none() -> None:
    entrance = Entrance(id=bytes(8), host=BOB.key, offer=bytes(32))
    hello = with_code(entrance, "1").pending()
    assert refusal(responder().receive, hello) == "stranger"


def test_invitations_have_nothing_to_do_with_it() -> None:
    """The link with an entrance still takes the keys of the table, whatever happened at it."""
    porch = Porch()
    for _ in range(35):
        one, other = with_code(porch.entrance, porch.wrong), porch.link()
        try:
            meet(one, porch, other)
        except RemoteProtocolError:
            if other.run is not None:
                porch.keeper.closed(other.run)
    assert len(porch.keeper.digits) == 10
    key = secret("seat key")
    other = Link(
        keys=[key],
        identity=BOB,
        instance=bytes(16),
        ephemeral=secret("e"),
        dialling=False,
        entrance_id=porch.entrance.id,
    )
    one = dialler(key=key)
    meet(one, porch, other)
    assert one.opened
    assert other.run is None


def test_who_is_not_in_the_book_knocks_in_vain() -> None:
    porch = Porch(known=(MALLORY.key,))
    other = porch.link()
    assert refusal(porch.take, other, knocking(porch.entrance).pending()) == "stranger"
    assert other.pending() == b""


@pytest.mark.parametrize("size", {0, 1, 31, 33, 64, 66, 65_535})
def test_24_a_hello_of_another_length_is_refused_at_once(size: int) -> None:
    porch = Porch()
    other = porch.link()
    other.receive(with_code(porch.entrance, "1").pending()[:PREFACE_SIZE])
    assert refusal(other.receive, size.to_bytes(2, "big")) == "frame"


@pytest.mark.parametrize("size", {0, 32, 34, 48, 65_535})
def test_24_a_share_of_another_length_is_refused_at_once(size: int) -> None:
    one = with_code(Porch().entrance, "1")
    assert refusal(one.receive, size.to_bytes(2, "big")) == "frame"


def test_nothing_more_is_read_before_the_answer() -> None:
    porch = Porch()
    other = porch.link()
    one = with_code(porch.entrance, porch.keeper.digits)
    other.receive(one.pending() + frame(bytes(BARE_SIZE)))
    assert other.asks
    other.admit(porch.answer(other.hello))
    assert refusal(other.receive, b"") == "cipher"


@given(st.lists(st.binary(max_size=120), max_size=3), st.booleans(), st.sampled_from([32, 65]))
def test_garbage_is_refused_or_waited_for(parts: list[bytes], framed: bool, size: int) -> None:
    porch = Porch(known=(ALICE.key,))
    other = porch.link()
    other.receive(with_code(porch.entrance, "1").pending()[:PREFACE_SIZE])
    try:
        for part in parts:
            said = (ALICE.key + part)[:size].ljust(size, b"\2") if framed else part
            porch.take(other, frame(said) if framed else said)
    except RemoteProtocolError:
        assert not other.opened
    assert not other.opened


# The ids: whatever one side believes and the other does not makes the link fail.


def believed(entrance: Entrance, what: str) -> Entrance:
    match what:
        case "host":
            return replace(entrance, host=MALLORY.key)
        case _:
            return replace(entrance, offer=secret("another offer"))


@pytest.mark.parametrize("what", ["host", "offer"])
@pytest.mark.parametrize("knocks", [True, False], ids=["knock", "code"])
def test_an_announcement_that_was_changed(what: str, knocks: bool) -> None:
    porch = Porch(known=(ALICE.key,))
    entrance = believed(porch.entrance, what)
    one = knocking(entrance) if knocks else with_code(entrance, porch.keeper.digits)
    assert meet_refused(one, porch, porch.link()) == "cipher"
    assert porch.renewals == []


def test_the_callers_key_was_changed_on_the_way() -> None:
    """Mallory puts its own key into the hello of somebody who knows the code."""
    porch = Porch(known=(ALICE.key, MALLORY.key))

    def swapped(data: bytes) -> bytes:
        return data.replace(ALICE.key, MALLORY.key)

    one = with_code(porch.entrance, porch.keeper.digits)
    assert meet_refused(one, porch, porch.link(), there=swapped) == "cipher"
    one = knocking(porch.entrance)
    assert meet_refused(one, porch, porch.link(), there=swapped) == "cipher"


def test_another_version_is_another_key() -> None:
    entrance = Porch().entrance
    assert entrance.about(ALICE.key) == b"\2" + ALICE.key + BOB.key + OFFER


def test_a_caller_must_be_who_it_says() -> None:
    """Mallory knows the code, or a friend's key, but not the friend's secret."""
    porch = Porch(known=(ALICE.key,))
    for knocks in (True, False):
        knock = KnockEntry(porch.entrance, ALICE.key)
        code = CodeEntry(porch.entrance, ALICE.key, porch.keeper.digits, secret("x"))
        one, other = caller(knock if knocks else code, MALLORY), porch.link()
        assert refusal(meet, one, porch, other) == "unexpected"
        assert not other.opened


def test_a_host_must_be_who_was_announced() -> None:
    """Mallory announces Bob's table as its own, without Bob's secret, and even knows the code."""
    porch = Porch(known=(ALICE.key,))
    porch.identity = MALLORY
    for one in (knocking(porch.entrance), with_code(porch.entrance, porch.keeper.digits)):
        code = refusal(meet, one, porch, porch.link())
        assert code == "unexpected"
        assert not one.opened
        assert one.pending() == b""  # and was not told who called


# Replay, reflection, somebody in the middle.


def test_a_recorded_run_opens_nothing() -> None:
    """The whole of a good run is said again: at the entrance of then, at that of now, and after a
    code that happens to be the same."""
    porch = Porch()
    entrance, digits = porch.entrance, porch.keeper.digits
    said = meet(with_code(entrance, digits), porch, porch.link())
    other = porch.link("again")
    assert refusal(porch.take, other, said[0]) == "stranger"
    other = porch.link("again")
    now = said[0].replace(entrance.id, porch.entrance.id)
    answer = porch.take(other, now)
    assert answer != said[1]
    assert refusal(porch.take, other, said[2]) == "cipher"


def test_a_recorded_answer_opens_nothing() -> None:
    """Mallory stands in for the host, and says what it said the last time."""
    porch = Porch()
    digits, entrance = porch.keeper.digits, porch.entrance
    said = meet(with_code(entrance, digits), porch, porch.link())
    one = with_code(entrance, digits, seed="another call")
    one.pending()
    one.receive(said[1])
    assert refusal(one.receive, said[3]) == "cipher"


def test_a_recorded_knock_shows_nothing() -> None:
    porch = Porch(known=(ALICE.key,))
    said = meet(knocking(porch.entrance), porch, porch.link())
    other = porch.link("again")
    answer = porch.take(other, said[0])
    assert answer != said[1]
    assert refusal(other.receive, said[2]) == "cipher"
    assert not other.opened


def test_what_a_caller_says_comes_back_to_it() -> None:
    one = with_code(Porch().entrance, "4821")
    hello = one.pending()
    one.receive(frame(hello[-33:]))
    first = one.pending()
    assert refusal(one.receive, first) == "cipher"
    one = knocking(Porch().entrance)
    first = one.pending()[-50:]
    assert refusal(one.receive, first) == "cipher"


def test_the_hosts_share_comes_back_to_it() -> None:
    """Mallory calls twice, and says in the second run what the host said in the first."""
    porch = Porch()
    one, first, second = with_code(porch.entrance, "0000", MALLORY), porch.link(), porch.link("2")
    share = porch.take(first, one.pending())[2:]
    preface = b"p2pfruit\2" + porch.entrance.id
    answer = porch.take(second, preface + frame(MALLORY.key + share))
    assert len(answer) == 35
    assert refusal(second.receive, frame(bytes(48))) == "cipher"


def test_somebody_in_the_middle_without_the_code() -> None:
    """Mallory announces its own key under the host's name, and plays the host to the caller and the
    caller to the host. One guess at each of them is all that it has, and both were wrong."""
    porch = Porch()
    false = Porch(identity=MALLORY, name="false")
    assert false.keeper.digits != porch.keeper.digits
    one = with_code(false.entrance, porch.keeper.digits)
    assert meet_refused(one, false, false.link()) == "cipher"
    assert meet_refused(with_code(porch.entrance, porch.wrong, MALLORY), porch, porch.link())
    assert porch.renewals == []


def test_somebody_in_the_middle_who_changes_the_shares() -> None:
    porch = Porch()
    mine = CodeEntry(porch.entrance, MALLORY.key, porch.wrong, secret("middle"))

    def there(data: bytes) -> bytes:
        return data[:-33] + mine.hello[-33:] if len(data) > 60 else data

    one = with_code(porch.entrance, porch.keeper.digits)
    assert meet_refused(one, porch, porch.link(), there=there) == "cipher"

    def back(data: bytes) -> bytes:
        return frame(mine.hello[-33:]) if len(data) == 35 else data

    one = with_code(porch.entrance, porch.keeper.digits)
    assert meet_refused(one, porch, porch.link(), back=back) == "cipher"


def test_a_wire_that_only_passes_on_learns_nothing() -> None:
    """Mallory passes every byte on, and has no key in the end, although it knows all that was
    said and announced."""
    porch = Porch()
    one, other = with_code(porch.entrance, porch.keeper.digits), porch.link()
    said = b"".join(meet(one, porch, other))
    message = other.send(bytes(16))
    for secret_bytes in (one.key, bytes(16)):
        assert secret_bytes not in said + message


def test_the_code_of_another_table_is_a_wrong_code() -> None:
    porch = Porch()
    other_table = Porch(identity=MALLORY, offer=secret("another offer"), name="another table")
    one = with_code(porch.entrance, other_table.keeper.digits)
    assert meet_refused(one, porch, porch.link()) == "cipher"


def test_a_code_that_is_the_same_at_two_tables_is_no_bridge() -> None:
    """Mallory hosts a table whose code is equal by chance, and passes the run on to the other."""
    porch = Porch()
    entrance = replace(porch.entrance, host=MALLORY.key)  # as Mallory announces itself
    one = with_code(entrance, porch.keeper.digits)
    assert meet_refused(one, porch, porch.link()) == "cipher"
