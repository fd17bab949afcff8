"""Places in a ranking, as people read them: "1", "2=" where it is shared, "-" for a player without.

At a table of peers a player may have no place, see protocol/file/report.py. It stands below those
who have one, and is not the last of them.
"""

from collections.abc import Sequence

from engine.needs import NO_PLACE, Seat

NONE = "-"


def ranked(places: Sequence[int]) -> list[Seat]:
    """Return the seats from the first place on, and those without a place below."""
    return sorted(range(len(places)), key=lambda seat: (places[seat] == NO_PLACE, places[seat]))


def mark(places: Sequence[int], seat: Seat) -> str:
    """Return the place of a seat, in at most two letters up to the ninth place."""
    place = places[seat]
    if place == NO_PLACE:
        return NONE
    return f"{place}=" if places.count(place) > 1 else str(place)


def plain(places: Sequence[int]) -> list[int | None]:
    """Return the places for programs: None for a player without."""
    return [None if place == NO_PLACE else place for place in places]
