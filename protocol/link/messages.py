"""The messages that peers send each other over a link. Each is a list [kind, …] in the codec.

    ping [n], pong [n]     checks that the other end is there, and how long an answer takes
    twin []                another program with your identity sits at this table
    bye [why]              the sender closes this link on purpose
    table [roster]         the roster of the table, for a spectator
    heads [table, tips]    the ends of each feed that I hold: send me the entries I lack
    near [players]         the players to whom I am linked: I hear their entries from them
    entry [data]           an entry of a feed
    note [data]            a signed note beside the feeds (protocol/link/notes.py)

Anyone may ask whether calls arrive (p2pfruit/net/probing.py):

    probe [port, nonce]        call me back at this port, where my link comes from, and greet
    probed [outcome, address]  what came of it, and the address that it was

Before there is a table, in the lobby (protocol/peer/lobby.py):

    lobby [offer, [[key, name, agreed, bot]…]]   what will be played, and the players so far
    join [offer id, nonce, name]                 I want a seat, and agree to this offer
    contract [contract]                          the contract of a series: sign it
    sign [signature]                             here it is
    roster [roster, signed contract]             these would be the players: would you sign this?
    accept [offer id, table]                     I would sign it
    begin [table]                                everyone would: sign it
    say [text]                                   a line of chat, for everyone in the lobby
    relay [key, text]                            the player with this key has said it

At the entrance of an announced table (protocol/link/codes.py):

    seat [secret]                     you may come in: this is the secret of the table

Parsing a message accepts it or raises RemoteProtocolError. Other modules act on it.
"""

from typing import Any, NamedTuple

from protocol import limits
from protocol.codec import Bounds, Value, decode, encode
from protocol.crypto.identity import KEY_SIZE, SIGNATURE_SIZE
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import ID_SIZE, Head
from protocol.feed.names import check_name
from protocol.feed.roster import NONCE_SIZE
from protocol.link.keys import SECRET_SIZE
from protocol.table.judging import fields

Tips = tuple[tuple[Head, ...], ...]

_BOUNDS = Bounds(limits.MESSAGE_VALUES_MOST)


class Ping(NamedTuple):
    number: int


class Pong(NamedTuple):
    number: int


class Twin(NamedTuple):
    pass


class Bye(NamedTuple):
    why: str


class Playing(NamedTuple):
    roster: bytes


class Heads(NamedTuple):
    table: bytes
    tips: Tips


class Near(NamedTuple):
    players: tuple[int, ...]


class Carried(NamedTuple):
    entry: bytes


class Noted(NamedTuple):
    note: bytes


class Present(NamedTuple):
    """A player in the lobby, as the host says."""

    key: bytes
    name: str
    agreed: bool = True  # to the offer
    bot: bool = False  # one of the host's own


class Lobby(NamedTuple):
    offer: bytes
    players: tuple[Present, ...]


class Join(NamedTuple):
    offer: bytes
    nonce: bytes
    name: str


class Contracted(NamedTuple):
    contract: bytes


class Signed(NamedTuple):
    signature: bytes


class Proposed(NamedTuple):
    roster: bytes
    contract: bytes = b""  # with its signatures, before the first game of a series


class Accept(NamedTuple):
    offer: bytes
    table: bytes


class Begin(NamedTuple):
    table: bytes


class Say(NamedTuple):
    text: str


class Relay(NamedTuple):
    key: bytes
    text: str


class Seat(NamedTuple):
    secret: bytes


class Probe(NamedTuple):
    port: int
    nonce: bytes


class Probed(NamedTuple):
    outcome: str
    address: str


# What can come of calling back.
REACHED, REFUSED, SILENT, LATER, OFF = "reached", "refused", "silent", "later", "off"
OUTCOMES = (REACHED, REFUSED, SILENT, LATER, OFF)
PROBE_NONCE_SIZE = 16

Message = (
    Ping | Pong | Twin | Bye | Playing | Heads | Near | Carried | Noted
    | Lobby | Join | Contracted | Signed | Proposed | Accept | Begin | Say | Relay | Seat
    | Probe | Probed
)  # fmt: skip

_FORMS: dict[str, tuple[type[Any], tuple[type, ...]]] = {
    "ping": (Ping, (int,)),
    "pong": (Pong, (int,)),
    "twin": (Twin, ()),
    "bye": (Bye, (str,)),
    "table": (Playing, (bytes,)),
    "heads": (Heads, (bytes, tuple)),
    "near": (Near, (tuple,)),
    "entry": (Carried, (bytes,)),
    "note": (Noted, (bytes,)),
    "lobby": (Lobby, (bytes, tuple)),
    "join": (Join, (bytes, bytes, str)),
    "contract": (Contracted, (bytes,)),
    "sign": (Signed, (bytes,)),
    "roster": (Proposed, (bytes, bytes)),
    "accept": (Accept, (bytes, bytes)),
    "begin": (Begin, (bytes,)),
    "say": (Say, (str,)),
    "relay": (Relay, (bytes, str)),
    "seat": (Seat, (bytes,)),
    "probe": (Probe, (int, bytes)),
    "probed": (Probed, (str, str)),
}
_KINDS = {form: kind for kind, (form, _) in _FORMS.items()}

# The sizes of the first fields.
_SIZES = {
    Heads: (ID_SIZE,),
    Join: (ID_SIZE, NONCE_SIZE),
    Accept: (ID_SIZE, ID_SIZE),
    Begin: (ID_SIZE,),
    Signed: (SIGNATURE_SIZE,),
    Relay: (KEY_SIZE,),
    Seat: (SECRET_SIZE,),
}


def encode_message(message: Message) -> bytes:
    return encode((_KINDS[type(message)], *message))


# How every probe begins, and no other message.
_PROBE_HEAD = encode_message(Probe(0, b""))[:7]


def is_probe(data: bytes) -> bool:
    """Return True if a message is meant as a probe; parsing may still refuse it."""
    return data.startswith(_PROBE_HEAD)


def parse_message(data: bytes) -> Message:
    match decode(data, limits.MESSAGE_SIZE_MOST, _BOUNDS):
        case (str(kind), *body) if kind in _FORMS:
            form, kinds = _FORMS[kind]
        case _:
            raise RemoteProtocolError("message", "not a message of this version")
    message = form(*fields(tuple(body), *kinds))
    sizes = _SIZES.get(form, ())
    if any(len(field) != size for field, size in zip(message, sizes, strict=False)):
        raise RemoteProtocolError("message", f"a field of {kind} has another size")
    if form is Heads:
        return Heads(message.table, tuple([_tips(tips) for tips in message.tips]))
    if form is Near:
        fields(message.players, *[int] * len(message.players))
    if form is Bye and len(message.why) > limits.WHY_LENGTH_MOST:
        raise RemoteProtocolError("message", "the reason is too long")
    if form is Probe:
        _check_probe(message)
    if form is Probed and (
        message.outcome not in OUTCOMES or len(message.address) > limits.PROBED_LENGTH_MOST
    ):
        raise RemoteProtocolError("message", "says nothing that can come of a probe")
    if form in (Say, Relay) and not 0 < len(message.text) <= limits.CHAT_LENGTH_MOST:
        raise RemoteProtocolError("message", "a line of chat is empty or too long")
    if form is Lobby:
        return Lobby(message.offer, tuple([_player(player) for player in message.players]))
    checked: Message = message
    return checked


def _check_probe(probe: Probe) -> None:
    if not limits.PROBE_PORT_LEAST <= probe.port <= limits.PROBE_PORT_MOST:
        raise RemoteProtocolError("message", "asks to call a port that no table has")
    if len(probe.nonce) != PROBE_NONCE_SIZE:
        raise RemoteProtocolError("message", "the nonce of a probe has another size")


def _tips(value: Value) -> tuple[Head, ...]:
    if type(value) is not tuple:
        raise RemoteProtocolError("message", "the ends of a feed are a list")
    tips = [Head(*fields(tip, int, bytes)) for tip in value]
    if any(len(tip.id) != ID_SIZE for tip in tips):
        raise RemoteProtocolError("message", "the end of a feed is a number and an id")
    return tuple(tips)


def _player(value: Value) -> Present:
    player = Present(*fields(value, bytes, str, bool, bool))
    if len(player.key) != KEY_SIZE:
        raise RemoteProtocolError("message", "the key of a player has another size")
    check_name(player.name)
    return player
