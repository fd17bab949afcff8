"""Only host 1 can be reached: each other host has a cable to it, and it forwards nothing."""

from tests.netns.hosts import Hosts, ip


class Star(Hosts):
    def connect(self) -> None:
        self.ip(1, "address", "add", f"{self.address(1)}/32", "dev", "lo")
        for host in self.hosts[1:]:
            hub, mine, end = f"10.78.{host}.1", self.address(host), f"to{host}"
            ip(
                *("link", "add", end, "netns", self.namespace(1), "type", "veth"),
                *("peer", "name", "net0", "netns", self.namespace(host)),
            )
            self.ip(1, "address", "add", f"{hub}/24", "dev", end)
            self.ip(1, "link", "set", end, "up")
            self.ip(host, "address", "add", f"{mine}/24", "dev", "net0")
            self.ip(host, "link", "set", "net0", "up")
            self.ip(host, "route", "add", "default", "via", hub)

    def address(self, host: int) -> str:
        return "10.78.0.1" if host == 1 else f"10.78.{host}.2"
