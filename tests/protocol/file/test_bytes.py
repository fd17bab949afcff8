"""Whatever is done to the bytes of a file, it is refused, or shows less than before; never more."""

from collections.abc import Iterable, Iterator
from random import Random

import pytest

from protocol.feed.roster import Player, Roster
from protocol.file import gamefile
from protocol.file.gamefile import MAGIC, Refused
from protocol.file.report import Report, Verdict, report
from protocol.table.party import table_nonce
from tests.protocol.file.files import Finished, Parts, finished
from tests.protocol.tables import Room, Setup


def outcome(data: bytes) -> Report | str:
    """What the file shows, or the stage at which it is refused; anything else is an error."""
    try:
        return report(gamefile.read(data))
    except Refused as error:
        return error.stage


def check_refused(files: Iterable[bytes]) -> set[str]:
    """All are refused; at which stages."""
    stages = set()
    for data in files:
        stage = outcome(data)
        assert isinstance(stage, str), f"accepted: {data.hex()}"
        stages.add(stage)
    assert stages <= {"form", "chain", "signature", "reading"}
    return stages


@pytest.fixture
def whole() -> Finished:
    """The shortest of a few small games."""
    return min(
        (finished("punnet", 2, number) for number in range(4)), key=lambda one: len(one.data)
    )


@pytest.fixture
def full() -> Finished:
    return finished("fruitoplay")


def flipped(data: bytes, places: Iterable[int], *patterns: int) -> Iterator[bytes]:
    for at in places:
        for pattern in patterns:
            yield data[:at] + bytes([data[at] ^ pattern]) + data[at + 1 :]


def swapped(data: bytes, places: Iterable[int]) -> Iterator[bytes]:
    for at in places:
        if data[at] != data[at + 1]:
            yield data[:at] + bytes([data[at + 1], data[at]]) + data[at + 2 :]


def cut(data: bytes, lengths: Iterable[int]) -> Iterator[bytes]:
    for length in lengths:
        yield data[:length]


# Bytes. Reading a file up to its first false signature takes some milliseconds; the default run
# looks at some bytes up to the first entries, and at some of each entry; a long run at every byte.


def some(data: bytes, step: int) -> Iterator[int]:
    """Yield some places of the roster, then every step-th."""
    start = len(MAGIC) + len(Parts.of(data).roster) + 100
    yield from range(0, start, 7)
    yield from range(start, len(data) - 1, step)


def test_flipped_bytes(whole: Finished) -> None:
    stages = check_refused(flipped(whole.data, some(whole.data, 97), 0x01))
    stages |= check_refused(flipped(whole.data, some(whole.data, 211), 0x80))
    assert {"form", "signature"} <= stages


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [0x01, 0x80, 0xFF])
def test_every_byte_flipped(whole: Finished, pattern: int) -> None:
    check_refused(flipped(whole.data, range(len(whole.data)), pattern))


def test_neighbours_swapped(whole: Finished) -> None:
    check_refused(swapped(whole.data, some(whole.data, 151)))


@pytest.mark.slow
def test_all_neighbours_swapped(whole: Finished) -> None:
    check_refused(swapped(whole.data, range(len(whole.data) - 1)))


def test_cut_at_every_length(whole: Finished) -> None:
    assert check_refused(cut(whole.data, range(len(whole.data)))) == {"form"}


def test_lengthened(whole: Finished) -> None:
    more = [whole.data + bytes([byte]) for byte in range(256)]
    assert check_refused([*more, whole.data * 2]) == {"form"}


def test_a_byte_put_in_or_taken_out(whole: Finished) -> None:
    data = whole.data
    rng = Random(0)
    places = [rng.randrange(len(data)) for _ in range(300)]
    check_refused(data[:at] + data[at + 1 :] for at in places)
    check_refused(data[:at] + b"\x90" + data[at:] for at in places)


# Entries.


def less_than_final(files: Iterable[bytes]) -> set[str]:
    """None is final; what they come to instead."""
    found = set()
    for data in files:
        shown = outcome(data)
        if isinstance(shown, Report):
            assert shown.verdict is not Verdict.FINAL
            assert shown.lost == ()
            found.add(shown.verdict.value)
        else:
            found.add(shown)
    return found


def dropped_tails(parts: Parts) -> Iterator[bytes]:
    """Every pair of beginnings of the two feeds, but the whole."""
    mine, theirs = parts.feeds
    for one in range(len(mine) + 1):
        for other in range(len(theirs) + 1):
            if (one, other) != (len(mine), len(theirs)):
                yield parts._replace(feeds=(mine[:one], theirs[:other])).join()


def test_entries_dropped_from_the_end(whole: Finished) -> None:
    tails = list(dropped_tails(Parts.of(whole.data)))
    found = less_than_final([*tails[::11], *tails[-3:]])
    assert found == {"unfinished", "unsigned", "reading"}


@pytest.mark.slow
def test_all_entries_dropped_from_the_end(whole: Finished) -> None:
    less_than_final(dropped_tails(Parts.of(whole.data)))


def test_a_signature_dropped(whole: Finished) -> None:
    """The one that was given last; nobody had seen it."""
    parts = Parts.of(whole.data)
    last, _ = whole.room.said[-1]
    shown = outcome(parts.with_feed(last, parts.feeds[last][:-1]).join())
    assert isinstance(shown, Report)
    assert shown.verdict is Verdict.UNSIGNED
    assert shown.owing == (last,)


def test_entries_dropped_from_elsewhere(whole: Finished) -> None:
    parts = Parts.of(whole.data)
    assert check_refused(
        parts.with_feed(player, feed[:at] + feed[at + 1 :]).join()
        for player, feed in enumerate(parts.feeds)
        for at in range(len(feed) - 1)
    ) == {"chain"}


def test_entries_doubled(whole: Finished) -> None:
    parts = Parts.of(whole.data)
    assert check_refused(
        parts.with_feed(player, (*feed[:to], feed[at], *feed[to:])).join()
        for player, feed in enumerate(parts.feeds)
        for at in range(len(feed))
        for to in (at, at + 1, len(feed))
    ) == {"chain"}


def test_entries_reordered(whole: Finished) -> None:
    parts = Parts.of(whole.data)
    rng = Random(0)

    def reordered() -> Iterator[bytes]:
        for player, feed in enumerate(parts.feeds):
            for at in range(len(feed) - 1):
                turned = (*feed[:at], feed[at + 1], feed[at], *feed[at + 2 :])
                yield parts.with_feed(player, turned).join()
            yield parts.with_feed(player, feed[::-1]).join()
            yield parts.with_feed(player, tuple(rng.sample(feed, len(feed)))).join()

    assert check_refused(reordered()) == {"chain"}


def test_entries_moved_to_the_other_feed(whole: Finished) -> None:
    parts = Parts.of(whole.data)

    def moved() -> Iterator[bytes]:
        for player, feed in enumerate(parts.feeds):
            other = parts.feeds[1 - player]
            for at in range(min(len(feed), len(other))):
                yield parts.with_feed(player, (*feed[:at], *other[at:])).join()
                yield parts.with_feed(player, (*feed[:at], other[at], *feed[at:])).join()
        yield parts._replace(feeds=parts.feeds[::-1]).join()

    assert check_refused(moved()) == {"chain"}


def test_entries_moved_to_the_rivals(whole: Finished) -> None:
    parts = Parts.of(whole.data)
    check_refused(
        parts.with_feed(player, feed[:at])._replace(rivals=feed[at:]).join()
        for player, feed in enumerate(parts.feeds)
        for at in range(len(feed))
    )


def sister(setup: Setup) -> Parts:
    """Another table of the same players, with other seeds."""
    other = Setup("punnet", 2, 1000)
    other.identities = setup.identities
    people = zip(setup.identities, other.seeds, setup.roster.players, strict=True)
    other.roster = Roster.of(
        other.game,
        tuple(Player(who.key, table_nonce(seed), player.name) for who, seed, player in people),
    )
    room = Room(other.parties())
    room.run()
    return Parts.of(gamefile.write(room.parties[0].table))


def test_entries_of_another_table_of_the_same_players(whole: Finished) -> None:
    parts, other = Parts.of(whole.data), sister(whole.setup)
    assert isinstance(outcome(other.join()), Report)

    def spliced() -> Iterator[bytes]:
        yield parts._replace(roster=other.roster).join()
        yield parts._replace(feeds=other.feeds).join()
        yield parts._replace(rivals=other.feeds[0]).join()
        for player, feed in enumerate(parts.feeds):
            theirs = other.feeds[player]
            yield parts.with_feed(player, theirs).join()
            for at in range(min(len(feed), len(theirs))):
                yield parts.with_feed(player, (*feed[:at], *theirs[at:])).join()
                yield parts.with_feed(player, (*feed[:at], theirs[at], *feed[at + 1 :])).join()

    assert check_refused(spliced()) == {"form"}


# A whole game.


@pytest.mark.slow
def test_a_full_game(full: Finished) -> None:
    data = full.data
    rng = Random(0)
    places = sorted(rng.sample(range(len(data) - 1), 20))
    check_refused(flipped(data, places, 0x01))
    check_refused(swapped(data, places))
    check_refused(cut(data, range(0, len(data), 997)))


@pytest.mark.slow
def test_a_full_game_at_many_places(full: Finished) -> None:
    data = full.data
    check_refused(flipped(data, range(0, len(data), 31), 0x01))
    check_refused(swapped(data, range(0, len(data) - 1, 37)))
    parts = Parts.of(data)
    for player, feed in enumerate(parts.feeds):
        tails = [parts.with_feed(player, feed[:at]).join() for at in range(0, len(feed), 9)]
        assert less_than_final(tails) <= {"unfinished", "unsigned", "reading"}
