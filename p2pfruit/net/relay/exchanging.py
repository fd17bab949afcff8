"""What is said to a relay over a fresh stream, until it answers."""

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.dialling import CannotDial, Failure
from protocol.errors import RemoteProtocolError
from protocol.relay import frames
from protocol.relay.approach import Approach, State, Wish
from protocol.relay.frames import Message, No


class Refused(CannotDial):
    """The relay does not want to, for the reason with this code."""

    def __init__(self, relay: Address, code: str) -> None:
        why, hint = _words(code)
        super().__init__(
            _("the relay {relay}: {why}").format(relay=relay, why=why), hint, failure=Failure.WAY
        )
        self.code = code


def _words(code: str) -> tuple[str, str | None]:
    match code:
        case frames.NOBODY:
            return (
                _("no such table is registered there"),
                _("ask whether the table is still open, and the host still connected"),
            )
        case frames.SILENT:
            return (
                _("the host does not answer"),
                _("the host may have lost its connection: try again in a moment"),
            )
        case frames.BUSY | frames.FULL:
            return _("too many callers at once"), _("try again in a moment")
        case frames.STRANGER:
            return (
                _("this is not its line"),
                _("ask whoever runs the relay for its line; it may be a new one"),
            )
        case frames.REPLACED:
            return (
                _("another program has registered this table"),
                _("quit the other program, if it is yours"),
            )
        case frames.BYTES:
            return (
                _("it carries no more for this table today"),
                _("use another relay, or `p2pfruit host --tor`"),
            )
        case frames.TIME:
            return _("the connection has lasted for a day"), None
        case frames.GONE:
            return _("the caller has gone"), None
    return _("it has ended the connection"), None


async def exchange(stream: trio.SocketStream, relay: Address, wish: Wish) -> Approach:
    """Say what is wanted, and return when the relay has agreed. Raises CannotDial."""
    approach = Approach(wish)
    try:
        with trio.fail_after(limits.CROSS_S):
            await stream.send_all(approach.pending())
            while approach.state in (State.CHALLENGE, State.ANSWER):
                message = await next_message(stream, approach)
                if isinstance(message, No):
                    raise Refused(relay, message.code)
                await stream.send_all(approach.pending())
    except trio.TooSlowError:
        raise no_answer_of(relay) from None
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        raise has_hung_up(relay) from None
    except RemoteProtocolError as error:
        raise is_another(relay, error) from None
    return approach


def no_answer_of(relay: Address) -> CannotDial:
    why = _("the relay {relay} does not answer").format(relay=relay)
    return CannotDial(why, failure=Failure.WAY)


def has_hung_up(relay: Address) -> CannotDial:
    why = _("the relay {relay} has hung up").format(relay=relay)
    return CannotDial(why, failure=Failure.WAY)


def is_another(relay: Address, error: RemoteProtocolError) -> CannotDial:
    why = _("{relay} is not the relay that was meant: {why}").format(relay=relay, why=error)
    hint = _("check the address; both programs need the same version of p2pfruit")
    return CannotDial(why, hint, failure=Failure.WAY)


async def next_message(stream: trio.SocketStream, approach: Approach) -> Message:
    """Return the next message of the relay.

    Raises BrokenResourceError if it is gone, and RemoteProtocolError.
    """
    while True:
        data = await stream.receive_some(approach.wants)
        if not data:
            raise trio.BrokenResourceError
        message = approach.receive(bytes(data))
        if message is not None:
            return message
