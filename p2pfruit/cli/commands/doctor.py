"""p2pfruit doctor: checks the network, the home and the terminal, and says how to fix problems.

It sends nothing unless --proxy, --router or --probe asks for it, and leaves no files. --proxy asks
the proxy, --router the router, and --probe a friend's program, which calls this computer.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from p2pfruit.cli.parser import Example
from p2pfruit.exits import FAILED, FINE, USAGE, Refusal
from p2pfruit.language import text as _
from p2pfruit.limits import TABLE_PORT
from p2pfruit.net import limits
from p2pfruit.net.findings import Finding, Level
from p2pfruit.text.safe import shown, shown_path
from protocol.limits import PROBE_PORT_LEAST

if TYPE_CHECKING:
    from p2pfruit.home.folder import Home
    from p2pfruit.net.invitations import Invitation
    from p2pfruit.net.probing import Outcome
    from p2pfruit.net.router.answers import Answer

# The first with strict tables.
SQLITE_LEAST = (3, 37, 0)


def examples() -> list[Example]:
    return [
        ("p2pfruit doctor", _("check this computer")),
        ("p2pfruit doctor --router", _("also ask the router for a port, and give it back")),
        (
            "p2pfruit doctor --router --probe FRUIT-…",
            _("also have a friend's program, which waits or plays at this table, call back"),
        ),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=int, default=0, metavar=_("N"), help=_("the port to host on (default: any)")
    )
    parser.add_argument("--proxy", metavar=_("URL"), help=_("also check this SOCKS5 proxy"))
    parser.add_argument(
        "--router",
        "--upnp",
        action="store_true",
        help=_("also ask the router for the port (PCP, NAT-PMP, UPnP), and give it back"),
    )
    parser.add_argument(
        "--probe",
        metavar=_("INVITATION"),
        help=_(
            "also ask the program of a friend to call this computer: an invitation to its table,"
            " @FILE or -"
        ),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object per line"))


def run(arguments: argparse.Namespace) -> int:
    import sqlite3

    import trio

    from p2pfruit.home.folder import Home

    _check(arguments)
    invitation = None if arguments.probe is None else _read_invitation(arguments.probe)
    began, began_steadily = time.time(), time.monotonic()
    asking = partial(_network, router=arguments.router, invitation=invitation)
    findings = [*trio.run(asking, arguments.port, arguments.proxy)]
    findings += home(Home.find(arguments.home, os.environ))
    findings += database(sqlite3.sqlite_version_info)
    findings += terminal(os.environ)
    findings += game_packages()
    drift_s = (time.time() - began) - (time.monotonic() - began_steadily)
    findings += clock(time.gmtime().tm_year, drift_s)
    for finding in findings:
        print(as_json(finding) if arguments.json else as_lines(finding))
    return FAILED if any(one.level is Level.PROBLEM for one in findings) else FINE


def _check(arguments: argparse.Namespace) -> None:
    if not 0 <= arguments.port < 1 << 16:
        raise Refusal(
            _("--port must be between 0 and 65535, not {port}").format(port=arguments.port),
            code=USAGE,
        )
    if arguments.probe is not None and 0 < arguments.port < PROBE_PORT_LEAST:
        message = _("--probe needs a port from {least} on, not {port}")
        raise Refusal(message.format(least=PROBE_PORT_LEAST, port=arguments.port), code=USAGE)


def _read_invitation(argument: str) -> "Invitation":
    from p2pfruit.net import pasted

    invitation, _remark = pasted.chosen(pasted.read_argument(argument), watching=False)
    return invitation


def as_lines(finding: Finding) -> str:
    words = {Level.OK: _("ok"), Level.NOTE: _("note"), Level.PROBLEM: _("problem")}
    columns = max(map(len, words.values())) + 2
    line = words[finding.level].ljust(columns) + finding.what
    if finding.hint is not None:
        line += "\n" + " " * columns + _("hint: {hint}").format(hint=finding.hint)
    return line


def as_json(finding: Finding) -> str:
    return json.dumps(
        {
            "level": finding.level.value,
            "about": finding.about,
            "what": finding.what,
            "hint": finding.hint,
            "reached": None if finding.reached is None else finding.reached.value,
            "command": finding.command,
        }
    )


async def _network(
    port: int, proxy: str | None, *, router: bool, invitation: "Invitation | None"
) -> list[Finding]:
    from p2pfruit.net import advising, reachability
    from p2pfruit.net.addresses import own_addresses

    hosts = own_addresses()
    findings = reachability.addresses(hosts)
    findings += await reachability.ports(hosts, port)
    if proxy is not None:
        findings.append(await reachability.proxy(proxy))
    asked = await _ask(port, router=router, invitation=invitation)
    situation = advising.Situation(
        hosts=hosts,
        router=asked.router,
        outcomes=asked.outcomes,
        tor=await reachability.tor(os.environ),
    )
    return findings + asked.findings + advising.advice(situation)


class _Asked(NamedTuple):
    findings: list[Finding]
    router: "Answer | None" = None
    outcomes: "Sequence[Outcome] | None" = None


async def _ask(port: int, *, router: bool, invitation: "Invitation | None") -> _Asked:
    """Ask the router and a friend, as far as the player wants that."""
    from p2pfruit.net import probing, reachability

    if not router and invitation is None:
        return _Asked([])
    async with AsyncExitStack() as stack:
        try:
            ear = await stack.enter_async_context(probing.listening(port or TABLE_PORT))
        except OSError as error:
            if port:
                what = _("cannot listen on port {port}: {why}")
                what = what.format(port=port, why=error.strerror or error)
                return _Asked([Finding(Level.PROBLEM, "port", what, _("use another port"))])
            ear = await stack.enter_async_context(probing.listening(0))  # a table has it
        answer, findings = None, []
        if router:
            from p2pfruit.net.router.asking import asked

            answer = await stack.enter_async_context(asked(ear.port, lambda _answer: None))
            findings = reachability.router(answer)
        if invitation is None:
            return _Asked(findings, answer)
        from p2pfruit.net.addresses import readable

        hosts = readable(invitation.addresses)
        probed = await reachability.probe(invitation.access, hosts, ear)
        return _Asked(findings + probed.findings, answer, probed.outcomes)


def game_packages() -> list[Finding]:
    """Report the games of installed packages; a machine without any hears nothing."""
    from engine import registry
    from p2pfruit.games import parts

    brought = [parts.titled(name) for name in registry.names() if registry.origin(name)]
    findings = [Finding(Level.PROBLEM, "games", *parts.fault_words(f)) for f in registry.faults()]
    if brought:
        what = _("games of installed packages: {games}").format(games=", ".join(brought))
        findings.insert(0, Finding(Level.OK, "games", what))
    return findings


def home(folder: "Home") -> list[Finding]:
    path = shown_path(str(folder.path))
    hint = _("use --home FOLDER with a folder that you can write to")
    try:
        there = _existing(folder.path)
        with tempfile.TemporaryFile(dir=there):
            free = shutil.disk_usage(there).free
    except OSError as error:
        what = _("cannot write to {path}: {why}").format(path=path, why=error.strerror)
        return [Finding(Level.PROBLEM, "home", what, hint)]
    megabytes = free >> 20
    what = _("{path} is writable; {megabytes} MB are free").format(path=path, megabytes=megabytes)
    if free < limits.FREE_SPACE_LEAST:
        hint = _("free some space: a move that cannot be saved is not played")
        return [Finding(Level.PROBLEM, "home", what, hint)]
    return [Finding(Level.OK, "home", what)]


def _existing(path: Path) -> Path:
    """Return the folder, or its nearest parent that exists."""
    return next(folder for folder in (path, *path.parents) if folder.exists())


def database(version: tuple[int, ...]) -> list[Finding]:
    what = _("SQLite is version {version}").format(version=".".join(map(str, version)))
    if version < SQLITE_LEAST:
        least = ".".join(map(str, SQLITE_LEAST))
        hint = _("p2pfruit needs SQLite {least} or newer: install a newer Python")
        return [Finding(Level.PROBLEM, "database", what, hint.format(least=least))]
    return [Finding(Level.OK, "database", what)]


def terminal(environ: Mapping[str, str]) -> list[Finding]:
    kind = environ.get("TERM", "")
    if not (_is_terminal(sys.stdin) and _is_terminal(sys.stdout)) or kind in ("", "dumb"):
        what = _("this terminal cannot show the full screen")
        return [Finding(Level.NOTE, "terminal", what, _("games are played line by line here"))]
    columns, lines = shutil.get_terminal_size()
    colours = _("no colours") if environ.get("NO_COLOR") else _("colours")
    what = _("terminal {kind}: {columns} columns, {lines} lines, {encoding}, {colours}").format(
        kind=shown(kind),
        columns=columns,
        lines=lines,
        encoding=sys.stdout.encoding,
        colours=colours,
    )
    small = columns < limits.TERMINAL_COLUMNS_LEAST or lines < limits.TERMINAL_LINES_LEAST
    if small:
        return [Finding(Level.NOTE, "terminal", what, _("make the window larger"))]
    if sys.stdout.encoding.lower().replace("-", "") != "utf8":
        hint = _("missing characters are shown as ?; a UTF-8 locale has them all")
        return [Finding(Level.NOTE, "terminal", what, hint)]
    return [Finding(Level.OK, "terminal", what)]


def _is_terminal(stream: object) -> bool:
    isatty = getattr(stream, "isatty", None)
    return isatty is not None and bool(isatty())


def clock(year: int, drift_s: float) -> list[Finding]:
    """Check the clock. No rule depends on it, but it dates the games."""
    hint = _("set the clock of this computer")
    if not limits.YEAR_LEAST <= year <= limits.YEAR_MOST:
        what = _("the clock says the year is {year}").format(year=year)
        return [Finding(Level.PROBLEM, "clock", what, hint)]
    if abs(drift_s) > limits.CLOCK_DRIFT_MOST_S:
        return [Finding(Level.NOTE, "clock", _("the clock jumped during this check"), hint)]
    return [Finding(Level.OK, "clock", _("the clock looks right"))]
