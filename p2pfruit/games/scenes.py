"""What a game looks like at one moment, in words and tiles that any screen can draw.

A game says it once (p2pfruit/games/<game>/presenter.py). The full screen, line mode and the page
for a browser draw it, each in its own way. Every text here is in the language that is spoken.

Colour never stands alone: a suit has letters, a shape and a name beside it, and a mood is drawn as
a sign too.
"""

from dataclasses import dataclass
from enum import StrEnum

from engine.moves import Move
from engine.needs import Seat
from p2pfruit.games.colours import Colour as Colour  # noqa: PLC0414 - taken from here beside Suit
from p2pfruit.language import text as _


@dataclass(frozen=True, slots=True, kw_only=True)
class Suit:
    """A kind of cards: what tells it from the others."""

    key: str  # language-neutral
    name: str
    letters: str  # one or two, different for each suit of a game
    shape: str  # one column wide
    colour: Colour


class Mood(StrEnum):
    """Why one tile stands out."""

    PLAIN = ""
    TARGET = "target"  # what everything is about now
    WINS = "wins"
    VOID = "void"  # does not count
    PAST = "past"  # done with
    BARRED = "barred"  # cannot be played now


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A card or another piece. `text` is short ("17"), `name` says all of it ("apple 17 x2");
    `mark` is a sign after the text ("×2"). Without a text it is a card that lies closed."""

    name: str
    text: str = ""
    suit: Suit | None = None
    mark: str = ""
    mood: Mood = Mood.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """Tiles in a row, such as the river."""

    label: str
    tiles: tuple[Tile, ...]
    owners: tuple[str, ...] = ()  # the players who laid the tiles, one for each


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Tiles in rows and columns, such as what lies before a player; None: nothing lies there."""

    label: str
    rows: tuple[tuple[Tile | None, ...], ...]
    names: tuple[str, str] = ("", "")  # a letter for each column, and one for each row
    me: bool = False
    aside: bool = False  # where room is scarce it waits on a page of its own

    def named(self) -> tuple[tuple[Tile | None, ...], ...]:
        """Return the rows with the names of columns and rows around them, if there are any."""
        across, down = self.names
        if not across:
            return self.rows
        head = tuple([Tile(name=letter, text=letter) for letter in f" {across}"])
        rows = zip(down, self.rows, strict=True)
        return (head, *((Tile(name=letter, text=letter), *row) for letter, row in rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One field of a player's row. `sign` stands after the text, and `name` says both in a sentence
    of their own; `words` are what line mode writes under the heading where signs would not do."""

    text: str
    sign: str = ""
    name: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    seat: Seat
    name: str
    me: bool
    cells: tuple[Cell, ...]  # one for each of the scene's headings
    hand: tuple[Tile, ...]  # as far as it is known, closed tiles for the rest
    score: int  # of the finished rounds
    projection: int | None = None  # what the running round would bring if it ended now
    projected: str = ""  # what it is made of
    gone: bool = False  # no longer plays


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    text: str
    suit: Suit | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    title: tuple[str, ...]  # where in the game we are, part by part: round, turn, pile
    strips: tuple[Strip, ...] = ()
    headings: tuple[Heading, ...] = ()
    players: tuple[PlayerRow, ...] = ()
    boards: tuple[Board, ...] = ()
    legend: tuple[Tile, ...] = ()  # pieces whose signs need words
    handless: bool = False  # players hold no cards in this game, so their number says nothing
    notes: tuple[str, ...] = ()  # for the player who looks


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One answer to the question: a card to play, or a word."""

    label: str
    move: Move
    tile: Tile | None = None  # a card of the hand; None: words
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One card of a reveal."""

    seat: Seat
    name: str
    tile: Tile
    why: str  # "1 away, other fruit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Cards that were played, and what came of it. `sealed`: they are turned up together."""

    title: str
    target: Tile | None
    played: tuple[Played, ...]
    winner: Seat | None
    verdict: str  # who wins, and why
    sealed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """How one player scored in a round."""

    seat: Seat
    name: str
    steps: tuple[str, ...]  # one after the other, in words
    points: int
    total: int  # with the rounds before


@dataclass(frozen=True, slots=True, kw_only=True)
class Reckoning:
    """The end of a round."""

    title: str
    accounts: tuple[Account, ...]


# What lines and screens both say.

CLOSED = "▒▒"


def face_of(tile: Tile) -> str:
    """Return a card in a few signs: ●Ap17×2."""
    if not tile.text:
        return CLOSED
    suit = f"{tile.suit.shape}{tile.suit.letters}" if tile.suit else ""
    return f"{suit}{tile.text}{tile.mark}"


def called(name: str, me: bool) -> str:
    """Return the name of a player; mine is marked as my own."""
    you = _("you")
    return f"{name} ({you})" if me and name != you else name
