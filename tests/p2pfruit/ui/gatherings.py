"""Lobbies as a view is told of them, and a player who does nothing there."""

from collections.abc import Sequence

from engine import registry
from p2pfruit.seat.lobby import Gathering
from p2pfruit.ui.forms import Answers, Form
from p2pfruit.ui.lobby import Here
from p2pfruit.ui.lobby_form import offer_form
from protocol.crypto.identity import Identity
from protocol.link.messages import Present
from protocol.peer.offer import Offer
from tests.protocol.tables import secret

OFFER = Offer.of(registry.build("fruitoplay"), 5, (("drop", 2), ("spectators", 0)))


def key_of(name: str) -> bytes:
    return Identity(secret("somebody", name)).key


def gathering(offer: Offer, *names: str, hosting: bool = False) -> Gathering:
    people = tuple([Present(key_of(name), name) for name in names])
    return Gathering(offer=offer, people=people, hosting=hosting)


def here(name: str, *, agreed: bool = True, mine: bool = False, whence: str = "") -> Here:
    return Here(
        key=key_of(name),
        name=name,
        agreed=agreed,
        bot=False,
        mine=mine,
        place=None,
        whence=whence,
    )


class Acts:
    """Remembers what was done."""

    def __init__(self) -> None:
        self.done: list[tuple[object, ...]] = []

    def _do(self, *what: object) -> list[str]:
        self.done.append(what)
        return [f"{what[0]} was done"]

    def leave(self) -> Sequence[str]:
        return self._do("leave")

    def say(self, text: str) -> Sequence[str]:
        return self._do("say", text)

    def start(self) -> Sequence[str]:
        return self._do("start")

    def bot(self, level: str) -> Sequence[str]:
        return self._do("bot", level)

    def free(self, key: bytes) -> Sequence[str]:
        return self._do("free", key)

    def form(self) -> Form:
        return offer_form(OFFER, 2)

    def change(self, answers: Answers) -> Sequence[str]:
        return self._do("change", answers["seats"])
