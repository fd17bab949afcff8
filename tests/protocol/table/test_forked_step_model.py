"""Every order of events at a step at which a player forks, with the rules and with wrong ones."""

from collections import Counter
from typing import NamedTuple

import pytest

from tests.protocol.table.agreement_check import Flaw
from tests.protocol.table.forked_step_ballots import (
    ANSWER,
    FORK,
    LEAVE,
    VOTE,
    Branch,
    Place,
    Rules,
    Said,
    World,
)
from tests.protocol.table.forked_step_model import explore
from tests.protocol.table.forked_step_reading import FORKED, GONE, LEFT
from tests.quick import slow_but

LATE = Place(1, 1)  # the first entry of the second branch

CLOSED, STUCK = "a player has closed the step otherwise", "a player is stuck"
BLAMED, FAILED = "an honest player is blamed", "a ballot has failed for one player"


def seen(*places: int | Place) -> tuple[Place, ...]:
    return tuple([place if isinstance(place, Place) else Place(place) for place in places])


def names(player: int, *places: int | Place, ballot: int = 0) -> Said:
    return Said(VOTE, seen(*places), ballot, player)


def keeps(*places: int | Place, ballot: int = 0) -> Said:
    return Said(VOTE, seen(*places), ballot)


def tells(*places: int | Place) -> Said:
    """The last player has forked: this is how far the author acted on its feed."""
    return Said(FORK, seen(*places), about=len(places) - 1)


NEW = seen(0, 0, 0, 0)
ANSWERS, KEEPS, LEAVES = Said(ANSWER, NEW), Said(VOTE, NEW), Said(LEAVE, NEW)


def forks(left: Branch, right: Branch) -> tuple[tuple[int, tuple[Branch, ...]], ...]:
    return ((3, (left, right)),)


def began(**feeds: Branch) -> tuple[tuple[int, tuple[Branch, ...]], ...]:
    players = ("first", "second", "third", "fourth")
    return tuple([(players.index(player), (feed,)) for player, feed in feeds.items()])


ABSENT = ((0, ((),)),)


class Case(NamedTuple):
    """A world in which the rules hold, and a rule that breaks it."""

    world: World
    wrong: str
    flaw: str


CASES = {
    # Two players drop the first one, who alone knows of the fork; to them the forker has left. One
    # of them goes on and leaves the table before it hears of the fork. The other answers it late.
    "late answers": Case(
        World(
            players=4,
            owing=(0,),
            scripts=forks((KEEPS,), (LEAVES,)),
            silent=frozenset({0}),
            leaving=frozenset({1}),
            begun=began(
                first=(tells(0, 0, 0, 0),),
                second=(names(0, 0, 0, 0, LATE),),
                third=(names(0, 0, 1, 0, LATE),),
            ),
        ),
        "late_words_turn",
        CLOSED,
    ),
    # The player who is to be dropped acted on the leave of the forker, which has seen its answer.
    "a forker who left": Case(
        World(
            players=4,
            owing=(0,),
            scripts=forks((KEEPS,), (Said(LEAVE, seen(1, 0, 0, 0)),)),
            begun=began(
                first=(ANSWERS, tells(0, 0, 0, LATE)),
                second=(names(0, 0, 0, 0, 0), tells(0, 0, 0, 0)),
                third=(names(0, 0, 0, 0, 0),),
            ),
        ),
        "who_left_has_not_forked",
        CLOSED,
    ),
    # Two players who have not answered name each other; one of them leaves.
    "a voter who is held back": Case(
        World(players=3, owing=(0, 1), scripts=(), leaving=frozenset({0})),
        "named_players_never_leave",
        STUCK,
    ),
    # The first player has answered, and acts on the answer of the forker; the others name it,
    # because it has not answered the fork.
    "acts of a named player": Case(
        World(
            players=4,
            owing=(0, 3),
            scripts=forks((ANSWERS,), (LEAVES,)),
            begun=began(
                first=(ANSWERS,),
                second=(tells(0, 0, 0, 0), names(0, 0, 0, 1, 0)),
                third=(tells(0, 0, 0, 0), names(0, 1, 1, 0, 0)),
            ),
        ),
        "unread_acts_lead",
        CLOSED,
    ),
    # The first player owes nothing but its answer to the fork of the only one who owes.
    "lapse": Case(
        World(
            players=4,
            owing=(3,),
            scripts=forks((ANSWERS,), (LEAVES,)),
            begun=began(
                second=(tells(0, 0, 0, 0), names(0, 0, 0, 1, 0)),
                third=(tells(0, 0, 0, 0), names(0, 0, 1, 0, 0)),
            ),
        ),
        "lapse_by_what_was_read",
        CLOSED,
    ),
    # One player votes for the first without the other's word, answers the fork and waits. The other
    # goes on, and answers the fork in the next step, where it cannot be read yet.
    "unread answers": Case(
        World(
            players=4,
            owing=(0, 3),
            scripts=(*ABSENT, *forks((KEEPS,), (LEAVES,))),
            begun=began(second=(names(0, 0, 0, 0, LATE), tells(0, 0, 0, LATE))),
        ),
        "answers_must_be_read",
        CLOSED,
    ),
    # A ballot has failed by the vote of the forker; the absent player never answers its fork.
    "a failed ballot": Case(
        World(
            players=4,
            owing=(0,),
            scripts=(*ABSENT, *forks((KEEPS,), (LEAVES,))),
            ballots=2,
            begun=began(second=(keeps(0, 0, 0, 1),)),
        ),
        "forkers_speak_when_all_have_answered",
        FAILED,
    ),
    # Two players name a third who has not answered the fork. One of them has seen all of its
    # entries and not the other's vote.
    "what shows an end": Case(
        World(
            players=4,
            owing=(3,),
            scripts=forks((ANSWERS,), (LEAVES,)),
            begun=began(
                first=(tells(0, 0, 0, 0), names(1, 0, 0, 1, 0)),
                second=(names(3, 0, 0, 0, 0),),
                third=(tells(0, 0, 0, 0), names(1, 1, 1, 0, 0)),
            ),
        ),
        "a_cut_shows_an_end",
        BLAMED,
    ),
    "forks are answered first": Case(
        World(
            players=4,
            owing=(0, 3),
            scripts=forks((KEEPS,), (LEAVES,)),
            silent=frozenset({0}),
            begun=began(
                first=(tells(0, 0, 0, 0),),
                second=(names(0, 0, 0, 0, LATE), tells(0, 0, 0, LATE)),
            ),
        ),
        "forks_can_wait",
        CLOSED,
    ),
}


FIVE = seen(0, 0, 0, 0, 0)

# From the beginning, or with more players.
WIDE = [
    World(
        players=4,
        owing=(0, 3),
        scripts=forks((KEEPS,), (LEAVES,)),
        silent=frozenset({0}),
    ),
    World(
        players=5,
        owing=(0,),
        scripts=(*ABSENT, (4, ((Said(VOTE, FIVE),), (Said(LEAVE, FIVE),)))),
        begun=began(
            second=(names(0, 0, 0, 0, 0, LATE),),
            third=(names(0, 0, 1, 0, 0, LATE),),
            fourth=(names(0, 0, 1, 1, 0, LATE),),
        ),
    ),
    World(
        players=4,
        owing=(3,),
        scripts=forks((ANSWERS,), (LEAVES,)),
        begun=began(second=(tells(0, 0, 0, 0), names(0, 0, 0, 1, 0)), third=(tells(0, 0, 0, 0),)),
    ),
]


@pytest.mark.parametrize("case", slow_but(lambda case: case != "a failed ballot", CASES))
def test_honest_players_conclude_the_same(case: str) -> None:
    assert explore(CASES[case].world).sometimes["closed"]


@pytest.mark.slow
@pytest.mark.parametrize("world", WIDE, ids=range(len(WIDE)))
def test_honest_players_conclude_the_same_in_wide_worlds(world: World) -> None:
    assert explore(world).sometimes["closed"]


def test_everything_happens_sometimes() -> None:
    met: Counter[str] = Counter()
    for case in ("a forker who left", "unread answers"):
        met += explore(CASES[case].world).sometimes
    assert set(met) == {"closed", "split", LEFT, GONE, FORKED}


@pytest.mark.parametrize("case", CASES)
def test_wrong_rules_are_found(case: str) -> None:
    world, wrong, flaw = CASES[case]
    with pytest.raises(Flaw, match=flaw):
        explore(world._replace(rules=Rules(**{wrong: True})))
