"""What is said at a table, as one player hears it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit import limits
from p2pfruit.text.safe import shown_names, width
from p2pfruit.ui.chat import Talk, Unclear

NAMES = ("anna", "ben", "cleo #2", "cleo #3", '"\\x1bzed"')
ANNA, BEN, CLEO, CLEA, ZED = range(5)


class Clock:
    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def talk(clock: Clock) -> Talk:
    talk = Talk(clock=clock)
    talk.begin(NAMES, me=ANNA, allowed=True)
    return talk


def test_lines_are_shown_in_order_and_counted_until_they_are_seen(talk: Talk) -> None:
    talk.heard(BEN, "hello")
    talk.mine("hello ben")
    talk.heard(CLEO, "who is there?")
    assert talk.lines == ["<ben> hello", "<anna> hello ben", "<cleo #2> who is there?"]
    assert talk.unread == 2
    talk.seen()
    assert talk.unread == 0


def test_what_is_said_is_not_obeyed(talk: Talk) -> None:
    said = talk.heard(BEN, "\x1b[2J\u202e{name}")
    assert said is not None
    assert talk.told(said) == r"<ben> \x1b[2J\u202e{name}"


@given(st.text(min_size=1, max_size=500))
def test_no_line_is_too_wide(text: str) -> None:
    talk = Talk()
    talk.begin(NAMES, me=None, allowed=True)
    said = talk.heard(BEN, text)
    assert said is not None
    assert said.text.isprintable()
    assert width(said.text) <= limits.CHAT_WIDTH_MOST


def test_memory_is_bounded(talk: Talk, clock: Clock) -> None:
    for number in range(limits.CHAT_LINES_KEPT + 50):
        clock.ms += limits.CHAT_AT_ONCE_MS
        talk.heard(BEN, str(number))
    assert len(talk.lines) == limits.CHAT_LINES_KEPT
    assert talk.lines[-1] == f"<ben> {limits.CHAT_LINES_KEPT + 49}"


# The same again, and too much of it.


def test_the_same_line_again_is_counted(talk: Talk, clock: Clock) -> None:
    assert talk.heard(BEN, "buy!") is not None
    assert talk.heard(BEN, "buy!") is None
    assert talk.heard(BEN, "buy!") is None
    assert talk.lines == ["<ben> buy! (×3)"]
    assert talk.told_again(talk.spoken[0]) == ["ben said that 3 times"]
    assert talk.unread == 1
    assert talk.heard(CLEO, "buy!") is not None
    assert talk.told_again(talk.spoken[1]) == []
    assert talk.heard(BEN, "buy!") is not None  # somebody spoke in between


def test_the_same_line_later_is_an_answer_of_its_own(talk: Talk, clock: Clock) -> None:
    talk.heard(BEN, "yes")
    clock.ms += limits.CHAT_REPEAT_MS
    assert talk.heard(BEN, "yes") is not None


def test_a_flood_is_cut_and_the_rest_counted(talk: Talk, clock: Clock) -> None:
    for number in range(limits.CHAT_AT_ONCE_MOST + 3):
        talk.heard(BEN, f"buy {number}")
    assert len(talk.lines) == limits.CHAT_AT_ONCE_MOST
    assert talk.heard(CLEO, "stop that") is not None  # nobody else is cut
    clock.ms += limits.CHAT_AT_ONCE_MS
    assert talk.heard(BEN, "sorry") is not None
    assert talk.told_unshown(BEN) == ["not shown: 3 lines of ben"]
    assert talk.told_unshown(BEN) == []


# Muting.


def test_whoever_is_muted_is_counted_and_not_shown(talk: Talk) -> None:
    assert talk.mute_typed("ben") == [
        "ben is muted: what they say is not shown here, and they do not know"
    ]
    assert talk.muted == {BEN}
    assert talk.heard(BEN, "buy!") is None
    assert talk.heard(BEN, "buy more!") is None
    assert talk.heard(CLEO, "hm") is not None
    assert talk.lines == ["<cleo #2> hm"]
    assert talk.mute_typed("") == ["muted: ben; unmute NAME ends it"]
    assert talk.unmute_typed("") == ["ben is heard again", "not shown: 2 lines of ben"]
    assert talk.muted == frozenset()
    assert talk.heard(BEN, "hello") is not None


def test_with_several_muted_a_name_is_needed(talk: Talk) -> None:
    talk.mute(BEN)
    talk.mute(CLEO)
    assert talk.unmute_typed("") == ["muted: ben, cleo #2; unmute NAME ends it"]
    assert talk.unmute_typed("ben") == ["ben is heard again"]
    assert talk.unmute_typed("nobody")[0].startswith("who is meant?")
    assert talk.muted == {CLEO}


def test_nobody_mutes_themselves(talk: Talk) -> None:
    talk.mute(ANNA)
    assert talk.muted == frozenset()
    assert talk.mute_typed("anna") == talk.mute_typed("0")
    assert talk.muted == frozenset()


@pytest.mark.parametrize(
    ("typed", "player"),
    [
        ("ben", BEN),
        ("BEN", BEN),
        ("b", BEN),
        ("1", BEN),
        ("#1", BEN),
        ("3", CLEA),
        ("cleo #3", CLEA),
        (r"\x1bz", ZED),
        (r'"\x1bzed"', ZED),
    ],
)
def test_whom_somebody_means(typed: str, player: int, talk: Talk) -> None:
    assert talk.find(typed) == player


@pytest.mark.parametrize("typed", ["cleo", "0", "anna", "5", "-1", "²", "", '"', "9" * 5000])
def test_whom_nobody_can_know(typed: str, talk: Talk) -> None:
    with pytest.raises(Unclear) as caught:
        talk.find(typed)
    assert "[1] ben, [2] cleo #2, " in str(caught.value)
    assert "anna" not in str(caught.value)


def test_a_look_alike_can_be_muted_by_its_number() -> None:
    talk = Talk()
    talk.begin(shown_names(["Anna", "Аnna", "me"]), me=2, allowed=True)
    assert talk.mute_typed("Anna #0") != talk.mute_typed("1")
    assert talk.muted == {0, 1}


# Tables and people who do not talk.


def test_nobody_is_heard_at_a_silent_table(clock: Clock) -> None:
    talk = Talk(clock=clock)
    talk.begin(NAMES, me=ANNA, allowed=False)
    assert not talk.allowed
    assert talk.heard(BEN, "psst") is None
    assert (talk.lines, talk.unread, talk.unshown(BEN)) == ([], 0, 0)


def test_whoever_wants_no_chat_sees_none(clock: Clock) -> None:
    talk = Talk(wanted=False, clock=clock)
    talk.begin(NAMES, me=ANNA, allowed=True)
    assert talk.heard(BEN, "psst") is None
    assert talk.lines == []


def test_before_the_table_nobody_is_there() -> None:
    talk = Talk()
    assert talk.mute_typed("ben") == talk.unmute_typed("") == ["the table has not begun yet"]
    talk.mine("is anybody there?")
    assert talk.lines == []


def test_a_spectator_says_nothing() -> None:
    talk = Talk()
    talk.begin(NAMES, me=None, allowed=True)
    talk.mine("hello")
    assert talk.lines == []
    talk.mute(ANNA)
    assert talk.muted == {ANNA}


def test_nobody_is_muted(talk: Talk) -> None:
    assert talk.mute_typed("") == ["no player is muted; mute NAME hides what a player says"]
