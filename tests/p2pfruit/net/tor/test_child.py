"""How a child that is no good tor fails. Programs stand in for it; tests/netns has the real one."""

import fcntl
import os
from pathlib import Path

import pytest
import trio

from p2pfruit.exits import NO_CONNECTION
from p2pfruit.net import limits
from p2pfruit.net.tor.child import TORRC, child
from p2pfruit.net.tor.progress import NoTor, Progress
from tests.p2pfruit.net.tor.scripted import DONE, SPEAKS, install, unheard


async def started(folder: Path, environ: dict[str, str]) -> NoTor:
    """Start what stands in for tor, which fails; return how."""
    with pytest.raises(NoTor) as caught:
        async with child(folder / "home" / "tor", unheard, environ):
            pass
    assert caught.value.code == NO_CONNECTION
    assert caught.value.hint
    return caught.value


async def test_tor_is_missing(tmp_path: Path) -> None:
    error = await started(tmp_path, {"PATH": str(tmp_path)})
    assert str(error) == "tor is not installed"
    assert "`apt install tor` or `brew install tor`" in str(error.hint)
    assert not (tmp_path / "home").exists()


async def test_it_is_no_program(tmp_path: Path) -> None:
    environ = install(tmp_path, "")
    (tmp_path / "tor").write_bytes(b"\0nothing")
    error = await started(tmp_path, environ)
    assert str(error) == "tor cannot be started: Exec format error"


async def test_it_ends_at_once_and_says_why(tmp_path: Path) -> None:
    script = """
    echo "Nov 18 20:00:00.000 [notice] Tor 0.4.9.11 running on Linux"
    echo "Nov 18 20:00:00.000 [warn] You are running Tor as root."
    echo "Nov 18 20:00:00.000 [warn] Failed to parse/validate config: Unknown option '\\33[2JFoo'"
    echo "Nov 18 20:00:00.000 [err] Reading config failed--see warnings above." >&2
    exit 1
    """
    environ = install(tmp_path, script)
    error = await started(tmp_path, environ)
    assert "tor does not work: Failed to parse/validate config: Unknown option" in str(error)
    assert "\33" not in str(error)
    assert "TORRC" not in str(error.hint)
    error = await started(tmp_path, environ | {TORRC: "/some/file"})
    assert error.hint == "check the lines of the file that P2PFRUIT_TORRC names"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("", "it has closed the control connection"),
        ("echo; printf hello", "hello"),
        ("echo '[err] A'; echo '[warn] B'", "A"),
        ("echo '[warn] A'; echo B", "A"),
        ("head -c 2000000 /dev/zero; echo; echo B", "B"),
        ("yes | head -n 100000; printf '\\377B'", "\N{REPLACEMENT CHARACTER}B"),
    ],
)
async def test_whatever_it_says(tmp_path: Path, said: str, why: str) -> None:
    error = await started(tmp_path, install(tmp_path, said))
    assert str(error) == f"tor does not work: {why}"


# Each waits for a child of its own, as a script around tor does.
@pytest.mark.parametrize("hang", ["exec sleep 600", "sleep 600 & wait", "trap '' TERM; sleep 600"])
async def test_it_hangs(tmp_path: Path, hang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOR_ANSWER_S", 0.2)
    monkeypatch.setattr(limits, "TOR_END_S", 0.1)
    pipe = tmp_path / "pipe"  # ends when all who hold it have ended
    os.mkfifo(pipe)
    environ = install(tmp_path, f"exec 9>{pipe}\n{hang}")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        error = await started(tmp_path, environ)
        assert str(error) == "tor does not work: it does not answer"
        with trio.fail_after(60):
            await trio.lowlevel.wait_readable(reader)
        assert os.read(reader, 1) == b""
    finally:
        os.close(reader)


async def test_it_talks_of_something_else(tmp_path: Path) -> None:
    environ = install(tmp_path, SPEAKS + 'line(); say("HTTP/1.1 400 Bad Request"); line()', True)
    error = await started(tmp_path, environ)
    assert "tor does not work" in str(error)


STUCK = """
line(); say("250 OK")
line(); say("250-status/bootstrap-phase=NOTICE BOOTSTRAP PROGRESS=5 TAG=conn\\r\\n250 OK")
say("650 STATUS_CLIENT NOTICE CIRCUIT_NOT_ESTABLISHED REASON=x")
say('650 STATUS_CLIENT WARN BOOTSTRAP PROGRESS=5 TAG=conn WARNING="No route to host" COUNT=1')
line()
"""


async def test_it_gets_no_further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOR_STALL_S", 1.0)
    told: list[Progress] = []
    with pytest.raises(NoTor) as caught:
        async with child(tmp_path, told.append, install(tmp_path, SPEAKS + STUCK, True)):
            pass
    assert str(caught.value) == "tor cannot connect: connecting to Tor: no route to host"
    assert "write bridges into a file and name it in P2PFRUIT_TORRC" in str(caught.value.hint)
    assert [(one.percent, one.words) for one in told] == [
        (0, "starting tor"),
        (5, "connecting to Tor"),
        (5, "connecting to Tor: no route to host"),
    ]


GOOD = f"""
line(); say("250 OK")
line(); say('250-status/bootstrap-phase={DONE}\\r\\n250 OK')
line(); say("250 OK")
line()
"""


async def test_two_programs_of_one_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOR_FOLDERS_MOST", 2)
    environ = install(tmp_path, SPEAKS + GOOD, True)
    home = tmp_path / "home"
    async with child(home, unheard, environ), child(home, unheard, environ):
        assert (home / "1").stat().st_mode & 0o777 == 0o700
        assert (home / "2").exists()
        with pytest.raises(NoTor, match="too many programs"):
            async with child(home, unheard, environ):
                pass
    async with child(home, unheard, environ):
        pass
    assert not (home / "3").exists()


async def test_a_folder_in_which_an_older_tor_still_lives(tmp_path: Path) -> None:
    environ = install(tmp_path, SPEAKS + GOOD.replace("line()\n", "line()\n", 1), True)
    (tmp_path / "home" / "1").mkdir(parents=True)
    with (tmp_path / "home" / "1" / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        async with child(tmp_path / "home", unheard, environ):
            assert (tmp_path / "home" / "2").exists()


async def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(NoTor, match=r"tor's folder .*home cannot be used: File exists"):
        async with child(tmp_path / "home", unheard, install(tmp_path, "exit")):
            pass


async def test_an_error_of_the_block_is_its_own(tmp_path: Path) -> None:
    environ = install(tmp_path, SPEAKS + GOOD, True)
    for error in (ZeroDivisionError, FileNotFoundError):
        with pytest.raises(error):
            async with child(tmp_path / "home", unheard, environ):
                raise error


async def test_ctrl_c_is_not_for_the_child(tmp_path: Path) -> None:
    """It ends when the program has said goodbye to the table."""
    told = 'open(os.path.join(os.path.dirname(sys.argv[0]), "group"), "w").write(str(os.getpgrp()))'
    environ = install(tmp_path, SPEAKS + told + GOOD, True)
    async with child(tmp_path / "home", unheard, environ):
        assert int((tmp_path / "group").read_text()) != os.getpgrp()
