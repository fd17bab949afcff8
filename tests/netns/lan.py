"""A local network: every host has a cable to one switch, and hears what is broadcast."""

from tests.netns.hosts import Hosts, ip

_SWITCH = 0  # its namespace


class Lan(Hosts):
    def connect(self) -> None:
        self.add(_SWITCH)
        self.ip(_SWITCH, "link", "add", "switch", "type", "bridge")
        self.ip(_SWITCH, "link", "set", "switch", "up")
        for host in self.hosts:
            end = f"to{host}"
            ip(
                *("link", "add", end, "netns", self.namespace(_SWITCH), "type", "veth"),
                *("peer", "name", "net0", "netns", self.namespace(host)),
            )
            self.ip(_SWITCH, "link", "set", end, "master", "switch", "up")
            self.ip(host, "address", "add", f"{self.address(host)}/24", "dev", "net0")
            self.ip(host, "link", "set", "net0", "up")
            self.ip(host, "route", "add", "default", "dev", "net0")

    def address(self, host: int) -> str:
        return f"10.79.0.{host}"
