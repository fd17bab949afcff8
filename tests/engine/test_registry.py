import subprocess
import sys

import pytest

from engine import limits, registry
from engine.content import Content, parse_content
from engine.errors import BadContent, BadOption, UnknownGame
from engine.fruitoplay import Fruitoplay
from tests.games import punnet, registered
from tests.games.brambles import Brambles, content
from tests.games.punnet import Punnet


def test_shipped_games_are_there_from_the_start() -> None:
    assert "fruitoplay" in registry.names()
    assert registry.find("fruitoplay").game is Fruitoplay
    assert isinstance(registry.build("fruitoplay"), Fruitoplay)


@pytest.mark.parametrize("name", registry.SHIPPED)
def test_a_shipped_game_is_what_it_is_called(name: str) -> None:
    entry = registry.find(name)
    assert entry.game.name == name
    assert entry.game.seats[-1] <= limits.SEATS_MOST
    assert entry is registry.find(name)
    assert registry.build(name).content == entry.content()


LOADED = """
import sys
from engine import registry
def loaded():
    return {name for name in registry.names() if f"engine.{name}" in sys.modules}
assert len(registry.names()) >= 5 and loaded() == set(), loaded()
registry.build(sys.argv[1])
assert loaded() == {sys.argv[1]}, loaded()
"""


@pytest.mark.no_cover
@pytest.mark.parametrize("name", ["fruitoplay", "frutopia"])
def test_a_shipped_game_is_imported_when_it_is_asked_for(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, name], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_shipped_name_is_taken() -> None:
    with pytest.raises(ValueError, match="a game called fruitoplay is registered already"):
        registry.register(Fruitoplay, registry.find("fruitoplay").content)


def test_games_of_tests_are_there_only_while_asked_for() -> None:
    before = registry.names()
    assert "brambles" not in before
    with registered():
        assert registry.names() == (*before, "brambles", "pebbles", "punnet")
        assert isinstance(registry.build("brambles"), Brambles)
    assert registry.names() == before


def test_games_of_tests_go_even_if_the_test_fails() -> None:
    before = registry.names()
    with pytest.raises(ZeroDivisionError), registered():
        raise ZeroDivisionError
    assert registry.names() == before


def test_a_name_is_registered_once() -> None:
    with (
        registered(),
        pytest.raises(ValueError, match="a game called brambles is registered already"),
    ):
        registry.register(Brambles, content)
    assert "brambles" not in registry.names()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("frutoplay", "there is no game 'frutoplay'; did you mean fruitoplay? there are: {}"),
        ("bramble", "there is no game 'bramble'; did you mean brambles? there are: {}"),
        ("chess", "there is no game 'chess'; there are: {}"),
        ("", "there is no game ''; there are: {}"),
        ("\x1b[2J", r"there is no game '\x1b[2J'; there are: {}"),
    ],
)
def test_an_unknown_game_is_answered_with_those_there_are(name: str, why: str) -> None:
    with registered(), pytest.raises(UnknownGame) as refusal:
        registry.build(name)
    with registered():
        assert str(refusal.value) == why.format(", ".join(registry.names()))


def test_options_and_content_are_handed_to_the_game() -> None:
    with registered():
        assert registry.build("punnet", {"ties": "all"}).chosen == {"ties": "all"}
        with pytest.raises(BadOption):
            registry.build("punnet", {"trump": "fig"})
        own = parse_content('title = "own"\nverified = true\nnumbers = [1, 2]\njars = [1]')
        assert registry.build("brambles", content=own).content is own


def test_options_follow_the_content() -> None:
    assert registry.options("bastos") == registry.find("bastos").game.options
    fruits = ["orange", "mango", "pineapple", "passion", "banana"]
    own = Content("own", True, "", {"fruits": fruits})
    [removed] = [one for one in registry.options("bastos", own) if one.name == "removed"]
    assert removed.values == ("lot", "last", *fruits)
    with pytest.raises(BadContent):
        registry.options("bastos", Content("own", True, "", {"fruits": []}))
    with registered():
        own = parse_content('title = "own"\nverified = true\nnumbers = [1, 2]\njars = [1]')
        assert registry.options("brambles", own) == Brambles.options, "unless a game says so"


def test_the_rules_id_is_what_peers_must_agree_on() -> None:
    with registered():
        plain = registry.build("punnet")
        assert registry.build("punnet").rules_id == plain.rules_id
        assert registry.build("punnet", {"ties": "contending"}).rules_id == plain.rules_id
        assert registry.build("punnet", {"ties": "all"}).rules_id != plain.rules_id
        assert registry.build("brambles").rules_id != plain.rules_id
        text = 'title = "{}"\nverified = true\nnumbers = [{}]\njars = [1]'
        ids = {
            registry.build("brambles", content=parse_content(text.format(*words))).rules_id
            for words in [("a", "1, 2"), ("b", "1, 2"), ("a", "2, 1"), ("a", "1, 2, 3")]
        }
        assert len(ids) == 3, "the title may differ, the numbers may not"
    assert len(bytes.fromhex(plain.rules_id)) == 32


def test_the_rules_id_covers_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = registry.build("fruitoplay").rules_id
    monkeypatch.setattr(Fruitoplay, "version", 2)
    assert registry.build("fruitoplay").rules_id != before


def test_a_table_has_so_many_seats_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Punnet, "seats", range(2, 10))
    with pytest.raises(ValueError, match="punnet needs between 1 and 8 seats"):
        registry.register(Punnet, punnet.content)
    assert "punnet" not in registry.names()
