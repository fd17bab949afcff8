"""The secrets of a table: whom they name, and what each of those who know one can and cannot do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import decode
from protocol.link.keys import NO_OPENING, Access, only
from tests.protocol.link.entrances import Porch, knocking, with_code
from tests.protocol.link.links import (
    ACCESS,
    ALICE,
    BOB,
    INVITED,
    KEY,
    OPENINGS,
    WATCHING,
    Puppet,
    connect,
    dialler,
    refusal,
    responder,
)

SPECTATOR = Access(secret=WATCHING.secret, watching=True)
EVERY_OPENING = (NO_OPENING, ACCESS.salt, WATCHING.salt, ACCESS.secret, WATCHING.secret)


def said_by(end: Puppet) -> tuple[bytes, bytes]:
    """The identity key and the opening that the link at the other end said."""
    match decode(end.open(end.heard)[1:], 200):
        case (bytes(key), _, bytes(opening), _):
            return key, opening
    raise AssertionError


# Whom a secret names.


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=16, max_size=16))
def test_a_salt_opens_a_secret_to_one_key(key: bytes, salt: bytes) -> None:
    seats = Access.hosting(key, salt)
    for mine in (seats, seats.to_watch()):
        guest = Access(secret=mine.secret, watching=mine.watching)
        assert guest.expects(key, mine.salt)
        other = bytes([key[0] ^ 1]) + key[1:]
        assert not guest.expects(other, mine.salt)
        assert not guest.expects(key, bytes([mine.salt[0] ^ 1]) + mine.salt[1:])
        assert not guest.of(other).expects(key, mine.salt)
        assert guest.of(key).expects(key, mine.salt)


def test_a_player_who_knows_the_host_knows_how_spectators_come() -> None:
    found = INVITED.of(BOB.key).to_watch()
    assert (found.secret, found.psk) == (WATCHING.secret, WATCHING.psk)
    assert found.to_watch() == found
    with pytest.raises(ValueError, match="who the host is"):
        INVITED.to_watch()


def test_every_key_and_secret_is_another() -> None:
    one = (ACCESS.secret, ACCESS.salt, WATCHING.secret, WATCHING.salt)
    assert len({*one, ACCESS.psk[:16], WATCHING.psk[:16]}) == 6
    assert Access(secret=ACCESS.secret, watching=True).psk != ACCESS.psk


@pytest.mark.parametrize(
    "fields",
    [
        {"secret": bytes(15)},
        {"secret": bytes(16), "salt": b""},
        {"secret": bytes(16), "host": b"x"},
    ],
)
def test_what_is_no_access(fields: dict[str, bytes]) -> None:
    with pytest.raises(ValueError, match="another size"):
        Access(**fields)  # type: ignore[arg-type]


def test_secrets_and_salts_are_not_printed() -> None:
    assert "secret" not in repr(ACCESS)
    assert "salt" not in repr(ACCESS)


# On links.


@pytest.mark.parametrize("mine", [INVITED, SPECTATOR], ids=["a guest", "a spectator"])
def test_the_host_is_found_by_its_invitation(mine: Access) -> None:
    keys = [ACCESS.psk, WATCHING.psk]
    one = dialler(key=mine.psk, expected=mine.expects)
    other = responder(keys=keys, openings=OPENINGS)
    connect(one, other)
    assert (one.peer, other.key) == (BOB.key, mine.psk)


@pytest.mark.parametrize("opening", EVERY_OPENING)
@pytest.mark.parametrize("mine", [INVITED, SPECTATOR], ids=["a guest", "a spectator"])
def test_44_who_knows_the_secrets_cannot_pose_as_the_host(mine: Access, opening: bytes) -> None:
    """A player who came in knows all secrets and salts, and answers a call in the host's place."""
    caller = dialler(key=mine.psk, expected=mine.expects)
    end = Puppet(caller, dialling=False, key=mine.psk)
    assert refusal(caller, end.seal(end.introduction(opening=opening))) == "unexpected"
    assert caller.pending() == b""  # and does not learn who called


def test_44_the_hosts_key_without_its_opening_is_not_enough() -> None:
    """A player's link that is called by its key in the roster would do; one by invitation not."""
    for opening in (NO_OPENING, WATCHING.salt):
        caller = dialler(expected=INVITED.expects)
        end = Puppet(caller, dialling=False)
        said = end.introduction(BOB, opening=opening)
        assert refusal(caller, end.seal(said)) == "unexpected"
    caller = dialler(expected=only(BOB.key))
    end = Puppet(caller, dialling=False)
    caller.receive(end.seal(end.introduction(BOB)))
    assert caller.peer == BOB.key


def test_44_each_caller_is_shown_the_salt_of_its_own_secret() -> None:
    """With the seat salt a spectator would know the seat secret."""
    for key, salt in OPENINGS.items():
        host = responder(keys=list(OPENINGS), openings=OPENINGS)
        assert said_by(Puppet(host, dialling=True, key=key)) == (BOB.key, salt)
    player = responder(keys=list(OPENINGS), identity=ALICE, run="alice")
    assert said_by(Puppet(player, dialling=True)) == (ALICE.key, NO_OPENING)


def test_44_at_an_entrance_no_salt_is_shown() -> None:
    """Who knocks hears the host's identity before the host has decided, over a public key."""
    porch = Porch(known=(ALICE.key,))
    ways = (knocking(porch.entrance), with_code(porch.entrance, porch.keeper.digits))
    openings: list[bytes] = []

    def hear(_key: bytes, opening: bytes) -> bool:
        openings.append(opening)
        return True

    for one in ways:
        one._expected = hear
        other = porch.link()
        other._openings = OPENINGS
        said = one.pending()
        while said or not one.opened:
            heard = porch.take(other, said)
            one.receive(heard)
            said = one.pending()
    assert openings == [NO_OPENING] * 2


def test_44_a_caller_has_nothing_to_open() -> None:
    host = responder(openings=OPENINGS)
    end = Puppet(host, dialling=True)
    assert refusal(host, end.seal(end.introduction(opening=ACCESS.salt))) == "identity"
    calls = dialler(identity=BOB, run="bob")  # the host calls a player, as it may after the start
    calls._openings = {KEY: ACCESS.salt}
    end = Puppet(calls, dialling=False)
    end.meet()
    end.heard = calls.pending()
    assert said_by(end) == (BOB.key, NO_OPENING)
