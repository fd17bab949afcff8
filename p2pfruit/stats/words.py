"""The names of opponents and the figures of statistics, in words."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from p2pfruit.home.results import OUTSIDE
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.levels import word_of
from p2pfruit.stats.counting import Against, Analysed, Tally
from p2pfruit.stats.past import Kind, Opponent
from p2pfruit.text.figures import NONE, decimal
from p2pfruit.text.safe import shown_names


def opponent_names(opponents: Sequence[Against], people: Mapping[str, str]) -> list[str]:
    """Return the name of each opponent: of a person the one in the address book, if it has one."""
    persons = [one for one in opponents if one.opponent.kind is Kind.PERSON]
    shown = shown_names([people.get(one.opponent.key, one.name) for one in persons])
    name_of = {one.opponent: name for one, name in zip(persons, shown, strict=True)}
    return [name_of.get(one.opponent) or bots(one.opponent) for one in opponents]


def bots(opponent: Opponent) -> str:
    """Return the name of a group of bots."""
    if opponent.kind is Kind.GUEST_BOT:
        return _("bots of other players")
    if opponent.level == OUTSIDE:
        return _("bots: programs")
    if not opponent.level:
        return _("bots")
    return _("bots: {level}").format(level=_(word_of(opponent.level)))


def share(part: int, whole: int) -> str:
    if not whole:
        return NONE
    return _("{percent} %").format(percent=round(Fraction(100 * part, whole)))


def streak(tally: Tally) -> str:
    """Return the streak that goes on, in words."""
    if tally.streak >= 0:
        return plural("{count} win in a row", "{count} wins in a row", tally.streak)
    return plural("{count} game without a win", "{count} games without a win", -tally.streak)


def headline(tally: Tally) -> list[str]:
    """Return what is said first: how many games, and how they went."""
    games = plural("{count} game", "{count} games", tally.games)
    broken_off = plural("{count} broken off", "{count} broken off", tally.broken_off)
    lines = [f"{games}, {broken_off}" if tally.broken_off else games]
    if tally.finished > tally.without_place:
        placed = tally.finished - tally.without_place
        lines.append(
            _("{wins} ({share}; by chance {by_chance}), place {place} on average").format(
                wins=plural("{count} win", "{count} wins", tally.wins),
                share=share(tally.wins, placed),
                by_chance=decimal(tally.by_chance),
                place=decimal(tally.place),
            )
        )
        lines.append(
            _("now {streak}; at most {longest}").format(
                streak=streak(tally),
                longest=plural("{count} win in a row", "{count} wins in a row", tally.longest),
            )
        )
    return lines


def analysed(found: Analysed) -> str:
    """Return what the analyses have found; empty if there are none."""
    if not found.games:
        return ""
    words = _(
        "{games} analysed: {clear} of {decisions} decisions clearly gave away {points} points"
    )
    return words.format(
        games=plural("{count} game", "{count} games", found.games),
        clear=found.clear,
        decisions=found.decisions,
        points=decimal(found.lost),
    )


def game_heads() -> list[str]:
    return [
        _("game"),
        _("games"),
        _("broken off"),
        _("won"),
        "%",
        _("by chance"),
        _("place"),
        _("points"),
        _("best"),
        _("now"),
        _("longest"),
    ]


def game_row(name: str, tally: Tally) -> list[str]:
    placed = tally.finished - tally.without_place
    return [
        name,
        str(tally.games),
        str(tally.broken_off),
        str(tally.wins),
        NONE if not placed else str(round(Fraction(100 * tally.wins, placed))),
        decimal(tally.by_chance),
        decimal(tally.place),
        decimal(tally.points),
        NONE if tally.best is None else str(tally.best),
        f"{tally.streak:+}",
        str(tally.longest),
    ]


def opponent_heads() -> list[str]:
    return [
        _("opponent"),
        _("games"),
        _("your wins"),
        _("their wins"),
        _("ahead"),
        _("behind"),
        _("equal"),
    ]


def opponent_row(name: str, one: Against) -> list[str]:
    figures = (one.games, one.wins, one.theirs, one.ahead, one.behind, one.equal)
    return [name, *map(str, figures)]
