"""Commands that people and programs can type in the lobby; the keys of its page do the same.

Each command gets the rest of the line, and returns lines to show.
"""

from collections.abc import Callable
from dataclasses import replace

from p2pfruit.exits import Refusal
from p2pfruit.games import contracts
from p2pfruit.games.about import about
from p2pfruit.language import text as _
from p2pfruit.levels import GREEDY, LEVELS, WORDS, level_of
from p2pfruit.seat.lobby import Hosting, Joining
from p2pfruit.seat.offers import (
    GAME,
    GAMES,
    LIMITS,
    POINTS,
    SEATS,
    SERIES,
    changed_offer,
    options_of,
)
from p2pfruit.ui.chat import Unclear
from p2pfruit.ui.forms import Answers, Form
from p2pfruit.ui.lobby_form import chosen_of, offer_form
from p2pfruit.ui.observer import TableObserver
from protocol.errors import LocalProtocolError
from protocol.peer.offer import Offer

Command = Callable[[str], list[str]]


class LobbyCommands:
    """The commands of one player. Most of them are only for the host."""

    def __init__(self, table: TableObserver) -> None:
        self._table = table

    def words(self) -> dict[str, Command]:
        """Return the commands by their words."""
        return {
            **dict.fromkeys(("start", "commencer"), self.start),
            **dict.fromkeys(("bot", "robot"), self.bot),
            **dict.fromkeys(("remove", "free", "retirer", "liberer", "libérer"), self.free),
            "options": self.options,
            **dict.fromkeys(("agree", "accepter"), self.agree),
        }

    def help(self) -> list[str]:
        agree = [_("agree  agree to what the host has changed")]
        if not isinstance(self._lobby, Hosting):
            return agree if isinstance(self._lobby, Joining) else []
        return [
            _("start  start with those who are here"),
            _("bot [LEVEL]  add a bot to a free seat"),
            _("remove NAME, free NAME  remove a bot, free the seat of a player"),
            _("options  what can be changed; options NAME=VALUE changes it"),
        ]

    @property
    def _lobby(self) -> Hosting | Joining | None:
        return None if self._table.node is None else self._table.node.lobby

    def who(self) -> list[str]:
        """Return who is here, from where, and who has agreed."""
        people = self._table.room.people
        if not people:
            return [_("the host has not answered yet")]
        return [f"{here.name}: {here.words}" if here.words else here.name for here in people]

    def say(self, text: str) -> list[str]:
        lobby = self._lobby
        if lobby is None:
            return [_("the host has not answered yet")]
        try:
            lobby.say(text)
        except LocalProtocolError as error:
            return [error.why]
        talk = self._table.room.talk
        talk.mine(text)
        self._table.view.spoke(talk.lines[-1])
        return []

    def agree(self, rest: str = "") -> list[str]:
        """Agree to the changed offer. `rest`: the beginning of its id, if it must be this one."""
        lobby, gathering = self._lobby, self._table.room.lobby
        if not isinstance(lobby, Joining) or gathering is None or not gathering.asked:
            return [_("there is nothing to agree to now")]
        if not gathering.offer.id.hex().startswith(rest.lower()):
            return [_("the host has changed the offer again")]
        lobby.agree(gathering.offer)
        return [_("agreed")]

    def start(self, _rest: str = "") -> list[str]:
        """Lower the seats to those who are here."""
        hosting, offer = self._hosting()
        if hosting is None or offer is None:
            return [_only_host()]
        here = len(self._table.room.people)
        if here == offer.seats:
            return [_("all seats are taken: the game begins when everyone has agreed")]
        return self._change(hosting, offer, {"seats": str(here)})

    def bot(self, rest: str = "") -> list[str]:
        """Add a bot."""
        hosting, offer = self._hosting()
        node = self._table.node
        if hosting is None or offer is None or node is None or node.bots is None:
            return [_only_host()]
        level = level_of(rest.lower()) or GREEDY
        if level not in LEVELS:
            return [_("the levels of bots are: {levels}").format(levels=", ".join(WORDS))]
        if len(self._table.room.people) >= offer.seats:
            return [_("all seats are taken; options seats=N makes room for more players")]
        node.bots.add(level)
        return []

    def free(self, rest: str = "") -> list[str]:
        """Remove a bot, or free the seat of a player."""
        if self._hosting()[0] is None:
            return [_only_host()]
        try:
            return self.free_key(self._table.room.find(rest).key)
        except Unclear as unclear:
            return [str(unclear)]

    def free_key(self, key: bytes) -> list[str]:
        """Do the same for the player with this key."""
        hosting, _offer = self._hosting()
        node = self._table.node
        if hosting is None or node is None:
            return [_only_host()]
        names = [here.name for here in self._table.room.people if here.key == key]
        if node.bots is not None:
            node.bots.remove(key)
        hosting.send_away(key)
        return [_("the seat of {name} is free").format(name=name) for name in names]

    def options(self, rest: str = "") -> list[str]:
        """List what can be changed, or change it."""
        hosting, offer = self._hosting()
        if hosting is None or offer is None:
            return [_only_host()]
        pairs = [word.partition("=") for word in rest.split()]
        if not pairs:
            return option_lines(offer)
        if not all(name and value for name, _sign, value in pairs):
            return [_("write options NAME=VALUE, as in options seats=3")]
        return self._change(hosting, offer, {name: value for name, _sign, value in pairs})

    def form(self) -> Form:
        """Return the form with which the host changes what is played."""
        lobby = self._table.room.lobby
        assert lobby is not None
        return offer_form(lobby.offer, len(lobby.people))

    def change(self, answers: Answers) -> list[str]:
        """Change what is offered to what was answered in the form."""
        hosting, offer = self._hosting()
        if hosting is None or offer is None:
            return [_only_host()]
        return self._change(hosting, offer, chosen_of(answers))

    def _change(self, hosting: Hosting, offer: Offer, chosen: dict[str, str]) -> list[str]:
        try:
            changed = changed_offer(offer, chosen)
            if changed.same_conditions(offer):
                return [_("nothing has changed")]
            hosting.change(replace(changed, number=offer.number))
        except Refusal as refusal:
            return [str(refusal), *([refusal.hint] if refusal.hint else [])]
        except LocalProtocolError as error:
            return [error.why]
        return []

    def _hosting(self) -> tuple[Hosting | None, Offer | None]:
        lobby, gathering = self._lobby, self._table.room.lobby
        if not isinstance(lobby, Hosting) or gathering is None:
            return None, None
        return lobby, gathering.offer


def _only_host() -> str:
    return _("only the host can do that, before the game begins")


def option_lines(offer: Offer) -> list[str]:
    """List what can be changed about an offer, with the values."""
    words, chosen = about(offer.game), dict(offer.options)
    told = [_("now: {line}").format(line=line) for line in contracts.offer_lines(offer)]
    told.append(_("options NAME=VALUE changes one of these:"))
    told.append("  " + ", ".join((GAME, SEATS, SERIES, GAMES, POINTS, *LIMITS)))
    for option in options_of(offer):
        values = ", ".join(
            f"[{value}]" if value == chosen[option.name] else value for value in option.values
        )
        called = words.called(option.name)
        note = "" if called == option.name else f" ({called})"
        told.append(f"  {option.name}{note}: {values}")
    return told
