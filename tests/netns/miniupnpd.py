"""miniupnpd, which opens ports of a router of nats.py on request: by PCP, NAT-PMP and UPnP."""

import subprocess
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# Of the table `router`: who may pass, whose address is changed on the way in, and on the way out.
CHAINS = ("opened", "opened_in", "opened_out")

# For ever: what it does takes some milliseconds.
_LIMIT_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Daemon:
    """What it speaks and allows.

    Asked by PCP or NAT-PMP for a port that it does not open, it tries each one above, about one
    a millisecond, and answers nobody meanwhile.
    """

    pcp: bool = True
    nat_pmp: bool = True
    upnp: bool = True
    ports: tuple[int, int] | None = (1024, 65535)  # it opens these only: first and last
    says: str = ""  # the public address that it tells, where it is not the router's own

    def filtering(self) -> str:
        """What keeps a protocol from it that it cannot leave out by itself, in the words of nft."""
        unheard = [("0", self.nat_pmp), ("2", self.pcp)]
        # The first byte of a request is the version of its protocol.
        return "\n".join(
            f"udp dport 5351 @th,64,8 {version} drop" for version, heard in unheard if not heard
        )

    def settings(self) -> str:
        values = {
            "ext_ifname": "wan",
            "listening_ip": "lan",
            "ext_ip": self.says,
            "enable_natpmp": "yes" if self.pcp or self.nat_pmp else "no",
            "enable_upnp": "yes" if self.upnp else "no",
            "system_uptime": "no",
            "uuid": "3a9c3a3e-7d1c-4a80-9f0c-2f5d0c1d9d7e",
            "upnp_table_name": "router",
            "upnp_nat_table_name": "router",
            "upnp_forward_chain": CHAINS[0],
            "upnp_nat_chain": CHAINS[1],
            "upnp_nat_postrouting_chain": CHAINS[2],
        }
        lines = "".join(f"{name}={value}\n" for name, value in values.items() if value)
        allowed = ""
        if self.ports is not None:
            allowed = f"allow {self.ports[0]}-{self.ports[1]} 0.0.0.0/0 1024-65535\n"
        return f"{lines}{allowed}deny 0-65535 0.0.0.0/0 0-65535\n"


class Miniupnpd:
    """A daemon that runs, and what it has said."""

    def __init__(self, daemon: Daemon, enter: Sequence[str]) -> None:
        """`enter`: the command line that runs the rest of it inside the router."""
        self.said: list[str] = []
        self._folder = tempfile.TemporaryDirectory(prefix="p2pfruit-miniupnpd-")
        datagrams = daemon.pcp or daemon.nat_pmp
        self._last = "Listening for NAT-PMP/PCP" if datagrams else "HTTP listening"
        self._heard = threading.Condition()
        self._ended = False
        config = Path(self._folder.name, "miniupnpd.conf")
        config.write_text(daemon.settings())
        pid = str(Path(self._folder.name, "pid"))
        self._process = subprocess.Popen(
            [*enter, "miniupnpd", "-d", "-f", str(config), "-P", pid],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def wait_until_ready(self) -> None:
        self.wait_for(self._last)

    def wait_for(self, words: str, times: int = 1) -> None:
        """Waits until it has said something as often as that."""

        def has_said() -> bool:
            return self._ended or sum(words in line for line in self.said) >= times

        with self._heard:
            in_time = self._heard.wait_for(has_said, _LIMIT_S)
        if self._ended or not in_time:
            self.kill()
            raise OSError(f"miniupnpd: {self.said}")

    def kill(self) -> None:
        """Ends it at once, as a power cut does."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self._folder.cleanup()

    def _read(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr:
            for line in self._process.stderr:
                self._add(line.strip())
        with self._heard:
            self._ended = True
            self._heard.notify_all()

    def _add(self, line: str) -> None:
        with self._heard:
            self.said.append(line)
            self._heard.notify_all()
