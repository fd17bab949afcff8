"""A control port that follows a script, over real TCP; and programs that stand in for tor."""

import base64
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import trio

from p2pfruit.net import onions
from p2pfruit.net.addresses import Address
from p2pfruit.net.tor.connection import Control
from p2pfruit.net.tor.control import client_hash, server_hash
from p2pfruit.net.tor.progress import Progress
from p2pfruit.net.tor.tasks import background

Answer = str | Callable[[str], str | None]

HOST = onions.unpack(bytes(range(32)))
NAME = HOST.removesuffix(".onion")
SECRET = bytes(range(64))
SPELLED = base64.b64encode(SECRET).decode()

OK = "250 OK"
REFUSED = "552 no\r\n"
DONE = 'NOTICE BOOTSTRAP PROGRESS=100 TAG=done SUMMARY="Done"'

# What a tor answers that lets everybody in and is connected.
OPEN: dict[str, Answer] = {
    "PROTOCOLINFO": "250-PROTOCOLINFO 1\r\n250-AUTH METHODS=NULL\r\n250 OK",
    "AUTHENTICATE": OK,
    "GETINFO status/bootstrap-phase": f"250-status/bootstrap-phase={DONE}\r\n250 OK",
    "GETINFO net/listeners/socks": '250-net/listeners/socks="127.0.0.1:9"\r\n250 OK',
    "SETEVENTS": OK,
    "ADD_ONION": f"250-ServiceID={NAME}\r\n250-PrivateKey=ED25519-V3:{SPELLED}\r\n250 OK",
    "DEL_ONION": OK,
}


class Script:
    """Answers commands by their beginning, the longest that fits. `heard` is what was asked."""

    def __init__(self, **answers: Answer) -> None:
        self.answers = {name.replace("__", " "): answer for name, answer in answers.items()}
        self.heard: list[str] = []
        self.closed = trio.Event()
        self._streams: list[trio.SocketStream] = []

    def answer(self, line: str) -> str | None:
        fitting = [name for name in self.answers if line.startswith(name)]
        answer = self.answers[max(fitting, key=len)]
        return answer if isinstance(answer, str) else answer(line)

    async def serve(self, stream: trio.SocketStream) -> None:
        buffer = b""
        self._streams.append(stream)
        try:
            async with stream:
                async for data in stream:
                    *lines, buffer = (buffer + data).split(b"\r\n")
                    for line in lines:
                        self.heard.append(line.decode())
                        answer = self.answer(line.decode())
                        if answer is None:
                            return
                        if answer:
                            await stream.send_all(answer.encode("latin-1") + b"\r\n")
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        finally:
            self.closed.set()

    async def hang_up(self) -> None:
        """End all connections."""
        for stream in self._streams:
            await stream.aclose()


def opened(**answers: Answer) -> Script:
    """A script of a tor that lets everybody in, but for what is said otherwise."""
    script = Script(**answers)
    script.answers = {**OPEN, **script.answers}
    return script


def with_cookie(path: Path, cookie: bytes | None = None, **answers: Answer) -> Script:
    """A tor that wants to see a cookie. It believes in the one in the file, or in another."""
    nonce = b"\7" * 32
    ours = b""

    def know() -> bytes:
        return path.read_bytes() if cookie is None else cookie

    def challenge(line: str) -> str:
        nonlocal ours
        ours = bytes.fromhex(line.split()[2])
        proof = server_hash(know(), ours, nonce).hex().upper()
        return f"250 AUTHCHALLENGE SERVERHASH={proof} SERVERNONCE={nonce.hex().upper()}"

    def authenticate(line: str) -> str | None:
        shown = bytes.fromhex(line.split()[1])
        return OK if shown == client_hash(know(), ours, nonce) else "515 Authentication failed"

    methods = "METHODS=COOKIE,SAFECOOKIE,HASHEDPASSWORD"
    info = f'250-PROTOCOLINFO 1\r\n250-AUTH {methods} COOKIEFILE="{path}"\r\n250 OK'
    return opened(
        **{
            "PROTOCOLINFO": info,
            "AUTHCHALLENGE": challenge,
            "AUTHENTICATE": authenticate,
            **answers,
        }
    )


@asynccontextmanager
async def listening(script: Script) -> AsyncIterator[Address]:
    async with background() as nursery:
        serve = partial(trio.serve_tcp, script.serve, 0, host="127.0.0.1")
        (listener,) = await nursery.start(serve)
        yield Address(*listener.socket.getsockname()[:2])


@asynccontextmanager
async def connected(script: Script) -> AsyncIterator[Control]:
    """A control connection to a script, without authentication."""
    async with listening(script) as address, background() as nursery:
        control = Control(await trio.open_tcp_stream(*address))
        nursery.start_soon(control.run)
        yield control


def unheard(_progress: Progress) -> None:
    """For those who do not want to know."""


def install(folder: Path, script: str, python: bool = False) -> dict[str, str]:
    """Write a program that stands in for tor; return an environment in which it is found."""
    first = f"#!{sys.executable} -S\n" if python else "#!/bin/sh\n"
    path = folder / "tor"
    path.write_text(first + script)
    path.chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin"}


# How a stand-in begins that speaks the control protocol: `line` waits for a command.
SPEAKS = """
import os, socket, sys
control = socket.socket(fileno=int(sys.argv[sys.argv.index("--__OwningControllerFD") + 1]))
lines = control.makefile("rb")
line = lines.readline
def say(text):
    control.sendall(text.encode() + b"\\r\\n")
"""
