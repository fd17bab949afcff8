"""What peers say to each other over a link: [kind, …] in the codec, one message each.

    ping [n], pong [n]     is somebody there, and how far away
    twin []                another program with your identity sits at this table
    bye [why]              this link ends, and that is meant
    table [roster]         what is played here, for whoever comes to watch
    heads [table, tips]    of each feed what I hold, by its ends: send me what else you have
    near [players]         whom I am linked to: what they say, I hear from them
    entry [data]           an entry of a feed
    note [data]            a signed word beside the feeds (protocol/link/notes.py)

and before there is a table, in the lobby (protocol/peer/lobby.py):

    lobby [offer, [[key, name]…]]     what will be played, and who is there
    join [nonce, name]                I want a seat
    roster [roster]                   who plays: do you sign that?
    accept [table]                    I would sign it
    begin [table]                     everybody would: sign it

A message is accepted or raises RemoteProtocolError; what it means is said elsewhere.
"""

from typing import Any, NamedTuple

from protocol import limits
from protocol.codec import Value, decode, encode
from protocol.crypto.identity import KEY_SIZE
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import ID_SIZE, Head
from protocol.feed.roster import NONCE_SIZE, check_name
from protocol.table.judging import fields

Tips = tuple[tuple[Head, ...], ...]


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

_SIZES = {Heads: ID_SIZE, Accept: ID_SIZE, Begin: ID_SIZE, Join: NONCE_SIZE}  # of the first field


def encode_message(message: Message) -> bytes:
    return encode((_KINDS[type(message)], *message))


def parse_message(data: bytes) -> Message:
    match decode(data, limits.MESSAGE_SIZE_MOST):
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
        raise RemoteProtocolError("message", "gives too many reasons")
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
