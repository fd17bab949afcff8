"""Games, wins, places, averages and streaks, by game and by opponent.

Averages are over finished games in which the player has a place. A shared first place is a win. A
game that was broken off neither goes on with a streak nor ends it, and one without a place is like
it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from p2pfruit.stats.past import Opponent, Past


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What became of some games. Averages are None where there is nothing to average."""

    games: int
    finished: int
    broken_off: int
    without_place: int  # finished, and the player contests the result
    wins: int
    shared: int  # of the wins: with others
    by_chance: Fraction  # the wins that players of equal strength would expect
    places: Mapping[int, int]  # how often each place was taken
    place: Fraction | None  # on average
    points: Fraction | None  # on average
    best: int | None  # the most points
    streak: int  # wins in a row up to now; below zero, games without a win
    longest: int  # the most wins in a row


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """What became of the games with one opponent.

    A game with several bots of one level counts once in `games`, and once for each of them in
    `ahead`, `behind` and `equal`.
    """

    opponent: Opponent
    name: str  # the last one that it came with
    last: int  # when the last of these games ended
    games: int
    finished: int
    wins: int  # of the player
    theirs: int  # wins of the opponent
    ahead: int  # the player was placed before the opponent
    behind: int
    equal: int  # the two shared a place


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysed:
    """What the analyses of some games have found."""

    games: int
    decisions: int
    clear: int  # decisions that were clearly worse than the expert's
    lost: Fraction  # the points that these gave away


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    whole: Tally
    by_game: Mapping[str, Tally]  # the game that was played most comes first
    opponents: Sequence[Against]  # likewise
    latest: Sequence[Past]  # finished games with a place, the oldest first
    analysed: Analysed


def count(games: Iterable[Past]) -> Statistics:
    """Count games, which are given in the order in which they ended."""
    games = list(games)
    names = Counter(game.game for game in games)
    return Statistics(
        whole=tally(games),
        by_game={
            name: tally([game for game in games if game.game == name])
            for name, _count in names.most_common()
        },
        opponents=_opponents(games),
        latest=[game for game in games if game.place is not None],
        analysed=_analysed(games),
    )


def tally(games: Sequence[Past]) -> Tally:
    finished = [game for game in games if game.finished]
    placed = [game for game in finished if game.place is not None]
    won = [game for game in placed if game.place == 1]
    places = [game.place for game in placed if game.place is not None]
    points = [game.points[game.mine] for game in placed if game.mine is not None]
    runs = [(win, len(list(run))) for win, run in groupby(place == 1 for place in places)]
    win, length = runs[-1] if runs else (True, 0)
    return Tally(
        games=len(games),
        finished=len(finished),
        broken_off=len(games) - len(finished),
        without_place=len(finished) - len(placed),
        wins=len(won),
        shared=sum(game.places.count(1) > 1 for game in won),
        by_chance=sum((Fraction(1, len(game.names)) for game in placed), Fraction()),
        places=dict(sorted(Counter(places).items())),
        place=_average(places),
        points=_average(points),
        best=max(points, default=None),
        streak=length if win else -length,
        longest=max((length for win, length in runs if win), default=0),
    )


def _average(values: Sequence[int]) -> Fraction | None:
    return Fraction(sum(values), len(values)) if values else None


def _opponents(games: Sequence[Past]) -> list[Against]:
    met: dict[Opponent, list[Past]] = {}
    for game in games:
        for opponent in dict.fromkeys(opponent for _seat, opponent in game.others()):
            met.setdefault(opponent, []).append(game)
    found = [_against(opponent, some) for opponent, some in met.items()]
    return sorted(found, key=lambda one: (one.games, one.last), reverse=True)


def _against(opponent: Opponent, games: Sequence[Past]) -> Against:
    faced = [
        (game.place, game.places[seat])
        for game in games
        if game.finished
        for seat, other in game.others()
        if other == opponent
    ]
    pairs = [(mine, theirs) for mine, theirs in faced if mine is not None and theirs is not None]
    last = games[-1]
    return Against(
        opponent=opponent,
        name=next(last.names[seat] for seat, other in last.others() if other == opponent),
        last=last.ended,
        games=len(games),
        finished=sum(game.finished for game in games),
        wins=sum(game.place == 1 for game in games),
        theirs=sum(theirs == 1 for _mine, theirs in faced),
        ahead=sum(mine < theirs for mine, theirs in pairs),
        behind=sum(mine > theirs for mine, theirs in pairs),
        equal=sum(mine == theirs for mine, theirs in pairs),
    )


def _analysed(games: Sequence[Past]) -> Analysed:
    found = []
    for game in games:
        match game.analysis:
            case {
                "decisions": int(decisions),
                "clear": int(clear),
                "lost": int() | float() as lost,
            }:
                found.append((decisions, clear, Fraction(lost)))
    return Analysed(
        games=len(found),
        decisions=sum(decisions for decisions, _clear, _lost in found),
        clear=sum(clear for _decisions, clear, _lost in found),
        lost=sum((lost for _decisions, _clear, lost in found), Fraction()),
    )
