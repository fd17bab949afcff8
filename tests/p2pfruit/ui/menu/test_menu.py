"""The menu: every wish is a command line that the program knows, in both fronts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from engine import registry
from p2pfruit import language
from p2pfruit.cli.main import build_parser
from p2pfruit.exits import FINE, Goodbye, Refusal
from p2pfruit.home import settings
from p2pfruit.home.folder import Home
from p2pfruit.home.store import SavedTable
from p2pfruit.net import addresses, invitations
from p2pfruit.net.beacon import Found
from p2pfruit.net.invitations import Invitation
from p2pfruit.ui.forms import Answers, Change, Filling, Form, Picking
from p2pfruit.ui.menu import forms as proposals
from p2pfruit.ui.menu import menu
from p2pfruit.ui.menu.entries import REBUILD_UI, Menu
from p2pfruit.ui.screen.menu import ScreenAsker
from p2pfruit.ui.screen.page import Stage
from p2pfruit.ui.screen.styled import text_of
from protocol.link.entrance import Entrance
from protocol.link.keys import SECRET_SIZE
from tests.p2pfruit.ui.menu.lan import announced
from tests.p2pfruit.ui.screen import golden
from tests.p2pfruit.ui.screen.pages import WHOLE


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.set_name("Ada")
    return home


# What is chosen.


class Scripted:
    """Answers by label, in order; what was proposed is kept where nothing is said."""

    def __init__(self, *picks: str | None, answers: Answers | None = None) -> None:
        self.picks = list(picks)
        self.answers = answers
        self.pickings: list[Picking] = []
        self.told: list[str] = []
        self.found: list[Found] = []
        self.changes: list[tuple[str, Any]] = []
        self.filled: list[Form] = []

    async def pick(self, picking: Picking) -> int | None:
        self.pickings.append(picking)
        wanted = self.picks.pop(0)
        if wanted is None:
            return None
        labels = [item.label for item in picking.items]
        return next(at for at, label in enumerate(labels) if label.startswith(wanted))

    async def fill(self, form: Form) -> Answers | None:
        self.filled.append(form)
        filling = Filling(form)
        if self.answers is None:
            return None
        filling.answers.update(self.answers)
        form.check(filling.answers)
        return filling.answers

    async def adjust(self, make: Callable[[], Form], change: Change, at: int) -> int | None:
        for name, value in self.changes:
            fields = {field.name: field for field in make().fields}
            if change(fields[name], value):
                return list(fields).index(name)
        return None

    async def listen(self) -> Found | None:
        return self.found.pop() if self.found else None

    async def tell(self, title: str, lines: Sequence[str]) -> None:
        self.told.append("; ".join([title, *lines]))


def known(line: Sequence[str] | None) -> bool:
    """Whether the command line would run."""
    assert line is not None
    parsed = build_parser().parse_args(line)
    return hasattr(parsed, "run")


async def test_play(home: Home) -> None:
    asker = Scripted("Play", answers={"seats": 3, "level": "normal"})
    line = await Menu(home, None).choose(asker)
    assert line == ["play", "--game", "fruitoplay", "--seats", "3", "--level", "normal"]
    assert known(line)


async def test_what_was_answered_before_is_proposed_again(home: Home) -> None:
    settings.change(home.path, "seats", 5)
    opened = Menu(home, None)
    assert "5" in (await opened.choose(Scripted("Play", answers={})) or [])
    await opened.choose(Scripted("Play", answers={"seats": 3, "fruitoplay ties": "all"}))
    line = await opened.choose(Scripted("Play", answers={})) or []
    assert "3" in line
    assert "ties=all" in line


@pytest.mark.parametrize(
    ("answers", "more"),
    [
        ({}, ["--lan"]),
        ({"reach": proposals.MACHINE}, []),
        ({"reach": proposals.WORLD}, ["--internet", "--announce"]),
    ],
)
async def test_host(
    home: Home, monkeypatch: pytest.MonkeyPatch, answers: Answers, more: list[str]
) -> None:
    monkeypatch.setattr(addresses, "local_addresses", lambda: ["192.168.1.20", "fd00::2"])
    line = await Menu(home, None).choose(Scripted("Host", answers=answers))
    assert line == ["host", "--game", "fruitoplay", "--seats", "4", *more]
    assert known(line)


async def test_hosting_asks_one_question(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is chosen in the lobby; the settings say with what it begins."""
    for local, first in ((["192.168.1.20"], "the local network"), ([], "this computer only")):
        monkeypatch.setattr(addresses, "local_addresses", lambda found=local: found)
        filling = Filling(proposals.host_form())
        [field] = filling.fields
        assert filling.said(field) == first
    settings.change(home.path, "game", "pixies")
    settings.change(home.path, "seats", 6)
    line = await Menu(home, None).choose(Scripted("Host", answers={}))
    most = registry.find("pixies").game.seats[-1]
    assert line == ["host", "--game", "pixies", "--seats", str(most)]
    assert known(line)


async def test_join_or_watch_as_the_invitation_says(home: Home, invitation: Invitation) -> None:
    text = invitations.format(invitation)
    line = await Menu(home, None).choose(
        Scripted("Join", answers={"invitation": f"  {text.lower()} "})
    )
    assert line == ["join", text]
    assert known(line)
    text = invitations.format(invitation.to_watch(bytes(32)))
    line = await Menu(home, None).choose(Scripted("Join", answers={"invitation": text}))
    assert line == ["watch", text]
    assert known(line)


async def test_an_invitation_in_a_file(home: Home, tmp_path: Path, invitation: Invitation) -> None:
    text = invitations.format(invitation)
    (tmp_path / "invitation.txt").write_text(f"{text}\n")
    named = f"@{tmp_path / 'invitation.txt'}"
    line = await Menu(home, None).choose(Scripted("Join", answers={"invitation": named}))
    assert line == ["join", text]
    with pytest.raises(Refusal, match="not an invitation"):  # and not a line of stdin
        proposals.read_invitation("-")


async def test_a_table_of_this_network_opens_with_its_own_invitation_only(
    home: Home, invitation: Invitation
) -> None:
    text = invitations.format(invitation)
    asker = Scripted("Tables", None, answers={"invitation": text})
    asker.found = [announced(invitation)]
    line = await Menu(home, None).choose(asker)
    assert line == ["join", text]
    assert "Ask Bea for it" in asker.filled[0].intro
    other = Invitation(secret=bytes(SECRET_SIZE), addresses=())
    asker = Scripted("Tables", None, answers={"invitation": text})
    asker.found = [announced(other)]
    assert await Menu(home, None).choose(asker) is None
    assert asker.told[0].startswith("this invitation is for another table")


async def test_a_table_with_an_entrance_is_joined_with_its_code(
    home: Home, invitation: Invitation
) -> None:
    found = announced(invitation)
    entrance = Entrance(id=bytes(8), host=bytes([7]) * 32, offer=bytes(32))
    found = replace(found, announcement=replace(found.announcement, entrance=entrance))
    asker = Scripted("Tables", None, answers={"code": " 48-21 "})
    asker.found = [found]
    assert await Menu(home, None).choose(asker) == [
        *("join", "--lan", "192.0.2.7:24977", "--code", "4821")
    ]
    assert "screen of Bea" in asker.filled[0].intro
    assert "Leave it empty" not in asker.filled[0].intro
    for wrong in ("", "482", "48211", "fig"):
        with pytest.raises(Refusal, match="not a code"):
            asker.filled[0].check({"code": wrong})
    with home.open_store(1) as store:
        store.meet(entrance.host, "Bea", 1)
    asker = Scripted("Tables", None, answers={"code": ""})
    asker.found = [found]
    assert await Menu(home, None).choose(asker) == ["join", "--lan", "192.0.2.7:24977"]
    assert "Leave it empty, and Bea is asked" in asker.filled[0].intro


def begin(home: Home, id: bytes, started: int) -> None:
    with home.open_store(started) as store:
        store.begin(SavedTable(id=id, roster=b"", secret=b"", seats=(), started=started))


async def test_a_game_can_be_resumed_when_one_was_interrupted(home: Home) -> None:
    asker = Scripted(None)
    assert await Menu(home, None).choose(asker) is None
    assert "Continue" not in [item.label for item in asker.pickings[0].items]
    begin(home, b"\x01" * 32, 1)
    asker = Scripted("Continue")
    line = await Menu(home, None).choose(asker)
    assert line == ["resume", "01" * 6]
    assert known(line)
    first, *_others = asker.pickings[0].items
    assert (first.label, first.about, asker.pickings[0].at) == (
        "Continue",
        "1 interrupted game",
        0,
    )
    begin(home, b"\x02" * 32, 2)
    asker = Scripted("Continue", "1970-01-01")
    assert await Menu(home, None).choose(asker) == ["resume", "02" * 6]
    assert len(asker.pickings[1].items) == 2


async def test_a_store_that_cannot_be_read_says_so_when_it_is_needed(home: Home) -> None:
    home.database.write_bytes(b"no database at all, but something else entirely")
    asker = Scripted("Continue", "Replay", None)
    assert await Menu(home, None).choose(asker) is None
    assert len(asker.told) == 2
    assert str(home.database) in asker.told[0]


async def test_a_file_that_contradicts_mine_is_named(home: Home, tmp_path: Path) -> None:
    begin(home, b"\x01" * 32, 1)
    file, other = tmp_path / "game.fruit", tmp_path / "game.contradicts-0123456789abcdef.fruit"
    for path in (file, other):
        path.write_bytes(b"")
    with home.open_store(1) as store:
        store.finish(b"\x01" * 32, verdict="final", summary={}, file=str(file), ended=2)
    asker = Scripted("Replay", "1970")
    assert await Menu(home, None).choose(asker) == ["replay", str(file)]
    mine, *_others = asker.pickings[-1].items
    assert mine.about == f"another file of this table contradicts yours: see {other}"


async def test_replays_are_picked_or_named(home: Home, tmp_path: Path) -> None:
    begin(home, b"\x01" * 32, 1)
    file = tmp_path / "game.p2pf"
    file.write_bytes(b"")
    with home.open_store(1) as store:
        store.finish(b"\x01" * 32, verdict="final", summary={}, file=str(file), ended=2)
    assert await Menu(home, None).choose(Scripted("Replay", "1970")) == ["replay", str(file)]
    asker = Scripted("Replay", "Another", answers={"file": f" {file}"})
    line = await Menu(home, None).choose(asker)
    assert line == ["replay", str(file)]
    assert known(line)
    file.unlink()
    asker = Scripted("Replay", "Another", None, answers={"file": str(file)})
    assert await Menu(home, None).choose(asker) is None
    assert len(asker.pickings[1].items) == 1  # what is gone is not offered
    assert asker.told[0].startswith(f"there is no file {file}")


async def test_the_rules_of_every_game_can_be_read(home: Home) -> None:
    line = await Menu(home, None).choose(Scripted("Learn", "Learn Fruitoplay"))
    assert line == ["learn", "--game", "fruitoplay"]
    assert known(line)
    line = await Menu(home, None).choose(Scripted("Learn", "Rules of Fruitoplay"))
    assert line == ["rules", "fruitoplay"]
    assert known(line)
    assert await Menu(home, None).choose(Scripted("Learn", None, "Quit")) is None


async def test_settings_take_effect_at_once(home: Home) -> None:
    opened = Menu(home, None)
    asker = Scripted("Settings", None)
    asker.changes = [("language", "fr"), ("name", "Eva"), ("bell", False)]
    assert await opened.choose(asker) is None
    assert language.current() == "fr"
    assert home.name() == "Eva"
    assert settings.load(home.path).bell is False


async def test_what_was_said_on_the_command_line_stays(home: Home) -> None:
    asker = Scripted("Settings", None)
    asker.changes = [("language", "fr")]
    assert await Menu(home, "en").choose(asker) is None
    assert language.current() == "en"
    assert settings.load(home.path).language == "fr"


async def test_a_new_front_begins_where_the_old_one_ended(home: Home) -> None:
    opened = Menu(home, None)
    asker = Scripted("Settings")
    asker.changes = [("glyphs", "ascii")]
    assert await opened.choose(asker) is REBUILD_UI
    asker = Scripted(None)  # the list comes after the settings
    asker.changes = [("bell", False)]
    assert await opened.choose(asker) is None
    assert settings.load(home.path).bell is False


async def test_the_first_time_a_name_is_asked_and_nothing_else(tmp_path: Path) -> None:
    home = Home(tmp_path / "new")
    opened = Menu(home, None)
    asker = Scripted(None)
    assert await opened.choose(asker) is None
    assert [field.name for form in asker.filled for field in form.fields] == ["name"]
    assert not home.path.exists()
    assert await opened.choose(asker := Scripted(None)) is None
    assert not asker.filled  # once is enough for whoever went back
    answers = {"name": "Eva"}
    asker = Scripted(None, None, answers=answers)
    assert await Menu(home, None).choose(asker) is None
    welcome, top = asker.pickings
    assert welcome.title == "Welcome, Eva! What would you like to do first?"
    assert top.title == "Eva"
    assert home.name() == "Eva"
    asker = Scripted(None)
    assert await Menu(home, None).choose(asker) is None
    assert not asker.filled


@pytest.mark.parametrize(
    ("picked", "line"),
    [
        ("Learn", ["learn", "--game", "fruitoplay"]),
        ("Play", ["play", "--game", "fruitoplay", "--seats", "3", "--level", "easy"]),
    ],
)
async def test_a_new_player_is_offered_a_lesson_and_an_easy_game(
    tmp_path: Path, picked: str, line: list[str]
) -> None:
    asker = Scripted(picked, answers={"name": "Eva"})
    assert await Menu(Home(tmp_path / "new"), None).choose(asker) == line
    assert known(line)
    assert any("F1" in item.about for item in asker.pickings[0].items)


async def test_an_interrupted_game_is_where_the_menu_starts_again(home: Home) -> None:
    opened = Menu(home, None)
    assert await opened.choose(Scripted("Replay", None, None)) is None
    begin(home, b"\x01" * 32, 1)
    asker = Scripted(None)
    assert await opened.choose(asker) is None
    assert asker.pickings[0].at == 0


async def test_a_damaged_name_is_no_reason_to_have_no_menu(home: Home) -> None:
    home.name_file.write_bytes(b"\x1b[31m")
    asker = Scripted("Settings", None)
    asker.changes = [("bell", False)]
    assert await Menu(home, None).choose(asker) is None
    assert asker.pickings[0].title == "?"
    assert "damaged" in asker.told[0]


# The loop.


@pytest.fixture
def in_lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Answers to type; a terminal that shows lines."""
    typed: list[str] = []

    def read(_prompt: str) -> str:
        if not typed:
            raise EOFError
        return typed.pop(0)

    monkeypatch.setattr("builtins.input", read)
    monkeypatch.setattr("p2pfruit.ui.screen.fitness.line_mode", lambda _settings: "of this test")
    return typed


class Arguments:
    def __init__(self, home: Home) -> None:
        self.home = str(home.path)
        self.lang = None


def run_lines(home: Home, perform: menu.Perform) -> int:
    return menu.run(Arguments(home), perform)  # type: ignore[arg-type]


def test_the_menu_comes_back_after_every_command(
    home: Home, in_lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[Sequence[str]] = []

    def perform(line: Sequence[str]) -> int:
        ran.append(line)
        if len(ran) == 1:
            raise Refusal("no table today", hint="come tomorrow")
        if len(ran) == 2:
            raise Goodbye("you left", 5)
        return 5

    in_lines += ["Learn", "1", "learn", "Rules of Fruitoplay", "l", "1", "q"]
    assert run_lines(home, perform) == FINE
    said = ["--home", str(home.path)]
    lesson = ["learn", "--game", "fruitoplay", *said]
    assert ran == [lesson, ["rules", "fruitoplay", *said], lesson]
    out, err = capsys.readouterr()
    assert out.count("Hello, Ada") == 4
    assert "line mode: of this test" in err
    assert "error: no table today\nhint: come tomorrow" in err
    assert "you left" in err


def test_the_end_of_the_input_is_the_end_of_the_menu(home: Home, in_lines: list[str]) -> None:
    assert run_lines(home, lambda _line: pytest.fail("nothing was chosen")) == FINE


def test_lines_have_the_same_powers(
    home: Home, in_lines: list[str], capsys: pytest.CaptureFixture[str], invitation: Invitation
) -> None:
    ran: list[Sequence[str]] = []

    def perform(line: Sequence[str]) -> int:
        ran.append(line[:-2])
        return 0

    text = invitations.format(invitation)
    in_lines += ["play", "", "3", "nor", ""]
    in_lines += ["host", "9", "the internet"]
    in_lines += ["join", "FRUIT-xx", "", text]
    in_lines += ["settings", "bell", "off", "your", "", "your", "Eva", "nothing", ""]
    in_lines += ["", "11", "quit"]
    assert run_lines(home, perform) == FINE
    assert ran == [
        ["play", "--game", "fruitoplay", "--seats", "3", "--level", "normal"],
        ["host", "--game", "fruitoplay", "--seats", "4", "--internet", "--announce"],
        ["join", text],
    ]
    assert settings.load(home.path).bell is False
    assert home.name() == "Eva"
    out, err = capsys.readouterr()
    assert "'9' is not in the list" in err
    assert "this invitation is mistyped or incomplete" in err
    assert "'nothing' is not in the list" in err
    assert "play at 192.0.2.7:24977" in out
    assert "bell = off: ring the terminal bell" in out
    assert "Hello, Eva" in out


def test_lines_go_back_by_an_empty_line(home: Home, in_lines: list[str]) -> None:
    in_lines += ["join", "", "play", "q", "learn", "", "settings", "", "q"]
    assert run_lines(home, lambda _line: pytest.fail("nothing was chosen")) == FINE
    assert not in_lines


# The full screen.


async def test_from_the_menu_to_a_command_line_by_keys(home: Home) -> None:
    stage = Stage(WHOLE)
    lines: list[list[str] | None] = []
    opened = Menu(home, None)

    async def choose() -> None:
        lines.append(await opened.choose(ScreenAsker(stage)))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(choose)
        await trio.testing.wait_all_tasks_blocked()
        golden.check("menu-top", text_of(stage.draw()))
        stage.press("1")
        await trio.testing.wait_all_tasks_blocked()
        for key in ("down", "left", "enter"):
            stage.press(key)
    assert lines == [["play", "--game", "fruitoplay", "--seats", "3", "--level", "hard"]]
    opened.notice = ("you left", ["come back"])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(choose)
        await trio.testing.wait_all_tasks_blocked()
        assert "you left" in text_of(stage.draw())
        stage.paste("whatever")
        stage.press("enter")
        await trio.testing.wait_all_tasks_blocked()
        stage.press("8")
        await trio.testing.wait_all_tasks_blocked()
        assert "Settings" in text_of(stage.draw())
        stage.press("escape")
        await trio.testing.wait_all_tasks_blocked()
        stage.press("escape")
    assert lines[1] is None
