"""Three people at three terminals, one of whom falls silent: what each of them is told."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import permutations
from pathlib import Path

import pytest

from tests.p2pfruit.cli.screens import (
    ENTER,
    ESCAPE,
    F2,
    full_screen,
    make_home,
    shows,
    wait_for_all,
)
from tests.p2pfruit.cli.terminal import Terminal

# Short enough to wait for; Chloe is late after nine seconds.
LIMITS = ("--turn-limit", "6", "--reserve", "3")

Three = tuple[Terminal, Terminal, Terminal]


@contextmanager
def three(folder: Path, *more: str, lang: str = "en", turn: str = "your turn") -> Iterator[Three]:
    """Anna, Bruno and Chloe, who have all been asked for a card."""
    invitation = folder / "invitation"
    table = ("host", "--port", "0", "--seats", "3", *LIMITS, "--invite-file", str(invitation))
    homes = [make_home(folder / name, name) for name in ("Anna", "Bruno", "Chloe")]
    said = ("--lang", lang)
    with ExitStack() as stack:
        anna = stack.enter_context(full_screen(*said, *table, *more, home=homes[0]))
        anna.wait_shown("FRUIT-")
        join = (*said, "join", f"@{invitation}")
        bruno, chloe = [stack.enter_context(full_screen(*join, home=home)) for home in homes[1:]]
        people = (anna, bruno, chloe)
        wait_for_all([*people], *(shows(person, turn) for person in people))
        yield people


def in_any_order(table: Terminal, words: str) -> Callable[[], bool]:
    """Return whether the table names Anna and Bruno: who comes first depends on their keys."""
    orders = [shows(table, words.format(*names)) for names in permutations(("Anna", "Bruno"))]
    return lambda: any(holds() for holds in orders)


def all_were_told(people: Sequence[Terminal], *texts: str) -> None:
    """Read it in the story of each of them, where nothing is pushed out by what came later."""
    for person in people:
        person.type(F2)
    wait_for_all([*people], *(shows(person, *texts) for person in people))
    for person in people:
        person.type(ESCAPE)


def test_who_is_late_sees_it_and_comes_back_before_a_vote(tmp_path: Path) -> None:
    with three(tmp_path) as people:
        anna, bruno, chloe = people
        anna.type(ENTER)
        bruno.type(ENTER)
        wait_for_all([*people], shows(chloe, "! soon the others are asked whether to wait for you"))
        wait_for_all([*people], shows(chloe, "! reserve"))
        wait_for_all(
            [*people],
            shows(anna, "the table has been waiting for Chloe", "answer within", "1-3 answer"),
            shows(bruno, "[1] wait", "[2] go on without", "[3] stop the table", "1-3 answer"),
            in_any_order(chloe, "! {} and {} are being asked whether to wait for you"),
        )
        bruno.type("1")
        wait_for_all(
            [*people],
            shows(bruno, "✓ your answer about Chloe: wait", without="1-3 answer"),
            shows(anna, "Bruno waits a while longer for Chloe", "1-3 answer"),
            shows(chloe, "Bruno waits a while longer for you", "! Anna is being asked"),
        )
        bruno.type("3")  # the answer stays
        chloe.type(ENTER)
        back = "Chloe answered after all"
        wait_for_all(
            [*people],
            shows(anna, back, "turn 2 of 7", "your turn", without="1-3 answer"),
            shows(bruno, back, "turn 2 of 7", "your turn"),
            shows(chloe, "your answer is sent", "turn 2 of 7"),
        )


@pytest.mark.slow
def test_a_vote_that_fails_and_one_that_does_not(tmp_path: Path) -> None:
    with three(tmp_path) as people:
        anna, bruno, chloe = people
        anna.type(ENTER)
        bruno.type(ENTER)
        wait_for_all([*people], shows(anna, "1-3 answer"), shows(bruno, "1-3 answer"))
        anna.type("2")
        wait_for_all(
            [*people],
            shows(anna, "✓ your answer about Chloe: go on without"),
            shows(bruno, "Anna votes to go on without Chloe", "1-3 answer"),
            shows(chloe, "! voted to go on without you: Anna"),
        )
        bruno.type("1")
        all_were_told(people, "Bruno votes to wait", "the vote about Chloe has failed")
        wait_for_all([*people], shows(bruno, "1-3 answer"))
        bruno.type("2")
        wait_for_all([*people], shows(anna, "1-3 answer"))
        anna.type("2")
        wait_for_all([*people], shows(anna, "your turn"), shows(bruno, "your turn"))
        all_were_told(people, "voted Chloe out at step")


@pytest.mark.slow
def test_who_comes_back_during_a_vote_stays(tmp_path: Path) -> None:
    with three(tmp_path) as people:
        anna, bruno, chloe = people
        anna.type(ENTER)
        bruno.type(ENTER)
        wait_for_all([*people], shows(anna, "1-3 answer"), shows(bruno, "1-3 answer"))
        anna.type("2")
        wait_for_all([*people], shows(chloe, "! voted to go on without you: Anna"))
        chloe.type(ENTER)
        wait_for_all([*people], *(shows(person, "turn 2 of 7", "your turn") for person in people))
        # Anna acts on Chloe's answer only when her vote has failed; the others had it before.
        all_were_told(people, "Anna votes to go on without Chloe")


def test_it_is_said_in_french(tmp_path: Path) -> None:
    with three(tmp_path, lang="fr", turn="à vous") as people:
        anna, bruno, chloe = people
        anna.type(ENTER)
        bruno.type(ENTER)
        wait_for_all([*people], shows(chloe, "! réserve"))
        wait_for_all(
            [*people],
            in_any_order(chloe, "! on demande à {} et {} s'il faut vous attendre"),
            shows(anna, "répondez dans les", "1-3 répondre"),
            shows(bruno, "1-3 répondre"),
        )
        bruno.type("1")
        wait_for_all(
            [*people],
            shows(bruno, "✓ votre réponse au sujet de Chloe : attendre"),
            shows(chloe, "Bruno vous attend encore un peu"),
        )


def test_one_of_two_stops(tmp_path: Path) -> None:
    invitation = tmp_path / "invitation"
    table = ("host", "--port", "0", "--seats", "2", *LIMITS, "--invite-file", str(invitation))
    homes = [make_home(tmp_path / name, name) for name in ("Anna", "Bruno")]
    with full_screen(*table, home=homes[0]) as anna:
        anna.wait_shown("FRUIT-")
        with full_screen("join", f"@{invitation}", home=homes[1]) as bruno:
            both = [anna, bruno]
            wait_for_all(both, shows(anna, "your turn"), shows(bruno, "your turn"))
            anna.type(ENTER)
            wait_for_all(both, shows(anna, "the game ends here, without a result", "1-2 answer"))
            anna.type("2")
            wait_for_all(both, shows(anna, "stopped by Anna"), shows(bruno, "stopped by Anna"))
