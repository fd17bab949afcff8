"""The bytes of PCP and NAT-PMP: pairs, samples of a real router, and whatever else arrives."""

import contextlib
import ipaddress
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.net import limits
from p2pfruit.net.router import nat_pmp, pcp
from p2pfruit.net.router.announcements import is_announcement
from protocol.errors import RemoteProtocolError

PORTS = st.integers(0, 65535)
LONGS = st.integers(0, 2**32 - 1)
# An IPv4 address in the form of IPv6 stands for the IPv4 address.
ADDRESSES = st.ip_addresses().map(lambda ip: getattr(ip, "ipv4_mapped", None) or ip)
NONCES = st.binary(min_size=12, max_size=12)

PCP_REQUESTS = st.builds(
    pcp.MapRequest,
    lifetime_s=LONGS,
    client=ADDRESSES,
    nonce=NONCES,
    port=PORTS,
    external_port=PORTS,
    external=ADDRESSES,
)
PCP_ANSWERS = st.builds(
    pcp.MapAnswer,
    result=st.integers(0, 255),
    lifetime_s=LONGS,
    epoch_s=LONGS,
    nonce=NONCES,
    port=PORTS,
    external_port=PORTS,
    external=ADDRESSES,
)
NAT_PMP_REQUESTS = st.builds(nat_pmp.MapRequest, port=PORTS, external_port=PORTS, lifetime_s=LONGS)
NAT_PMP_ANSWERS = st.builds(
    nat_pmp.MapAnswer,
    result=PORTS,
    epoch_s=LONGS,
    port=PORTS,
    external_port=PORTS,
    lifetime_s=LONGS,
)
NAT_PMP_ADDRESSES = st.builds(
    nat_pmp.AddressAnswer, result=PORTS, epoch_s=LONGS, external=st.ip_addresses(v=4)
)
ALL = st.one_of(PCP_REQUESTS, PCP_ANSWERS, NAT_PMP_REQUESTS, NAT_PMP_ANSWERS, NAT_PMP_ADDRESSES)
Coded = (
    pcp.MapRequest | pcp.MapAnswer | nat_pmp.MapRequest | nat_pmp.MapAnswer | nat_pmp.AddressAnswer
)
DECODERS: tuple[Callable[[bytes], Coded], ...] = (
    pcp.MapRequest.decode,
    pcp.MapAnswer.decode,
    nat_pmp.MapRequest.decode,
    nat_pmp.MapAnswer.decode,
    nat_pmp.AddressAnswer.decode,
)


@given(ALL)
def test_encode_and_decode_are_a_pair(coded: Coded) -> None:
    assert type(coded).decode(coded.encode()) == coded


@given(ALL)
def test_no_datagram_means_two_things(coded: Coded) -> None:
    for decode in DECODERS:
        try:
            decoded = decode(coded.encode())
        except RemoteProtocolError:
            continue
        assert decoded == coded


def _damaged(coded: Coded, at: int, by: int, end: int) -> bytes:
    data = bytearray(coded.encode())
    data[at % len(data)] ^= by
    return bytes(data[: len(data) - end])


DATAGRAMS = st.binary(max_size=1200) | st.builds(
    _damaged, ALL, st.integers(0, 59), st.integers(0, 255), st.integers(0, 12)
)


@given(DATAGRAMS)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    pcp.is_other_version(data)
    is_announcement(data)
    for decode in DECODERS:
        with contextlib.suppress(RemoteProtocolError):
            decode(data)


# What miniupnpd 2.3.1 has sent.
GRANTED = bytes.fromhex(
    "0281000000000e1000000004000000000000000000000000"
    "b4524fb7e91c6c874d28e3eb060000000fa00fa000000000000000000000ffff0b000005"
)
THROUGH_FIREWALL = bytes.fromhex(
    "0281000000000e1000000000000000000000000000000000"
    "b4524fb7e91c6c874d28e3eb060000000fa00fa02a0f0004000000000000000000000002"
)
BEGUN = bytes.fromhex("028000000000000000000000000000000000000000000000")


def test_the_answers_of_a_real_router_by_pcp() -> None:
    answer = pcp.MapAnswer.decode(GRANTED)
    assert (answer.result, answer.lifetime_s, answer.epoch_s) == (0, 3600, 4)
    assert (answer.port, answer.external_port) == (4000, 4000)
    assert str(answer.external) == "11.0.0.5"
    assert answer.encode() == GRANTED
    assert str(pcp.MapAnswer.decode(THROUGH_FIREWALL).external) == "2a0f:4::2"
    assert is_announcement(BEGUN)
    assert not is_announcement(GRANTED)


def test_the_answers_of_a_real_router_by_nat_pmp() -> None:
    data = bytes.fromhex("00820000000000070fa00fa000000e10")
    answer = nat_pmp.MapAnswer(result=0, epoch_s=7, port=4000, external_port=4000, lifetime_s=3600)
    assert nat_pmp.MapAnswer.decode(data) == answer
    external = bytes.fromhex("00800000000000000b000004")
    assert str(nat_pmp.AddressAnswer.decode(external).external) == "11.0.0.4"
    assert is_announcement(external)
    none = bytes.fromhex("008000030000000000000000")
    assert nat_pmp.AddressAnswer.decode(none).result == 3
    assert not is_announcement(none)


def test_a_request_is_the_one_of_the_specification() -> None:
    request = pcp.MapRequest(
        lifetime_s=3600,
        client=ipaddress.ip_address("192.168.4.2"),
        nonce=b"twelve bytes",
        port=4000,
        external_port=4000,
        external=ipaddress.ip_address("0.0.0.0"),
    )
    assert request.encode() == bytes.fromhex(
        "0201000000000e1000000000000000000000ffffc0a80402"
        "7477656c7665206279746573060000000fa00fa000000000000000000000ffff00000000"
    )


def test_a_refusal_of_nat_pmp_may_be_short() -> None:
    assert nat_pmp.MapAnswer.decode(bytes.fromhex("0082000200000007")).result == 2
    with pytest.raises(RemoteProtocolError):
        nat_pmp.MapAnswer.decode(bytes.fromhex("0082000000000007"))


@pytest.mark.parametrize(
    ("data", "is_other"),
    [
        ("0081000100000007", True),  # NAT-PMP
        ("0181000100000000", True),  # an older PCP
        ("0281000100000000", False),
        ("0001000100000000", False),  # a question
        ("0081000000000007", False),
        ("008100", False),
    ],
)
def test_a_router_that_speaks_another_version(data: str, is_other: bool) -> None:
    assert pcp.is_other_version(bytes.fromhex(data)) is is_other


def test_options_are_left_aside_up_to_the_size_of_a_datagram() -> None:
    assert pcp.MapAnswer.decode(GRANTED + bytes(8)) == pcp.MapAnswer.decode(GRANTED)
    most = limits.PCP_SIZE_MOST
    pcp.MapAnswer.decode(GRANTED.ljust(most, b"\0"))
    for data in (GRANTED.ljust(most + 4, b"\0"), GRANTED + b"\0", GRANTED[:-4]):
        with pytest.raises(RemoteProtocolError):
            pcp.MapAnswer.decode(data)
