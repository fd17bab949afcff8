"""Routes as systems tell them, in the words of several, and texts that are no routes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.net.addresses import Address, as_ip
from p2pfruit.net.router import gateways
from p2pfruit.net.router.gateways import (
    bsd_routes,
    first_ipv4,
    first_ipv6,
    lanes,
    linux_ipv4_routes,
    linux_ipv6_routes,
    windows_routes,
)

LINUX_IPV4 = """\
Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
eth0\t00000000\tFE00000A\t0003\t0\t0\t100\t00000000\t0\t0\t0
tun0\t00000000\t00000000\t0001\t0\t0\t50\t00000000\t0\t0\t0
lo\t00000000\t0101A8C0\t0203\t0\t0\t10\t00000000\t0\t0\t0
eth0\t0000000A\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
"""
ZERO = "0" * 32
LINUX_IPV6 = f"""\
2a0f0004000000000000000000000000 40 {ZERO} 00 {ZERO} 00000100 00000001 00000000 00000001     net0
{ZERO} 00 {ZERO} 00 fe800000000000000000000000000009 00000400 00000001 00000000 00000003    wlan0
{ZERO} 00 {ZERO} 00 fe800000000000000000000000000001 00000064 00000001 00000000 00000003     net0
{ZERO} 00 {ZERO} 00 {ZERO} ffffffff 00000001 00000000 00200200       lo
"""
MACOS = """\
Routing tables

Internet:
Destination        Gateway            Flags               Netif Expire
default            192.168.1.1        UGScg                 en0
default            link#20            UCSIg         bridge100      !
127                127.0.0.1          UCS                   lo0
192.168.1.1/32     link#14            UCS                   en0      !

Internet6:
Destination                             Gateway                         Flags     Netif Expire
default                                 fe80::%utun0                    UGcIg     utun0
default                                 fe80::1%en0                     UGcg        en0
::1                                     ::1                             UHL         lo0
"""
WINDOWS = """\
===========================================================================
Liste d'Interfaces
 12...00 11 22 33 44 55 ......Intel(R) Ethernet
===========================================================================

IPv4 Table de routage
Itinéraires actifs :
Destination réseau    Masque réseau  Adr. passerelle   Adr. interface Métrique
          0.0.0.0          0.0.0.0      192.168.1.254    192.168.1.20     35
          0.0.0.0          0.0.0.0         10.8.0.1        10.8.0.6       20
        127.0.0.0        255.0.0.0         On-link         127.0.0.1    331
Itinéraires persistants :
          0.0.0.0          0.0.0.0         On-link         Par défaut

IPv6 Table de routage
 If Metric Network Destination      Gateway
 12    266 ::/0                     fe80::1
 12     16 ::/0                     On-link
  1    331 ::1/128                  On-link
===========================================================================
"""


@pytest.mark.parametrize(
    ("read", "text", "fourth", "sixth"),
    [
        (linux_ipv4_routes, LINUX_IPV4, "10.0.0.254", None),
        (linux_ipv6_routes, LINUX_IPV6, None, "fe80::1%net0"),
        (bsd_routes, MACOS, "192.168.1.1", "fe80::1%en0"),
        (windows_routes, WINDOWS, "10.8.0.1", "fe80::1%12"),
    ],
)
def test_the_preferred_gateway_is_found(
    read: Callable[[str], list[str]], text: str, fourth: str | None, sixth: str | None
) -> None:
    assert (first_ipv4(read(text)), first_ipv6(read(text))) == (fourth, sixth)


READERS = [linux_ipv4_routes, linux_ipv6_routes, bsd_routes, windows_routes]
WORDS = st.sampled_from(
    [
        *("default", "::/0", "0.0.0.0", "0.0.0.0/0", "00000000", "0003", "UG", "0", "00", "100"),
        *("fe80::1", "fe80::%en0", "fe80::1%en0", "fe80::1%e;n", "192.168.1.1", "224.0.0.1"),
        *("ff02::1", "127.0.0.1", "::1", "-1", "99999999999999999999", "zz"),
    ]
)
LINES = st.lists(WORDS, max_size=11).map(" ".join)


@pytest.mark.parametrize("read", READERS)
@given(text=st.text(max_size=200) | st.lists(LINES, max_size=4).map("\n".join))
def test_any_text_leads_to_a_possible_router_or_none(
    read: Callable[[str], list[str]], text: str
) -> None:
    found = read(text)
    for host in (first_ipv4(found), first_ipv6(found)):
        ip = None if host is None else as_ip(host)
        assert host is None or ip is not None
        assert ip is None or not (ip.is_multicast or ip.is_unspecified or ip.is_loopback)


async def test_a_machine_without_a_known_router_asks_at_the_anycast_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def none() -> tuple[None, None]:
        return None, None

    monkeypatch.setattr(gateways, "gateways", none)
    monkeypatch.setattr(gateways, "_source", lambda _router: "192.168.1.2")
    hosts = ["192.168.1.2", "2600::1", "fd00::1", "fe80::1", *(f"2600::{n}" for n in range(2, 9))]
    monkeypatch.setattr(gateways, "own_addresses", lambda: hosts)
    found = await lanes()
    assert [lane.inside for lane in found] == [
        *("192.168.1.2", "2600::1", "2600::2", "2600::3", "2600::4")
    ]
    assert [lane.router for lane in found[:2]] == [
        Address("192.0.0.9", 5351),
        Address("2001:1::1", 5351),
    ]
    assert {lane.known_host for lane in found} == {None}


async def test_a_machine_without_a_network_asks_no_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateways, "own_addresses", lambda: ["127.0.0.1", "::1"])
    monkeypatch.setattr(gateways, "_source", lambda _router: None)
    assert await lanes() == ()


async def test_a_system_that_cannot_tell_its_routes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateways, "_is_linux", lambda: False)
    monkeypatch.setenv("PATH", "")
    assert await gateways.gateways() == (None, None)


async def test_a_system_that_tells_them_by_netstat(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "table").write_text(MACOS)
    netstat = tmp_path / "netstat"
    netstat.write_text(f'#!/bin/sh\n[ "$*" = -rn ] && exec /bin/cat {tmp_path}/table\n')
    netstat.chmod(0o755)
    monkeypatch.setattr(gateways, "_is_linux", lambda: False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert await gateways.gateways() == ("192.168.1.1", "fe80::1%en0")
