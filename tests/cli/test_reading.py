"""games and rules: what can be read before playing."""

import pytest

from p2pfruit.cli import main


def test_games_says_whose_numbers_are_on_the_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "fruitoplay: 2 to 6 players" in out
    assert "contending (default): only cards that contend" in out
    assert "content: even spread, NOT as published" in out
    assert "these are ours" in out
    assert "--content FILE" in out


def test_games_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--lang=fr"]) == 0
    assert "ceux-ci sont les nôtres" in capsys.readouterr().out


@pytest.mark.parametrize(("lang", "says"), [("en", "are ours"), ("fr", "sont les nôtres")])
def test_the_rules_page_says_so_too(
    lang: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "fruitoplay", "--lang", lang]) == 0
    assert says in capsys.readouterr().out


@pytest.mark.parametrize(
    ("environment", "title"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "## Les cartes"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "## The cards"),
        ({"LANG": "de_DE.UTF-8"}, "## The cards"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:fr:en"}, "## Les cartes"),
        ({"LANG": "frp"}, "## The cards"),
        ({"LANG": "C", "LANGUAGE": "fr"}, "## The cards"),
        ({"LC_ALL": "C.UTF-8", "LANG": "fr_FR"}, "## The cards"),
        ({}, "## The cards"),
    ],
)
def test_the_locale_chooses_the_language(
    environment: dict[str, str],
    title: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert main(["rules"]) == 0
    assert title in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["--version"])
    assert done.value.code == 0
    assert capsys.readouterr().out.startswith("p2pfruit 0.")
