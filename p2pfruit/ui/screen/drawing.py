"""A table in lines: where we are, the river, the players, the hand, the reveal.

Everything is a pure function of what is shown and of the columns there are, and fits into any
number of them. What a style says is also said by a sign or a word, so that the text alone tells
all: ▶ ◀ around what is chosen or played for, ★ before what wins, ✗ before what does not count.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engine.needs import Seat
from p2pfruit.games.scenes import (
    CLOSED,
    Cell,
    Heading,
    Moment,
    Mood,
    Option,
    Played,
    PlayerRow,
    Scene,
    Strip,
    called,
    face_of,
)
from p2pfruit.games.scenes import Tile as Piece
from p2pfruit.language import text as _
from p2pfruit.text.safe import width
from p2pfruit.ui.screen.grid import GAP, grid
from p2pfruit.ui.screen.styled import Line, Span, columns, cut, filled, fitted, folded, line

# More words than this are set in columns: they shall leave room for the table.
LIST_MOST = 6

# The verdict of a reveal may take a second line while the whole stays in as many.
MOMENT_LINES = 8

# What a player's status commonly needs; the other columns do not move when it changes.
STATUS_COLUMNS = 16

_AROUND = {
    Mood.PLAIN: ("", ""),
    Mood.TARGET: ("▶ ", " ◀"),
    Mood.WINS: ("★", ""),
    Mood.VOID: ("✗", ""),
    Mood.PAST: ("·", "·"),
    Mood.BARRED: ("(", ")"),
}
# The same where many stand close together, as on a board.
SIGNS = _AROUND | {Mood.TARGET: ("▶", ""), Mood.PAST: ("·", "")}
_STYLES = {
    Mood.TARGET: "target",
    Mood.WINS: "wins",
    Mood.VOID: "void",
    Mood.PAST: "dim",
    Mood.BARRED: "dim",
}


class Status(NamedTuple):
    """What a player does now: "✓", "has chosen"."""

    sign: str
    words: str


def title(scene: Scene, most: int) -> Line:
    return fitted(line(Span(" · ".join(scene.title), "title")), most)


# Cards.


def tile(tile: Piece, *, picked: bool = False, key: str = "") -> Line:
    """Draw a card. With a key it is a choice: numbered, and with room for the signs of being
    picked."""
    before, after = _AROUND[tile.mood]
    face = Span(before + face_of(tile) + after, "cursor" if picked else style_of(tile), key)
    if not key:
        return (_sign("▶"), face, _sign("◀")) if picked else (face,)
    number = Span(f"[{key}] ", "cursor" if picked else "key", key)
    return (_mark("▶", picked), number, face, _mark("◀", picked))


def style_of(tile: Piece) -> str:
    if tile.mood in _STYLES:
        return _STYLES[tile.mood]
    if not tile.text:
        return "dim"
    return f"suit-{tile.suit.colour}" if tile.suit else "strong"


def _sign(sign: str) -> Span:
    return Span(sign, "cursor")


def _mark(sign: str, picked: bool) -> Span:
    return _sign(sign) if picked else Span(" ")


def cards(tiles: Iterable[Piece], most: int) -> list[Line]:
    """Draw a hand that is only looked at."""
    return _flowed([tile(piece) for piece in tiles], most)


def my_hand(scene: Scene) -> tuple[Piece, ...]:
    """Return the cards of the player who looks; a spectator has none."""
    return tuple(tile for row in scene.players if row.me for tile in row.hand)


def barred(scene: Scene, most: int) -> list[Line]:
    """Draw my cards that cannot be played now."""
    return cards([tile for tile in my_hand(scene) if tile.mood is Mood.BARRED], most)


def legend(tiles: Iterable[Piece], most: int) -> list[Line]:
    """Draw signs, each with its words after it."""
    return _flowed([(*tile(piece), Span(f" {piece.name}")) for piece in tiles], most)


def _flowed(pieces: Iterable[Line], most: int) -> list[Line]:
    """Put pieces one after the other, as many in a line as fit."""
    lines: list[Line] = []
    row: list[Span] = []
    for piece in pieces:
        if row and columns(row) + GAP + columns(piece) > most:
            lines.append(tuple(row))
            row = []
        row += [Span(" " * GAP), *piece] if row else piece
    if row:
        lines.append(tuple(row))
    return [fitted(spans, most) for spans in lines]


# The river.


def strip(strip: Strip, most: int, lines: int = 3) -> list[Line]:
    """Draw a strip of cards, with the target in a box if there are three lines for it."""
    target = next((piece for piece in strip.tiles if piece.mood is Mood.TARGET), None)
    rest = [tile(piece) for piece in strip.tiles if piece is not target]
    label = line(Span(strip.label, "dim"), " " * GAP)
    if target is None:
        return [fitted((*label, *_joined(rest, GAP)), most)]
    if lines < 3:
        return [_in_a_line(label, target, rest, most)]
    return [fitted(spans, most) for spans in _in_a_box(label, target, rest, most)]


def _in_a_line(label: Line, target: Piece, rest: Sequence[Line], most: int) -> Line:
    """Closer together, then without the target's name, where it does not fit otherwise."""
    forms = [
        (*label, *head, *_then(rest), *_joined(rest, gap))
        for head, gap in ((_named(target), GAP), (_named(target), 1), (tile(target), 1))
    ]
    return fitted(next((form for form in forms if columns(form) <= most), forms[-1]), most)


def _in_a_box(label: Line, target: Piece, rest: Sequence[Line], most: int) -> list[Line]:
    """Draw the target in a box; what follows stands beside it, in two lines if it must."""
    word = " " + _("target") + " "
    inside = line(" ", *_named(target), " ")
    wide = max(columns(inside), width(word) + 1)
    top = "┌─" + word + "─" * (wide - 1 - width(word)) + "┐"
    left = " " * columns(label)
    then = _then(rest)
    room = most - columns(label) - wide - 2 - columns(then)
    first, *more = _flowed(rest, max(1, room)) or [()]
    under = line(" " * columns(then), *more[0]) if more else ()
    wall = Span("│", "strong")
    return [
        line(left, Span(top, "strong")),
        (*label, wall, *filled(inside, wide), wall, *then, *first),
        (*line(left, Span("└" + "─" * wide + "┘", "strong")), *under),
    ]


def _then(rest: Sequence[Line]) -> Line:
    return line(Span("   " + _("then") + "  ", "dim")) if rest else ()


def _named(target: Piece) -> Line:
    """Draw a card in signs and in words."""
    return (*tile(target), Span(f" {target.name}", "strong"))


def _joined(pieces: Iterable[Line], gap: int) -> Line:
    spans: list[Span] = []
    for piece in pieces:
        spans += [Span(" " * gap), *piece] if spans else piece
    return tuple(spans)


# The players.


def players(scene: Scene, status: Mapping[Seat, Status], most: int) -> list[Line]:
    """Draw a row for each player. Nothing moves when a status changes: the other columns leave room
    for it."""
    room = max(most // 2, most - STATUS_COLUMNS - GAP)
    figures = range(1, len(scene.headings) + 4)
    spelled = grid(_players(scene, spelled=True), room, right=figures)
    fits = columns(spelled[0]) < room
    rows = spelled if fits else grid(_players(scene, spelled=False), room, right=figures)
    told = [Status("", ""), *(_status(row, status) for row in scene.players)]
    return [
        fitted((*row, Span(" " * GAP), Span(f"{one.sign} {one.words}")), most)
        for row, one in zip(rows, told, strict=True)
    ]


def _status(row: PlayerRow, status: Mapping[Seat, Status]) -> Status:
    return Status("✗", _("has left")) if row.gone else status.get(row.seat, Status("", ""))


def _players(scene: Scene, *, spelled: bool) -> list[list[Line]]:
    head = [
        line(" "),
        *(_heading(heading, spelled) for heading in scene.headings),
        *(line(Span(word, "dim")) for word in (_("hand"), _("points"), _("if now"))),
    ]
    rows = [head, *(_player(row) for row in scene.players)]
    if scene.handless:
        rows = [[*cells[:-3], *cells[-2:]] for cells in rows]
    if all(row.projection is None for row in scene.players):
        return [cells[:-1] for cells in rows]
    return rows


def _heading(heading: Heading, spelled: bool) -> Line:
    suit = heading.suit
    if suit is None:
        return line(Span(heading.text, "dim"))
    text = f"{suit.shape} {heading.text}" if spelled else f"{suit.shape}{suit.letters}"
    return line(Span(text, f"suit-{suit.colour}"))


def _player(row: PlayerRow) -> list[Line]:
    style = "dim" if row.gone else "me" if row.me else ""
    return [
        line(Span("›" if row.me else " ", style), Span(called(row.name, row.me), style)),
        *(_cell(cell, style) for cell in row.cells),
        line(Span(str(len(row.hand)), style)),
        line(Span(str(row.score), f"{style} strong".strip())),
        line(Span("" if row.projection is None else str(row.projection), "note")),
    ]


def _cell(cell: Cell, style: str) -> Line:
    return line(Span(cell.text, style), Span(cell.sign, "strong"))


def hands(scene: Scene, most: int) -> list[Line]:
    """Draw the cards of every player as far as they are known, a row or more for each."""
    rows: list[Line] = []
    names = [called(row.name, row.me) for row in scene.players]
    wide = min(max(map(width, names), default=0), most // 4)
    for row, called_so in zip(scene.players, names, strict=True):
        name = filled(line(Span(cut(called_so, wide), "me" if row.me else "")), wide)
        held = cards(row.hand, most - wide - GAP) or [()]
        margin = line(" " * wide)
        for at, spans in enumerate(held):
            rows.append(fitted((*(margin if at else name), Span(" " * GAP), *spans), most))
    return rows


# The hand, and other answers.


def hand(options: Sequence[Option], picked: int | None, most: int) -> list[Line]:
    """Draw cards side by side, then words below each other. The key of a choice is its number, from
    "1" on, also where it has two digits."""
    held: list[Line] = []
    words: list[Line] = []
    wide = max((width(option.label) for option in options if option.tile is None), default=0)
    for at, option in enumerate(options):
        key, chosen = str(at + 1), at == picked
        if option.tile is not None:
            held.append(tile(option.tile, picked=chosen, key=key))
        else:
            words.append(_words(option, key, chosen, wide))
    return [*_even(held, most), *_even(words, most, listed=len(words) <= LIST_MOST)]


def _words(option: Option, key: str, picked: bool, wide: int) -> Line:
    blank = " " * (wide - width(option.label) + GAP - 1)
    return (
        _mark("▶", picked),
        Span(f"[{key}] ", "cursor" if picked else "key", key),
        Span(option.label, "cursor" if picked else "", key),
        _mark("◀", picked),
        Span(blank + option.hint, "dim", key),
    )


def _even(pieces: Sequence[Line], most: int, *, listed: bool = False) -> list[Line]:
    """Set pieces in columns of the same width, as many as there is room for; read from left to
    right."""
    if not pieces:
        return []
    wide = max(map(columns, pieces))
    across = 1 if listed else max(1, most // wide)
    rows = [pieces[at : at + across] for at in range(0, len(pieces), across)]
    return [
        fitted(tuple([span for piece in row for span in filled(piece, wide)]), most) for row in rows
    ]


def choices(labels: Sequence[str], possible: Sequence[bool], at: int, most: int) -> list[Line]:
    """Draw numbered choices one after the other, with one of them picked."""
    pieces = []
    for number, (label, can_be) in enumerate(zip(labels, possible, strict=True), 1):
        key, picked = str(number), number == at + 1
        style = "cursor" if picked else "" if can_be else "dim"
        pieces.append(
            line(
                _mark("▶", picked),
                Span(f"[{key}] ", "cursor" if picked else "key", key),
                Span(label, style, key),
                _mark("◀", picked),
            )
        )
    return _flowed(pieces, most)


def about(options: Sequence[Option], picked: int, most: int) -> Line:
    """Draw the picked choice in words."""
    if not 0 <= picked < len(options):
        return ()
    option = options[picked]
    hint = [Span(f" · {option.hint}")] if option.hint else []
    return fitted((Span("▶ ", "cursor"), Span(option.label, "strong"), *hint), most)


# The reveal.


def moment(moment: Moment, most: int, beat: int) -> list[Line]:
    """Beat 0: the cards lie closed. 1: all are turned up. 2: who wins, and why. Every beat has as
    many lines as the last one, so that nothing jumps."""
    head = [Span(moment.title, "title")]
    if moment.target is not None:
        head += [Span("   " + _("target") + " ", "dim"), *_named(moment.target)]
    rows = [_shown(played, beat) for played in moment.played]
    verdict = folded(moment.verdict, max(1, most - 4), "strong")
    room = max(1, MOMENT_LINES - 1 - len(rows))
    if len(verdict) > room:
        verdict = [line(Span(cut(moment.verdict, most - 4), "strong"))]
    arrow = ["→ " if not at else "  " for at in range(len(verdict))]
    said = [line("  ", sign, *spans) for sign, spans in zip(arrow, verdict, strict=True)]
    return [
        fitted(tuple(head), most),
        *(grid(rows, most, gives=1, spare=[3]) if rows else []),
        *(fitted(spans, most) if beat >= 2 else () for spans in said),
    ]


def _shown(played: Played, beat: int) -> list[Line]:
    """Sign, name, card, card in words, why, and what became of it."""
    card = played.tile
    sign, word = {Mood.WINS: ("★", _("wins")), Mood.VOID: ("✗", _("tied: void"))}.get(
        card.mood, (" ", "")
    )
    style = _STYLES.get(card.mood, "") if beat >= 2 else ""
    plain = Piece(name=card.name, text=card.text, suit=card.suit, mark=card.mark)
    face = tile(plain)
    after = [line(Span(card.name, style)), line(Span(played.why, style))]
    closed = filled(line(Span(CLOSED * 2, "dim")), columns(face))
    return [
        _from(2, beat, line(Span(sign, style))),
        line(Span(played.name, style)),
        face if beat else closed,
        *(_from(1, beat, cell) for cell in after),
        _from(2, beat, line(Span(word, style))),
    ]


def _from(first: int, beat: int, cell: Line) -> Line:
    """Show a cell from a beat on, and keep its place free before."""
    return cell if beat >= first else line(" " * columns(cell))
