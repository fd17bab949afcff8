"""What the golden games of every game share: how they end, and how their files are kept."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.needs import Done
from engine.record import State


def result(state: State) -> Iterator[str]:
    assert isinstance(state.need, Done)
    yield ""
    yield f"Result, {state.need.ended}"
    for seat, place in enumerate(state.need.places):
        rows = " + ".join(str(row[seat]) for row in state.scores)
        yield f"  seat {seat}: {rows} = {state.total(seat)}, place {place}"


def keep(folder: Path, texts: Iterable[tuple[str, str]], arguments: list[str]) -> int:
    """Says which files differ from what they should hold by name; with --write, writes them."""
    status = 0
    folder.mkdir(exist_ok=True)
    for name, text in texts:
        path = folder / f"{name}.txt"
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if arguments == ["--write"]:
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"wrote {path}")
        else:
            print(f"differs: {path}", file=sys.stderr)
            status = 1
    return status
