"""The process that is the wire: `python -m tests.netns.carrying SETTINGS`, as mesh.py starts it.

It holds a TUN device for each host. The device is made here and moved into the host's namespace;
its descriptor stays. Lines of JSON come in on stdin (cut, mend, counts), each is answered by one,
and the end of stdin is the end: the devices go with the process.
"""

import fcntl
import json
import os
import selectors
import struct
import sys
import time
from contextlib import suppress
from typing import Any

from tests.netns.hosts import ip
from tests.netns.wire import Weather, Wire, address

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000

PACKET_BYTES_MOST = 65_536


def open_device(host: int, namespace: str) -> int:
    """A TUN device that is called net0 inside the namespace and has the host's address."""
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    name = f"p2pf{os.getpid():x}h{host}"
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    ip("link", "set", name, "netns", namespace, "name", "net0")
    ip("-n", namespace, "address", "add", f"{address(host)}/24", "dev", "net0")
    ip("-n", namespace, "link", "set", "net0", "up")
    return device


class Carrier:
    def __init__(self, wire: Wire, devices: dict[int, int]) -> None:
        self.wire = wire
        self.devices = devices
        self.selector = selectors.DefaultSelector()
        for host, device in devices.items():
            self.selector.register(device, selectors.EVENT_READ, host)
        self.selector.register(sys.stdin, selectors.EVENT_READ)
        self.over = False

    def run(self) -> None:
        while not self.over:
            due = self.wire.next_due()
            wait_s = None if due is None else max(0.0, due - time.monotonic())
            for key, _ in self.selector.select(wait_s):
                if key.data is None:
                    self.obey(sys.stdin.readline())
                else:
                    self.take(key.data, key.fd)
            for host, packet in self.wire.arrivals(time.monotonic()):
                with suppress(OSError):  # its queue is full, or the host is going
                    os.write(self.devices[host], packet)

    def take(self, host: int, device: int) -> None:
        """All that the host has sent."""
        with suppress(OSError):  # no more, or the host is going
            while True:
                packet = os.read(device, PACKET_BYTES_MOST)
                self.wire.send(host, packet, time.monotonic())

    def obey(self, line: str) -> None:
        if not line:
            self.over = True
            return
        what, *pair = json.loads(line)
        answer: Any = None
        match what:
            case "cut":
                self.wire.cut(*pair)
            case "mend":
                self.wire.mend(*pair)
            case "counts":
                answer = [
                    [*pair, count.packets, count.bytes, count.lost]
                    for pair, count in self.wire.counts()
                ]
        print(json.dumps(answer), flush=True)


def main() -> None:
    settings = json.loads(sys.argv[1])
    with suppress(PermissionError):
        os.nice(-10)  # the hosts compute on the same cores, and must not slow the wire down
    devices = {
        host: open_device(host, namespace)
        for host, namespace in enumerate(settings["namespaces"], 1)
    }
    carrier = Carrier(Wire(Weather.parse(settings["weather"]), time.monotonic()), devices)
    print(json.dumps("ready"), flush=True)
    carrier.run()


if __name__ == "__main__":
    main()
