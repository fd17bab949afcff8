"""An island: five rows of five cells, named a1 to e5 as on a chess board read from the top.

Ships lie on the three middle cells of each side; corners belong to no beach and are free from the
start (R3). Five ponds mark where the collectors begin; afterwards they are cells like any other.
"""

from collections.abc import Iterator, Sequence
from functools import cache

SIZE = 5
FREE = ""

Island = tuple[str, ...]  # by cell: what lies there, or FREE
Shape = tuple[tuple[int, int], ...]  # columns and rows, from the top left

CELLS = tuple(f"{column}{row}" for row in range(1, SIZE + 1) for column in "abcde")
CELL = {name: at for at, name in enumerate(CELLS)}


def _at(*names: str) -> tuple[int, ...]:
    return tuple(CELL[name] for name in names)


# Clockwise, beginning at the striped buoy.
BEACHES = (
    _at("b1", "c1", "d1"),
    _at("e2", "e3", "e4"),
    _at("d5", "c5", "b5"),
    _at("a4", "a3", "a2"),
)
SHORE = tuple(cell for beach in BEACHES for cell in beach)
PONDS = _at("b2", "d2", "c3", "b4", "d4")


def _ray(cell: int, down: int, right: int) -> tuple[int, ...]:
    row, column = divmod(cell, SIZE)
    cells = []
    while 0 <= (row := row + down) < SIZE and 0 <= (column := column + right) < SIZE:
        cells.append(row * SIZE + column)
    return tuple(cells)


_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
RAYS = tuple(tuple(_ray(cell, *step) for step in _STEPS) for cell in range(SIZE * SIZE))


def slides(island: Sequence[str], cell: int) -> Iterator[tuple[int, int]]:
    """Yield the cells to which a token can slide, with their distance: over free cells (R2)."""
    for ray in RAYS[cell]:
        for distance, target in enumerate(ray, 1):
            if island[target] != FREE:
                break
            yield target, distance


def distance(start: int, target: int) -> int:
    """Count the cells to a target on the same line, itself included; 0 if it is on no line."""
    for ray in RAYS[start]:
        if target in ray:
            return ray.index(target) + 1
    return 0


@cache
def placements(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """Return the cells that a building can cover: turned, never mirrored (R5)."""
    found = set()
    for _ in range(4):
        shape = tuple((-row, column) for column, row in shape)
        left, top = min(column for column, _ in shape), min(row for _, row in shape)
        turned = [(column - left, row - top) for column, row in shape]
        for down in range(SIZE - max(row for _, row in turned)):
            for right in range(SIZE - max(column for column, _ in turned)):
                cells = [(row + down) * SIZE + column + right for column, row in turned]
                found.add(tuple(sorted(cells)))
    return tuple(sorted(found))


def room(island: Sequence[str], shape: Shape) -> list[tuple[int, ...]]:
    """Return the places where a building of this shape can stand now."""
    free = {cell for cell, name in enumerate(island) if name == FREE}
    return [cells for cells in placements(shape) if free.issuperset(cells)]
