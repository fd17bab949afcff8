"""The lobby: who is here, the invitation, and its keys."""

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import wait_all_tasks_blocked

from p2pfruit import language
from p2pfruit.games import terms
from p2pfruit.language import text as _
from p2pfruit.net.addresses import Reach
from p2pfruit.net.qr import qr_lines
from p2pfruit.net.reachability import reach_words
from p2pfruit.ui.screen.lobby import KeyQuestion, LobbyModel, LobbyPage
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.styled import Size, text_of
from tests.p2pfruit.ui.gatherings import OFFER, Acts, here, key_of
from tests.p2pfruit.ui.screen.golden import check
from tests.p2pfruit.ui.screen.tables import SMALL, on_stage, press, screen

INVITATION = "FRUIT-" + "-".join(["ABCDE-FGHJK-MNPQR-STVWX"] * 6)
TO_WATCH = INVITATION.replace("FRUIT", "WATCH")


class Lobby:
    def __init__(self, *, host: bool = True) -> None:
        self.acts = Acts()
        self.copied: list[str] = []
        self.model = LobbyModel(
            game="fruitoplay",
            seats=5,
            hosting=host,
            people=[
                here("Ada", mine=host, whence="" if host else "internet"),
                here(
                    "Bruno",
                    mine=not host,
                    whence=_("this network {host}").format(host="192.168.1.7") * host,
                ),
            ],
            terms=terms.lines(OFFER, OFFER.seats),
        )
        self.page = LobbyPage(self.model, self.acts, self.copied.append)
        self.stage: Stage = on_stage(self.page)
        if host:
            self.model.invitation, self.model.to_watch = INVITATION, TO_WATCH
            self.model.qr = ["█▀▀█", "█▄▄█"]
            self.model.reach = [reach_words(Reach.NETWORK)]

    def ask(self) -> list[str]:
        """Ask about a changed offer; return what was answered."""
        answered: list[str] = []

        def agree() -> list[str]:
            answered.append("agreed")
            return []

        self.model.questions["offer"] = KeyQuestion(
            words=["Ada has changed what is played:", "ties: among contenders -> all"],
            keys=[("y", "agree", agree)],
        )
        return answered


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("host", [True, False])
def test_the_lobby_as_it_was_looked_at(code: str, host: bool) -> None:
    language.use(code)
    check(f"lobby-{'host' if host else 'guest'}-{code}", screen(Lobby(host=host).stage))


def test_a_full_lobby_in_which_much_was_said_and_something_is_asked() -> None:
    lobby = Lobby()
    lobby.model.seats = 8
    names = ("Chloe", "Davor", "Emeka", "Freja", "Goran", "Hana")
    lobby.model.people = [*lobby.model.people, *[here(name, agreed=False) for name in names]]
    lobby.model.chat = lambda: [f"(lobby) <Ada> line {number}" for number in range(20)]
    lobby.model.code = "4711"
    lobby.ask()
    check("lobby-full", screen(lobby.stage))
    lobby.stage.resize(Size(120, 40))
    check("lobby-full-large", screen(lobby.stage))


def test_before_the_host_has_answered() -> None:
    lobby = Lobby(host=False)
    lobby.model.game = ""
    assert screen(lobby.stage).splitlines()[0] == "calling the host…"


def test_who_is_here_and_what_is_free_is_told_by_signs() -> None:
    rows = screen(Lobby().stage).splitlines()
    assert "2 of 5 players are here" in rows[0]
    assert rows[1:6] == [
        "  ✓ Ada    you",
        "  ✓ Bruno  this network 192.168.1.7",
        *["  … a free seat"] * 3,
    ]


def test_the_whole_invitation_is_there() -> None:
    assert INVITATION in screen(Lobby().stage).replace("\n", "")


def test_w_shows_how_others_watch() -> None:
    lobby = Lobby()
    press(lobby.stage, ["w"])
    assert "p2pfruit watch" in screen(lobby.stage)
    assert TO_WATCH in screen(lobby.stage).replace("\n", "")
    press(lobby.stage, ["w"])
    assert "p2pfruit join" in screen(lobby.stage)


def test_r_shows_the_code() -> None:
    lobby = Lobby()
    press(lobby.stage, ["r"])
    assert "█▀▀█\n█▄▄█" in screen(lobby.stage)
    assert "FRUIT" not in screen(lobby.stage)


def test_the_code_of_a_whole_invitation_fits_the_smallest_screen() -> None:
    lobby = Lobby()
    lobby.model.qr = qr_lines(INVITATION)
    press(lobby.stage, ["r"])
    assert screen(lobby.stage).startswith("\n".join(lobby.model.qr))


def test_a_code_that_does_not_fit_is_not_shown_in_parts() -> None:
    lobby = Lobby()
    lobby.model.qr = qr_lines(INVITATION, encoding="ascii")
    press(lobby.stage, ["r"])
    assert "too small for the code" in screen(lobby.stage)
    lobby.stage.resize(Size(120, 60))
    assert screen(lobby.stage).startswith("\n".join(row.rstrip() for row in lobby.model.qr))


def test_c_copies_what_is_shown() -> None:
    lobby = Lobby()
    press(lobby.stage, ["c"])
    assert "copied" in screen(lobby.stage)
    press(lobby.stage, ["w"])
    assert "copied" not in screen(lobby.stage)
    press(lobby.stage, ["c"])
    assert lobby.copied == [INVITATION, TO_WATCH]


def test_a_guest_has_nothing_to_copy_or_show() -> None:
    lobby = Lobby(host=False)
    before = screen(lobby.stage)
    press(lobby.stage, ["c", "w", "r", "x", "b", "o", "s", "y"])
    assert screen(lobby.stage) == before
    assert lobby.copied == []
    assert lobby.acts.done == []
    assert "copy" not in before


# What the player does.


def test_tab_says_something() -> None:
    lobby = Lobby(host=False)
    press(lobby.stage, ["tab", *"hi wx", "backspace", "enter"])
    assert lobby.acts.done == [("say", "hi w")]
    press(lobby.stage, ["tab", *"no", "escape", "tab", " ", "enter"])
    assert len(lobby.acts.done) == 1
    press(lobby.stage, ["tab"])
    lobby.stage.paste("two\nlines")
    assert "say> two lines" in screen(lobby.stage)
    assert lobby.page.cursor(SMALL) == (14, SMALL.lines - 2)
    press(lobby.stage, ["tab"])
    lobby.stage.paste("nothing")
    assert lobby.page.cursor(SMALL) is None


def test_a_spectator_does_not_speak() -> None:
    lobby = Lobby(host=False)
    lobby.model.watching = True
    press(lobby.stage, ["tab", "x", "enter"])
    assert lobby.acts.done == []
    assert "chat" not in screen(lobby.stage)


def test_the_host_starts_and_brings_bots() -> None:
    lobby = Lobby()
    press(lobby.stage, ["s"])
    assert "start was done" in screen(lobby.stage)
    press(lobby.stage, ["b"])
    assert "[2] normal" in screen(lobby.stage)
    press(lobby.stage, ["2"])
    assert lobby.acts.done == [("start",), ("bot", "greedy")]
    assert lobby.stage.pages == [lobby.page]


def test_the_host_frees_a_seat_and_not_its_own() -> None:
    lobby = Lobby()
    press(lobby.stage, ["x"])
    assert "Ada" not in screen(lobby.stage)
    press(lobby.stage, ["enter"])
    assert lobby.acts.done == [("free", key_of("Bruno"))]
    lobby.model.people = lobby.model.people[:1]
    press(lobby.stage, ["x"])
    assert lobby.stage.pages == [lobby.page]


def test_the_host_changes_what_is_played() -> None:
    lobby = Lobby()
    press(lobby.stage, ["o", "escape"])
    assert lobby.acts.done == []
    press(lobby.stage, ["o", "down", "right", "enter"])
    assert lobby.acts.done == [("change", 6)]
    assert lobby.stage.pages == [lobby.page]


def test_the_code_for_this_network_is_shown_while_there_is_a_seat() -> None:
    lobby = Lobby()
    lobby.model.code = "47 11"
    assert "│ CODE 47 11 │" in screen(lobby.stage)
    lobby.model.seats = 2
    assert "47 11" not in screen(lobby.stage)


def test_a_question_is_answered_with_its_key() -> None:
    lobby = Lobby(host=False)
    answered = lobby.ask()
    shown = screen(lobby.stage)
    assert "ties: among contenders -> all" in shown
    assert shown.splitlines()[-1].split()[:2] == ["y", "agree"]
    press(lobby.stage, ["x"])
    assert answered == []
    press(lobby.stage, ["y"])
    assert answered == ["agreed"]


@pytest.mark.parametrize("key", ["escape", "q"])
def test_leaving(key: str) -> None:
    lobby = Lobby()
    press(lobby.stage, [key])
    assert lobby.acts.done == [("leave",)]


@given(
    st.builds(Size, st.integers(1, 200), st.integers(1, 60)),
    st.lists(st.sampled_from(["w", "r", "c", "tab", "z"]), max_size=3),
    st.lists(st.text(max_size=40), max_size=8),
    st.integers(0, 8),
    st.integers(0, 9),
    st.booleans(),
)
def test_it_fits_whatever_the_window_is(
    size: Size, keys: list[str], names: list[str], seats: int, said: int, asked: bool
) -> None:
    lobby = Lobby()
    lobby.model.seats, lobby.model.people = seats, [here(name) for name in names]
    lobby.model.chat = lambda: ["(lobby) <Ada> hello"] * said
    if asked:
        lobby.ask()
    press(lobby.stage, keys)
    assert len(lobby.page.draw(size)) <= size.lines


def test_it_fills_the_window() -> None:
    assert len(Lobby().page.draw(SMALL)) == SMALL.lines
    assert text_of(Lobby().page.draw(SMALL)).splitlines()[-1].split() == [
        *("Tab", "chat", "s", "start", "b", "bot", "x", "free"),
        *("o", "options", "Esc", "leave", "c", "copy", "F3", "to", "watch"),
    ]


# The code of an announced table, and friends who knock.


@pytest.mark.parametrize("code", ["en", "fr"])
def test_the_lobby_with_a_code_as_it_was_looked_at(code: str) -> None:
    language.use(code)
    lobby = Lobby()
    lobby.model.code = "4821"
    check(f"lobby-code-{code}", screen(lobby.stage))


def test_the_code_is_there_with_its_news() -> None:
    lobby = Lobby()
    assert "CODE" not in screen(lobby.stage)
    lobby.model.code = "4821 9034 1123"
    assert "│ CODE 4821 9034 1123 │" in screen(lobby.stage)
    assert "`p2pfruit lan` and this code" in screen(lobby.stage)
    lobby.model.code_news = "somebody typed a wrong code (3 so far)"
    assert "(3 so far)" in screen(lobby.stage)


def test_a_friend_waits_for_the_host() -> None:
    lobby = Lobby(host=False)
    lobby.model.game, lobby.model.calling = "", "waiting for Ada to let you in"
    assert screen(lobby.stage).splitlines()[0] == "waiting for Ada to let you in"


@pytest.mark.parametrize(("key", "yes"), [("y", True), ("Y", True), ("n", False)])
async def test_the_first_key_answers_about_a_friend(key: str, yes: bool) -> None:
    lobby = Lobby()
    answers: list[bool] = []

    async def ask() -> None:
        answers.append(await lobby.model.ask("Bea wants to sit down: let in?", lambda: None))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await wait_all_tasks_blocked()
        assert "Bea wants to sit down: let in?" in screen(lobby.stage)
        assert "y let in  n do not let in" in screen(lobby.stage)
        press(lobby.stage, ["z", key])
    assert answers == [yes]
    assert "Bea" not in screen(lobby.stage)
    press(lobby.stage, ["y"])
    assert lobby.acts.done == []
