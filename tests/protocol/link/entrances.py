"""A host with an entrance and callers at it, each with every secret fixed."""

from collections.abc import Callable
from hashlib import sha256

from protocol.crypto.identity import Identity
from protocol.link.codes import CodeEntry, Doorkeeper, KnockEntry, Renewed
from protocol.link.entrance import Entrance, Entry, Run
from protocol.link.link import Link
from tests.protocol.link.links import ALICE, BOB, instance
from tests.protocol.tables import secret

OFFER = secret("an offer")


class Draws:
    """Random bytes that are the same on every run."""

    def __init__(self, name: str = "host") -> None:
        self._name = name
        self._count = 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return sha256(secret("draw", self._name, self._count)).digest()[:size]


class Porch:
    """The host's side: a doorkeeper, and the links of its callers."""

    def __init__(
        self,
        *,
        identity: Identity = BOB,
        offer: bytes = OFFER,
        known: tuple[bytes, ...] = (),
        name: str = "host",
    ) -> None:
        self.identity = identity
        self.renewals: list[Renewed] = []
        self.keeper = Doorkeeper(
            host=identity.key,
            offer=offer,
            draw=Draws(name),
            knows=known.__contains__,
            renewed=self.renewals.append,
        )

    @property
    def entrance(self) -> Entrance:
        return self.keeper.entrance

    @property
    def wrong(self) -> str:
        """A code as long as the present one, and another."""
        digits = self.keeper.digits
        return digits[:-1] + str((int(digits[-1]) + 1) % 10)

    def link(self, ephemeral: str = "responder") -> Link:
        return Link(
            keys=(),
            identity=self.identity,
            instance=instance("bob"),
            ephemeral=secret(ephemeral),
            dialling=False,
            entrance_id=self.entrance.id,
        )

    def answer(self, hello: bytes) -> Run:
        return self.keeper.answer(self.entrance.id, hello)

    def take(self, link: Link, data: bytes) -> bytes:
        """Let a link hear this, admit its caller if it asks, and return what the link says."""
        link.receive(data)
        if link.asks:
            link.admit(self.answer(link.hello))
            link.receive(b"")
        return link.pending()


def caller(entry: Entry, identity: Identity = ALICE, ephemeral: str = "dialler") -> Link:
    return Link(
        keys=(),
        identity=identity,
        instance=instance("alice"),
        ephemeral=secret(ephemeral),
        dialling=True,
        entry=entry,
    )


def with_code(
    entrance: Entrance, digits: str, identity: Identity = ALICE, seed: str = "caller"
) -> Link:
    return caller(CodeEntry(entrance, identity.key, digits, secret(seed)), identity)


def knocking(entrance: Entrance, identity: Identity = ALICE) -> Link:
    return caller(KnockEntry(entrance, identity.key), identity)


Change = Callable[[bytes], bytes]


def unchanged(data: bytes) -> bytes:
    return data


def meet(
    one: Link,
    porch: Porch,
    other: Link,
    there: Change = unchanged,
    back: Change = unchanged,
) -> list[bytes]:
    """Carry everything between both ends until nothing is said; `there` and `back` change it."""
    said = []
    while data := one.pending():
        said.append(data)
        answer = porch.take(other, there(data))
        if answer:
            said.append(answer)
            one.receive(back(answer))
    return said
