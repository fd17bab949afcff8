"""The messages that peers send each other over a link. Each is a list [kind, …] in the codec.

    ping [n], pong [n]     checks that the other end is there, and how long an answer takes
    twin []                another program with your identity sits at this table
    bye [why]              the sender closes this link on purpose
    table [roster]         the roster of the table, for a spectator
    heads [table, tips]    the ends of each feed that I hold: send me the entries I lack
    near [players]         the players to whom I am linked: I hear their entries from them
    entry [data]           an entry of a feed
    note [data]            a signed note beside the feeds (protocol/link/notes.py)

Before there is a table, in the lobby (protocol/peer/lobby.py):

    lobby [offer, [[key, name]…]]     the game that will be played, and the players so far
    join [nonce, name]                I want a seat
    roster [roster]                   these would be the players: would you sign this?
    accept [table]                    I would sign it
    begin [table]                     everyone would: sign it

Parsing a message accepts it or raises RemoteProtocolError. Other modules act on it.
"""

from typing import Any, NamedTuple

from protocol import limits
from protocol.codec import Bounds, Value, decode, encode
from protocol.crypto.identity import KEY_SIZE
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import ID_SIZE, Head
from protocol.feed.names import check_name
from protocol.feed.roster import NONCE_SIZE
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


class Lobby(NamedTuple):
    offer: bytes
    players: tuple[tuple[bytes, str], ...]


class Join(NamedTuple):
    nonce: bytes
    name: str


class Proposed(NamedTuple):
    roster: bytes


class Accept(NamedTuple):
    table: bytes


class Begin(NamedTuple):
    table: bytes


Message = (
    Ping | Pong | Twin | Bye | Playing | Heads | Near | Carried | Noted
    | Lobby | Join | Proposed | Accept | Begin
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
    "join": (Join, (bytes, str)),
    "roster": (Proposed, (bytes,)),
    "accept": (Accept, (bytes,)),
    "begin": (Begin, (bytes,)),
}
_KINDS = {form: kind for kind, (form, _) in _FORMS.items()}

# The size of the first field.
_SIZES = {Heads: ID_SIZE, Accept: ID_SIZE, Begin: ID_SIZE, Join: NONCE_SIZE}


def encode_message(message: Message) -> bytes:
    return encode((_KINDS[type(message)], *message))


def parse_message(data: bytes) -> Message:
    match decode(data, limits.MESSAGE_SIZE_MOST, _BOUNDS):
        case (str(kind), *body) if kind in _FORMS:
            form, kinds = _FORMS[kind]
        case _:
            raise RemoteProtocolError("message", "not a message of this version")
    message = form(*fields(tuple(body), *kinds))
    if form in _SIZES and len(message[0]) != _SIZES[form]:
        raise RemoteProtocolError("message", f"the first field of {kind} has another size")
    if form is Heads:
        return Heads(message.table, tuple([_tips(tips) for tips in message.tips]))
    if form is Near:
        fields(message.players, *[int] * len(message.players))
    if form is Bye and len(message.why) > limits.WHY_LENGTH_MOST:
        raise RemoteProtocolError("message", "the reason is too long")
    if form is Lobby:
        return Lobby(message.offer, tuple([_player(player) for player in message.players]))
    checked: Message = message
    return checked


def _tips(value: Value) -> tuple[Head, ...]:
    if type(value) is not tuple:
        raise RemoteProtocolError("message", "the ends of a feed are a list")
    tips = [Head(*fields(tip, int, bytes)) for tip in value]
    if any(len(tip.id) != ID_SIZE for tip in tips):
        raise RemoteProtocolError("message", "the end of a feed is a number and an id")
    return tuple(tips)


def _player(value: Value) -> tuple[bytes, str]:
    key, name = fields(value, bytes, str)
    if len(key) != KEY_SIZE:
        raise RemoteProtocolError("message", "a player is a key and a name")
    check_name(name)
    return key, name
