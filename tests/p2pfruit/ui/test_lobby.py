"""The lobby in words: what is told of it, and what can be typed there."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest

from engine import registry
from p2pfruit import limits
from p2pfruit.games import contracts
from p2pfruit.home.store import Known, Meeting
from p2pfruit.seat.lobby import Gathering
from p2pfruit.seat.offers import changed_offer
from p2pfruit.text.safe import shown_names
from p2pfruit.ui.commands import TableCommands
from p2pfruit.ui.forms import Filling
from p2pfruit.ui.lobby import LobbyRoom
from p2pfruit.ui.observer import TableObserver, TableView
from protocol.link.messages import Present
from protocol.peer.offer import Offer
from tests.p2pfruit.seat.halls import Hall, hall
from tests.p2pfruit.ui.gatherings import OFFER, gathering, key_of
from tests.p2pfruit.ui.test_fronts import front
from tests.protocol.conftest import games_of_tests

__all__ = ["games_of_tests"]

FRUITOPLAY = Offer.of(registry.build("fruitoplay"), 4, (("turn_s", 60),))
ALL = replace(
    Offer.of(registry.build("fruitoplay", {"ties": "all"}), 4, (("turn_s", 60),)), number=1
)


def room(me: str = "Bo") -> LobbyRoom:
    return LobbyRoom(key_of(me), shown_names)


def asking(offer: Offer, agreed: Offer, *names: str) -> Gathering:
    return replace(gathering(offer, *names), agreed=agreed, asked=True)


def test_terms_and_people_are_told_once() -> None:
    shown = room()
    first = shown.gathered(gathering(FRUITOPLAY, "Ada", "Bo"))
    assert first[0] == "game: fruitoplay for 4 players"
    assert first[-1] == "2 of 4 players are here: Ada, Bo"
    assert shown.gathered(gathering(FRUITOPLAY, "Ada", "Bo")) == []
    assert shown.gathered(gathering(FRUITOPLAY, "Ada")) == ["1 of 4 players are here: Ada"]


def test_a_guest_is_told_what_has_changed_since_it_agreed() -> None:
    shown = room()
    shown.gathered(gathering(FRUITOPLAY, "Ada", "Bo"))
    assert shown.news() == []
    told = shown.gathered(asking(ALL, FRUITOPLAY, "Ada", "Bo"))
    assert told == ["Ada has changed what is played:", "ties: among contenders -> among all cards"]
    five = replace(ALL, seats=5, limits=(("chat", 0), ("odd", 3), ("turn_s", 90)), number=2)
    told = shown.gathered(asking(five, FRUITOPLAY, "Ada", "Bo"))
    assert told[1:-1] == [
        "ties: among contenders -> among all cards",
        "chat: yes -> no",
        "odd: - -> 3",
        "seconds for each choice: 60 -> 90",
        "players: 4 -> 5",
    ]
    back = replace(gathering(replace(FRUITOPLAY, number=3), "Ada", "Bo"), agreed=FRUITOPLAY)
    assert "chat: no -> yes" in shown.gathered(back)


def test_another_game_and_other_cards() -> None:
    shown = room()
    shown.gathered(gathering(FRUITOPLAY, "Ada", "Bo"))
    bastos = Offer.of(registry.build("bastos"), 4, (("turn_s", 60),))
    told = shown.gathered(asking(bastos, FRUITOPLAY, "Ada", "Bo"))
    assert told[1] == "game: fruitoplay -> bastos"
    assert told[-1] == "cards: as shipped"
    own = replace(FRUITOPLAY, content="no cards", rules_id="0" * 64)
    told = shown.gathered(asking(own, FRUITOPLAY, "Ada", "Bo"))
    assert told[1].startswith("cards: own cards, not the ones shipped")


def test_who_starts_with_whom() -> None:
    shown = room()
    shown.gathered(gathering(FRUITOPLAY, "Ada", "Bo", "Cy"))
    told = shown.gathered(asking(replace(FRUITOPLAY, seats=3), FRUITOPLAY, "Ada", "Bo", "Cy"))
    assert told[0] == "Ada starts with 3 players"
    assert LobbyRoom(b"", shown_names).host == "the host"


def test_who_has_not_agreed_and_from_where_they_call() -> None:
    shown = room("Ada")
    people = (
        Present(key_of("Ada"), "Ada"),
        Present(key_of("Bo"), "Bo", agreed=False),
        Present(key_of("bot Cy"), "bot Cy", bot=True),
        Present(key_of("Di"), "Di", bot=True),
        Present(key_of("Ed"), "Ed"),
    )
    places = {
        key_of("Bo"): "192.168.77.7:5",
        key_of("bot Cy"): "127.0.0.1:5",
        key_of("Ed"): "2a0f::7",
        key_of("Di"): "[2a0f::7]:5",
    }
    told = shown.gathered(Gathering(offer=OFFER, people=people, places=places, hosting=True))
    assert told[-1] == "not agreed yet: Bo"
    assert [here.words for here in shown.people] == [
        "you",
        "this network 192.168.77.7, has not agreed yet",
        "this computer",
        "internet, bot",
        "",
    ]


def test_what_is_said_is_marked_and_can_be_muted() -> None:
    shown = room()
    shown.gathered(gathering(FRUITOPLAY, "Ada", "Bo", "Cy"))
    [line] = shown.overheard(key_of("Ada"), "hello \x1b[2J")
    assert line.startswith("(lobby) <Ada> hello ")
    assert "\x1b" not in line
    [line] = shown.overheard(key_of("Cy"), "hi")
    assert line == "(lobby) <Cy> hi"
    assert shown.overheard(key_of("nobody"), "hi") == []
    shown.talk.mute_typed("Cy")
    assert shown.overheard(key_of("Cy"), "psst") == []
    assert shown.muted == {key_of("Cy")}
    shown.gathered(gathering(FRUITOPLAY, "Ada", "Bo"))
    assert shown.muted == {key_of("Cy")}


def test_only_so_many_players_are_remembered() -> None:
    shown = room()
    for number in range(limits.LOBBY_KNOWN_MOST + 9):
        shown.gathered(gathering(FRUITOPLAY, "Ada", f"guest {number}"))
    assert len(shown.talk.names) == limits.LOBBY_KNOWN_MOST


# What can be typed.


class Quiet:
    """Shows nothing of a lobby."""

    def gathered(self, lobby: Gathering, lines: Sequence[str]) -> None: ...

    def spoke(self, line: str) -> None: ...


class Levels:
    """Bots that do not come."""

    def __init__(self) -> None:
        self.added: list[str] = []
        self.removed: list[bytes] = []

    def add(self, level: str) -> None:
        self.added.append(level)

    def remove(self, key: bytes) -> None:
        self.removed.append(key)

    def again(self) -> None: ...


class Desk:
    """The commands of the host of a hall, or of a guest."""

    def __init__(self, at: Hall, number: int = 0) -> None:
        player = at.players[number]
        self.table = TableObserver(player.node.key, lambda _one: Meeting(known=Known.KNOWN))
        self.table.view = cast(TableView, Quiet())
        self.table.attached(player.node)
        self.bots = player.node.bots = Levels()
        self.commands = TableCommands(self.table)
        self.words = self.commands.lobby.words()
        self._player = player

    def look(self) -> None:
        self.table.gathered(self._player.ear.lobbies[-1])

    def type(self, line: str) -> list[str]:
        self.look()
        word, _space, rest = line.partition(" ")
        return self.words[word](rest)


async def test_the_words_of_a_host() -> None:
    async with hall(4, met=False) as at:
        desk = Desk(at)
        [refusal] = desk.type("start")
        assert refusal.startswith("punnet is for 2 to")
        at.join(at.players[1])
        await at.host.ear.until(lambda: len(at.host.ear.people[-1]) == 2)
        assert desk.type("options")[-1] == "  ties: [contending], all"
        assert desk.type("options ties") == ["write options NAME=VALUE, as in options seats=3"]
        assert desk.type("options ties=contending") == ["nothing has changed"]
        assert desk.type("options seats=1")[0].startswith("punnet is for 2 to")
        assert desk.type("options ties=none")[0].startswith("that cannot be played")
        assert desk.type("options ties=all") == []
        assert desk.type("agree") == ["there is nothing to agree to now"]
        assert desk.type("bot wizard") == ["the levels of bots are: easy, normal, hard"]
        assert desk.type("bot") == desk.type("bot Hard") == []
        assert desk.bots.added == ["greedy", "expert"]
        assert desk.type("free nobody")[0].startswith("who is meant?")
        assert desk.type("start") == []
        assert desk.type("start")[0].startswith("all seats are taken")
        assert desk.type("bot")[0].startswith("all seats are taken")
        assert desk.commands.chat("welcome") == []
        assert desk.commands.chat("x" * 501) == ["say 1 to 500 letters at once"]
        assert desk.commands.who()[1].startswith("player 1: this computer")
        assert len(desk.commands.lobby.help()) == 4
        assert desk.type("free player") == ["the seat of player 1 is free"]
        assert len(at.host.ear.people[-1]) == 1
        assert desk.type("free player") == ["player is not here any more"]


async def test_the_words_of_a_guest() -> None:
    async with hall(4, met=False) as at:
        guest = at.players[1]
        desk = Desk(at, 1)
        assert desk.commands.chat("hello") == ["the host has not answered yet"]
        at.join(guest)
        await guest.ear.until(lambda: bool(guest.ear.people) and len(guest.ear.people[-1]) == 2)
        for line in ("start", "bot", "free player", "options"):
            assert desk.type(line) == ["only the host can do that, before the game begins"]
        assert desk.commands.lobby.free_key(b"") == desk.commands.lobby.change({})
        assert desk.type("agree") == ["there is nothing to agree to now"]
        host = Desk(at)
        assert host.type("options seats=3") == []
        await guest.ear.until(lambda: guest.ear.lobbies[-1].asked)
        assert desk.type("agree 00") == ["the host has changed the offer again"]
        assert desk.type("agree") == ["agreed"]
        await at.host.ear.until(lambda: all(one.agreed for one in at.host.ear.people[-1]))
        assert len(desk.commands.lobby.help()) == 1


async def test_the_form_of_a_host_says_what_its_words_say() -> None:
    async with hall(4, met=False) as at:
        desk = Desk(at)
        desk.look()
        lobby = desk.commands.lobby
        answers = {field.name: field.start for field in lobby.form().fields}
        answers |= {field.name: field.start for field in lobby.form().further(answers)}
        assert lobby.change(answers) == []  # it names every limit
        desk.look()
        assert lobby.change(answers) == ["nothing has changed"]
        answers |= {"seats": 3, "punnet ties": "all", "chat": False}
        assert lobby.change(answers) == []
        offer = at.host.ear.lobbies[-1].offer
        assert (offer.seats, dict(offer.options)["ties"]) == (3, "all")
        assert not offer.chatting
        desk.look()
        assert lobby.form().further(answers)[0].start == "all"


@pytest.mark.parametrize("json", [True, False])
async def test_a_program_without_a_person_agrees_by_itself(json: bool) -> None:
    async with hall(3, met=False) as at:
        guest = at.players[1]
        at.join(guest)
        await guest.ear.until(lambda: bool(guest.ear.people) and len(guest.ear.people[-1]) == 2)
        one = front("greedy", key=guest.node.key, json=json)
        one.table.attached(guest.node)
        host = Desk(at)
        host.type("options ties=all")
        await guest.ear.until(lambda: guest.ear.lobbies[-1].asked)
        one.table.gathered(guest.ear.lobbies[-1])
        await at.host.ear.until(lambda: all(one.agreed for one in at.host.ear.people[-1]))


def test_a_series_is_told_when_it_changes() -> None:
    shown = room()
    shown.gathered(gathering(FRUITOPLAY, "Ada", "Bo"))
    series = changed_offer(FRUITOPLAY, {"series": "3", "games": "fruitoplay,pixies"})
    told = shown.gathered(asking(series, FRUITOPLAY, "Ada", "Bo"))
    assert told[1:3] == [
        "series: 3 games, playing fruitoplay, pixies, in turn",
        "points by place among its members: 1",
    ]
    slower = changed_offer(series, {"turn": "90"})
    told = shown.gathered(asking(slower, series, "Ada", "Bo"))
    assert told[1:] == ["seconds for each choice: 60 -> 90"]
    told = shown.gathered(asking(FRUITOPLAY, slower, "Ada", "Bo"))
    assert told[-1] == "this game does not belong to a series any more"


async def test_the_form_of_a_host_has_the_series() -> None:
    async with hall(3, met=False) as at:
        desk = Desk(at)
        desk.look()
        lobby = desk.commands.lobby
        filling = Filling(lobby.form())
        fields = {field.name: field for field in filling.fields}
        assert not {"games", "points"} & fields.keys()
        filling.put(fields["series"], "best of 3")
        fields = {field.name: field for field in filling.fields}
        offered = [value for value, _words in filling.offered(fields["games"])]
        assert {"", "pebbles", "bastos"} <= set(offered)
        filling.put(fields["games"], "pebbles")
        filling.put(fields["points"], "2,1")
        assert lobby.change(filling.answers) == []
        desk.look()
        offer = at.host.ear.lobbies[-1].offer
        series = "series: best of 3, playing punnet, pebbles, in turn"
        assert series in contracts.offer_lines(offer)
        assert lobby.change(Filling(lobby.form()).answers) == ["nothing has changed"]
        filling.put(fields["series"], "")
        assert lobby.change(filling.answers) == []
        assert at.host.ear.lobbies[-1].offer.series is None
