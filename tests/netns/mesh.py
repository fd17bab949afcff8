"""Everybody reaches everybody, over a wire with bad weather: see wire.py for what each word means.

    with Mesh(hosts=4, delay_s=0.150, jitter_s=0.020, loss=0.05, flap=(3, 2.0, 10.0)) as net:
        server = net.popen(1, [sys.executable, "-m", "p2pfruit", "host", …])
        net.cut(2, 3)

The wire is a process of its own, so that it keeps up while the hosts compute.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.netns import wire
from tests.netns.hosts import Hosts
from tests.netns.wire import Count, Flap, Pair, Weather

ROOT = Path(__file__).parents[2]


class Mesh(Hosts):
    def __init__(
        self,
        hosts: int,
        *,
        delay_s: float = 0.0,
        jitter_s: float = 0.0,
        loss: float = 0.0,
        flap: tuple[int, float, float] | None = None,
        seed: int = 1,
    ) -> None:
        super().__init__(hosts)
        self.weather = Weather(
            hosts=hosts,
            delay_s=delay_s,
            jitter_s=jitter_s,
            loss=loss,
            flap=None if flap is None else Flap(*flap),
            seed=seed,
        )
        self._carrier: subprocess.Popen[str] | None = None

    def connect(self) -> None:
        settings = {
            "namespaces": [self.namespace(host) for host in self.hosts],
            "weather": self.weather.plain(),
        }
        self._carrier = subprocess.Popen(
            [sys.executable, "-m", "tests.netns.carrying", json.dumps(settings)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._read()

    def address(self, host: int) -> str:
        return wire.address(host)

    def cut(self, one: int, other: int) -> None:
        """From now on nothing passes between these two, what is on its way included."""
        self._tell("cut", one, other)

    def mend(self, one: int, other: int) -> None:
        self._tell("mend", one, other)

    def counts(self) -> dict[Pair, Count]:
        """What was sent, and lost, from each host to each other."""
        return {Pair(*row[:2]): Count(*row[2:]) for row in self._tell("counts")}

    def close(self) -> None:
        if self._carrier is not None:
            self._carrier.kill()
            self._carrier.communicate()
        super().close()

    def _tell(self, *words: object) -> Any:
        assert self._carrier is not None
        assert self._carrier.stdin is not None
        self._carrier.stdin.write(json.dumps(words) + "\n")
        self._carrier.stdin.flush()
        return self._read()

    def _read(self) -> Any:
        assert self._carrier is not None
        assert self._carrier.stdout is not None
        line = self._carrier.stdout.readline()
        if not line:
            raise OSError("the wire broke: what it said is on stderr")
        return json.loads(line)
