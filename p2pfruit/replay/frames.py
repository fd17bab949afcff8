"""A game from its file, as a series of frames to step through, forward and back.

A table keeps no earlier states. So its feeds are read once more, and every answer of the rules is
noted. Proofs that held when the table was first read are not checked again. Any table that can be
read can be replayed, finished or not, with every player who was lost on the way.

One step of the table becomes one frame or several. A reveal is shown at the table as it was before,
with the target still lying there. Then comes the reckoning, if the round ends, and then the table
as it is now.

Hands are shown as far as the record opens them: a card that is turned up later is shown while it is
still in the hand. A card that was never opened stays closed here, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any, NamedTuple, cast

from engine.game import Game
from engine.moves import Event, Move, Outcome
from engine.moves import Step as Met
from engine.needs import EVERYONE, Choose, Deal, Done, Face, Need, Seat, Slot
from engine.record import State
from engine.views import View
from p2pfruit import language
from p2pfruit.games import terms
from p2pfruit.games.presenter import Presenter, presenter_for
from p2pfruit.games.scenes import Moment, Reckoning, Scene
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.replay import verdict
from p2pfruit.replay.transcript import ballot_end, beside, played
from p2pfruit.text.places import mark, ranked
from p2pfruit.text.safe import shown
from protocol.feed.entries import Entry
from protocol.file.report import Report, Verdict
from protocol.table.events import BallotEnded, Lost, Said
from protocol.table.table import Table

# The record of a game.


class Spoke(NamedTuple):
    """An entry of this player was read."""

    player: int
    entry: Entry


Happening = Spoke | Lost | BallotEnded | Event


class Chosen(NamedTuple):
    """Seats have chosen: the state that asked them, and their moves in the order of its need."""

    state: State
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Everything that happened from one state to the next, in the order in which it was read."""

    before: State
    after: State
    happened: tuple[Happening, ...]
    chosen: tuple[Chosen, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for event in self.happened if isinstance(event, Event))


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The record of a game, without words of any language."""

    start: State
    steps: tuple[Step, ...]
    opened: Mapping[Slot, Face]  # every card that was ever turned up

    def hands(self, state: State) -> dict[Slot, Face]:
        """Return the closed cards in the hands of a state that are opened later."""
        held = [slot for hand in state.hands for slot in hand]
        return {slot: self.opened[slot] for slot in held if slot in self.opened}


def record(table: Table) -> Record:
    notes = _Notes(table.game)
    again = _read_again(table, notes)
    return Record(
        start=notes.first,
        steps=tuple(_steps(notes, list(_entries(again)))),
        opened=notes.opened,
    )


class _Note(NamedTuple):
    before: State
    after: State
    at: int  # the number of events before the rules were asked
    moves: tuple[Move, ...]  # that the seats have chosen


class _Notes:
    """A stand-in for a game that notes what the game answers."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self.table: Table | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def start(self, seats: int) -> State:
        """Start the game. Every new reading does this, and makes the notes of the last one void."""
        self.notes: list[_Note] = []
        self.opened: dict[Slot, Face] = {}
        self.first: State = self._game.start(seats)
        return cast(State, self.first)

    def step(self, state: State, outcome: Outcome) -> Met[Any]:
        met = self._game.step(state, outcome)
        self.opened |= _turned_up(state.need, outcome)
        self._note(state, met, outcome.moves)
        return met

    def retire(self, state: State, seats: Sequence[Seat]) -> Met[Any]:
        met = self._game.retire(state, seats)
        self._note(state, met)
        return met

    def _note(self, state: State, met: Met[Any], moves: tuple[Move, ...] = ()) -> None:
        assert self.table is not None
        self.notes.append(_Note(state, met.state, len(self.table.events), moves))


def _turned_up(need: Need, outcome: Outcome) -> dict[Slot, Face]:
    slots: list[Slot] = []
    if isinstance(need, Deal):
        slots = [slot for slot, seat in need.cards if seat == EVERYONE]
    elif isinstance(need, Choose):
        slots = [slot for move in outcome.moves for slot in move.cards]
    return dict(zip(slots, outcome.faces, strict=True))


def _read_again(table: Table, notes: _Notes) -> Table:
    game = cast(Game[Any], notes)
    again = Table(table.roster, game, check=table.check_at_once, feeds=table.feeds)
    notes.table = again
    again.go_on()
    return again


def _entries(table: Table) -> Iterator[Happening]:
    """Yield everything that happened, with the entries themselves."""
    feeds = [iter(feed) for feed in table.read]
    for event in table.events:
        if isinstance(event, Said):
            yield Spoke(event.player, next(feeds[event.player]))
        else:
            yield event


def _steps(notes: _Notes, happened: Sequence[Happening]) -> Iterator[Step]:
    """Yield the steps of a game.

    Answers of the rules at the same moment form one step, together with the events of the game that
    follow at once and everything that happened before. What happened after the last answer becomes
    a step that changes nothing.
    """
    start = 0
    state = notes.first
    groups = [list(group) for _at, group in groupby(notes.notes, lambda note: note.at)]
    starts = [group[0].at for group in groups] + [len(happened)]
    for group, (end, next_at) in zip(groups, pairwise(starts), strict=True):
        while end < next_at and isinstance(happened[end], Event):
            end += 1
        state = group[-1].after
        yield Step(
            before=group[0].before,
            after=state,
            happened=tuple(happened[start:end]),
            chosen=tuple(Chosen(note.before, note.moves) for note in group if note.moves),
        )
        start = end
    if start < len(happened):
        yield Step(before=state, after=state, happened=tuple(happened[start:]))


# The frames of a replay.


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One picture, in the language that was in use when it was made."""

    number: int  # from 1
    round: int
    state: State  # the state that it shows
    told: tuple[str, ...]  # lines about what happened since the last frame
    aside: tuple[str, ...]  # those of them that are no part of the game: votes and lost players
    scene: Scene  # with hands as far as the record opens them
    hidden: Scene  # the same with closed hands
    closed: int  # the number of cards in hands that are never opened
    step: int = -1  # the number of the step in the record that led to it
    moment: Moment | None = None
    reckoning: Reckoning | None = None
    final: bool = False  # the game ended, and this is the last picture

    @property
    def pictured(self) -> bool:
        """Return True if the frame shows more than a table."""
        return self.moment is not None or self.reckoning is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line of the result."""

    seat: Seat
    name: str
    place: str  # "2=" where it is shared, "-" for none; empty before the end
    rounds: tuple[int, ...]
    total: int


class Replay:
    """A table that was read, with its record. `names` are the names of the players to show."""

    def __init__(self, table: Table, report: Report, names: Sequence[str] | None = None) -> None:
        self.table = table
        self.report = report
        self.record = record(table)
        self.names = names or verdict.player_names(report)
        self.seated = [self.names[player] for player in report.seats]
        self._made: dict[str, list[Frame]] = {}  # by language

    @property
    def title(self) -> str:
        count = plural("{count} player", "{count} players", len(self.names))
        title = _("{game}, {players}: {names}")
        return title.format(
            game=self.report.roster.game, players=count, names=", ".join(self.names)
        )

    @property
    def terms(self) -> list[str]:
        return terms.lines(self.report.roster, len(self.names))[1:]

    @property
    def headline(self) -> str:
        return verdict.headline(self.report, self.names)

    @property
    def sound(self) -> bool:
        """Return True if every player signed the result, and none cheated on the way."""
        return self.report.verdict is Verdict.FINAL and not self.report.cheats

    @property
    def ended(self) -> bool:
        return bool(self.report.places) and bool(self.seated)

    def ranking(self) -> list[Standing]:
        """Return the result, the winner first; without a result, the points so far."""
        found = self.report
        places = found.places
        order = ranked(places) if places else range(len(self.seated))
        return [
            Standing(
                seat=seat,
                name=self.seated[seat],
                place=mark(places, seat) if places else "",
                rounds=tuple(row[seat] for row in found.scores),
                total=sum(row[seat] for row in found.scores),
            )
            for seat in order
        ]

    def frames(self) -> list[Frame]:
        """Return all frames, in the current language."""
        spoken = language.current()
        if spoken not in self._made:
            frames = list(_Camera(self).frames())
            frames = [replace(frame, number=number) for number, frame in enumerate(frames, 1)]
            self._made[spoken] = [*frames[:-1], replace(frames[-1], final=self.ended)]
        return list(self._made[spoken])


def frames(table: Table, report: Report) -> list[Frame]:
    return Replay(table, report).frames()


Told = tuple[bool, str]  # a line about something that happened, and whether it was beside the game


class _Camera:
    """The maker of the frames of one record.

    Narrators and presenters remember what came before, so steps are told in order, each once.
    """

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.presenter: Presenter | None = None
        if replay.seated:
            self.presenter = presenter_for(replay.table.game, replay.seated)

    def frames(self) -> Iterator[Frame]:
        """Yield the frames that show something new.

        A table on its way to the next choice is left out, unless the record stops there. Then it is
        the last picture.
        """
        last = skipped = self._frame(
            self.replay.record.start, [(False, self.replay.title)], seated=False
        )
        yield last
        for number, step in enumerate(self.replay.record.steps):
            for frame in self._step(step):
                frame = replace(frame, step=number)
                asks = isinstance(frame.state.need, Choose | Done)
                skipped = frame
                if frame.told or frame.pictured or (asks and frame.scene != last.scene):
                    yield frame
                    last = frame
        if skipped is not last and skipped.scene != last.scene:
            yield skipped

    def _step(self, step: Step) -> Iterator[Frame]:
        told = [(aside, shown(line).rstrip()) for aside, line in self._tell(step)]
        moment, reckoning = self._turns(step)
        if moment is not None:
            yield self._frame(step.before, told, moment=moment)
            told = []
        if reckoning is not None:
            yield self._frame(step.before, told, reckoning=reckoning)
            told = []
        pictured = moment is not None or reckoning is not None
        # A table shows nothing new while the cards of the next round are not there yet.
        laid = bool(step.after.piles) or isinstance(step.after.need, Done)
        if laid or not pictured:
            yield self._frame(step.after, told)

    def _turns(self, step: Step) -> tuple[Moment | None, Reckoning | None]:
        if self.presenter is None or not step.events:
            return None, None
        events = step.events
        return self.presenter.moment(events), self.presenter.reckoning(events, step.after)

    def _tell(self, step: Step) -> Iterator[Told]:
        names = self.replay.names
        for of_game, some in groupby(step.happened, lambda one: isinstance(one, Event)):
            if of_game:
                assert self.presenter is not None
                events = [event for event in some if isinstance(event, Event)]
                for line in played(events, self.presenter.narrator):
                    yield False, line
                continue
            for one in some:
                if isinstance(one, Lost):
                    yield True, verdict.loss(self.replay.table, one, names)
                elif isinstance(one, BallotEnded):
                    yield True, ballot_end(one, names)
                elif isinstance(one, Spoke):
                    for line in beside(one.player, one.entry, names):
                        yield True, line

    def _frame(
        self,
        state: State,
        told: Sequence[Told],
        *,
        moment: Moment | None = None,
        reckoning: Reckoning | None = None,
        seated: bool = True,
    ) -> Frame:
        scene = hidden = Scene(title=(self.replay.report.roster.game,))
        hands = self.replay.record.hands(state)
        if seated and self.presenter is not None:
            view = View(self.replay.table.game, state, None, {})
            scene = self.presenter.scene(view, hands)
            hidden = self.presenter.scene(view)
        return Frame(
            number=0,
            round=state.round,
            state=state,
            told=_trimmed([line for _aside, line in told]),
            aside=tuple(line for aside, line in told if aside),
            scene=scene,
            hidden=hidden,
            closed=sum(map(len, state.hands)) - len(hands),
            moment=moment,
            reckoning=reckoning,
        )


def _trimmed(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines without the blank ones at both ends."""
    kept = list(lines)
    while kept and not kept[0]:
        kept.pop(0)
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)
