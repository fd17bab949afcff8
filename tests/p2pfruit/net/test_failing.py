"""Of all calls that failed, the guest is told the one that says most, with the hint that fits."""

import pytest

from p2pfruit.exits import NO_CONNECTION
from p2pfruit.net.addresses import Address
from p2pfruit.net.calling import Trouble
from p2pfruit.net.dialling import CannotDial, Failure
from p2pfruit.net.failing import most_telling, unreachable
from p2pfruit.net.wire import Closed
from protocol.errors import RemoteProtocolError

LOOPBACK = Address("127.0.0.1", 1)
PRIVATE = Address("192.168.1.20", 1)
CARRIER = Address("100.70.0.1", 1)
FAR = Address("11.0.0.1", 1)
FAR6 = Address("2a0f::1", 1)
ONION = Address("a" * 56 + ".onion", 1)
NAME = Address("table.example", 1)

REFUSED = CannotDial("refused", failure=Failure.REFUSED)
SILENT = CannotDial("silent", failure=Failure.SILENT)
NO_ROUTE = CannotDial("no route", failure=Failure.NO_ROUTE)
NO_TOR = CannotDial("no tor", "install it", failure=Failure.WAY)
HUNG_UP = Closed("hung up")
ANOTHER = RemoteProtocolError("unexpected", "not who was expected")


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ((LOOPBACK, REFUSED), (FAR, SILENT)),
        ((PRIVATE, REFUSED), (FAR, SILENT)),
        ((LOOPBACK, REFUSED), (PRIVATE, SILENT)),
        ((FAR6, NO_ROUTE), (FAR, SILENT)),
        ((FAR, SILENT), (FAR6, REFUSED)),
        ((FAR, REFUSED), (LOOPBACK, HUNG_UP)),
        ((FAR, HUNG_UP), (PRIVATE, ANOTHER)),
        ((FAR, REFUSED), (ONION, NO_TOR)),
        ((LOOPBACK, REFUSED), (PRIVATE.behind(), REFUSED)),
    ],
)
def test_the_most_telling_of_two(
    less: tuple[Address, Trouble], more: tuple[Address, Trouble]
) -> None:
    assert most_telling(dict([less, more])) == more
    assert most_telling(dict([more, less])) == more


def test_nothing_is_told_of_nothing() -> None:
    assert most_telling({}) is None
    refusal = unreachable([FAR], {})
    assert (str(refusal), refusal.code) == (
        "the host cannot be reached: no answer",
        NO_CONNECTION,
    )


@pytest.mark.parametrize(
    ("troubles", "hint"),
    [
        ({LOOPBACK: REFUSED}, "only works on the host's own computer"),
        ({PRIVATE: SILENT, LOOPBACK: REFUSED}, "only works on the host's own network"),
        ({PRIVATE: HUNG_UP}, "another table, or of one that is over"),
        ({FAR: SILENT, PRIVATE: NO_ROUTE}, "a firewall or a router in front of the host"),
        ({FAR: REFUSED}, "nothing listens there"),
        ({FAR: NO_ROUTE}, "check the network of this computer"),
        ({FAR6: NO_ROUTE}, "no IPv6"),
        ({CARRIER: SILENT, NAME: NO_ROUTE}, "check the network of this computer"),
        ({FAR: SILENT, ONION: NO_TOR}, "install it"),
        ({ONION: SILENT}, "still connected to Tor"),
        ({NAME: CannotDial("no such host", failure=Failure.NO_NAME)}, "still open"),
        ({FAR: ANOTHER}, "ask for a new one"),
        ({FAR.behind(): REFUSED}, "whether the relay still runs"),
        ({FAR.behind(): SILENT}, "whether the relay still runs"),
        ({FAR6.behind(): NO_ROUTE}, "no IPv6"),
    ],
)
def test_the_hint_fits(troubles: dict[Address, Trouble], hint: str) -> None:
    assert hint in (unreachable(list(troubles), troubles).hint or "")


def test_an_address_of_the_provider_is_named_as_such() -> None:
    troubles: dict[Address, Trouble] = {CARRIER: SILENT, FAR: SILENT}
    assert "belongs to the host's provider" not in (unreachable([FAR], troubles).hint or "")
    relayed = {CARRIER.behind(): SILENT, NAME: NO_ROUTE}
    assert unreachable(list(relayed), relayed).hint
