"""A router on loopback that is asked, and what comes of it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio

from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.router import asking, nat_pmp, upnp
from p2pfruit.net.router.answers import Answer as Outcome
from p2pfruit.net.router.answers import Grant, How, Reason
from p2pfruit.net.router.asking import asked
from p2pfruit.net.router.gateways import Lane
from tests.p2pfruit.net.router.routers import (
    EXTERNAL,
    PORT,
    Answer,
    Datagrams,
    FakeRouter,
)

Twist = Callable[[Answer], Datagrams]
HOUR_S = limits.ROUTER_LIFETIME_S


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No library, and a machine whose addresses stay the same."""
    monkeypatch.setattr(upnp, "_library", lambda: None)
    monkeypatch.setattr(asking, "own_addresses", lambda: ["127.0.0.1"])


class News:
    """What is told after the first answer."""

    def __init__(self) -> None:
        self.told: list[Outcome] = []
        self._more = trio.Event()

    def __call__(self, answer: Outcome) -> None:
        self.told.append(answer)
        self._more.set()

    async def next(self) -> Outcome:
        await self._more.wait()
        self._more = trio.Event()
        return self.told[-1]


@asynccontextmanager
async def asking_of(
    *routers: FakeRouter, news: News | None = None, secret: bytes | None = None
) -> AsyncIterator[Outcome]:
    async def look() -> list[Lane]:
        return [router.lane for router in routers]

    async with asked(PORT, news or News(), look=look, secret=secret) as answer:
        yield answer


def twisted(**values: object) -> Twist:
    """Each answer about a port says something else in some fields."""

    def twist(answer: Answer) -> Datagrams:
        if isinstance(answer, nat_pmp.AddressAnswer):
            return [answer]
        return [replace(answer, **values)]  # type: ignore[arg-type]

    return twist


def reasons(answer: Outcome) -> list[tuple[How, Reason]]:
    return [(attempt.how, attempt.reason) for attempt in answer.tried]


def by_pcp(host: str = EXTERNAL, port: int = PORT) -> tuple[Grant, ...]:
    return (Grant(address=Address(host, port), how=How.PCP),)
