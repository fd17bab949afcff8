"""The terms of a table in words: what players sit down to, and what a deck cannot claim."""

from importlib.resources import files

import pytest

from engine import registry
from engine.content import parse_content
from p2pfruit import language
from p2pfruit.games import terms
from protocol.peer.offer import Offer


def shipped_text() -> str:
    return files("engine.fruitoplay").joinpath("fruitoplay.toml").read_text(encoding="utf-8")


def retitled(title: str = "my own") -> str:
    """The shipped deck under another title."""
    return shipped_text().replace('"even spread"', f'"{title}"')


def doctored() -> str:
    """A deck with two figures changed, whose title says that it is the shipped one."""
    changed = retitled("as shipped").replace("10, 12, 14", "10, 11, 14", 1)
    return changed.replace("rotten = [11]", "rotten = [12]", 1)


def offer(content: str = "", limits: tuple[tuple[str, int], ...] = (), seats: int = 4) -> Offer:
    game = registry.build("fruitoplay", None, parse_content(content) if content else None)
    return Offer.of(game, seats, limits, content)


def test_shipped_cards() -> None:
    assert terms.cards_line(offer()) == "cards: as shipped"


def test_the_shipped_figures_under_another_title() -> None:
    assert terms.cards_line(offer(retitled())) == "cards: as shipped"
    assert terms.cards(offer(retitled())).digest == terms.cards(offer()).digest


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_deck_cannot_say_that_it_is_the_shipped_one(lang: str) -> None:
    language.use(lang)
    line = terms.cards_line(offer(doctored()))
    digest = terms.cards(offer(doctored())).digest
    assert digest != terms.cards(offer()).digest
    assert line.endswith(f"({digest[:12]})")
    own = {
        "en": 'cards: own cards, not the ones shipped: "as shipped"',
        "fr": "cartes : cartes de la table, pas celles du programme : « as shipped »",
    }
    assert line.startswith(own[lang])
    assert terms.fields(offer(doctored()))["cards"] == {
        "shipped": False,
        "title": "as shipped",
        "sha256": digest,
    }


def test_a_title_is_shown_and_not_obeyed() -> None:
    content = doctored().replace("as shipped", r"\u001b[31mred")
    assert "\x1b" not in terms.cards_line(offer(content))


def test_cards_of_a_game_that_is_not_known() -> None:
    played = offer(doctored())
    elsewhere = Offer("elsewhere", *played.terms[1:], 4)
    assert terms.cards(elsewhere) == terms.cards(played)
    bare = Offer("elsewhere", played.rules_id, (), "", (), 4)
    assert terms.cards(bare) == (None, "", "")
    assert terms.cards_line(bare) == "cards: those of the game, which are not known here"
    broken = Offer("elsewhere", played.rules_id, (), "no cards", (), 4)
    assert terms.cards(broken) == (False, "", "")


@pytest.mark.parametrize(
    ("limits", "seats", "words"),
    [
        ((), 2, []),
        ((), 3, ["one player at a time can be voted out"]),
        ((("drop", 1),), 4, ["one player at a time can be voted out"]),
        ((("drop", 2),), 5, ["two players may be voted out together"]),
        ((("drop", 3),), 7, ["3 players may be voted out together"]),
        ((("drop", 3),), 6, ["two players may be voted out together"]),
        ((("drop", 2),), 4, ["one player at a time can be voted out"]),
        ((("chat", 0), ("spectators", 0)), 2, ["no chat", "no spectators"]),
        ((("chat", 1), ("spectators", 1)), 2, []),
        ((("later", 7),), 2, ["later=7"]),
    ],
)
def test_limits_in_words(limits: tuple[tuple[str, int], ...], seats: int, words: list[str]) -> None:
    line = terms.limits_line(offer("", limits, seats), seats)
    usual = "limits: 120 s for each choice, 20 s for what programs answer, 180 s in reserve"
    assert line == ", ".join([usual, *words])


def test_times_in_words() -> None:
    limits = (("duty_s", 5), ("reserve_s", 0), ("turn_s", 30))
    assert terms.limits_line(offer("", limits, 2), 2) == (
        "limits: 30 s for each choice, 5 s for what programs answer, 0 s in reserve"
    )


def test_game_and_options() -> None:
    assert terms.lines(offer(), 4)[:2] == [
        "game: fruitoplay for 4 players",
        "options: ties (among contenders)",
    ]
    pixies = Offer.of(registry.build("pixies"), 2)
    assert terms.lines(pixies, 2)[:2] == ["game: pixies for 2 players", "cards: as shipped"]
