"""What every replay keeps to, whatever the game and however it ended."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from engine.needs import Choose, Done
from engine.record import digest
from p2pfruit import language
from p2pfruit.replay.frames import Frame, Replay, frames
from p2pfruit.replay.transcript import story
from tests.p2pfruit.cli import gamefiles
from tests.p2pfruit.cli.gamefiles import Kind
from tests.p2pfruit.replay.tables import KINDS, MORE_KINDS, Watched, four, replay_of, watched

EVERY_KIND = pytest.mark.parametrize(
    "kind",
    [*KINDS, *(pytest.param(kind, marks=pytest.mark.slow) for kind in MORE_KINDS)],
    ids=lambda kind: kind.__name__,
)

GAMES = (
    ("fruitoplay", 2, 1, None),
    ("punnet", 3, 4, None),
    ("brambles", 3, 5, None),
    ("brambles", 4, 6, 30),
)
MORE_GAMES = (("fruitoplay", 3, 2, 30), ("punnet", 4, 3, None))
EVERY_GAME = pytest.mark.parametrize(
    "at",
    [*GAMES, *(pytest.param(at, marks=pytest.mark.slow) for at in MORE_GAMES)],
    ids=str,
)
At = tuple[str, int, int, int | None]


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    before = language.current()
    language.use("en")
    yield
    language.use(before)


def check_laws(replay: Replay) -> None:
    made = replay.frames()
    assert [frame.number for frame in made] == list(range(1, len(made) + 1))
    assert all(before.round <= after.round for before, after in pairwise(made))
    assert digest(made[-1].state) == digest(replay.table.play.state)
    assert made[-1].final == isinstance(made[-1].state.need, Done)
    assert not any(frame.final for frame in made[:-1])
    for step, after in pairwise(replay.record.steps):
        assert digest(step.after) == digest(after.before)
    for frame in made:
        check_cards(frame, replay)


def check_cards(frame: Frame, replay: Replay) -> None:
    """Every card is in one place; hands are open as far as the record opens them."""
    state = frame.state
    held = [slot for hand in state.hands for slot in hand]
    assert len(set(held)) == len(held)
    assert all(state.faces[slot - state.first] is None for slot in held)
    assert len(state.faces) == sum(map(len, state.piles))
    opened = replay.record.opened
    assert frame.closed == sum(slot not in opened for slot in held)
    for row, hidden in zip(frame.scene.players, frame.hidden.players, strict=True):
        hand = state.hands[row.seat]
        shown = [tile for tile in row.hand if tile.text]
        assert len(row.hand) == len(hidden.hand) == len(hand)
        assert len(shown) == sum(slot in opened for slot in hand)
        assert not any(tile.text for tile in hidden.hand)


def check_story(replay: Replay) -> None:
    """The lines of all frames are those of `show`, in its order."""
    told = [line for frame in replay.frames() for line in frame.told if line]
    title, *whole = [line for line in story(replay.table, replay.report) if line]
    assert whole[: len(replay.terms)] == replay.terms
    whole = [title, *whole[len(replay.terms) :]]
    assert told == whole[: len(told)]
    ranking = whole[len(told) : -1]
    assert whole[-1] == replay.headline
    assert len(ranking) in ((0,) if not replay.ended else range(3, 3 + len(replay.seated)))


def check_languages(replay: Replay) -> None:
    """Every language shows the same frames."""
    english = replay.frames()
    language.use("fr")
    french = replay.frames()
    assert [digest(frame.state) for frame in english] == [digest(frame.state) for frame in french]
    assert english[0].told != french[0].told


@EVERY_KIND
def test_files_of_every_class(kind: Kind) -> None:
    replay = replay_of(kind)
    check_laws(replay)
    check_story(replay)
    check_languages(replay)


@EVERY_GAME
def test_every_game(at: At) -> None:
    """Hands are what their holders saw; what is never turned up stays closed all the same."""
    replay, truth = watched(*at)
    check_laws(replay)
    finished = at[3] is None
    assert finished == (not any(frame.closed for frame in replay.frames()))
    record = replay.record
    for step in record.steps:
        for slot, face in record.hands(step.after).items():
            assert truth.get(slot, face) == face
    held = {slot for hand in replay.table.play.state.hands for slot in hand}
    assert held.isdisjoint(record.opened)
    assert len(set(truth) & set(record.opened)) > len(truth) / 2


def test_a_round_that_begins_again_keeps_its_secrets() -> None:
    """Somebody was lost in the middle: the cards that were still held are never known."""
    made = replay_of(gamefiles.gone).frames()
    lost = next(at for at, frame in enumerate(made) if frame.aside)
    assert made[lost - 1].closed > 0
    assert made[lost].closed == made[-1].closed == 0
    held = [tile for row in made[lost - 1].scene.players for tile in row.hand]
    assert sum(not tile.text for tile in held) == made[lost - 1].closed


def test_a_reveal_is_shown_before_what_came_of_it() -> None:
    made = replay_of(four).frames()
    reveals = [at for at, frame in enumerate(made) if frame.moment is not None]
    assert len(reveals) == 3 * 7
    for at in reveals:
        before, reveal, after = made[at - 1 : at + 2]
        moment = reveal.moment
        assert moment is not None
        assert isinstance(reveal.state.need, Choose)
        assert digest(before.state) == digest(reveal.state)
        played = {one.seat: one.tile.name for one in moment.played}
        for row in reveal.scene.players:
            assert played[row.seat] in [tile.name for tile in row.hand]
        assert moment.verdict
        assert digest(after.state) != digest(reveal.state)


def test_every_round_ends_with_a_reckoning() -> None:
    made = replay_of(four).frames()
    accounts = [frame.reckoning.accounts for frame in made if frame.reckoning is not None]
    assert [len(row) for row in accounts] == [4, 4, 4]
    replay = replay_of(four)
    totals = {account.name: account.total for account in accounts[-1]}
    assert totals == {row.name: row.total for row in replay.ranking()}
    assert [row.place for row in replay.ranking()] == ["1", "2", "3", "4"]


def test_votes_and_losses_stand_beside_the_game() -> None:
    made = replay_of(gamefiles.gone).frames()
    asides = [line for frame in made for line in frame.aside]
    assert sorted(asides[:2]) == [
        "Bruno votes to go on without Ada",
        "Chloe votes to go on without Ada",
    ]
    assert len(asides) == 3
    assert asides[-1].startswith("Bruno and Chloe voted Ada out at step ")


def test_seats_that_were_never_drawn() -> None:
    """The table stopped before: there is nobody to show yet."""
    made = watched("fruitoplay", 2, 1, 1).replay.frames()
    assert [frame.scene.players for frame in made] == [()]
    assert made[0].told[0].startswith("fruitoplay, 2 players: ")


def test_a_table_that_was_just_played_can_be_replayed() -> None:
    """Not only what was read from a file."""
    table = four()
    report = replay_of(four).report
    assert [frame.told for frame in frames(table, report)] == [
        frame.told for frame in replay_of(four).frames()
    ]


def test_a_replay_leaves_its_table_alone() -> None:
    watching: Watched = watched("punnet", 3, 4)
    table = watching.replay.table
    events = list(table.events)
    heads = table.heads()
    Replay(table, watching.replay.report)
    assert (table.events, table.heads()) == (events, heads)
