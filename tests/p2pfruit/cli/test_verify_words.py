"""The words of p2pfruit verify for what few files show, and for what players call themselves."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from p2pfruit import limits
from p2pfruit.replay import verdict
from p2pfruit.text.safe import shown_names
from protocol.file.report import Verdict, report
from protocol.table.party import Party
from tests.p2pfruit.cli import gamefiles as made
from tests.p2pfruit.cli.conftest import GameFile
from tests.p2pfruit.cli.inside import run
from tests.p2pfruit.cli.test_verify import verify

# The words for what no file of the tests shows.


def shown_as(kind: made.Kind, **changed: Any) -> str:
    found = report(made.table_of(kind))
    return verdict.headline(replace(found, **changed), verdict.player_names(found))


def test_two_who_stop_have_seen_the_same() -> None:
    first, second = report(made.table_of(made.both_stopped)).stops
    assert shown_as(made.both_stopped) == (
        "stopped by Bruno, Chloe: by what they had seen, Ada owed a move"
    )
    other = replace(second, owed=(0, 1), kind="")
    assert shown_as(made.both_stopped, stops=(first, other)) == (
        "stopped by Bruno, Chloe: by what they had seen, Ada, Bruno owed an answer"
    )


def test_a_result_can_be_contested_and_unsigned() -> None:
    assert shown_as(made.contested, verdict=Verdict.UNSIGNED, owing=(2,)) == (
        "finished, not signed by Chloe; contested by Bruno"
    )


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("agree", "a signature"),
        ("reveal", "the reveal of a move"),
        ("shares", "shares of cards"),
        ("shuffle", "a shuffle"),
        ("lot", "an answer"),
    ],
)
def test_what_is_owed_has_a_name(kind: str, words: str) -> None:
    said = shown_as(made.unfinished, owed=kind, owing=(1,), step=7)
    assert said == f"unfinished at step 7: waiting for {words} from Bruno"


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ((17, 43, 20), "Ada left at step 22, while losing 17 to 43"),
        ((43, 17, 20), "Ada left at step 22, while leading 43 to 20"),
        ((20, 20, 3), "Ada left at step 22, while even at 20 to 20"),
        ((), "Ada left at step 22"),
    ],
)
def test_who_leaves_is_shown_with_the_points(
    points: tuple[int, ...], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By player here; the table has them by seat."""
    table = made.table_of(made.left)
    by_seat = tuple(points[player] for player in table.play.seats) if points else ()
    monkeypatch.setattr(type(table), "points_at", lambda _table, _step: by_seat)
    assert verdict.loss(table, table.lost[0], ["Ada", "Bruno", "Chloe"]) == words


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (Party.leave, "Bruno left after signing the result"),
        (Party.stop, "Bruno signed, and did not wait any longer for the signature of Ada"),
    ],
)
def test_who_goes_after_signing_is_told_at_the_table_and_not_by_the_file(
    end: Callable[[Party], list[bytes]], words: str
) -> None:
    parties = made.played(made.setup("Ada", "Bruno"), made.SoreLoser)
    end(parties[1])
    table, names = parties[1].table, ["Ada", "Bruno"]
    assert [verdict.loss(table, lost, names) for lost in table.lost] == [words]
    assert verdict.losses(table, report(table), names) == []
    assert verdict.headline(report(table), names) == "finished, not signed by Ada"


def test_one_signature_of_three_does_not_settle_a_result(game_file: GameFile) -> None:
    """The two others could still drop the one who signed; so the file has no places yet."""
    _code, lines = verify(game_file(made.unsettled))
    assert re.search(
        r": unfinished at step \d+: waiting for a signature from Ada, Chloe$", lines[0]
    )
    assert lines[-4].split()[:2] == ["so", "far"]
    assert "final ranking" not in run("show", str(game_file(made.unsettled))).stdout


# What players call themselves.


def test_names_are_shown_and_not_obeyed(game_file: GameFile) -> None:
    text = "\n".join(verify(game_file(made.odd_names))[1])
    assert '"Bob, Ann: left"' in text
    assert r'"\u3164\u3164"' in text
    assert "\u3164" not in text


@pytest.mark.parametrize(
    ("name", "as_shown"),
    [
        ("Zoë O'Neil-2", "Zoë O'Neil-2"),
        ("李小龍", "李小龍"),
        ("\x1b[31mred", r'"\x1b[31mred"'),
        ("a\u202eb", r'"a\u202eb"'),
        ("a\u0301\u0301\u0301", '"a\u0301\u0301\\u0301"'),
        ("\u0301", r'"\u0301"'),
        ("Ann ", '"Ann "'),
        ("Ann  left", '"Ann  left"'),
        ('a"b', r'"a\"b"'),
        ("", '""'),
    ],
)
def test_a_name_says_nothing_to_the_terminal(name: str, as_shown: str) -> None:
    assert shown_names([name]) == [as_shown]


def test_players_of_one_name_are_told_apart(game_file: GameFile) -> None:
    text = "\n".join(verify(game_file(made.same_names))[1])
    assert "\n  Ann #0  " in text
    assert "\n  ann #1  " in text


def test_what_a_cheat_said_is_shown_and_not_obeyed(game_file: GameFile) -> None:
    text = "\n".join(verify(game_file(made.forged))[1])
    assert r"(kind: '\x1b[2Jxxx" in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) < 2 * limits.SHOWN_LENGTH_MOST
    entries = run("show", "--entries", str(game_file(made.forged))).stdout
    assert "\x1b" not in entries
    assert "xxx" not in entries


def test_verified_says_no_more_than_was_played() -> None:
    """A game that was left during its first shuffle has not been shuffled by all."""
    assert "all players have shuffled" in verdict.verified_means(report(made.table_of(made.final)))
    for kind in (made.unfinished, made.left_alone, made.stopped):
        words = verdict.verified_means(report(made.table_of(kind)))
        assert "shuffled" not in words
        assert "as far as the game went" in words
