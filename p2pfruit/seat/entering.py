"""A guest's way into a table that it heard announced: with a code, or with a knock.

Either way the guest gets the secret of the table, as if it had been invited.
"""

import secrets

import trio

from p2pfruit import limits
from p2pfruit.exits import NO_CONNECTION, Refusal
from p2pfruit.language import text as _
from p2pfruit.net.beacon import Found
from p2pfruit.net.dialling import CannotDial, dial
from p2pfruit.net.invitations import Invitation
from p2pfruit.net.wire import Closed, Wire, WrongCode
from p2pfruit.net.wire import enter as enter_wire
from p2pfruit.text.safe import shown_names
from protocol.crypto.identity import Identity
from protocol.crypto.secrets import SEED_BYTES
from protocol.errors import RemoteProtocolError
from protocol.link.codes import CodeEntry, KnockEntry
from protocol.link.entrance import Entrance, Entry
from protocol.link.link import INSTANCE_SIZE
from protocol.link.messages import Bye, Seat, parse_message


class CodeRefused(Refusal):
    """The code does not open the table: the player may look at the host's screen and try again."""


async def enter(found: Found, identity: Identity, code: str | None) -> Invitation:
    """Return an invitation to an announced table. Without a code, wait for the host's answer.

    Raises Refusal.
    """
    entrance = entrance_of(found)
    entry = _entry(entrance, identity.key, code)
    name = shown_names([found.announcement.name])[0]
    try:
        secret = await _ask_for_secret(found, entry, identity)
    except WrongCode:
        raise CodeRefused(
            _("the code is wrong, or it is no longer valid"),
            hint=_("look at the screen of {name} for the present one").format(name=name),
        ) from None
    except (CannotDial, Closed, RemoteProtocolError, trio.TooSlowError) as error:
        raise _unanswered(name, error, knocking=code is None) from None
    if secret is None:
        raise Refusal(
            _("{name} did not let you in").format(name=name),
            hint=_("ask {name} for the code, and use --code").format(name=name),
        )
    return Invitation(secret=secret, addresses=(str(found.address),))


def entrance_of(found: Found) -> Entrance:
    entrance = found.announcement.entrance
    if entrance is None:
        raise Refusal(
            _("this table can only be joined with an invitation"),
            hint=_("ask the host for one, and use `p2pfruit join`"),
        )
    return entrance


def _entry(entrance: Entrance, key: bytes, code: str | None) -> Entry:
    if code is None:
        return KnockEntry(entrance, key)
    return CodeEntry(entrance, key, code, secrets.token_bytes(SEED_BYTES))


async def _ask_for_secret(found: Found, entry: Entry, identity: Identity) -> bytes | None:
    """Return the secret of the table, or None if the host says no."""
    instance = secrets.token_bytes(INSTANCE_SIZE)
    stream = await dial(found.address, None)
    wire = await enter_wire(
        stream, str(found.address), entry=entry, identity=identity, instance=instance
    )
    try:
        with trio.fail_after(2 * limits.QUESTION_S):  # somebody else may be asked about before
            return await _answer(wire)
    finally:
        await wire.aclose()


async def _answer(wire: Wire) -> bytes | None:
    while True:
        match parse_message(await wire.receive()):
            case Seat(secret):
                return secret
            case Bye():
                return None


def _unanswered(name: str, error: Exception, *, knocking: bool) -> Refusal:
    if isinstance(error, CannotDial):
        return Refusal(
            _("the host cannot be reached: {why}").format(why=error.why),
            hint=error.hint or _("`p2pfruit doctor` checks this side"),
            code=NO_CONNECTION,
        )
    if knocking:
        return Refusal(
            _("{name} does not answer a knock").format(name=name),
            hint=_("only friends in the host's address book can knock; use --code"),
        )
    return CodeRefused(
        _("{name} has not answered; the code may have just changed").format(name=name),
        hint=_("look at the screen of {name} for the present one").format(name=name),
    )
