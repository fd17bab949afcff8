"""A player whose words and names are meant to deceive. Attack 30.

The words are signed and well formed, so a table takes them; what a person sees is what counts.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from p2pfruit import limits
from p2pfruit.home.store import Known, Meeting
from p2pfruit.text.safe import width
from p2pfruit.ui.observer import TableObserver
from protocol import limits as table_limits
from protocol.link.messages import Noted
from protocol.link.notes import AT, CHAT, Note
from protocol.peer.peer import CHATTING
from protocol.table.events import Chatted, Listens
from tests.p2pfruit.seat.halls import Player, hall
from tests.protocol.peer.peers import Company


class Said:
    """Keeps the words that a view is given to show."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def began(self, lines: Sequence[str]) -> None:
        self.lines += lines

    def happened(self, _events: object, lines: Sequence[str]) -> None:
        self.lines += lines


def observer(key: bytes, known: Known = Known.KNOWN) -> tuple[TableObserver, list[str]]:
    said: Any = Said()
    table = TableObserver(key, lambda _player: Meeting(known=known))
    table.view = said
    return table, said.lines


HOSTILE = (
    "\x1b[2J\x1b]0;mine\x07",
    "\x9b1A\x9b2K",
    "gg\nthe table has stopped",
    "\u202eevil\u2066",
    "z" + "\u0335" * 400,
    "\u200b" * 500,
    "\U000e0041" * 500,
    "x" * 500,
    "{name} %s \\N",
)


class Reader:
    """Somebody who reads what a player at this table hears."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._screen, self.said = observer(player.identity.key)
        self.talk = self._screen.talk
        runner: Any = SimpleNamespace(peer=player.table)
        self._screen.began(runner)
        self._read = len(player.ear.events)

    def read(self) -> list[str]:
        """What has come since."""
        self.said.clear()
        heard = self._player.ear.events[self._read :]
        self._read += len(heard)
        self._screen.happened([event for event in heard if isinstance(event, Chatted)])
        return list(self.said)


class Tongue:
    """Says anything in the name of a rogue, past the limits of its own program."""

    def __init__(self, rogue: Player) -> None:
        self._rogue = rogue
        self._number = 1 << 50

    async def say(self, victim: Player, kind: str, body: Any) -> None:
        table = self._rogue.table.table.feeds.table
        note = Note.sign(self._rogue.identity, table, self._number, kind, body)
        self._number += 1
        await self._rogue.say(victim, [Noted(note.data)])

    async def chat(self, victim: Player, *texts: str) -> None:
        """Returns when all that will ever be heard of it has been heard."""
        for text in texts:
            await self.say(victim, CHAT, text)
        mark = f"203.0.113.1:{self._number % 60_000}"
        await self.say(victim, AT, (mark,))
        await victim.ear.until(
            lambda: mark in [a for e in victim.ear.of(Listens) for a in e.addresses]
        )


@pytest.mark.parametrize("text", HOSTILE)
async def test_30_words_are_shown_and_never_obeyed(text: str) -> None:
    async with hall(2) as at:
        host, rogue = at.players
        reader = Reader(host)
        await Tongue(rogue).chat(host, text)
        [line] = reader.read()
        assert line.startswith(f"<{reader.talk.names[rogue.table.me or 0]}> ")
        assert line.isprintable()
        assert width(line) <= limits.CHAT_WIDTH_MOST + limits.NAME_WIDTH_MOST + len("<> ")


async def test_30_a_flood_of_words_is_a_few_lines() -> None:
    async with hall(2) as at:
        host, rogue = at.players
        reader = Reader(host)
        await Tongue(rogue).chat(host, *(f"buy {number}!" for number in range(30)))
        assert len(host.ear.of(Chatted)) <= table_limits.NOTES_AT_ONCE_MOST + 5
        assert len(reader.read()) == limits.CHAT_AT_ONCE_MOST
        assert reader.talk.unshown(rogue.table.me or 0) > 0


async def test_30_one_word_without_end_is_one_line() -> None:
    async with hall(2) as at:
        host, rogue = at.players
        reader = Reader(host)
        await Tongue(rogue).chat(host, *["buy!"] * 8)
        assert len(reader.read()) == 1
        assert reader.talk.spoken[-1].times == 8


async def test_30_whoever_is_muted_says_nothing_here() -> None:
    async with hall(3) as at:
        host, friend, rogue = at.players
        reader, other = Reader(host), Reader(friend)
        reader.talk.mute(rogue.table.me or 0)
        tongue = Tongue(rogue)
        for victim in (host, friend):
            await tongue.chat(victim, "buy!")
        assert reader.read() == []
        assert len(other.read()) >= 1
        assert reader.talk.unshown(rogue.table.me or 0) >= 1


async def test_30_at_a_silent_table_nobody_is_heard() -> None:
    """Not even somebody whose own program lets them talk."""
    async with hall(2, ((CHATTING, 0),)) as at:
        host, rogue = at.players
        reader = Reader(host)
        await Tongue(rogue).chat(host, "psst", "hey")
        assert host.ear.of(Chatted) == []
        assert reader.read() == []
        assert not reader.talk.allowed


@pytest.mark.parametrize(
    ("names", "seen"),
    [
        (("Anna", "Аnna"), ("Anna #0", r'"\u0410nna" #1')),
        (("Anna", "anna"), ("Anna #0", "anna #1")),
        (("Anna", "you"), ("Anna", '"you"')),
        (("Anna", "Ben, Anna: left"), ("Anna", '"Ben, Anna: left"')),
    ],
)
def test_30_at_a_table_names_are_told_apart(names: tuple[str, str], seen: tuple[str, str]) -> None:
    peer = copy(Company(2).peers[0])
    roster = peer.table.roster
    renamed = tuple(
        replace(player, name=name) for player, name in zip(roster.players, names, strict=True)
    )
    peer.table = copy(peer.table)
    peer.table.roster = replace(roster, players=renamed)
    runner: Any = SimpleNamespace(peer=peer)
    screen, said = observer(roster.players[0].key, Known.NEW)
    screen.began(runner)
    assert f": {seen[0]}, {seen[1]}" in said[0]
    assert any(line.startswith(f"{seen[1]} is new to you: ") for line in said[1:])
    screen.happened([Chatted(1, "hello")])
    assert said[-1] == f"<{seen[1]}> hello"
