"""Two people at two terminals when the game is over: they talk, look back, and leave."""

from pathlib import Path

from tests.p2pfruit.cli.screens import (
    ENTER,
    ESCAPE,
    full_screen,
    is_restored,
    make_home,
    play_together,
    shows,
    wait_for_all,
)
from tests.p2pfruit.cli.terminal import terminal

TAB = "\t"


def test_they_talk_look_back_and_leave(tmp_path: Path) -> None:
    invitation = tmp_path / "invitation"
    homes = [make_home(tmp_path / name, name) for name in ("Anna", "Bruno")]
    table = ("host", "--port", "0", "--seats", "2", "--invite-file", str(invitation))
    no_display = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}
    with full_screen(*table, home=homes[0], env=no_display) as anna:
        anna.wait_shown("FRUIT-")
        with full_screen("join", f"@{invitation}", home=homes[1]) as bruno:
            both = [anna, bruno]
            wait_for_all(both, shows(anna, "your turn"), shows(bruno, "your turn"))
            play_together(both)
            wait_for_all(
                both,
                shows(anna, "verified ✓", "still here: Bruno", "points"),
                shows(bruno, "verified ✓", "still here: Anna", "[2] replay"),
            )
            bruno.type(TAB + "gg, 1 more?" + ENTER)
            wait_for_all(both, shows(anna, "<Bruno> gg, 1 more?"), shows(bruno, "<Bruno> gg"))
            anna.type("2")
            wait_for_all(both, shows(anna, "frame 1 of"))
            anna.type(ESCAPE)
            wait_for_all(both, shows(anna, "still here: Bruno"))
            anna.type("3")
            wait_for_all(both, shows(anna, "the replay was written to", ".html"))
            anna.type("4")
            wait_for_all(both, shows(anna, "how the expert would have played", "Esc back"))
            anna.type(ESCAPE)
            wait_for_all(both, shows(anna, "still here: Bruno"))
            bruno.type(ESCAPE)
            assert bruno.end() == 0
            assert is_restored(bruno)
        anna.wait_shown("Bruno has left", "nobody else is here any more")
        anna.type(ESCAPE)
        assert anna.end() == 0
        assert is_restored(anna)
        assert "Traceback" not in anna.transcript
    [page] = (homes[0] / "games").glob("*.html")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_same_in_lines(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", "Zoe", confirm="false")
    env = {"P2PFRUIT_HOME": str(home)}
    with terminal("play", "--plain", "--seats", "2", "--level", "random", env=env) as table:
        table.wait_for("\n> ")
        while "what now?" not in table.transcript:
            table.answer("1")
            table.wait_for("\n> ")
        table.wait_for("the game is in")
        table.type("replay\n")
        table.wait_for("--- frame 1 of")
        table.type("q\n")
        table.wait_for("leave the table")
        table.type("leave\n")
        assert table.end() == 0
