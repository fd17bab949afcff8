"""Statistics in lines: what is said first, two tables, and bars."""

from collections.abc import Mapping, Sequence

from p2pfruit import limits
from p2pfruit.language import text as _
from p2pfruit.stats import words
from p2pfruit.stats.counting import Statistics, Tally
from p2pfruit.text.columns import fitting

# The columns of the tables that can be spared, the first of them first. What they say is in the
# headline, or can be worked out; JSON and the page for a browser have them all.
GAMES_SPARE = (10, 2, 5, 8, 9, 4, 7)
OPPONENTS_SPARE = (6, 3, 2)


def lines(found: Statistics, people: Mapping[str, str], most: int) -> list[str]:
    """Return the statistics in lines of at most so many columns, apart from long names."""
    told = [*words.headline(found.whole), *filter(None, [words.analysed(found.analysed)])]
    tables = [_games(found, most), _opponents(found, people, most)]
    charts = [_places(found.whole, most), _latest(found)]
    return [*told, *(line for block in [*tables, *charts] if block for line in ["", *block])]


def _games(found: Statistics, most: int) -> list[str]:
    rows = [words.game_row(name, tally) for name, tally in found.by_game.items()]
    if len(rows) > 1:
        rows.append(words.game_row(_("all"), found.whole))
    return fitting([words.game_heads(), *rows], most, GAMES_SPARE)


def _opponents(found: Statistics, people: Mapping[str, str], most: int) -> list[str]:
    """Return the opponents who were met most."""
    names = words.opponent_names(found.opponents, people)
    rows = [words.opponent_row(name, one) for name, one in zip(names, found.opponents, strict=True)]
    told = rows[: limits.OPPONENTS_TOLD_MOST]
    if not told:
        return []
    left_out = len(rows) - len(told)
    more = [_("and {count} others").format(count=left_out)] if left_out else []
    return [*fitting([words.opponent_heads(), *told], most, OPPONENTS_SPARE), *more]


def _places(tally: Tally, most: int) -> list[str]:
    """Return a bar for each place, as long as it was taken often."""
    if not tally.places:
        return []
    largest = max(tally.places.values())
    digits = len(str(max(tally.places)))
    room = min(most, limits.TABLE_COLUMNS_MOST) - digits - len(str(largest)) - 4
    return [
        _("how often each place was taken"),
        *(
            f"  {place:{digits}} {'█' * round(often * room / largest)} {often}"
            for place, often in _all_places(tally)
        ),
    ]


def _all_places(tally: Tally) -> Sequence[tuple[int, int]]:
    return [(place, tally.places.get(place, 0)) for place in range(1, max(tally.places) + 1)]


def _latest(found: Statistics) -> list[str]:
    """Return the places of the latest games, the newest last."""
    latest = found.latest[-limits.LATEST_TOLD :]
    if not latest:
        return []
    places = " ".join(str(game.place) for game in latest)
    return [_("the latest places, the newest last: {places}").format(places=places)]
