"""Hosts numbered from 1, each a network namespace of its own; gone when the block is left."""

import os
import secrets
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Self


class Hosts:
    def __init__(self, hosts: int) -> None:
        self.hosts = range(1, hosts + 1)
        self._prefix = f"p2pfruit-{os.getpid()}-{secrets.token_hex(3)}"
        self._numbers: list[int] = []  # of all namespaces that were made
        self._started: list[subprocess.Popen[Any]] = []

    def __enter__(self) -> Self:
        try:
            for host in self.hosts:
                self.add(host)
            self.connect()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, number: int) -> None:
        """Makes a namespace: a host, or what lies between hosts."""
        self._numbers.append(number)
        ip("netns", "add", self.namespace(number))
        self.ip(number, "link", "set", "lo", "up")
        self.write(number, "/proc/sys/net/ipv4/ip_forward", "0")

    def connect(self) -> None:
        """Lays the links between the hosts."""
        raise NotImplementedError

    def address(self, host: int) -> str:
        """Where the others find this host."""
        raise NotImplementedError

    def namespace(self, host: int) -> str:
        return f"{self._prefix}-{host}"

    def command(self, host: int, arguments: Sequence[str]) -> list[str]:
        """The command line that runs this one inside a host; the process is the program itself."""
        return ["ip", "netns", "exec", self.namespace(host), *arguments]

    def popen(self, host: int, arguments: Sequence[str], **options: Any) -> "subprocess.Popen[Any]":
        """A program inside a host, killed at the end if it still runs."""
        process = subprocess.Popen(self.command(host, arguments), **options)
        self._started.append(process)
        return process

    def ip(self, host: int, *arguments: str) -> None:
        ip("-n", self.namespace(host), *arguments)

    def write(self, host: int, path: str, text: str) -> None:
        run(*self.command(host, ["sh", "-c", 'echo "$1" >"$0"', path, text]))

    def close(self) -> None:
        """Everything goes, whatever of it there is."""
        for number in self._numbers:
            listed = subprocess.run(
                ["ip", "netns", "pids", self.namespace(number)],
                capture_output=True,
                text=True,
                check=False,
            )
            for pid in map(int, listed.stdout.split()):  # with what our programs started
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        for process in self._started:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
        for number in self._numbers:
            subprocess.run(
                ["ip", "netns", "delete", self.namespace(number)], capture_output=True, check=False
            )


def ip(*arguments: str) -> None:
    run("ip", *arguments)


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout
