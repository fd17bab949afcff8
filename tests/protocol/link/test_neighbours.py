"""The links of one peer: alive, silent, flooded, or the second of one identity."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.link.messages import Bye, Message, Ping, Pong, Twin, parse_message
from protocol.link.neighbours import Drop, Neighbour, Neighbours
from tests.protocol.peer.peers import instance

OLD, NEW, THIRD = instance("old"), instance("new"), instance("third")


@pytest.fixture
def neighbours() -> Neighbours:
    return Neighbours()


def opened(
    neighbours: Neighbours, link: int, player: int | None, run: bytes, now_ms: int = 0
) -> bool:
    return neighbours.open(link, player, run, now_ms).doubts is None


def waiting(neighbour: Neighbour) -> list[Message]:
    messages = [parse_message(data) for data in neighbour.waiting]
    neighbour.waiting.clear()
    return messages


def usable(neighbours: Neighbours) -> list[int]:
    return [one.link for one in neighbours.usable()]


# Alive or not.


def test_both_ends_ask_from_time_to_time(neighbours: Neighbours) -> None:
    opened(neighbours, 0, 1, OLD)
    one = neighbours.by_link[0]
    one.ask(0)
    assert neighbours.tick(limits.KEEP_ALIVE_MS - 1) == []
    assert neighbours.tick(limits.KEEP_ALIVE_MS) == [one]
    assert neighbours.tick(limits.KEEP_ALIVE_MS) == []
    assert waiting(one) == [Ping(0), Ping(1)]


def test_an_answer_measures_the_way(neighbours: Neighbours) -> None:
    opened(neighbours, 0, 1, OLD)
    one = neighbours.by_link[0]
    neighbours.answered(one, Pong(0), 5)  # nobody asked
    assert one.patience.round_trip_ms is None
    one.ask(100)
    neighbours.answered(one, Pong(1), 150)
    assert one.patience.round_trip_ms is None
    neighbours.answered(one, Pong(0), 170)
    assert one.patience.round_trip_ms == 70


def test_silence_is_the_end_of_a_link(neighbours: Neighbours) -> None:
    opened(neighbours, 0, 1, OLD)
    opened(neighbours, 1, 2, OLD)
    neighbours.by_link[1].patience.byte(10)
    neighbours.tick(limits.DEAD_MS)
    assert neighbours.drops == []
    neighbours.tick(limits.DEAD_MS + 1)
    assert neighbours.drops == [Drop(0, "silent", dead=True)]


def test_24_what_waits_is_bounded(neighbours: Neighbours) -> None:
    opened(neighbours, 0, 1, OLD)
    one = neighbours.by_link[0]
    for _ in range(limits.WAITING_MOST):
        neighbours.tell(one, Bye(""))
    assert neighbours.drops == []
    neighbours.tell(one, Bye(""))
    one.ask(0)
    assert neighbours.drops == [Drop(0, "cannot keep up")]
    assert len(one.waiting) == limits.WAITING_MOST


def test_24_too_much_of_no_use() -> None:
    one = Neighbours().open(0, 1, OLD, 0)
    for _ in range(limits.USELESS_MOST):
        one.useless(0)
    with pytest.raises(RemoteProtocolError) as caught:
        one.useless(0)
    assert caught.value.code == "flood"


@given(st.lists(st.integers(0, 200), min_size=1, max_size=60), st.integers(1, 20))
def test_24_some_of_it_is_forgiven(pauses: list[int], most: int) -> None:
    """Refused exactly when more came than what is natural at once, and what time has forgiven."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "USELESS_MOST", most)
        one, now_ms, level, forgiven = Neighbours().open(0, 1, OLD, 0), 0, 0, 0
        for pause_ms in pauses:
            now_ms += pause_ms
            newly = now_ms // limits.USELESS_EVERY_MS - forgiven
            forgiven += newly
            level = max(0, level - newly) + 1
            if level > most:
                with pytest.raises(RemoteProtocolError):
                    one.useless(now_ms)
                return
            one.useless(now_ms)


# Two links of one identity.


def test_two_links_of_one_run_are_both_used(neighbours: Neighbours) -> None:
    assert opened(neighbours, 0, 1, OLD)
    assert opened(neighbours, 1, 1, OLD)
    assert usable(neighbours) == [0, 1]
    assert neighbours.players() == {1}


def test_spectators_may_be_many(neighbours: Neighbours) -> None:
    assert opened(neighbours, 0, None, OLD)
    assert opened(neighbours, 1, None, NEW)
    assert neighbours.players() == frozenset()


def test_38_a_second_run_waits_for_the_first(neighbours: Neighbours) -> None:
    assert opened(neighbours, 0, 1, OLD)
    assert opened(neighbours, 1, 2, NEW)  # somebody else
    assert not opened(neighbours, 2, 1, NEW)
    assert usable(neighbours) == [0, 1]
    assert waiting(neighbours.by_link[0]) == [Ping(0)]
    assert waiting(neighbours.by_link[2]) == []


def test_38_the_first_answers_and_the_second_is_told(neighbours: Neighbours) -> None:
    opened(neighbours, 0, 1, OLD)
    opened(neighbours, 1, 1, NEW)
    old, new = neighbours.by_link.values()
    neighbours.answered(old, Pong(7), 10)  # to something else
    assert neighbours.drops == []
    neighbours.answered(old, Pong(0), 10)
    assert waiting(new) == [Twin()]
    assert neighbours.drops == [Drop(1, "a second program with this identity")]
    assert neighbours.close(1, 10) == []
    assert usable(neighbours) == [0]


def test_38_the_first_is_dead(neighbours: Neighbours) -> None:
    opened(neighbours, 0, 1, OLD)
    opened(neighbours, 1, 1, NEW, 1_000)
    new = neighbours.by_link[1]
    neighbours.tick(1_000 + limits.DOUBT_MS)
    assert neighbours.drops == []
    neighbours.tick(1_001 + limits.DOUBT_MS)
    assert neighbours.drops == [Drop(0, "silent, and its player has come back", dead=True)]
    assert neighbours.close(0, 6_000) == [new]
    assert new.doubts is None
    assert usable(neighbours) == [1]


def test_38_the_first_is_slow_and_not_dead(neighbours: Neighbours) -> None:
    """Something comes over the old link, if not the answer: it is not silent."""
    opened(neighbours, 0, 1, OLD)
    opened(neighbours, 1, 1, NEW, 1_000)
    neighbours.by_link[0].patience.byte(3_000)
    neighbours.tick(1_001 + limits.DOUBT_MS)
    assert neighbours.drops == []
    neighbours.tick(3_001 + limits.DOUBT_MS)
    assert [drop.link for drop in neighbours.drops] == [0]


def test_38_of_many_runs_only_one_is_used(neighbours: Neighbours) -> None:
    opened(neighbours, 0, 1, OLD)
    opened(neighbours, 1, 1, NEW)
    opened(neighbours, 2, 1, THIRD)
    second, third = neighbours.by_link[1], neighbours.by_link[2]
    assert neighbours.close(0, 500) == [second]
    assert usable(neighbours) == [1]
    assert (third.doubts, third.doubted_ms) == (1, 500)
    assert waiting(second) == [Ping(0)]
    assert neighbours.close(1, 600) == [third]


def test_38_another_link_of_the_first_run_is_still_there(neighbours: Neighbours) -> None:
    opened(neighbours, 0, 1, OLD)
    opened(neighbours, 1, 1, OLD)
    opened(neighbours, 2, 1, NEW)
    assert neighbours.by_link[2].doubts == 0
    assert neighbours.close(0, 0) == []
    assert neighbours.by_link[2].doubts == 1
    assert usable(neighbours) == [1]


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 5), st.sampled_from((OLD, NEW, THIRD))),
        max_size=30,
    )
)
def test_38_never_two_runs_at_once(happen: list[tuple[bool, int, bytes]]) -> None:
    neighbours = Neighbours()
    for opens, link, run in happen:
        if opens and link not in neighbours.by_link:
            opened(neighbours, link, 1, run)
        elif not opens and link in neighbours.by_link:
            neighbours.close(link, 0)
        used = {one.instance for one in neighbours.usable()}
        assert len(used) == bool(neighbours.by_link)
        doubts = [one.doubts for one in neighbours.by_link.values() if one.doubts is not None]
        assert set(doubts) <= set(usable(neighbours))
