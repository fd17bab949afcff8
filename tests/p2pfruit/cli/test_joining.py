"""Joining with what the lobby shows, copied from an 80-column terminal as it stands there."""

from pathlib import Path

import pytest

from p2pfruit.cli.commands.networking import network_of_guest, network_of_host, ways_of_guest
from p2pfruit.cli.main import build_parser
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.folder import Home
from p2pfruit.home.ways import DIRECT, Ways
from p2pfruit.limits import TABLE_PORT
from p2pfruit.net.addresses import Address
from tests.p2pfruit.cli.inside import run
from tests.p2pfruit.cli.screens import (
    ENTER,
    full_screen,
    make_home,
    paste,
    shows,
    wait_for_all,
    write,
)
from tests.p2pfruit.cli.terminal import Terminal, terminal
from tests.p2pfruit.cli.test_two_screens import Homes, homes, hosted

__all__ = ["homes"]

PROXIED = Ways(proxy="socks5://127.0.0.1:9")
F3 = "\x1bOR"


def copied(host: Terminal) -> str:
    """The whole window, as a mouse marks it."""
    return "\n".join(host.shown())


@pytest.mark.parametrize("columns", [80, 120])
def test_the_lobby_is_copied_into_the_command(homes: Homes, columns: int) -> None:
    with hosted(homes, bots=()) as host:
        host.resize(columns, 24 if columns == 80 else 40)
        host.wait_shown("others join with this line:", "FRUIT-", "only programs on this computer")
        with full_screen("join", copied(host), home=homes.guest) as guest:
            wait_for_all([host, guest], shows(host, "river"), shows(guest, "river"))


def test_the_lobby_is_copied_into_the_prompt(homes: Homes) -> None:
    at_home = {"P2PFRUIT_HOME": str(homes.guest)}
    with hosted(homes, bots=()) as host, terminal("join", env=at_home) as guest:
        guest.wait_for("paste the invitation")
        write(guest, copied(host) + "\n")
        wait_for_all([host, guest], shows(host, "river"), shows(guest, "which card"))


def test_the_lobby_is_copied_into_the_menu(homes: Homes) -> None:
    with hosted(homes, bots=()) as host, full_screen(home=homes.guest) as guest:
        guest.wait_shown("Hello, ")
        guest.type("3")
        guest.wait_shown("Paste the invitation")
        paste(guest, copied(host))
        guest.wait_shown("✓ play at 127.0.0.1:")
        guest.type(ENTER)
        wait_for_all([host, guest], shows(host, "river"), shows(guest, "river"))


def test_the_line_to_watch_is_shown_in_the_lobby_and_at_the_table(homes: Homes) -> None:
    with hosted(homes, bots=()) as host:
        host.type(F3)
        host.wait_shown("others watch with this line:", "WATCH-")
        with full_screen("watch", copied(host)) as spectator:
            spectator.wait_shown("1 of 2 players are here")
        text = homes.invitation.read_text()
        with full_screen("join", text, home=homes.guest) as guest:
            wait_for_all([host, guest], shows(host, "river"), shows(guest, "river"))
            host.type(F3)
            host.wait_shown("others watch with:", "WATCH-")
            with full_screen("watch", copied(host)) as late:
                wait_for_all([host, guest, late], shows(late, "river"))


def test_without_an_invitation_and_without_a_terminal() -> None:
    for command in ("join", "watch"):
        done = run(command)
        assert done.returncode == 2
        assert "error: an invitation is missing" in done.stderr
        assert "hint: give it after the command" in done.stderr


def test_nothing_pasted_is_no_invitation(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    with terminal("join", env={"P2PFRUIT_HOME": str(home)}) as table:
        table.wait_for("paste the invitation")
        table.type("\n")
        assert table.end() == 2
        assert "error: this is not an invitation" in table.transcript


@pytest.mark.parametrize(
    ("options", "any_port"),
    [
        ([], True),
        (["--bind", "192.0.2.7"], True),
        (["--port", "5000"], False),
        (["--public"], False),
        (["--internet"], True),
        (["--advertise", "192.0.2.7:24977"], False),
    ],
)
def test_a_port_that_nobody_chose_may_be_another(options: list[str], any_port: bool) -> None:
    network, _ways = network_of_host(build_parser().parse(["host", *options]))
    assert network.any_port is any_port
    assert network.binds[0].port == (5000 if "--port" in options else TABLE_PORT)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--relay", "FRUIT-1"], "this is not the line of a relay"),
        (["--tor", "--lan"], "--tor hides this computer, so it cannot be combined with --lan"),
        (["--tor", "--public"], "cannot be combined with --public"),
        (["--tor", "--bind", "192.0.2.7"], "cannot be combined with --bind"),
        (["--tor", "--announce"], "cannot be combined with --announce"),
        (["--tor", "--proxy", "socks5://127.0.0.1:9"], "cannot be combined with --proxy"),
    ],
)
def test_ways_that_cannot_be(options: list[str], error: str) -> None:
    with pytest.raises(Refusal) as refused:
        network_of_host(build_parser().parse(["host", *options]))
    assert error in str(refused.value)
    assert refused.value.code == USAGE


@pytest.mark.parametrize(
    ("addresses", "options", "ways"),
    [
        ([f"{'a' * 56}.onion:1"], [], Ways(tor=True)),
        ([f"{'a' * 56}.onion:1", "192.0.2.7:1"], [], DIRECT),
        ([f"{'a' * 56}.onion:1"], ["--proxy", "socks5://127.0.0.1:9"], PROXIED),
        (["192.0.2.7:1"], ["--tor"], Ways(tor=True)),
        ([], [], DIRECT),
    ],
)
def test_a_table_that_is_nothing_but_an_onion_is_played_over_tor(
    addresses: list[str], options: list[str], ways: Ways
) -> None:
    hosts = [Address.parse(address) for address in addresses]
    arguments = build_parser().parse(["join", "FRUIT-1", *options])
    assert ways_of_guest(arguments, hosts) == ways
    network, _ = network_of_guest(arguments, hosts)
    assert network.hidden == (ways != DIRECT)
    assert not (network.hidden and network.binds)


def test_a_new_player_who_just_plays_is_welcomed(tmp_path: Path) -> None:
    with full_screen("play", home=make_home(tmp_path / "new", "")) as table:
        table.wait_shown("Who are you?")
        table.type("\x15Eva\r")
        table.wait_shown("Welcome, Eva!", "Learn to play in five minutes", "Play against easy bots")
        table.type("2")
        table.wait_shown("your turn")
    with full_screen("play", "--seats", "2", home=make_home(tmp_path / "hasty", "")) as table:
        table.wait_shown("your turn")


@pytest.mark.parametrize("typed", ["Eva", ""])
def test_a_new_player_who_comes_to_others_is_asked_for_a_name(tmp_path: Path, typed: str) -> None:
    home = make_home(tmp_path / "new", "")
    with full_screen("host", "--port", "0", home=home) as table:
        table.wait_for("your name, as the others will see it")
        table.type("x" * 99 + "\n")
        table.wait_for("error: a name has 1 to")
        table.type(typed + "\n")
        table.wait_shown("a free seat", f"{typed or Home(home).name()}  you")
