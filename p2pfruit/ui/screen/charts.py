"""Points in lines: how they came about, the ranking, and a chart of the rounds."""

from collections.abc import Sequence

from engine.needs import Seat
from p2pfruit import limits
from p2pfruit.games.scenes import Account, Reckoning, called
from p2pfruit.language import text as _
from p2pfruit.text.places import mark, ranked
from p2pfruit.text.safe import padded, width
from p2pfruit.ui.screen.grid import GAP, fits, grid
from p2pfruit.ui.screen.styled import Line, Span, beside, columns, cut, fitted, folded, line

# Accounts stand beside each other from this width of each on; below, their lines would be broken.
ACCOUNT_COLUMNS = 58

# Names take at most this part of a chart: the bars are what is looked at.
NAME_PART = 4

# One filling a round where bars are joined, then again; a figure stands at the end of each.
FILLINGS = "█▒░"

Rows = Sequence[Sequence[int]]  # of each round: the points by seat


def reckoning(reckoning: Reckoning, most: int) -> list[Line]:
    across = max(1, min(most // ACCOUNT_COLUMNS, 2))
    wide = (most - GAP * (across - 1)) // across
    blocks = [_account(account, wide) for account in reckoning.accounts]
    lines = [fitted(line(Span(reckoning.title, "title")), most)]
    for at in range(0, len(blocks), across):
        row = blocks[at : at + across]
        lines += beside(row[0], row[1], wide, " " * GAP) if len(row) > 1 else row[0]
    return lines


def _account(account: Account, most: int) -> list[Line]:
    total = _("total {total}").format(total=account.total)
    head = line(Span(f"{account.points:+}", "strong"), Span(f"  {total}"))
    name = cut(account.name, max(1, most - columns(head) - GAP))
    lines = [fitted((Span(name, "strong"), Span(" " * GAP), *head), most)]
    for step in account.steps:
        lines += [
            fitted(line("  " + ("· " if not at else "  "), *spans), most)
            for at, spans in enumerate(folded(step, max(1, most - 4)))
        ]
    return lines


def ranking(
    names: Sequence[str], places: Sequence[int], rows: Rows, me: Seat | None, most: int
) -> list[Line]:
    """Draw the ranking, the best first, with the points of each round; of many rounds with their
    sum alone."""
    told = rows if len(rows) <= limits.ROUNDS_TOLD_MOST else ()
    order = ranked(places)
    lines = [_ranked(seat, names, places, rows, me)[: 3 + len(told)] for seat in order]
    whole: list[list[Line]] = []
    for rounds in (_rounds(told), _numbers(told)):
        heads = ["", "", _("points"), *rounds]
        whole = [[line(Span(head, "dim")) for head in heads], *lines]
        if fits(whole, most, gives=1):
            break
    figures = range(2, 3 + len(told))
    return grid(whole, most, gives=1, right=figures, spare=figures[1:])


def _ranked(
    seat: Seat, names: Sequence[str], places: Sequence[int], rows: Rows, me: Seat | None
) -> list[Line]:
    place = places[seat]
    style = "wins" if place == 1 else "me" if seat == me else ""
    return [
        line(Span(f"{'★' if place == 1 else ' '} {mark(places, seat):2}", style)),
        line(Span(called(names[seat], seat == me), style)),
        line(Span(str(sum(row[seat] for row in rows)), "strong")),
        *(line(str(row[seat])) for row in rows),
    ]


def chart(names: Sequence[str], rows: Rows, most: int, lines: int) -> list[Line]:
    """Draw a bar for each player and round; joined to one a player where lines are scarce, and one
    for all points where rounds are many."""
    if not rows:
        return []
    wide = max(1, min(max(map(width, names)), most // NAME_PART))
    if len(rows) > limits.ROUNDS_TOLD_MOST:
        drawn = _totals(names, rows, wide, most)
    elif len(names) * len(rows) <= lines:
        drawn = _apart(names, rows, wide, most)
    elif len(names) < lines:
        drawn = [_legend(rows, most), *_joined(names, rows, wide, most)]
    else:
        drawn = _joined(names, rows, wide, most)
    return [fitted(spans, most) for spans in drawn]


def _rounds(rows: Rows) -> list[str]:
    return [_("round {round}").format(round=number) for number in range(1, len(rows) + 1)]


def _numbers(rows: Rows) -> list[str]:
    return [str(number) for number in range(1, len(rows) + 1)]


def _apart(names: Sequence[str], rows: Rows, wide: int, most: int) -> list[Line]:
    labels = _rounds(rows)
    label_columns = max(map(width, labels))
    largest = max(1, *map(max, rows))
    room = most - wide - label_columns - 2 * GAP - len(str(largest)) - 1
    return [
        line(
            Span(padded(cut(name if not at else "", wide), wide + GAP), "strong"),
            Span(padded(labels[at], label_columns + GAP), "dim"),
            f"{_bar('█', row[seat], largest, room)} ",
            Span(str(row[seat]), "strong"),
        )
        for seat, name in enumerate(names)
        for at, row in enumerate(rows)
    ]


def _totals(names: Sequence[str], rows: Rows, wide: int, most: int) -> list[Line]:
    totals = [sum(row[seat] for row in rows) for seat in range(len(names))]
    largest = max(1, *totals)
    room = most - wide - GAP - len(str(largest)) - 1
    return [
        line(
            Span(padded(cut(name, wide), wide + GAP), "strong"),
            f"{_bar('█', total, largest, room)} ",
            Span(str(total), "strong"),
        )
        for name, total in zip(names, totals, strict=True)
    ]


def _bar(filling: str, points: int, largest: int, room: int) -> str:
    """Return the length of a bar, rounded; any points at all are seen."""
    return filling * max(points > 0, round(points * room / largest))


def _filling(at: int) -> str:
    return FILLINGS[at % len(FILLINGS)]


def _legend(rows: Rows, most: int) -> Line:
    named, numbered = [
        "  ".join(
            [*(f"{_filling(at)} {label}" for at, label in enumerate(labels)), "= " + _("points")]
        )
        for labels in (_rounds(rows), _numbers(rows))
    ]
    return line(Span(named if width(named) <= most else numbered, "dim"))


def _joined(names: Sequence[str], rows: Rows, wide: int, most: int) -> list[Line]:
    totals = [sum(row[seat] for row in rows) for seat in range(len(names))]
    gains = [sum(max(0, row[seat]) for row in rows) for seat in range(len(names))]
    largest = max(1, *gains)
    figures = sum(max(len(str(points)) for points in row) + 1 for row in rows)
    room = most - wide - GAP - figures - max(len(f"= {total}") for total in totals)
    lines = []
    for seat, name in enumerate(names):
        bars = [
            f"{_bar(_filling(at), row[seat], largest, room)}{row[seat]} "
            for at, row in enumerate(rows)
        ]
        lines.append(
            line(
                Span(padded(cut(name, wide), wide + GAP), "strong"),
                "".join(bars),
                Span(f"= {totals[seat]}", "strong"),
            )
        )
    return lines
