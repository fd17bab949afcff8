"""The line of a relay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.net.addresses import Address, Kind, Reach
from p2pfruit.net.invitations import CHECK
from p2pfruit.net.limits import RELAY_ADDRESSES_MOST, RELAY_PORT
from p2pfruit.net.packing import bits_of
from p2pfruit.net.relay.line import PREFIX, BadLine, RelayLine, worth_telling
from p2pfruit.text import base32
from protocol.version import VERSION
from tests.p2pfruit.net.relay.relays import SECRET

PUBLIC = Address("203.0.113.5", RELAY_PORT)
LINE = RelayLine(secret=SECRET, addresses=(PUBLIC, Address("2001:db8::7", 4000)))


@given(
    st.binary(min_size=16, max_size=16),
    st.lists(
        st.builds(
            Address,
            st.one_of(
                st.ip_addresses(v=4).map(str),
                st.ip_addresses(v=6).map(str),
                st.from_regex(r"[a-z]{1,10}\.example", fullmatch=True),
            ),
            st.integers(1, 65_535),
        ).filter(lambda address: Address.parse(str(address)) == address),
        min_size=1,
        max_size=RELAY_ADDRESSES_MOST,
        unique=True,
    ),
)
def test_a_line_is_read_as_it_was_written(secret: bytes, addresses: list[Address]) -> None:
    usable = [one for one in addresses if one.kind is not Kind.ANY]
    if usable:
        line = RelayLine(secret=secret, addresses=tuple(usable))
        assert RelayLine.parse(str(line)) == line
        assert RelayLine.parse(f'> "{str(line).lower()}"') == line


def test_the_usual_port_takes_no_room() -> None:
    usual = RelayLine(secret=SECRET, addresses=(PUBLIC,))
    other = RelayLine(secret=SECRET, addresses=(PUBLIC._replace(port=4000),))
    assert len(str(usual)) < len(str(other))
    assert str(usual).startswith("RELAY-")
    assert usual.tables == (PUBLIC.behind(),)
    assert usual.reach is Reach.ANYWHERE or usual.reach is Reach.NETWORK


def test_the_secret_is_not_shown() -> None:
    assert SECRET.hex() not in repr(LINE)
    assert repr(SECRET) not in repr(LINE)


@pytest.mark.parametrize(
    "addresses",
    [
        (),
        (PUBLIC, PUBLIC),
        tuple(PUBLIC._replace(port=port) for port in range(1, RELAY_ADDRESSES_MOST + 2)),
        (PUBLIC.behind(),),
        (Address("", 5),),
        (Address("192.0.2.1", 0),),
    ],
)
def test_what_is_no_line_cannot_be_made(addresses: tuple[Address, ...]) -> None:
    with pytest.raises(ValueError, match=r"."):
        RelayLine(secret=SECRET, addresses=addresses)
    with pytest.raises(ValueError, match=r"."):
        RelayLine(secret=bytes(15), addresses=(PUBLIC,))


def refusal(text: str) -> str:
    with pytest.raises(BadLine) as caught:
        RelayLine.parse(text)
    assert caught.value.hint
    return caught.value.what


def spelled(bits: str) -> str:
    return f"{PREFIX}-{base32.with_check(base32.spell_bits(bits), CHECK)}"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "form"),
        ("FRUIT-ABC", "form"),
        (str(LINE)[6:], "form"),
        ("RELAY-", "check"),
        (str(LINE)[:-1], "check"),
        (str(LINE)[:-1] + "U", "check"),
        (spelled(bits_of(VERSION + 1, 5) + "0" * 170), "version"),
        (spelled(bits_of(VERSION - 1, 5) + "0" * 170), "version"),
        (spelled(bits_of(0, 5) + "0" * 170), "form"),
        (spelled(bits_of(VERSION, 5) + "0" * 100), "form"),  # cut
        (spelled(bits_of(VERSION, 5) + "0" * 128), "form"),  # no address
        (spelled(bits_of(VERSION, 5) + "0" * 128 + "01000" + "1" * 32), "form"),  # not behind
    ],
)
def test_other_texts_are_refused_with_a_hint(text: str, what: str) -> None:
    assert refusal(text) == what


@pytest.mark.parametrize("at", range(6, 40, 3))
def test_a_mistyped_letter_is_found(at: int) -> None:
    text = str(LINE)
    other = "7" if text[at] != "7" else "8"
    if text[at] != "-":
        assert refusal(text[:at] + other + text[at + 1 :]) == "check"


def test_what_reaches_farthest_belongs_into_the_line() -> None:
    far, name = Address("11.0.0.1", 1), Address("relay.example", 1)
    near, here = Address("192.168.1.2", 1), Address("127.0.0.1", 1)
    assert worth_telling([here, near, far, name, far]) == (far, name)
    assert worth_telling([here, near, Address("fe80::1%eth0", 1)]) == (near,)
    assert worth_telling([here]) == (here,)
    many = [Address(f"11.0.0.{number}", 1) for number in range(9)]
    assert len(worth_telling(many)) == RELAY_ADDRESSES_MOST
