"""Tindahan in lines: what is shown, and what is understood of what was typed."""

import pytest

from engine.moves import Event, Move
from engine.needs import FINISHED, Done
from engine.record import replace
from engine.tindahan.rules import Market
from engine.views import View
from p2pfruit import language
from p2pfruit.games.about import about
from p2pfruit.games.narrator import Misread
from p2pfruit.games.tindahan.narrator import TindahanNarrator
from p2pfruit.text.folding import NO_BREAK
from tests.engine.tindahan.rigging import Table, tindahan
from tests.p2pfruit.games.lines import table_lines

NAMES = ("Ada", "Bruno", "Chloe")
HANDS = (
    "b1 b2 b3 b4 b5 b6 b7 b8 p1 p2",
    "m1 m2 m3 m4 m5 m6 m7 m8 p3 p4",
    "b9 b10 m9 m10 p5 p6 p7 p8 p9 p10",
)


def after(*turns: str, **options: str) -> tuple[TindahanNarrator, View[Market]]:
    """The next to move, and how it is told to them."""
    table = Table(*HANDS, vendors=options.get("vendors", "led-stall"))
    table.do(*turns)
    return TindahanNarrator(table.game, NAMES, table.mover), table.view()


def move(view: View[Market], face: str, verb: str = "play") -> Move:
    [slot] = [slot for slot, known in view.known.items() if known == face]
    return Move(verb, (slot,))


def labels(narrator: TindahanNarrator, view: View[Market]) -> list[str]:
    return [label for label, _ in narrator.choices(view)]


# What is understood.


@pytest.mark.parametrize("typed", ["pineapple 2", "pineapple2", " P 2 ", "pine 02", "10", "[10]"])
def test_a_card_by_name_or_number(typed: str) -> None:
    narrator, view = after()
    assert narrator.read(view, typed) == move(view, "pineapple-2")


@pytest.mark.parametrize("typed", ["donkey mango", "d m", "donkey to mango", "DONKEY  MAN"])
def test_the_donkey_by_its_stall(typed: str) -> None:
    narrator, view = after()
    assert narrator.read(view, typed) == Move("donkey", (), ("mango",))


@pytest.mark.parametrize("typed", ["vendor", "v", "Vendor on pineapple", "3"])
def test_a_vendor(typed: str) -> None:
    narrator, view = after("p1")
    assert narrator.read(view, typed) == Move("vendor")


@pytest.mark.parametrize("typed", ["vendor mango 3", "v m3", "vendor with mango 3"])
def test_a_vendor_with_a_card(typed: str) -> None:
    narrator, view = after("p1", vendors="spend-card")
    assert narrator.read(view, typed) == move(view, "mango-3", "vendor")


def test_the_canonical_text_of_a_move() -> None:
    for turns in ([], ["p1"], ["donkey mango"]):
        narrator, view = after(*turns)
        for one in view.moves():
            assert narrator.read(view, str(one)) == one


@pytest.mark.parametrize(
    ("turns", "typed", "why"),
    [
        ([], "mango 3", "mango 3 is not in your hand (rule: hand)"),
        ([], "plum 3", "plum 3 is not in your hand (rule: hand)"),
        ([], "play #99", "that card is not in your hand (rule: hand)"),
        ([], "vendor", "the leader plays a card or moves the donkey (rule: lead)"),
        ([], "donkey banana", "the leader moves the donkey, to another stall (rule: donkey)"),
        ([], "donkey durian", "the leader moves the donkey, to another stall (rule: donkey)"),
        ([], "pass", "a turn is one card of your hand (rule: card)"),
        ([], "99", "not understood: '99'"),
        (["p1"], "mango 3", "you hold pineapple, which was led (rule: follow)"),
        (["p1"], "play #10", "you hold pineapple, which was led (rule: follow)"),
        (["p1"], "donkey mango", "the leader moves the donkey, to another stall (rule: donkey)"),
        (["p1"], "vendor pineapple", "a vendor takes no card: it goes to the stall of the fruit"),
        (["donkey mango"], "v", "the donkey was moved, so you play a card (rule: must-play)"),
    ],
)
def test_what_cannot_be_done_says_what_can(turns: list[str], typed: str, why: str) -> None:
    narrator, view = after(*turns)
    with pytest.raises(Misread) as misread:
        narrator.read(view, typed)
    told = str(misread.value).replace(NO_BREAK, " ")
    assert told.startswith(why)
    assert f"you can answer:  [1] {labels(narrator, view)[0]}  [2]" in told


def test_a_vendor_that_costs_a_card_needs_one() -> None:
    narrator, view = after("p1", vendors="spend-card")
    with pytest.raises(Misread, match="a vendor is sent with a card of your hand"):
        narrator.read(view, "vendor")


# The question.


def test_each_turn_has_its_question() -> None:
    questions = {
        (): "you lead: which card, or where does the donkey go?",
        ("p1",): "pineapple is led: which card, or a vendor?",
        ("donkey mango",): "the donkey was moved: which card do you lead?",
    }
    for turns, question in questions.items():
        narrator, view = after(*turns)
        assert narrator.question(view) == question
    narrator, view = after("p1")
    full = view._replace(state=replace(view.state, placed=((0, 0, 0), (0, 0, 9), (0, 0, 0))))
    assert narrator.question(full) == "pineapple is led: which card do you play?"


def test_choices_are_cards_then_vendors_then_stalls() -> None:
    assert labels(*after())[7:] == [
        "banana 8",
        "pineapple 1",
        "pineapple 2",
        "donkey to mango",
        "donkey to pineapple",
    ]
    assert labels(*after("p1")) == ["pineapple 3", "pineapple 4", "vendor on pineapple"]
    spending = labels(*after("p1", vendors="spend-card"))
    assert spending[:3] == ["pineapple 3", "pineapple 4", "vendor with mango 1"]


# What happened.


def test_a_trick_is_told_turn_by_turn() -> None:
    narrator = TindahanNarrator(tindahan(), NAMES, 2)
    lines = [
        line
        for event in [
            Event("round", None, (2, 3)),
            Event("stalls", None, ("banana", "banana", "mango", "pineapple")),
            Event("donkey", 0, ("banana", "mango")),
            Event("plays", 1, ("pineapple-3",)),
            Event("vendor", 2, ("pineapple",)),
            Event("takes", 1, ("pineapple-3", "pineapple", "mango", 1)),
            Event("plays", 1, ("pineapple-4",)),
        ]
        for line in narrator.tell([event])
    ]
    assert lines == [
        "",
        "=== round 2 of 3 ===",
        "stalls: banana, mango, pineapple",
        "the donkey stands on banana: trump",
        "",
        "  Ada    donkey to mango: now trump; the next must play a card",
        "  Bruno  pineapple 3",
        "  you    vendor on pineapple",
        "  -> Bruno takes the trick (the only card)",
        "",
        "  Bruno  pineapple 4",
    ]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            Event("takes", 0, ("mango-9", "mango", "banana", 3)),
            "-> you take the trick (highest mango, no trump: mango 9)",
        ),
        (
            Event("takes", 1, ("banana-2", "mango", "banana", 3)),
            "-> Bruno takes the trick (highest trump: banana 2)",
        ),
        (Event("vendor", 1, ("mango", "mango-3")), "Bruno  vendor on mango, mango 3 is spent"),
        (Event("left", 1), "Bruno left"),
        (Event("again", None, (2,)), "round 2 begins again"),
        (Event("abandoned"), "too few are left"),
    ],
)
def test_single_events(event: Event, line: str) -> None:
    narrator = TindahanNarrator(tindahan(), NAMES, 0)
    assert line in "\n".join(narrator.tell([event]))


def test_points_are_told_as_a_sheet() -> None:
    """Two players of the same name keep a row each."""
    narrator = TindahanNarrator(tindahan(), ("Ada", "Ada", "Chloe"), None)
    lines = narrator.tell(
        [
            Event("scores", 0, (11, 11, 3, 2, "banana", 2, 5, 1, 2, 0, 0)),
            Event("scores", 1, (3, 3, 1, 4, "banana", 0, 0, 2, 5, 0, 0)),
            Event("scores", 2, (11, -3, 0, 3, "banana", 0, 0, 0, 0, 0, 0)),
        ]
    )
    assert lines == [
        "",
        "points, and in brackets how many vendors or tricks",
        "         banana  mango  pineapple  tricks  cards  points",
        "  Ada     5 (2)  2 (1)          -   6 (3)     -2      11",
        "  Ada         -  5 (2)          -   2 (1)     -4       3",
        "  Chloe       -      -          -   0 (0)     -3      11",
        "  Chloe: no vendor and no trick, as many points as the best",
    ]


# The table.


def test_the_table_shows_the_trick_and_the_stalls() -> None:
    narrator, view = after("p1", "vendor", "p9", "donkey mango", "b1")
    assert table_lines(narrator, view) == [
        "",
        "--- round 1 of 3, trick 2, trump mango ---",
        "Chloe leads: Chloe donkey to mango, Ada banana 1 (wins so far)",
        "",
        "         banana  mango  pineapple  tricks  hand  points  if now",
        "  Ada         -      -          -       0     8       0      -5",
        "  you         -      -         1*       0    10       0      -5",
        "  Chloe       -      -          -       1     9       0      -7",
        "",
        "vendors left: 8; if the round ended now: -5 points",
    ]


def test_the_hand_is_shown_where_the_question_does_not_list_it() -> None:
    narrator, view = after("p1")
    assert table_lines(narrator, view)[-2:] == [
        "your hand: mango 1, mango 2, mango 3, mango 4, mango 5, mango 6, mango 7, mango 8, "
        "pineapple 3, pineapple 4",
        "vendors left: 9",
    ]


def test_points_below_zero_have_their_plural() -> None:
    language.use("fr")
    narrator, view = after("p1", "vendor", "p9", "donkey mango", "b1")
    assert table_lines(narrator, view)[-1].endswith(
        " ; si la manche s'arrêtait maintenant : -5 points"
    )


def test_a_spectator_sees_no_hand() -> None:
    narrator, view = after("p1")
    watched = table_lines(narrator, view._replace(seat=None, known={}))
    assert table_lines(narrator, view)[: len(watched)] == watched
    assert not any("hand:" in line for line in watched)


def test_a_shared_victory() -> None:
    narrator = TindahanNarrator(tindahan(), NAMES, None)
    state = replace(tindahan().start(3), scores=((5, 5, 1),), need=Done(FINISHED, (1, 1, 3)))
    assert narrator.ranking(state)[1].startswith("  1= Ada")


# About it.


def test_every_option_is_described() -> None:
    words = about("tindahan")
    told = [
        words.option(option.name, value) for option in tindahan().options for value in option.values
    ]
    assert len(set(told)) == len(told) == 2 + 2 + 13
    assert "without mango with four players, and without durian with three" in told


@pytest.mark.parametrize("code", ["en", "fr"])
def test_the_pages_fit_and_name_options_and_people(code: str) -> None:
    language.use(code)
    short, rules = about("tindahan").short(), about("tindahan").rules()
    assert len(short.splitlines()) <= 20
    assert all(len(line) <= 78 for line in (short + rules).splitlines())
    for word in ("Peer Sylvester", "Bambus", "vendors=", "donkey=", "out=", "spend-card", "stays"):
        assert word in rules
