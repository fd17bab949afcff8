"""The internet, and homes behind routers that translate addresses (NAT) and block callers.

    carrier = Router(kind=Kind.CARRIER, ipv4=Nat.RANDOM)
    home = Router(behind=carrier)
    with Nats(home, home, Router(ports=(4000,)), INTERNET) as net:
        net.popen(1, …)  # hosts 1 and 2 share a home; 3 has forwarded a port; 4 stands in the open
        net.move(2, INTERNET)

Hosts are numbered from 1, each by the place in which it stands. Places are compared by identity:
the same Router is the same home. 11.0.0.0/8 and 2a0f::/16 are the public addresses. A router with a
daemon opens ports on request, see miniupnpd.py. Every end of every link lies in a namespace of its
own, so no packet can get out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Network, IPv6Network, ip_network

from tests.netns.hosts import Hosts, ip, run
from tests.netns.miniupnpd import CHAINS, Daemon, Miniupnpd


class Kind(Enum):
    HOME = "home"
    CARRIER = "carrier"  # its customers have 100.64.0.0/10, and cannot call each other


class Nat(Enum):
    """How a router chooses the port from which a call goes out."""

    KEEPS = ""  # as the caller did, where that is free
    RANDOM = "fully-random"  # for each call anew: nobody can foretell it (a symmetric NAT)


class Firewall(Enum):
    """What a router does with calls from outside over IPv6. Answers pass in any case."""

    OPEN = "accept"
    CLOSED = "drop"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Internet:
    pass


INTERNET = Internet()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Router:
    """A router, and the network that it makes."""

    kind: Kind = Kind.HOME
    behind: "Place" = INTERNET
    ipv4: Nat | None = Nat.KEEPS  # None: it has no IPv4 at all
    ipv6: Firewall | None = None  # None: it has no IPv6 at all
    ports: tuple[int, ...] = ()  # TCP, forwarded to the first host of this network
    rejects: bool = False  # unwanted callers are told so at once
    daemon: Daemon | None = None


Place = Internet | Router


class Nats(Hosts):
    def __init__(self, *places: Place, more: Iterable[Router] = ()) -> None:
        """`more`: routers behind which no host stands yet."""
        super().__init__(len(places))
        self._place = dict(zip(self.hosts, places, strict=True))
        routers: dict[Router, None] = {}
        for place in (*places, *more):
            routers.update(dict.fromkeys(reversed(list(_out(place)))))  # the outermost first
        numbers = range(len(places) + 2, len(places) + 2 + len(routers))
        self._number: dict[Place, int] = {INTERNET: len(places) + 1}
        self._number |= dict(zip(routers, numbers, strict=True))
        self._daemons: dict[Router, Miniupnpd] = {}
        self._renumbered: dict[int, str] = {}

    def connect(self) -> None:
        for place, number in self._number.items():
            self.add(number)
            self._forward(number)
            self._switch(place, number)
            if isinstance(place, Router):
                self._plug(number, place.behind, "wan")
                self._route(place, number)
                self._rule(place, number)
        for host, place in self._place.items():
            self._plug(host, place, "net0")
        for place in self._number:
            if isinstance(place, Router) and place.daemon is not None:
                self.start_daemon(place)

    def address(self, host: int) -> str:
        """Its own address: IPv4 where it has one. From outside it may have another."""
        place = self._place[host]
        fourth = isinstance(place, Internet) or place.ipv4 is not None
        return self._ipv4(host, place) if fourth else self.ipv6(host)

    def ipv6(self, host: int) -> str:
        return self._ipv6(host, self._place[host])

    def outside(self, host: int) -> str:
        """Where the internet sees the IPv4 calls of this host come from."""
        last: int = host
        for router in _out(self._place[host]):
            last = self._number[router]
        return self._ipv4(last, INTERNET)

    def wan(self, router: Router) -> str:
        """The IPv4 address of a router in the network behind which it stands."""
        return self._ipv4(self._number[router], router.behind)

    def namespace_of(self, place: Place) -> str:
        """The namespace of a router, or of the internet itself."""
        return self.namespace(self._number[place])

    def lan(self, router: Router) -> str:
        """The IPv4 address of a router in the network that it makes."""
        return str(_network4(router, self._number[router])[1])

    def lan6(self, router: Router) -> str:
        return str(_network6(router, self._number[router])[1])

    def move(self, host: int, place: Place) -> None:
        """Takes a host to another network: its cable is gone, with all its addresses."""
        self.unplug(host)
        self._place[host] = place
        self._plug(host, place, "net0")

    def unplug(self, host: int) -> None:
        self.ip(host, "link", "delete", "net0")

    def renumber(self, router: Router, address: str) -> None:
        """Gives a router another public address, as providers do overnight."""
        number, bits = self._number[router], _NETWORK4.prefixlen
        self.ip(number, "address", "delete", f"{self.wan(router)}/{bits}", "dev", "wan")
        self.ip(number, "address", "add", f"{address}/{bits}", "dev", "wan")
        self.ip(number, "route", "add", "default", "via", str(_NETWORK4[1]))
        self._renumbered[number] = address

    def start_daemon(self, router: Router) -> Miniupnpd:
        assert router.daemon is not None
        started = Miniupnpd(router.daemon, self.command(self._number[router], ()))
        self._daemons[router] = started
        started.wait_until_ready()
        return started

    def daemon(self, router: Router) -> Miniupnpd:
        return self._daemons[router]

    def filter(self, router: Router, rule: str) -> None:
        """Adds a rule about what reaches the router itself, in the words of nft."""
        self._nft(self._number[router], f"insert rule inet router input {rule}")

    def stop_daemon(self, router: Router) -> None:
        """Ends the daemon, and closes what it has opened: the power of the router is cut."""
        self._daemons.pop(router).kill()
        flush = "; ".join(f"flush chain inet router {chain}" for chain in CHAINS)
        self._nft(self._number[router], flush)

    def opened(self, router: Router) -> list[str]:
        """The rules that its daemon has made, in the words of nft."""
        number = self._number[router]
        listed = "\n".join(
            run(*self.command(number, ["nft", "list", "chain", "inet", "router", chain]))
            for chain in CHAINS
        )
        return [line.strip() for line in listed.splitlines() if line.startswith("\t\t")]

    def close(self) -> None:
        for daemon in self._daemons.values():
            daemon.kill()
        super().close()

    def _forward(self, number: int) -> None:
        script = "cd /proc/sys/net; echo 1 >ipv4/ip_forward; echo 1 >ipv6/conf/all/forwarding"
        run(*self.command(number, ["sh", "-c", script]))

    def _switch(self, place: Place, number: int) -> None:
        """Lays the network that a router makes."""
        self.ip(number, "link", "add", "lan", "type", "bridge")
        self.ip(number, "link", "set", "lan", "up")
        fourth, sixth = _network4(place, number), _network6(place, number)
        if isinstance(place, Internet) or place.ipv4 is not None:
            self.ip(number, "address", "add", f"{fourth[1]}/{fourth.prefixlen}", "dev", "lan")
        if isinstance(place, Internet) or place.ipv6 is not None:
            self.ip(number, "-6", "address", "add", f"{sixth[1]}/64", "dev", "lan", "nodad")
            self.ip(number, "-6", "address", "add", "fe80::1/64", "dev", "lan", "nodad")

    def _plug(self, number: int, place: Place, end: str) -> None:
        """Connects a host, or a router, to the network of a place."""
        there = self._number[place]
        ip(
            *("link", "add", f"to{number}", "netns", self.namespace(there), "type", "veth"),
            *("peer", "name", end, "netns", self.namespace(number)),
        )
        self.ip(there, "link", "set", f"to{number}", "master", "lan", "up")
        if isinstance(place, Router) and place.kind is Kind.CARRIER:
            self.ip(there, "link", "set", f"to{number}", "type", "bridge_slave", "isolated", "on")
        self.write(number, f"/proc/sys/net/ipv6/conf/{end}/accept_dad", "0")
        self.ip(number, "link", "set", end, "up")
        if isinstance(place, Internet) or place.ipv4 is not None:
            network = _network4(place, there)
            mine = f"{self._ipv4(number, place)}/{network.prefixlen}"
            self.ip(number, "address", "add", mine, "dev", end)
            self.ip(number, "route", "add", "default", "via", str(network[1]))
        if isinstance(place, Internet) or place.ipv6 is not None:
            mine = f"{self._ipv6(number, place)}/64"
            self.ip(number, "-6", "address", "add", mine, "dev", end, "nodad")
            self.ip(number, "-6", "route", "add", "default", "via", "fe80::1", "dev", end)

    def _route(self, router: Router, number: int) -> None:
        """Tells the networks further out which way the global IPv6 addresses of this one are."""
        if router.ipv6 is None:
            return
        way = number
        places: list[Place] = [*_out(router.behind), INTERNET]
        for place in places:
            there = self._number[place]
            to = (str(_network6(router, number)), "via", self._ipv6(way, place))
            self.ip(there, "-6", "route", "add", *to)
            way = there

    def _rule(self, router: Router, number: int) -> None:
        turned_away = "reject with tcp reset" if router.rejects else "drop"
        inside = _network4(router, number)
        ports = ", ".join(map(str, router.ports))
        nat = "drop" if router.ipv4 is None else f"masquerade {router.ipv4.value}"
        sixth = (router.ipv6 or Firewall.CLOSED).value
        first = next((host for host, place in self._place.items() if place is router), number)
        to = self._ipv4(first, router)
        forwards = f"tcp dport {{ {ports} }} ct status dnat accept" if ports else ""
        translates = f'iifname "wan" tcp dport {{ {ports} }} dnat ip to {to}' if ports else ""
        filtering = router.daemon.filtering() if router.daemon else ""
        self._nft(
            number,
            f"""table inet router {{
                chain {CHAINS[0]} {{ }}
                chain {CHAINS[1]} {{ }}
                chain {CHAINS[2]} {{ }}
                chain input {{
                    type filter hook input priority 0; policy accept;
                    {filtering}
                    iifname "wan" ct state new meta l4proto tcp {turned_away}
                    iifname "wan" ct state new meta l4proto udp drop
                }}
                chain forward {{
                    type filter hook forward priority 0; policy drop;
                    ct state established,related accept
                    iifname "lan" accept
                    meta l4proto icmpv6 accept
                    jump {CHAINS[0]}
                    {forwards}
                    meta nfproto ipv6 {sixth}
                    meta l4proto tcp {turned_away}
                }}
                chain prerouting {{
                    type nat hook prerouting priority -100;
                    jump {CHAINS[1]}
                    {translates}
                }}
                chain postrouting {{
                    type nat hook postrouting priority 100;
                    jump {CHAINS[2]}
                    oifname "wan" ip saddr {inside} {nat}
                }}
            }}""",
        )

    def _nft(self, number: int, rules: str) -> None:
        run(*self.command(number, ["nft", rules]))

    def _ipv4(self, number: int, place: Place) -> str:
        if isinstance(place, Internet) and number in self._renumbered:
            return self._renumbered[number]
        return str(_network4(place, self._number[place])[number + 1])

    def _ipv6(self, number: int, place: Place) -> str:
        return str(_network6(place, self._number[place])[number + 1])


_NETWORK4, _NETWORK6 = IPv4Network("11.0.0.0/8"), IPv6Network("2a0f::/64")


def _network4(place: Place, number: int) -> IPv4Network:
    if isinstance(place, Internet):
        return _NETWORK4
    text = f"192.168.{number}.0/24" if place.kind is Kind.HOME else f"100.{64 + number}.0.0/16"
    return IPv4Network(text)


def _network6(place: Place, number: int) -> IPv6Network:
    if isinstance(place, Internet):
        return _NETWORK6
    network = ip_network(f"2a0f:{number:x}::/64")
    assert isinstance(network, IPv6Network)
    return network


def _out(place: Place) -> Iterator[Router]:
    """The routers on the way from a place to the internet, the nearest first."""
    while isinstance(place, Router):
        yield place
        place = place.behind
