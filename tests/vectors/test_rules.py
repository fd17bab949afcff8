"""The rules vectors of shipped games: what the rules make, what they come to, what they declare."""

import json

import pytest

from engine import registry
from engine.registry import SHIPPED
from p2pfruit.conformance.rules import check_case, fingerprint, main, vectors
from tests.vectors.families import rules_path


@pytest.mark.parametrize("game", SHIPPED)
def test_the_rules_come_to_every_digest(game: str) -> None:
    for case in json.loads(rules_path(game).read_text("utf-8")):
        check_case(registry.build(game, case["options"]), case)


@pytest.mark.parametrize("game", SHIPPED)
def test_the_rules_still_make_them(game: str) -> None:
    assert vectors(game) == rules_path(game).read_text("utf-8")


@pytest.mark.parametrize("game", SHIPPED)
def test_the_game_declares_them(game: str) -> None:
    text = rules_path(game).read_text("utf-8")
    assert registry.find(game).game.vectors == fingerprint(text)


@pytest.mark.parametrize("game", SHIPPED)
def test_every_number_of_players_and_every_value_of_an_option(game: str) -> None:
    cases = json.loads(rules_path(game).read_text("utf-8"))
    kind = registry.find(game).game
    assert {case["seats"] for case in cases} == set(kind.seats)
    for option in kind.options:
        assert {case["options"][option.name] for case in cases} == set(option.values)
    assert any(len(step) == 5 for case in cases for step in case["steps"]), "a seat is lost"


def test_another_digest_is_found() -> None:
    case = json.loads(rules_path("pixies").read_text("utf-8"))[0]
    case["steps"][3][0] = "0" * 16
    with pytest.raises(AssertionError, match="the state after step 3"):
        check_case(registry.build("pixies", case["options"]), case)


def test_other_piles_ahead_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """All players must agree on them: who makes a hop for others is a cheat."""
    case = json.loads(rules_path("pixies").read_text("utf-8"))[0]
    game = registry.build("pixies", case["options"])
    monkeypatch.setattr(type(game), "ahead", lambda _game, _state: ())
    with pytest.raises(AssertionError, match="shuffled and drawn ahead"):
        check_case(game, case)


def test_other_lots_ahead_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """All players must agree on them: who draws none gives too few shares."""
    cases = json.loads(rules_path("fruitoplay").read_text("utf-8"))
    case = next(case for case in cases if any(any(step[3:4]) for step in case["steps"]))
    game = registry.build("fruitoplay", case["options"])
    monkeypatch.setattr(type(game), "lot_ahead", lambda _game, _state: ())
    with pytest.raises(AssertionError, match="shuffled and drawn ahead"):
        check_case(game, case)


def test_they_are_printed_with_what_the_class_declares(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pixies"]) == 0
    out, err = capsys.readouterr()
    assert out == rules_path("pixies").read_text("utf-8")
    assert err == f'vectors = "{registry.find("pixies").game.vectors}"\n'
    assert main([]) == 2
    assert "usage: python -m p2pfruit.conformance.rules GAME" in capsys.readouterr().err
    assert main(["chess"]) == 2
    assert "there is no game 'chess'" in capsys.readouterr().err
