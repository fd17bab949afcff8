import ipaddress
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.net import addresses
from p2pfruit.net.addresses import (
    Address,
    BadAddress,
    Kind,
    Reach,
    broadcast_addresses,
    own_addresses,
    reach_of,
)

PORTS = st.integers(0, 65535)
LABELS = st.from_regex(r"[a-z]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True)
HOSTS = st.one_of(
    st.ip_addresses().map(str),
    st.lists(LABELS, min_size=1, max_size=4).map(".".join),
    st.builds("fe80::{:x}%{}".format, st.integers(1, 65535), LABELS.filter(lambda x: len(x) < 16)),
    st.just(""),
)


@given(
    st.builds(Address, HOSTS, PORTS)
    | st.builds(Address, HOSTS.filter(bool), PORTS).map(Address.behind)
)
def test_parse_and_str_are_a_pair(address: Address) -> None:
    assert Address.parse(str(address)) == address


@given(st.text())
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        address = Address.parse(text)
    except BadAddress as error:
        said = str(error)
    else:
        said = str(address)
        assert Address.parse(said) == address
    assert said.isprintable()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (" Table.Example:7 ", Address("table.example", 7)),
        ("[2001:DB8::0:1]:7", Address("2001:db8::1", 7)),
        (":7", Address("", 7)),
        ("[fe80::1%eth0]:7", Address("fe80::1%eth0", 7)),
        ("relay/Table.Example:7", Address("table.example", 7).behind()),
        ("relay/[2001:DB8::1]:7", Address("2001:db8::1", 7).behind()),
    ],
)
def test_one_form_of_many(text: str, address: Address) -> None:
    assert Address.parse(text) == address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("1.2.3.4", Address("1.2.3.4", 9)),
        ("::1", Address("::1", 9)),
        ("[::1]", Address("::1", 9)),
        ("1.2.3.4:5", Address("1.2.3.4", 5)),
        ("", Address("", 9)),
    ],
)
def test_a_port_is_taken_where_the_text_has_none(text: str, address: Address) -> None:
    assert Address.parse(text, port=9) == address


@pytest.mark.parametrize(
    "text",
    [
        "1.2.3.4",
        "::1",
        "1.2.3.4:",
        "1.2.3.4:65536",
        "1.2.3.4:-1",
        "1.2.3.4:٣",
        "1.2.3.4:000005",
        "[::1:5",
        "[::1]5",
        "[name]:5",
        "[1.2.3.4]:5",
        "[fe80::1%]:5",
        "[fe80::1%et/h]:5",
        "1.2.3.4%eth0:5",
        "127.1:5",
        "2130706433:5",
        "0x7f.0x1:5",
        "1.2.3.256:5",
        "na me:5",
        "-name:5",
        "näme:5",
        "a..b:5",
        "\x1b[31m:5",
        f"{'a.' * 130}a:5",
        "user@host:5",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(BadAddress) as refused:
        Address.parse(text)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("host", "kind"),
    [
        ("8.8.8.8", Kind.GLOBAL),
        ("2a00::1", Kind.GLOBAL),
        ("100.64.0.1", Kind.CARRIER),
        ("100.127.255.255", Kind.CARRIER),
        ("200:1234::1", Kind.PRIVATE),
        ("3ff:ffff::1", Kind.PRIVATE),
        ("400::1", Kind.GLOBAL),
        ("100.128.0.0", Kind.GLOBAL),
        ("192.168.1.1", Kind.PRIVATE),
        ("10.0.0.1", Kind.PRIVATE),
        ("::ffff:10.0.0.1", Kind.PRIVATE),
        ("fd00::2", Kind.PRIVATE),
        ("169.254.1.1", Kind.LINK),
        ("fe80::1%eth0", Kind.LINK),
        ("127.0.0.1", Kind.LOOPBACK),
        ("::1", Kind.LOOPBACK),
        ("::ffff:127.0.0.1", Kind.LOOPBACK),
        ("0.0.0.0", Kind.ANY),
        ("::", Kind.ANY),
        ("", Kind.ANY),
        ("name", Kind.NAME),
        ("onion", Kind.NAME),
        ("abc.onion", Kind.ONION),
        ("abc.onion.", Kind.ONION),
    ],
)
def test_from_where_it_can_be_reached(host: str, kind: Kind) -> None:
    assert Address(host, 1).kind is kind


def test_own_addresses_are_real_and_loopback_comes_last() -> None:
    hosts = own_addresses()
    assert "127.0.0.1" in hosts
    assert len(hosts) == len(set(hosts))
    loopback = [Address(host, 0).kind is Kind.LOOPBACK for host in hosts]
    assert loopback == sorted(loopback)
    for host in hosts:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind((host, 0))


def test_listening_everywhere_can_be_called_at_every_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "own_addresses", lambda: ["192.0.2.2", "fd00::2", "127.0.0.1"])
    listening = [Address("0.0.0.0", 5), Address("::", 5), Address("127.0.0.1", 5)]
    assert addresses.callable_at(listening) == [
        Address("192.0.2.2", 5),
        Address("fd00::2", 5),
        Address("127.0.0.1", 5),
    ]
    assert addresses.callable_at([Address("0.0.0.0", 5)]) == [Address("192.0.2.2", 5)]
    monkeypatch.setattr(addresses, "own_addresses", lambda: ["127.0.0.1"])
    assert addresses.callable_at([Address("0.0.0.0", 5)]) == [Address("127.0.0.1", 5)]


def test_broadcasts_begin_with_the_one_that_always_is() -> None:
    first, *others = broadcast_addresses()
    assert first == "255.255.255.255"
    assert all(ipaddress.IPv4Address(host) for host in others)


def test_addresses_that_cannot_be_called_are_left_out(tmp_path: Path) -> None:
    table = tmp_path / "if_inet6"
    table.write_text(
        "2a000000000000000000000000000001 04 40 00 80     eth0\n"
        "2a000000000000000000000000000002 04 40 00 a0     eth0\n"  # deprecated
        "2a000000000000000000000000000003 04 40 00 c0     eth0\n"  # tentative
        "2a000000000000000000000000000004 04 40 00 88     eth0\n"  # taken by another
        "fe8000000000000000fc00fffe000001 04 40 20 80     eth0\n"
        "00000000000000000000000000000001 01 80 10 80       lo\n"
    )
    assert addresses._interface_ipv6(table) == ["2a00::1", "::1"]
    assert addresses._interface_ipv6(tmp_path / "nowhere") == []


@pytest.mark.parametrize(
    ("addresses", "reach"),
    [
        (["127.0.0.1:1", "[::1]:1", "localhost:1", "a.localhost.:1"], Reach.MACHINE),
        (["127.0.0.1:1", "192.168.1.7:1"], Reach.NETWORK),
        (["10.0.0.7:1", "[fd00::7]:1", "169.254.1.1:1", "100.64.0.1:1"], Reach.NETWORK),
        (["192.168.1.7:1", "[2a00::7]:1"], Reach.ANYWHERE),
        (["127.0.0.1:1", "example.org:1"], Reach.ANYWHERE),
        ([f"{'a' * 56}.onion:1"], Reach.ANYWHERE),
    ],
)
def test_from_where_a_table_can_be_called(addresses: list[str], reach: Reach) -> None:
    assert reach_of(map(Address.parse, addresses)) is reach


def test_a_relay_is_no_place_to_call_by_itself() -> None:
    relay = Address.parse("relay/203.0.113.9:7")
    assert relay.kind is Kind.RELAY
    assert relay.relay == Address("203.0.113.9", 7) != relay
    with pytest.raises(BadAddress):
        Address.parse("relay/:7")


@pytest.mark.parametrize(
    ("text", "reach"),
    [
        ("relay/127.0.0.1:7", Reach.MACHINE),
        ("relay/192.168.1.2:7", Reach.NETWORK),
        ("relay/11.0.0.1:7", Reach.ANYWHERE),
    ],
)
def test_a_table_is_reached_from_where_its_relay_is(text: str, reach: Reach) -> None:
    assert reach_of([Address.parse(text)]) is reach
