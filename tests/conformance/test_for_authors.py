"""The suite as an author runs it: games that are wrong are caught, and the author is told how."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.packaged import write_package
from tests.repository.sources import ROOT

EXAMPLE = ROOT / "docs/examples/p2pfruit-figs"
RULES = (EXAMPLE / "p2pfruit_figs/__init__.py").read_text(encoding="utf-8")
CONTENT = (EXAMPLE / "p2pfruit_figs/figs.toml").read_text(encoding="utf-8")
ORACLE = ("--oracle", "figs_oracle:ORACLE")


def changed(old: str, new: str) -> str:
    assert RULES.count(old) == 1
    return RULES.replace(old, new)


def suite(folder: Path, *arguments: str, rules: str = RULES) -> subprocess.CompletedProcess[str]:
    write_package(folder, rules=rules, content=CONTENT)
    quiet = ("-q", "-p", "no:cacheprovider", "--tb=short")
    paths = os.pathsep.join(map(str, (folder, EXAMPLE)))
    return subprocess.run(
        [sys.executable, "-m", "p2pfruit.conformance", *arguments, *quiet],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


# What is wrong with a game, the test that finds it, and what it says.
WRONG = {
    "it never ends": (
        changed("return self.finish(replace(state, scores=(state.points,)))",
                "return self.again(state, tell)"),
        "test_every_state_is_sound",
        "figs has not ended after 5000 steps",
    ),
    "it lists moves in another order": (
        changed("sorted(state.hands[seat])", "sorted(state.hands[seat], reverse=True)"),
        "test_every_state_is_sound",
        "assert moves == sorted(set(moves))",
    ),
    "it takes moves that it does not list": (
        changed('if move.verb != "play" or len', "if len"),
        "test_a_move_is_legal_exactly_if_it_is_listed",
        "DID NOT RAISE",
    ),
    "it keeps something of a table": (
        changed("        state = Basket(need", "        self.seats_seen = seats\n"
                "        self.hand_size -= 1 if self.hand_size > 2 else 0\n"
                "        state = Basket(need"),
        "test_a_game_object_keeps_nothing_of_a_table",
        "assert again == history(table, 0)",
    ),
    "content can make it as large as it likes": (
        changed("not 1 <= copies <= 9 or", "not 1 <= copies or"),
        "test_missing_and_large_entries and large",
        "content with copies = 1000000 took more than 256 MB of memory; hint: refuse",
    ),
    "it fails on odd content": (
        changed('(tables.pop(key, None) for key in ("numbers", "copies", "hand"))',
                '(tables.pop(key) for key in ("numbers", "copies", "hand"))'),
        "test_missing_and_large_entries and missing",
        "raise BadContent, which says what is wrong",
    ),
    "its rules have changed": (
        changed("won + len(shown) * (at == winner)", "won + 2 * len(shown) * (at == winner)"),
        "test_the_game_declares_its_rules_vectors",
        "hint: if you meant to change the rules, raise the version",
    ),
    "it counts wrongly": (
        changed("won + len(shown) * (at == winner)", "won + (at == winner)"),
        "test_a_game_finishes_with_the_scores_and_places_of_the_oracle",
        "assert list(state.scores) == rows",
    ),
}  # fmt: skip
QUICK = ("content can make it as large as it likes",)


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.slow] * (case not in QUICK)) for case in WRONG]
)
def test_a_wrong_game_is_caught(case: str, tmp_path: Path) -> None:
    rules, test, says = WRONG[case]
    done = suite(tmp_path, "figs", *ORACLE, "-k", test, rules=rules)
    assert done.returncode == 1, done.stdout + done.stderr
    assert says in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "usage: python -m p2pfruit.conformance GAME"),
        (("plums",), "frutopia, figs\nhint: install your package (pip install -e .)"),
        pytest.param(
            ("figs", "--oracle", "no_such_module:X"),
            "No module named 'no_such_module'",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("figs", "--oracle", "figs_oracle"),
            "hint: --oracle MODULE:NAME",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("figs", "--oracle", "figs_oracle:points"),
            "is not an Oracle",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_author_is_told_what_to_do(
    arguments: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    done = suite(tmp_path, *arguments)
    assert done.returncode != 0
    assert says in done.stdout + done.stderr


def test_what_the_suite_needs_is_named(tmp_path: Path) -> None:
    code = (
        "import importlib.util as util, sys\n"
        "util.find_spec = lambda name: None\n"
        "from p2pfruit.conformance.__main__ import main\n"
        "sys.exit(main(['figs']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        "the suite needs pytest and hypothesis\nhint: pip install 'p2pfruit[conformance]'\n"
    )
