"""A local network: every host has a cable to one switch, and hears what is broadcast."""

import subprocess

from tests.netns.hosts import Hosts, ip


class Lan(Hosts):
    def connect(self) -> None:
        ip("netns", "add", self._switch)
        ip("-n", self._switch, "link", "add", "switch", "type", "bridge")
        ip("-n", self._switch, "link", "set", "switch", "up")
        for host in self.hosts:
            end = f"to{host}"
            ip(
                *("link", "add", end, "netns", self._switch, "type", "veth"),
                *("peer", "name", "net0", "netns", self.namespace(host)),
            )
            ip("-n", self._switch, "link", "set", end, "master", "switch", "up")
            self.ip(host, "address", "add", f"{self.address(host)}/24", "dev", "net0")
            self.ip(host, "link", "set", "net0", "up")
            self.ip(host, "route", "add", "default", "dev", "net0")

    def address(self, host: int) -> str:
        return f"10.79.0.{host}"

    def close(self) -> None:
        super().close()
        subprocess.run(["ip", "netns", "delete", self._switch], capture_output=True, check=False)

    @property
    def _switch(self) -> str:
        return self.namespace(0)
