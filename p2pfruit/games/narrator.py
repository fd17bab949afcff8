"""How a game is told in words: events, the question, the answers, and what a person typed.

Narrator works for any game, in the engine's own words. A game that speaks better has a Narrator of
its own, in p2pfruit/games/<game>/narrator.py. What the table looks like is the presenter's.
"""

import re
from collections.abc import Sequence
from typing import Any

from engine.errors import BadMoveText, IllegalMove
from engine.game import Game
from engine.moves import Event, Move
from engine.needs import ABANDONED, Done, Face, Seat
from engine.record import State
from engine.views import View
from p2pfruit.games import parts
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.text import places
from p2pfruit.text.folding import NO_BREAK
from p2pfruit.text.safe import padded, shown, width

_NUMBER = re.compile(r"\[?([0-9]{1,4})\]?")


class Misread(Exception):
    """What was typed is not a legal answer; the message says what would be."""


class Narrator:
    def __init__(self, game: Game[Any], names: Sequence[str], me: Seat | None = None) -> None:
        self.game = game
        self.names = names
        self.me = me

    def name(self, seat: Seat) -> str:
        return _("you") if seat == self.me else self.names[seat]

    # What happened: a method for each event, which may look at those around it.

    def tell(self, events: Sequence[Event]) -> list[str]:
        """Return what happened, in lines."""
        lines: list[str] = []
        for event in events:
            lines += getattr(self, f"_tell_{event.what}", self._tell_other)(event, events)
        return lines

    def _tell_other(self, event: Event, events: Sequence[Event]) -> list[str]:
        """Tell an event in the engine's own words."""
        who = [] if event.seat is None else [self._who(event)]
        return [" ".join([event.what, *who, *[shown(str(word)) for word in event.data]])]

    def _tell_left(self, event: Event, events: Sequence[Event]) -> list[str]:
        return ["", _("{name} left").format(name=self._who(event))]

    def _tell_again(self, event: Event, events: Sequence[Event]) -> list[str]:
        return [_("round {round} begins again without them").format(round=event.data[0])]

    def _tell_abandoned(self, event: Event, events: Sequence[Event]) -> list[str]:
        return [_("too few are left to go on")]

    def _first(self, event: Event, events: Sequence[Event]) -> bool:
        """Return True if no event of its kind comes before it."""
        return next(other for other in events if other.what == event.what) is event

    def _who(self, event: Event) -> str:
        assert event.seat is not None
        return self.name(event.seat)

    def _padded(self, name: str) -> str:
        """Return a name with blanks behind it, as wide as the widest name."""
        return padded(name, max(width(self.name(seat)) for seat in range(len(self.names))))

    # The question.

    def place(self, state: Any) -> list[str]:
        """Return where in the game we are: round, turn, pile."""
        return [_("round {round}").format(round=state.round)]

    def drawn(self, view: View[Any], faces: Sequence[Face]) -> str:
        """Tell which cards came into my hand since I was last asked."""
        return _("you drew {cards}").format(cards=", ".join(map(shown, faces)))

    def question(self, view: View[Any]) -> str:
        return str(view.state.need.what)

    def choices(self, view: View[Any]) -> list[tuple[str, Move]]:
        """Return what the seat can do, each move with its label. The player may answer with its
        number."""
        return [(str(move), move) for move in view.moves()]

    def menu(self, view: View[Any]) -> str:
        """Return the choices with their numbers. Each is kept on one line."""
        labels = [label for label, _move in self.choices(view)]
        items = [f"[{at}] {label}".replace(" ", NO_BREAK) for at, label in enumerate(labels, 1)]
        return "  " + "  ".join(items)

    def read(self, view: View[Any], typed: str) -> Move:
        """Return the move that was typed: the number of a choice, its label, or a move's text."""
        choices = self.choices(view)
        typed = " ".join(typed.split()).lower()
        number = _NUMBER.fullmatch(typed)
        if number and 1 <= int(number[1]) <= len(choices):
            return choices[int(number[1]) - 1][1]
        for label, move in choices:
            if typed in (label.lower(), str(move)):
                return move
        raise self.refusal(view, self._why(view, typed))

    def refusal(self, view: View[Any], why: str) -> Misread:
        """Return the error that says why this is no answer, and what would be one."""
        return Misread(_("{why}; you can answer:").format(why=why) + self.menu(view))

    def _why(self, view: View[Any], typed: str) -> str:
        """Return the rule that was broken, if a move was typed at all."""
        assert view.seat is not None
        try:
            move = Move.parse(typed)
            faces = [view.face(slot) or "" for slot in move.cards if slot in view.hand]
            self.game.check(view.state, view.seat, move, faces)
        except IllegalMove as error:
            return self.breach(error)
        except BadMoveText:
            pass
        return _("not understood: {typed}").format(typed=repr(typed))

    def breach(self, error: IllegalMove) -> str:
        """Return the rule that a move breaks, in words."""
        return str(error)

    def ranking(self, state: State) -> list[str]:
        """Return the final places, with the points of each round."""
        need = state.need
        assert isinstance(need, Done)
        lines = [_("the game was abandoned") if need.ended == ABANDONED else _("final ranking")]
        for seat in places.ranked(need.places):
            place = places.mark(need.places, seat)
            rounds = " + ".join(str(row[seat]) for row in state.scores)
            name = self._padded(self.name(seat))
            lines.append(f"  {place:2} {name} {state.total(seat):4}   {rounds}")
        return lines

    def decided(self, state: State) -> str:
        """Say who won, and by what; empty if the game was abandoned."""
        need = state.need
        assert isinstance(need, Done)
        winners = [seat for seat, place in enumerate(need.places) if place == 1]
        if need.ended == ABANDONED or not winners:
            return ""
        points = plural("{count} point", "{count} points", state.total(winners[0]))
        if len(winners) > 1:
            names = ", ".join(map(self.name, winners))
            return _("{names} share the first place, with {points} each").format(
                names=names, points=points
            )
        [winner] = winners
        me, who = winner == self.me, self.name(winner)
        others = [seat for seat in places.ranked(need.places) if seat in state.seated]
        rivals = [seat for seat in others if seat != winner]
        if not rivals:
            words = _("you win with {points}") if me else _("{name} wins with {points}")
            return words.format(name=who, points=points)
        rival = rivals[0]
        more, second = state.total(winner) - state.total(rival), self.name(rival)
        if not more:
            words = _("{name} wins with {points}, as many as {second}: {why}")
            if me:
                words = _("you win with {points}, as many as {second}: {why}")
            why = self.tie_break(state, winner, rival)
            return words.format(name=who, points=points, second=second, why=why)
        words = _("{name} wins with {points}, {more} more than {second}")
        if me:
            words = _("you win with {points}, {more} more than {second}")
        return words.format(name=who, points=points, more=more, second=second)

    def tie_break(self, state: State, winner: Seat, rival: Seat) -> str:
        """Say what decides between two players with equal points."""
        return _("the rules decide between them")


def sheet(titles: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Return a table with a row for each name, its columns as wide as they must be."""
    names = max((width(name) for name, _cells in rows), default=0)
    wide = [
        max(map(width, (title, *(cells[at] for _name, cells in rows))))
        for at, title in enumerate(titles)
    ]
    return [
        f"  {padded(name, names)}"
        + "".join(
            f"  {' ' * (most - width(cell))}{cell}" for most, cell in zip(wide, cells, strict=True)
        )
        for name, cells in [("", titles), *rows]
    ]


def narrator_for(game: Game[Any], names: Sequence[str], me: Seat | None = None) -> Narrator:
    """Return the game's own narrator, or the plain one."""
    kind: type[Narrator] = parts.part(game.name, "narrator", "NARRATOR") or Narrator
    return kind(game, names, me)
