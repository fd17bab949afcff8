"""Fields of forms about a table: the game, the players, its options, the time for a decision."""

from typing import TYPE_CHECKING, Any

from p2pfruit import limits
from p2pfruit.home import settings
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.ui.forms import Answers, Field, Offered

if TYPE_CHECKING:
    from engine.content import Option

# The time limits for a decision that the menu offers.
TURN_LIMITS_S = (30, 60, 120, 300, 900, 3600, 86400)
TURN_LIMIT_S = 120


def called(*values: Any) -> Offered:
    return [(value, str(value)) for value in values]


def game_field(start: str) -> Field:
    from engine import registry
    from p2pfruit.games.about import about

    return Field(
        name="game",
        label=_("game"),
        start=start if start in registry.names() else settings.DEFAULTS.game,
        offered=lambda _answers: called(*registry.names()),
        about=lambda answers: about(answers["game"]).summary(),
    )


def seats_field(start: int) -> Field:
    from engine import registry

    return Field(
        name="seats",
        label=_("players"),
        start=start,
        offered=lambda answers: called(*registry.find(answers["game"]).game.seats),
        about=_("number of players, including you"),
    )


def option_fields(answers: Answers) -> list[Field]:
    """Return the variants of the chosen game; the other games are not imported."""
    from engine import registry

    game = answers["game"]
    return [_option_field(game, option) for option in registry.find(game).game.options]


def _option_field(game: str, option: "Option") -> Field:
    from p2pfruit.games.about import about

    words = about(game)
    values = [(value, words.called(value)) for value in option.values]
    explained = values if len(values) <= limits.VALUES_EXPLAINED_MOST else values[:2]
    means = [f"{called}: {words.option(option.name, value)}" for value, called in explained]
    return Field(
        name=option_key(game, option.name),
        label=words.called(option.name),
        start=option.default,
        offered=lambda _answers: values,
        about="; ".join(means),
    )


def option_key(game: str, option: str) -> str:
    """Return the name of the field: two games may have options of the same name."""
    return f"{game} {option}"


def switch(_answers: Answers) -> Offered:
    return [(True, _("on")), (False, _("off"))]


def duration(seconds: int) -> str:
    if seconds < 60:
        return plural("{count} second", "{count} seconds", seconds)
    if seconds < 3600:
        return plural("{count} minute", "{count} minutes", seconds // 60)
    return plural("{count} hour", "{count} hours", seconds // 3600)


def turn_field(start: int) -> Field:
    return Field(
        name="turn",
        label=_("time per turn"),
        start=start,
        offered=lambda _answers: [(s, duration(s)) for s in sorted({start, *TURN_LIMITS_S})],
        about=_("when it is over, the others can vote to continue without that player"),
    )


def drop_field(start: int) -> Field:
    return Field(
        name="drop",
        label=_("if two vanish"),
        start=start,
        offered=lambda answers: _drops(answers["seats"]),
        about=_("two players who vanish together can otherwise end any game"),
        asked=lambda answers: len(_drops(answers["seats"])) > 1,
    )


def _drops(seats: int) -> Offered:
    """Return how many players the others may vote out together; more than half must be left."""
    from protocol.limits import drop_most

    words = {
        1: _("stop the table"),
        2: _("two may be voted out together"),
        3: _("three may be voted out together"),
    }
    return [(count, words[count]) for count in range(1, drop_most(seats) + 1)]


# The series that the menu offers: lengths as they are typed.
SERIES_LENGTHS = ("best of 3", "best of 5", "2 games", "3 games", "4 games", "5 games")


def series_fields(length: str = "", games: str = "", points: str = "1") -> list[Field]:
    """Return what is asked about a series. No length: the game stands by itself.

    `games` are the games in turn, of which the first is the game of the table.
    """
    others = ",".join(games.split(",")[1:])

    def in_series(answers: Answers) -> bool:
        return bool(answers["series"])

    return [
        Field(
            name="series",
            label=_("series"),
            start=length,
            offered=lambda _answers: _lengths(length),
            about=_("several games that count together; all players sign a contract about it"),
        ),
        Field(
            name="games",
            label=_("games in turn"),
            start=others,
            offered=lambda answers: _in_turn(answers, others),
            about=_("the game above comes first"),
            asked=in_series,
        ),
        Field(
            name="points",
            label=_("points"),
            start=points,
            offered=lambda answers: _points(answers["seats"], points),
            about=_("for the first place, the second, and so on"),
            asked=in_series,
        ),
    ]


def _lengths(now: str) -> Offered:
    from p2pfruit.games.contracts import length
    from p2pfruit.seat.series_plans import WantedSeries

    lengths = [*SERIES_LENGTHS, *([now] if now and now not in SERIES_LENGTHS else [])]
    wanted = [(typed, WantedSeries.read(typed)) for typed in lengths]
    return [("", _("none")), *[(typed, length(one.kind, one.count)) for typed, one in wanted]]


def _in_turn(answers: Answers, now: str) -> Offered:
    """Return which games may follow the one of the table: none, or another one that fits."""
    from engine import registry

    game = answers["game"]
    if not answers["series"]:  # then no other game needs to be imported
        return [("", game)]
    names = [name for name in registry.names() if name != game]
    others = [name for name in names if _fits(name, answers["seats"])]
    kept = [now] if game not in now.split(",") and now not in ("", *others) else []
    in_turn = [(some, ", ".join([game, *some.split(",")])) for some in (*others, *kept)]
    return [("", game), *in_turn]


def _fits(game: str, seats: int) -> bool:
    """Return True if so many can play; a game whose package is broken fits nobody."""
    from engine import registry
    from engine.errors import EngineError

    try:
        return seats in registry.find(game).game.seats
    except EngineError:
        return False


def _points(seats: int, now: str) -> Offered:
    by_place = ",".join([str(points) for points in range(max(seats - 1, 1), 0, -1)])
    return called(*dict.fromkeys(("1", by_place, now)))
