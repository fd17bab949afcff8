"""Two ends of a link, and an end that is moved by hand and can say anything."""

from collections.abc import Mapping, Sequence

import pytest

from protocol import limits
from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.crypto.noise import BARE_SIZE, Handshake
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.link.keys import NO_OPENING, Access, Expected, key_id
from protocol.link.link import INSTANCE_SIZE, NO_OPENINGS, PREFACE_SIZE, Link
from tests.protocol.tables import secret

ALICE, BOB, MALLORY = (Identity(secret(name)) for name in ("alice", "bob", "mallory"))
ACCESS = Access.hosting(BOB.key, bytes(range(16)))  # Bob hosts
WATCHING = ACCESS.to_watch()
INVITED = Access(secret=ACCESS.secret)  # what a guest knows who was invited
KEY = ACCESS.psk
OPENINGS = {ACCESS.psk: ACCESS.salt, WATCHING.psk: WATCHING.salt}
LAST, MORE = b"\0", b"\1"
DIALLER, RESPONDER = b"p2pfruit dialler 2\n", b"p2pfruit responder 2\n"

IDENTITY_FRAME_SIZE = 2 + 154
PIECE = 65_518
MOST = limits.MESSAGE_SIZE_MOST

ROLES = [True, False]  # dialling, or called


def instance(name: str) -> bytes:
    return secret("instance", name)[:INSTANCE_SIZE]


def dialler(
    *,
    key: bytes = KEY,
    identity: Identity = ALICE,
    run: str = "alice",
    ephemeral: str = "dialler",
    expected: Expected | None = None,
) -> Link:
    return Link(
        keys=[key],
        identity=identity,
        instance=instance(run),
        ephemeral=secret(ephemeral),
        dialling=True,
        expected=expected,
    )


def responder(
    *,
    keys: Sequence[bytes] = (KEY,),
    identity: Identity = BOB,
    run: str = "bob",
    ephemeral: str = "responder",
    expected: Expected | None = None,
    openings: Mapping[bytes, bytes] = NO_OPENINGS,
) -> Link:
    return Link(
        keys=keys,
        openings=openings,
        identity=identity,
        instance=instance(run),
        ephemeral=secret(ephemeral),
        dialling=False,
        expected=expected,
    )


def connect(one: Link, other: Link) -> tuple[bytes, bytes, bytes]:
    """Hello, answer, identity: what was said, in this order."""
    hello = one.pending()
    assert other.receive(hello) == []
    answer = other.pending()
    assert one.receive(answer) == []
    identity = one.pending()
    assert other.receive(identity) == []
    return hello, answer, identity


def opened() -> tuple[Link, Link]:
    one, other = dialler(), responder()
    connect(one, other)
    return one, other


def frame(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


def held(link: Link) -> int:
    """How many bytes a link keeps until something is whole."""
    begun = link._channel._begun if link.peer else b""
    return len(link._received) + len(begun)


def seen(link: Link) -> object:
    return link.opened, link.peer, link.peer_instance, link.key


def refusal(link: Link, data: bytes) -> str:
    """The code with which bytes are refused; then the link is dead, and nothing else is."""
    before = seen(link)
    with pytest.raises(RemoteProtocolError) as caught:
        link.receive(data)
    assert seen(link) == (False, *before[1:])  # type: ignore[index]
    check_dead(link)
    return caught.value.code


def check_dead(link: Link) -> None:
    assert link.pending() == b""
    assert link._received == b""
    for data in (b"", b"fig"):
        with pytest.raises(RemoteProtocolError) as remote:
            link.receive(data)
        with pytest.raises(LocalProtocolError) as local:
            link.send(data)
        assert remote.value.code == local.value.code == "dead"
    assert link.pending() == b""


class Puppet:
    """Knows the key and shakes hands with a link; what follows is said by hand."""

    def __init__(
        self, link: Link, *, dialling: bool, ephemeral: str = "puppet", key: bytes = KEY
    ) -> None:
        self.link = link
        handshake = Handshake(
            initiator=dialling,
            prologue=b"p2pfruit link 2\n\x02" + key_id(key),
            psk=key,
            ephemeral=secret(ephemeral),
        )
        if dialling:
            self.said = b"p2pfruit\x02" + key_id(key) + frame(handshake.write())
            link.receive(self.said)
            answer = link.pending()
            handshake.read(answer[2 : 2 + BARE_SIZE])
            self.heard = answer[2 + BARE_SIZE :]
        else:
            handshake.read(link.pending()[PREFACE_SIZE + 2 :])
            self.said = frame(handshake.write())
            link.receive(self.said)
            self.heard = b""
        self.hash = handshake.hash
        self.role, self.other_role = (DIALLER, RESPONDER)[:: 1 if dialling else -1]
        self.sending, self.receiving = handshake.split()

    def introduction(
        self,
        identity: Identity = MALLORY,
        *,
        run: str = "mallory",
        role: bytes | None = None,
        hash: bytes | None = None,
        opening: bytes = NO_OPENING,
    ) -> bytes:
        """A good one, but for what is asked for."""
        signature = identity.sign(role or self.role, hash or self.hash)
        return LAST + encode((identity.key, instance(run), opening, signature))

    def seal(self, plain: bytes) -> bytes:
        return frame(self.sending.encrypt(plain))

    def open(self, sealed: bytes) -> bytes:
        return self.receiving.decrypt(sealed[2:])

    def meet(self) -> None:
        self.link.receive(self.seal(self.introduction()))
        assert self.link.opened


def pattern(size: int) -> bytes:
    return (bytes(range(251)) * (size // 251 + 1))[:size]


def puppet(dialling: bool) -> Puppet:
    """Of a dialler or a responder, at a fresh link."""
    return Puppet(responder() if dialling else dialler(), dialling=dialling)
