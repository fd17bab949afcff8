"""A scene in lines: for any terminal, for a pipe, and to be read aloud.

The full screen draws the same scene with signs and colours. Here everything is said in words: a
tile by its name, players under headings, a board row by row. Only boards whose cells have names are
drawn as maps, with the signs that terminals without Unicode get.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from p2pfruit import limits
from p2pfruit.games.narrator import sheet
from p2pfruit.games.scenes import (
    Board,
    Cell,
    Mood,
    Option,
    PlayerRow,
    Scene,
    Strip,
    Tile,
    called,
    face_of,
)
from p2pfruit.language import text as _
from p2pfruit.text.plain import in_ascii, plain
from p2pfruit.text.safe import bounded, padded, width

_APART = 4  # columns between two maps


def scene_lines(scene: Scene, options: Sequence[Option] = ()) -> list[str]:
    """Return the lines of a scene. `options`: the answers that are listed below it; a hand of which
    they list every card is not told twice."""
    blocks = [
        [*_title(scene), *map(_strip, scene.strips)],
        _players(scene),
        *_boards(scene),
        [*_hands(scene.players, options), *map(in_ascii, scene.notes)],
    ]
    return [line for block in blocks if block for line in ["", *block]]


def _title(scene: Scene) -> list[str]:
    return [f"--- {in_ascii(', '.join(scene.title))} ---"] if scene.title else []


# Strips.


def _strip(strip: Strip) -> str:
    owners = strip.owners or [""] * len(strip.tiles)
    told = [
        f"{owner} {_said(tile)}".lstrip() for owner, tile in zip(owners, strip.tiles, strict=True)
    ]
    if strip.tiles and strip.tiles[0].mood is Mood.TARGET:
        head, *rest = told
        told = [head + _("; ") + _("then {tiles}").format(tiles=_joined(rest))] if rest else [head]
    return _labelled(strip.label, _joined(told))


def _said(tile: Tile) -> str:
    name = in_ascii(tile.name)
    match tile.mood:
        case Mood.TARGET:
            return _("target {tile}").format(tile=name.upper())
        case Mood.WINS:
            return _("{tile} (wins so far)").format(tile=name)
    return name


def _joined(told: Iterable[str]) -> str:
    """Return a list in one line. Commas part its items, unless they stand within one."""
    items = list(told)
    return (_("; ") if any("," in item for item in items) else ", ").join(items)


def _labelled(label: str, told: str) -> str:
    return _("{label}: {told}").format(label=label, told=told).rstrip()


# Players.


def _players(scene: Scene) -> list[str]:
    """Return a table, or a sentence for each player where that would be too wide."""
    if not scene.players:
        return []
    titles, rows = _columns(scene)
    lines = sheet(titles, rows)
    if max(map(width, lines)) > limits.TABLE_COLUMNS_MOST:
        lines = [
            "  " + _labelled(name, _joined(map(" ".join, zip(titles, cells, strict=True))))
            for name, cells in rows
        ]
    return [
        *lines,
        *(
            "  " + _labelled(row.name, in_ascii(row.projected))
            for row in scene.players
            if row.projected
        ),
    ]


def _columns(scene: Scene) -> tuple[list[str], list[tuple[str, list[str]]]]:
    titles = [heading.text for heading in scene.headings]
    columns = [[_cell(cell) for cell in row.cells] for row in scene.players]
    figures = [(_("points"), [str(row.score) for row in scene.players])]
    if not scene.handless:
        figures.insert(0, (_("hand"), [str(len(row.hand)) for row in scene.players]))
    if any(row.projection is not None for row in scene.players):
        figures.append((_("if now"), [_figure(row.projection) for row in scene.players]))
    for title, cells in figures:
        titles.append(title)
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
    return titles, list(zip(map(_name, scene.players), columns, strict=True))


def _name(row: PlayerRow) -> str:
    name = called(row.name, row.me)
    return f"{name} ({_('has left')})" if row.gone else name


def _cell(cell: Cell) -> str:
    return cell.words or plain(cell.text + cell.sign)


def _figure(number: int | None) -> str:
    return "-" if number is None else str(number)


# Boards.


def _boards(scene: Scene) -> Iterator[list[str]]:
    """Return a block for each board, mine first; maps stand beside each other."""
    ordered = sorted(scene.boards, key=lambda board: not board.me)
    maps = [board for board in ordered if board.names[0]]
    yield from (_told(board) for board in ordered if board not in maps)
    if maps:
        yield from _beside([_map(board) for board in maps])
        yield _legend(scene.legend, maps)


def _told(board: Board) -> list[str]:
    """Return a board in words: in columns where they fit, else row by row."""
    rows = [[_said(tile) if tile else "-" for tile in row] for row in board.rows]
    wide = max(width(cell) for row in rows for cell in row) + 2
    if 2 + wide * max(map(len, rows)) - 2 > limits.TABLE_COLUMNS_MOST:
        lines = [_("; ").join(cell for cell in row if cell != "-") for row in rows]
    else:
        lines = ["".join(padded(cell, wide) for cell in row).rstrip() for row in rows]
    return [_labelled(board.label, ""), *(f"  {line}" for line in lines)]


def _map(board: Board) -> list[str]:
    """Return a board in signs with the names of its cells around it, all lines equally wide."""
    rows = [[_sign(tile) for tile in row] for row in board.named()]
    wide = max(width(cell) for row in rows for cell in row) + 1
    lines = [f"{row[0]}  " + "".join(padded(cell, wide) for cell in row[1:]) for row in rows]
    return [padded(bounded(board.label, width(lines[0])), width(lines[0])), *lines]


def _sign(tile: Tile | None) -> str:
    return "." if tile is None else plain(face_of(tile))


def _beside(blocks: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    most = max(1, limits.TABLE_COLUMNS_MOST // (width(blocks[0][0]) + _APART))
    for at in range(0, len(blocks), most):
        rows = zip(*blocks[at : at + most], strict=True)
        yield [("  " + (" " * _APART).join(row)).rstrip() for row in rows]


def _legend(legend: Sequence[Tile], maps: Sequence[Board]) -> list[str]:
    """Return what the signs on these maps mean, where the scene has words for them."""
    lying = {_sign(tile) for board in maps for row in board.rows for tile in row}
    told = {sign: in_ascii(tile.name) for tile in legend if (sign := _sign(tile)) in lying}
    groups = groupby(sorted(told, key=told.__getitem__), told.__getitem__)
    meant = [_labelled(", ".join(signs), name) for name, signs in groups]
    return [_labelled(_("signs"), _("; ").join(meant))] if meant else []


# Hands.


def _hands(players: Sequence[PlayerRow], options: Sequence[Option]) -> list[str]:
    """Return the hands that are known, at least in part."""
    listed = {option.tile for option in options}
    lines = []
    others = []
    for row in players:
        cards = ", ".join(tile.name for tile in row.hand)
        if not any(tile.text for tile in row.hand):
            continue
        if not row.me:
            others.append("  " + _labelled(row.name, cards))
        elif not listed.issuperset(row.hand):
            lines.append(_("your hand: {cards}").format(cards=cards))
    return [*([_("hands:"), *others] if others else []), *lines]
