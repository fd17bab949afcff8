"""The lobby: who is here, the invitation, and its keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from p2pfruit import language
from p2pfruit.games import terms
from p2pfruit.net.qr import qr_lines
from p2pfruit.ui.screen.lobby import LobbyModel, LobbyPage
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.styled import Size, text_of
from protocol.peer.lobby import Offer
from tests.p2pfruit.ui.screen.golden import check
from tests.p2pfruit.ui.screen.tables import SMALL, on_stage, press, screen

INVITATION = "FRUIT-" + "-".join(["ABCDE-FGHJK-MNPQR-STVWX"] * 6)
TO_WATCH = INVITATION.replace("FRUIT", "WATCH")


class Lobby:
    def __init__(self, *, host: bool = True) -> None:
        self.model = LobbyModel()
        self.gone = 0
        self.copied: list[str] = []
        self.page = LobbyPage(self.model, self._go, self.copied.append)
        self.stage: Stage = on_stage(self.page)
        offer = Offer.of(registry.build("fruitoplay"), 5, (("drop", 2), ("spectators", 0)))
        told = terms.lines(offer, offer.seats)
        self.model.gathered("fruitoplay", 5, ["Ada", "Bruno"], told)
        if host:
            self.model.invitation, self.model.to_watch = INVITATION, TO_WATCH
            self.model.qr = ["█▀▀█", "█▄▄█"]

    def _go(self) -> None:
        self.gone += 1


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("host", [True, False])
def test_the_lobby_as_it_was_looked_at(code: str, host: bool) -> None:
    language.use(code)
    check(f"lobby-{'host' if host else 'guest'}-{code}", screen(Lobby(host=host).stage))


def test_before_the_host_has_answered() -> None:
    lobby = Lobby(host=False)
    lobby.model.game = ""
    assert screen(lobby.stage).splitlines()[0] == "calling the host…"


def test_who_is_here_and_what_is_free_is_told_by_signs() -> None:
    rows = screen(Lobby().stage).splitlines()
    assert "2 of 5 players are here" in rows[0]
    assert rows[2:7] == ["  ✓ Ada", "  ✓ Bruno", *["  … a free seat"] * 3]


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
    press(lobby.stage, ["c", "w", "r", "x"])
    assert screen(lobby.stage) == before
    assert lobby.copied == []
    assert "copy" not in before


@pytest.mark.parametrize("key", ["escape", "q"])
def test_leaving(key: str) -> None:
    lobby = Lobby()
    press(lobby.stage, [key])
    assert lobby.gone == 1


@given(
    st.builds(Size, st.integers(1, 200), st.integers(1, 60)),
    st.lists(st.sampled_from("wrcx"), max_size=3),
    st.lists(st.text(max_size=40), max_size=8),
    st.integers(0, 8),
)
def test_it_fits_whatever_the_window_is(
    size: Size, keys: list[str], names: list[str], seats: int
) -> None:
    lobby = Lobby()
    lobby.model.gathered("fruitoplay", seats, names)
    press(lobby.stage, keys)
    assert len(lobby.page.draw(size)) <= size.lines


def test_it_fills_the_window() -> None:
    assert len(Lobby().page.draw(SMALL)) == SMALL.lines
    assert text_of(Lobby().page.draw(SMALL)).splitlines()[-1].split() == [
        *("c", "copy", "w", "to", "watch", "r", "QR", "code", "Esc", "leave")
    ]
