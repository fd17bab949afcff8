"""Addresses in few bits: there and back, each in the bits that the protocol says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.net.addresses import BadAddress
from p2pfruit.net.onions import pack
from p2pfruit.net.packing import BitReader, bits_of, pack_addresses, unpack_addresses
from tests.p2pfruit.net.test_invitations import ONION, addresses

KEY = pack(ONION.partition(":")[0])


@given(st.lists(addresses, max_size=8))
def test_there_and_back(texts: list[str]) -> None:
    reader = BitReader(pack_addresses(texts))
    assert unpack_addresses(reader) == texts
    assert reader.left == 0


@given(st.text("01", max_size=400))
def test_any_bits_are_addresses_or_refused(bits: str) -> None:
    try:
        found = unpack_addresses(BitReader(bits))
        packed = pack_addresses(found)
    except ValueError:
        return
    assert unpack_addresses(BitReader(packed)) == found


@pytest.mark.parametrize(
    ("texts", "bits"),
    [
        ([], ""),
        (["1.2.3.4:24977"], "01000" + "00000001000000100000001100000100"),
        (["1.2.3.4:5"], "01010" + "00000001000000100000001100000100" + "0000000000000101"),
        (["[::5]:24977"], "10000" + bits_of(5, 128)),
        ([ONION], "11000" + bits_of(int.from_bytes(KEY), 256)),
        (["a-0:24977"], "00000" + "001110" + "000001" + "000011" + "000000"),
        (["relay/1.2.3.4:24979"], "01100" + "00000001000000100000001100000100"),
        (["relay/a:24977"], "00110" + "001110" + "000000" + bits_of(24977, 16)),
        (
            ["a:5", "relay/a:24979", "b:5", "a:6", "b:5"],
            "00010" + "001110000000" + bits_of(5, 16)  # a, and its port
            + "00100" + "001110000000"  # the port of relays
            + "00001" + "001111000000"  # the port that was written last
            + "00010" + "001110000000" + bits_of(6, 16)
            + "00010" + "001111000000" + bits_of(5, 16),
        ),
    ],
)  # fmt: skip
def test_the_bits(texts: list[str], bits: str) -> None:
    assert pack_addresses(texts) == bits
    assert unpack_addresses(BitReader(bits)) == texts


@pytest.mark.parametrize("text", ["a", "a:0", ":5", "[::]:5", "A:5", "a:05", "[fe80::1%eth0]:5"])
def test_what_cannot_be_called_from_elsewhere(text: str) -> None:
    with pytest.raises((ValueError, BadAddress)):
        pack_addresses([text])


def test_a_number_of_too_few_bits() -> None:
    reader = BitReader("0101")
    assert reader.number(3) == 2
    with pytest.raises(ValueError, match="cut"):
        reader.number(2)
