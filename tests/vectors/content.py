"""Content of a table's own: what can be played, with its rules id, and what cannot be set up.

RULES: the text is no content, or none of this game.
"""

from engine import limits, registry
from engine.content import parse_content
from engine.errors import EngineError
from tests.repository.sources import ROOT
from tests.vectors.cases import GOOD, RULES, Case

HEAD = 'title = "a box"\nverified = false\n'
FRUITS = 'fruits = ["banana", "mango", "pineapple", "durian", "lanzones"]\n'
LONG = "#" * limits.CONTENT_LINE_MOST

# For Tindahan: the form of any content. Every text but the good ones has one fault.
FORMS = {
    "the fruits of 2009": (HEAD + FRUITS, GOOD),
    "another title, note and flag": (f'verified = true\nnote = "x"\ntitle = ""\n{FRUITS}', GOOD),
    "other fruits": (HEAD + FRUITS.replace("mango", "rambutan"), GOOD),
    "another order": (HEAD + FRUITS.replace('"mango", "pineapple"', '"pineapple", "mango"'), GOOD),
    "lines that end with two characters": ((HEAD + FRUITS).replace("\n", "\r\n"), GOOD),
    "a list over several lines": (HEAD + FRUITS.replace(", ", ",\n  "), GOOD),
    "a literal string": (HEAD + FRUITS.replace('"mango"', "'mango'"), GOOD),
    "an escaped letter": (HEAD + FRUITS.replace('"mango"', '"\\u006dango"'), GOOD),
    "the longest line": (f"{HEAD}{LONG}\n{FRUITS}", GOOD),
    "a line too long": (f"{HEAD}{LONG}#\n{FRUITS}", RULES),
    "a line too long, with another break in it": (f"{HEAD}{LONG}\u2028#\n{FRUITS}", RULES),
    "too many bytes": (HEAD + FRUITS + f"{LONG}\n" * 131, RULES),
    "no title": ("verified = false\n" + FRUITS, RULES),
    "no flag": ('title = "a box"\n' + FRUITS, RULES),
    "a flag that is text": (HEAD.replace("false", '"no"') + FRUITS, RULES),
    "a note that is a number": (f"{HEAD}note = 1\n{FRUITS}", RULES),
    "no TOML": (HEAD + "fruits = [", RULES),
    "a key twice": (HEAD + FRUITS * 2, RULES),
    "a float": (f"{HEAD}{FRUITS}x = 1.0\n", RULES),
    "a truth value": (f"{HEAD}{FRUITS}x = true\n", RULES),
    "a date": (f"{HEAD}{FRUITS}x = 2009-01-01\n", RULES),
    "a number too large": (f"{HEAD}{FRUITS}x = {limits.CONTENT_NUMBER_MOST + 1}\n", RULES),
    "a key that the game does not know": (f"{HEAD}{FRUITS}x = 1\n", RULES),
    "too deep": (f"{HEAD}x = {'[' * 8}1{']' * 8}\n{FRUITS}", RULES),
    "four fruits": (HEAD + FRUITS.replace(', "lanzones"', ""), RULES),
    "a fruit twice": (HEAD + FRUITS.replace("mango", "durian"), RULES),
    "an unknown fruit": (HEAD + FRUITS.replace("mango", "apple"), RULES),
    "bananas not first": (
        HEAD + FRUITS.replace('"banana", "mango"', '"mango", "banana"'),
        RULES,
    ),
}

# For the other games: a change of the shipped file.
CHANGES: dict[str, list[tuple[str, str, str, str]]] = {
    "bastos": [
        ("bananas not first", '"banana", "mango"', '"mango", "banana"', GOOD),
        ("a fruit twice", "mango", "durian", RULES),
    ],
    "fruitoplay": [
        ("another rotten card", "[1, 2, 4, 5, 6, 7, 9, 10, 12, 14, 15, 16, 17, 19, 20]\n"
         "double = [3, 8, 13, 18]\nrotten = [11]", "[11, 2, 4, 5, 6, 7, 9, 10, 12, 14, 15, 16, 17,"
         " 19, 20]\ndouble = [3, 8, 13, 18]\nrotten = [1]", GOOD),
        ("a number twice", "[3, 8, 13, 18]", "[3, 8, 14, 18]", RULES),
        ("a number beyond 20", "[3, 8, 13, 18]", "[3, 8, 21, 18]", RULES),
        ("an unknown fruit", "[cards.fig]", "[cards.plum]", RULES),
        ("five doubles", "single = [1, 2,", "single = [2,", RULES),
    ],
    "pixies": [
        ("another symbol", "1 = [+6]", "1 = [+9]", GOOD),
        ("too many spirals", "1 = [+6]", "1 = [+10]", RULES),
        ("a star of all colours", "2 = [0]", '2 = ["star"]', RULES),
        ("a card more", "1 = [+6]", "1 = [+6, 0]", RULES),
        ("a number too high", "9 = [-6, -1]", "10 = [-6, -1]", RULES),
    ],
    "frutopia": [
        ("a longer track", "two = 6", "two = 10", GOOD),
        ("a track too long", "two = 6", "two = 11", RULES),
        ("a ship for one kind", "{banana = 1, lime = 1, points = 1}", "{banana = 2, points = 1}",
         RULES),
        ("a ship worth too much", "{banana = 1, lime = 1, points = 1}",
         "{banana = 1, lime = 1, points = 3}", RULES),
        ("the known ship is missing", "{banana = 2, orange = 1, points = 2}",
         "{banana = 2, orange = 1, points = 3}", RULES),
        ("a building of five cells", '["xxxx"]', '["xxxxx"]', RULES),
        ("a building in two parts", '["xxxx"]', '["xx.xx"]', RULES),
        ("another farm", 'stars = 4, shape = ["xx", "xx"]', 'stars = 4, shape = ["xxxx"]', RULES),
        ("a cart less", "pink = 2\n", "pink = 1\n", RULES),
        ("an arrow that leads back", '{from = "start", to = "press1"',
         '{from = "tank", to = "press1"', RULES),
        ("a cycle", "\n]\n\n[factory.places]",
         '\n  {from = "mixer", to = "tank", cost = {lime = 1}},\n]\n\n[factory.places]', RULES),
        ("three last circles", "filter1 = {points = [3], bottle = 4}",
         "filter1 = {points = [3], bottle = 4, last = 1}", RULES),
        ("a vat of three", "tank = {points = [2, 1, 1, 0]", "tank = {points = [2, 1, 0]", RULES),
        ("a vat of five", "tank = {points = [2, 1, 1, 0]", "tank = {points = [2, 1, 1, 0, 0]",
         RULES),
        ("a vat in which all circles are equal", "tank = {points = [2, 1, 1, 0]",
         "tank = {points = [1, 1, 1, 1]", GOOD),
        ("2 points for a pomegranate, in a vat", "press3 = {points = [2]",
         "press3 = {points = [1]", GOOD),
        ("3 points for a lime on the other circle", "filter1 = {points = [3]",
         "filter1 = {points = [4]", GOOD),
        ("one way for a lime", '{from = "tank", to = "filter3", cost = {lime = 1}}',
         '{from = "tank", to = "filter3", cost = {pomegranate = 1}}', RULES),
        ("no pomegranate into a vat", '{from = "press1", to = "tank", cost = {pomegranate = 1}}',
         '{from = "press1", to = "tank", cost = {mangosteen = 1}}', RULES),
    ],
}  # fmt: skip


def make() -> list[Case]:
    forms = [_case("tindahan", name, text, expect) for name, (text, expect) in FORMS.items()]
    changed = [
        _case(game, name, _changed(shipped(game), old, new), expect)
        for game, changes in CHANGES.items()
        for name, old, new, expect in changes
    ]
    return [*forms, *changed]


def _changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def shipped(game: str) -> str:
    text = (ROOT / "engine" / game / f"{game}.toml").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return "\n".join(lines).strip() + "\n"


def _case(game: str, name: str, text: str, expect: str) -> Case:
    case: Case = {"name": f"{game}: {name}", "game": game, "content": text, "expect": expect}
    if expect == GOOD:
        case["rules_id"] = registry.build(game, {}, parse_content(text)).rules_id
    return case


def check(case: Case) -> str:
    try:
        game = registry.build(case["game"], {}, parse_content(case["content"]))
    except EngineError:
        return RULES
    assert game.rules_id == case["rules_id"]
    return GOOD
