import pytest

from engine import limits
from engine.content import Content, Option, choose_options, parse_content, read_content
from engine.errors import BadContent, BadOption, SetupError

HEAD = 'title = "box"\nverified = true\n'


def test_content_is_its_words_and_its_tables() -> None:
    text = HEAD + 'note = "ours"\nsize = 3\n[cards]\nfig = [1, 2]\napple = ["a", [4]]\n'
    content = parse_content(text)
    assert content == Content(
        "box", True, "ours", {"size": 3, "cards": {"fig": [1, 2], "apple": ["a", [4]]}}
    )
    fruits = ("table", ("apple", ("list", "a", ("list", 4))), ("fig", ("list", 1, 2)))
    assert content.essence == ("table", ("cards", fruits), ("size", 3))


def test_equal_figures_have_an_equal_hash_by_any_title() -> None:
    deck = parse_content(HEAD + "a = 1\nb = [2, 3]\n")
    renamed = parse_content('verified = false\ntitle = "other"\nnote = "x"\nb = [2, 3]\na = 1\n')
    assert deck.digest == renamed.digest
    assert len(deck.digest) == 64
    assert parse_content(HEAD + "a = 1\nb = [3, 2]\n").digest != deck.digest


def test_numbers_have_a_bound() -> None:
    most = limits.CONTENT_NUMBER_MOST
    assert parse_content(f"{HEAD}a = {most}\nb = -{most}").essence == (
        "table",
        ("a", most),
        ("b", -most),
    )


@pytest.mark.parametrize("number", [limits.CONTENT_NUMBER_MOST + 1, -(10**17), 10**17, 10**18])
def test_content_that_was_not_read_from_a_file_has_the_same_bounds(number: int) -> None:
    with pytest.raises(BadContent, match="a number of a content file is at most 1000000"):
        Content("box", True, "", {"cards": [number]})


def test_the_note_may_be_missing() -> None:
    assert parse_content(HEAD).note == ""
    assert parse_content(HEAD).essence == ("table",)


def test_a_table_is_not_a_list_of_pairs() -> None:
    table = parse_content(HEAD + "a = { b = 1 }")
    pairs = parse_content(HEAD + 'a = [["b", 1]]')
    assert table.essence != pairs.essence


def test_the_essence_is_free_of_order_and_of_the_words_about_it() -> None:
    one = parse_content(HEAD + "a = 1\nb = 2\n")
    two = parse_content('note = "n"\nb = 2\nverified = false\na = 1\ntitle = "other"\n')
    assert one.essence == two.essence


def test_shipped_content_is_read_from_beside_its_game() -> None:
    content = read_content("engine.fruitoplay", "fruitoplay.toml")
    assert content.title
    assert not content.verified
    assert set(content.tables) == {"cards"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a content file begins with title"),
        ("title = 1\nverified = true", "a content file begins with title"),
        ('title = "box"', "a content file begins with title"),
        ('title = "box"\nverified = 1', "a content file begins with title"),
        (HEAD + "note = 1", "the note of a content file is text"),
        (HEAD + "a." * 200 + "a = 1", "at most 8 tables or lists deep"),
        ("title", "not TOML: "),
        (HEAD + "title = 'again'", "not TOML: "),
        (HEAD + "a." * 5000 + "a = 1", "a line of a content file"),
        (HEAD + "size = " + "[\n" * 20000, "not TOML: "),
        (HEAD + "size = 1000001", "at most 1000000"),
        (HEAD + "size = -0" + "1" * 9, "not TOML: "),
        (HEAD + "size = 0x" + "f" * 400, "at most 1000000"),
        (HEAD + "size = 1.5", "whole numbers and text, not 1.5"),
        (HEAD + "size = [1, [true]]", "whole numbers and text, not True"),
        (HEAD + "day = 2024-01-06", "whole numbers and text, not datetime"),
        (HEAD + "[cards]\nfig = nan", "whole numbers and text, not nan"),
        (HEAD + "#" * limits.CONTENT_BYTES_MOST, "at most 65536 bytes"),
        (HEAD + "#" + "é" * (limits.CONTENT_BYTES_MOST // 2), "at most 65536 bytes"),
    ],
    ids=range(19),
)
def test_refused_content(text: str, why: str) -> None:
    with pytest.raises(BadContent, match=why):
        parse_content(text)


TIES = Option("ties", ("contending", "all"), "contending")
SPEED = Option("speed", ("slow", "fast"), "fast")


def test_options_have_their_defaults() -> None:
    assert choose_options("plum", (TIES, SPEED), {}) == {"ties": "contending", "speed": "fast"}
    assert choose_options("plum", (TIES, SPEED), {"speed": "slow", "ties": "all"}) == {
        "ties": "all",
        "speed": "slow",
    }
    assert choose_options("plum", (), {}) == {}


@pytest.mark.parametrize(
    ("options", "wanted", "why"),
    [
        ((TIES, SPEED), {"tie": "all"}, "plum has no option 'tie'; it has: ties, speed"),
        ((), {"tie": "all"}, "plum has no option 'tie'; it has: none"),
        ((TIES,), {"ties": "some"}, "option ties cannot be 'some'; it can be: contending, all"),
        ((TIES,), {"ties": ""}, "option ties cannot be ''; it can be: contending, all"),
    ],
)
def test_refused_options(options: tuple[Option, ...], wanted: dict[str, str], why: str) -> None:
    with pytest.raises(BadOption) as refusal:
        choose_options("plum", options, wanted)
    assert str(refusal.value) == why


def test_what_a_person_set_up_wrongly_has_a_code_of_its_own() -> None:
    codes = {error.code for error in (SetupError, BadContent, BadOption)}
    assert codes == {"setup", "bad-content", "bad-option"}
