"""The lobby as a player sees it: what is offered, who is here, and what is said.

What is said in a lobby is passed on by the host and not signed. So it is marked, and never stands
among the lines of the table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from p2pfruit import limits
from p2pfruit.games import contracts, terms
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.net.addresses import Reach
from p2pfruit.net.reachability import whence, whence_words
from p2pfruit.seat.lobby import Gathering
from p2pfruit.text.names import is_bot
from p2pfruit.text.safe import shortened
from p2pfruit.ui.chat import Talk, Unclear
from protocol.peer.offer import Offer


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """A player in the lobby, in words that can be shown. `place` is None where it is not known."""

    key: bytes
    name: str
    agreed: bool
    bot: bool
    mine: bool
    place: Reach | None
    whence: str

    @property
    def words(self) -> str:
        """Return what is known about the player beside the name."""
        known = [_("you")] if self.mine else [self.whence] if self.whence else []
        known += [_("bot")] if self.bot and not is_bot(self.name) else []
        known += [] if self.agreed else [_("has not agreed yet")]
        return ", ".join(known)


class LobbyRoom:
    """What one player knows of a lobby. `key`: of the player; `show_names` makes names fit to
    print."""

    def __init__(
        self, key: bytes, show_names: Callable[[Sequence[str]], list[str]], *, chat: bool = True
    ) -> None:
        self.lobby: Gathering | None = None
        self.talk = Talk(wanted=chat, mark=_("(lobby)") + " ")
        self._key = key
        self._show_names = show_names
        self._keys: list[bytes] = []  # of the players of `talk`
        self._told = ""

    # What is known.

    @property
    def people(self) -> list[Here]:
        lobby = self.lobby
        if lobby is None:
            return []
        names = self._show_names([one.name for one in lobby.people])
        return [
            Here(
                key=one.key,
                name=name,
                agreed=one.agreed,
                bot=one.bot,
                mine=one.key == self._key,
                place=whence(lobby.places.get(one.key, "")),
                whence=whence_words(lobby.places.get(one.key, "")),
            )
            for one, name in zip(lobby.people, names, strict=True)
        ]

    @property
    def host(self) -> str:
        """Return the name of the host, who is the first in the lobby."""
        return self.people[0].name if self.people else _("the host")

    def news(self) -> list[str]:
        """Return what has changed since the player agreed, if the player is asked about it."""
        lobby = self.lobby
        if lobby is None or not lobby.asked or lobby.agreed is None:
            return []
        return self._changes(lobby.agreed, lobby.offer)

    @property
    def muted(self) -> set[bytes]:
        return {self._keys[player] for player in self.talk.muted}

    # What happens.

    def gathered(self, lobby: Gathering) -> list[str]:
        """Take what the lobby is like now; return what is new, in words."""
        before, self.lobby = self.lobby, lobby
        self._meet()
        self.talk.allowed = lobby.offer.chatting
        return [*self._told_offer(before, lobby), *self._told_people(lobby)]

    def _meet(self) -> None:
        for here in self.people:
            if here.key in self._keys:
                self.talk.names = [
                    here.name if key == here.key else name
                    for key, name in zip(self._keys, self.talk.names, strict=True)
                ]
            elif len(self._keys) < limits.LOBBY_KNOWN_MOST:
                self._keys.append(here.key)
                player = self.talk.meet(here.name)
                if here.mine:
                    self.talk.me = player

    def _told_offer(self, before: Gathering | None, lobby: Gathering) -> list[str]:
        if before is None:
            return contracts.offer_lines(lobby.offer)
        if before.offer.same_conditions(lobby.offer):
            return []
        if lobby.asked:
            return self.news()
        return self._changes(before.offer, lobby.offer)

    def _changes(self, before: Offer, after: Offer) -> list[str]:
        told = [*terms.changes(before, after), *contracts.changes(before, after)]
        if not told and after.seats == len(self.people):
            count = plural("{count} player", "{count} players", after.seats)
            return [_("{name} starts with {players}").format(name=self.host, players=count)]
        if before.seats != after.seats:
            told.append(
                _("players: {before} -> {after}").format(before=before.seats, after=after.seats)
            )
        return [_("{name} has changed what is played:").format(name=self.host), *told]

    def _told_people(self, lobby: Gathering) -> list[str]:
        people = self.people
        words = _("{count} of {seats} players are here: {names}")
        names = ", ".join(here.name for here in people)
        told = [words.format(count=len(people), seats=lobby.offer.seats, names=names)]
        if waiting := ", ".join(here.name for here in people if not here.agreed):
            told.append(_("not agreed yet: {names}").format(names=waiting))
        before, self._told = self._told, "\n".join(told)
        return told if before != self._told else []

    def overheard(self, key: bytes, text: str) -> list[str]:
        """Take what a player has said, as the host says; return it in words, if it is shown."""
        if key not in self._keys:
            return []
        player = self._keys.index(key)
        said = self.talk.heard(player, text)
        return [] if said is None else [*self.talk.told_unshown(player), self.talk.told(said)]

    def find(self, typed: str) -> Here:
        """Return the other player in the lobby who is meant; raise Unclear if there is none."""
        key = self._keys[self.talk.find(typed)]
        for here in self.people:
            if here.key == key:
                return here
        raise Unclear(_("{name} is not here any more").format(name=shortened(typed)))
