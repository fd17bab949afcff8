"""A tor that runs already, and programs that only say that they are one."""

import os
from pathlib import Path

import pytest
import trio

from p2pfruit.exits import NO_CONNECTION
from p2pfruit.net import limits
from p2pfruit.net.tor import running as module
from p2pfruit.net.tor.child import TORRC
from p2pfruit.net.tor.progress import NoTor
from p2pfruit.net.tor.running import CONTROL, PLACES, places, running
from tests.p2pfruit.net.tor.scripted import (
    OK,
    REFUSED,
    Answer,
    Script,
    listening,
    opened,
    with_cookie,
)

SECRET_FILE = bytes(range(32))


@pytest.fixture
def cookie(tmp_path: Path) -> Path:
    path = tmp_path / "control auth cookie"
    path.write_bytes(SECRET_FILE)
    path.chmod(0o640)
    return path


async def used(script: Script) -> None:
    """Use the tor of this script, by the environment. Raises NoTor."""
    async with listening(script) as address, running({CONTROL: str(address)}) as control:
        assert control is not None
        await control.ask("SETEVENTS")


async def test_a_cookie_is_proved_and_never_sent(cookie: Path) -> None:
    script = with_cookie(cookie)
    await used(script)
    assert [line.split()[0] for line in script.heard[:3]] == [
        "PROTOCOLINFO",
        "AUTHCHALLENGE",
        "AUTHENTICATE",
    ]
    assert SECRET_FILE.hex() not in "".join(script.heard).lower()


async def test_one_that_does_not_know_its_cookie(cookie: Path) -> None:
    script = with_cookie(cookie, bytes(32))
    with pytest.raises(NoTor, match="does not know its own cookie"):
        await used(script)
    assert not any(line.startswith("AUTHENTICATE") for line in script.heard)


@pytest.mark.parametrize(
    "answer",
    ["250 OK", "250 AUTHCHALLENGE SERVERHASH=zz SERVERNONCE=00", "250 AUTHCHALLENGE", REFUSED[:-2]],
)
async def test_half_a_challenge(cookie: Path, answer: str) -> None:
    with pytest.raises(NoTor):
        await used(with_cookie(cookie, AUTHCHALLENGE=answer))


def _shared(path: Path) -> None:
    path.chmod(0o644)


def _foreign(path: Path) -> None:
    os.chown(path, 54321, 0)


def _link(path: Path) -> None:
    real = path.rename(path.with_name("real"))
    path.symlink_to(real)


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir(0o700)


@pytest.mark.parametrize(
    "change",
    [
        _shared,
        pytest.param(_foreign, marks=pytest.mark.needs("root")),
        _link,
        _pipe,
        _folder,
        Path.unlink,
        lambda path: path.write_bytes(bytes(31)),
        lambda path: path.write_bytes(bytes(33)),
        lambda path: path.write_bytes(b""),
    ],
)
async def test_what_is_no_cookie(cookie: Path, change: "type[Path]") -> None:
    script = with_cookie(cookie, SECRET_FILE)
    change(cookie)
    with pytest.raises(NoTor, match="cookie"):
        await used(script)
    assert [line.split()[0] for line in script.heard] == ["PROTOCOLINFO"]


@pytest.mark.parametrize("name", ["", "cookie", "../cookie", "/dev/zero", "/a\\000b", "x" * 9999])
async def test_paths_that_lead_to_no_cookie(name: str) -> None:
    methods = f'250-AUTH METHODS=SAFECOOKIE COOKIEFILE="{name}"'
    with pytest.raises(NoTor, match="cookie"):
        await used(opened(PROTOCOLINFO=f"{methods}\r\n250 OK"))


@pytest.mark.parametrize("methods", ["COOKIE", "HASHEDPASSWORD", "", "NULLA"])
async def test_no_way_in(cookie: Path, methods: str) -> None:
    line = f'250-AUTH METHODS={methods} COOKIEFILE="{cookie}"'
    script = opened(PROTOCOLINFO=f"{line}\r\n250 OK")
    with pytest.raises(NoTor, match="password"):
        await used(script)
    assert script.heard == ["PROTOCOLINFO 1"]


async def test_no_password_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    await used(opened())
    for owner in (None, 54321):
        monkeypatch.setattr(module, "listener_owner", lambda _place, owner=owner: owner)
        script = opened()
        with pytest.raises(NoTor, match="anybody"):
            await used(script)
        assert script.heard == ["PROTOCOLINFO 1"]


@pytest.mark.parametrize(
    ("command", "answer", "why"),
    [
        ("PROTOCOLINFO", "HTTP/1.0 400 Bad Request", "does not talk like tor"),
        ("PROTOCOLINFO", OK, "no AUTH"),
        ("PROTOCOLINFO", None, "closed"),
        ("AUTHENTICATE", "515 no", "no"),
        ("GETINFO status/bootstrap-phase", OK, "no status"),
        (
            "GETINFO status/bootstrap-phase",
            "250-status/bootstrap-phase=X PROGRESS=1000\r\n250 OK",
            "does not tell how far",
        ),
        (
            "GETINFO status/bootstrap-phase",
            "250-status/bootstrap-phase=NOTICE BOOTSTRAP PROGRESS=99 TAG=x\r\n250 OK",
            "not connected",
        ),
        ("GETINFO net", "250-net/listeners/socks=\r\n250 OK", "no SOCKS port"),
        (
            "GETINFO net",
            '250-net/listeners/socks="unix:/run/x" "203.0.113.5:9" "127.0.0.1:0"\r\n250 OK',
            "no SOCKS port",
        ),
    ],
)
async def test_one_that_cannot_be_used(command: str, answer: Answer | None, why: str) -> None:
    script = opened()
    script.answers[command] = answer if answer is not None else lambda _line: None
    if command == "GETINFO net":
        del script.answers["GETINFO net/listeners/socks"]
    with pytest.raises(NoTor, match=why) as caught:
        await used(script)
    assert CONTROL in str(caught.value.hint)
    assert caught.value.code == NO_CONNECTION
    await script.closed.wait()


async def test_one_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOR_GREETING_S", 0.05)
    script = opened(PROTOCOLINFO="")
    with pytest.raises(NoTor, match="does not answer"):
        await used(script)
    await script.closed.wait()


@pytest.mark.parametrize("address", ["0.0.0.0:9", "[::]:9", "127.0.0.1:9"])
async def test_where_the_socks_port_listens(address: str) -> None:
    script = opened()
    script.answers["GETINFO net/listeners/socks"] = (
        f'250-net/listeners/socks="unix:\\"/run/x\\"" "{address}"\r\n250 OK'
    )
    async with listening(script) as control_port, running({CONTROL: str(control_port)}) as control:
        assert control is not None
        found = await module.socks_port(control)
    assert str(found) == ("[::1]:9" if "[" in address else "127.0.0.1:9")


async def test_without_a_wish_the_first_that_lets_us_in(monkeypatch: pytest.MonkeyPatch) -> None:
    closed, good = opened(PROTOCOLINFO="250-AUTH METHODS=\r\n250 OK"), opened()
    async with listening(closed) as one, listening(good) as other:
        nobody = Path("/nonexistent/control")
        monkeypatch.setattr(module, "PLACES", (nobody, one, other))
        async with running({}) as control:
            assert control is not None
        monkeypatch.setattr(module, "PLACES", (nobody, one))
        async with running({}) as control:
            assert control is None
    assert "GETINFO status/bootstrap-phase" in good.heard


async def test_a_socket_in_the_file_system(tmp_path: Path) -> None:
    path = tmp_path / "control"
    script = opened()
    with trio.socket.socket(trio.socket.AF_UNIX) as server:
        await server.bind(str(path))
        server.listen()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, script.serve, [trio.SocketListener(server)])
            async with running({CONTROL: str(path)}) as control:
                assert control is not None
            nursery.cancel_scope.cancel()


async def test_an_error_of_the_block_is_its_own() -> None:
    async with listening(opened()) as address:
        with pytest.raises(ZeroDivisionError):
            async with running({CONTROL: str(address)}):
                raise ZeroDivisionError


@pytest.mark.parametrize("text", ["nonsense", "127.0.0.1", "203.0.113.5:9051", "host.example:9051"])
def test_wishes_that_cannot_be(text: str) -> None:
    with pytest.raises(NoTor, match="cannot be used") as caught:
        places({CONTROL: text})
    assert CONTROL in str(caught.value.hint)


def test_wishes() -> None:
    assert places({}) == PLACES
    assert places({CONTROL: ""}) == PLACES
    assert places({TORRC: "/some/file"}) == ()
    assert places({CONTROL: "/run/x", TORRC: "/some/file"}) == (Path("/run/x"),)
