"""A machine at home answers in the router's place: with lies, before the router or alone."""

import ipaddress
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from p2pfruit.net import limits
from p2pfruit.net.router import pcp
from p2pfruit.net.router.answers import Answer as Outcome
from p2pfruit.net.router.answers import How, Reason
from tests.p2pfruit.net.router.asked import Twist, alone, asking_of, by_pcp, reasons, twisted
from tests.p2pfruit.net.router.routers import (
    PORT,
    Answer,
    Datagrams,
    routed,
)

__all__ = ["alone"]


# Answers of liars, in front of the honest one. They would lead to another place.
LIE = {"external": ipaddress.ip_address("9.9.9.9")}
LIES: dict[str, Twist] = {
    "another nonce": twisted(nonce=b"another one.", **LIE),
    "another port": twisted(port=PORT + 1, **LIE),
    "another nonce refuses": twisted(nonce=b"another one.", result=2),
    "cut": lambda answer: [replaced(answer).encode()[:-4]],
    "not by four": lambda answer: [replaced(answer).encode() + b"\0"],
    "too long": lambda answer: [replaced(answer).encode().ljust(1104, b"\0")],
    "a question": lambda answer: [b"\2\1" + replaced(answer).encode()[2:]],
    "about UDP": lambda answer: [replaced(answer).encode().replace(b"\6\0\0\0", b"\x11\0\0\0")],
    "empty": lambda _answer: [b""],
    "odd": lambda _answer: [bytes(60), b"\xff" * 60, b"\2", b"\0"],
}


def replaced(answer: Answer) -> pcp.MapAnswer:
    assert isinstance(answer, pcp.MapAnswer)
    return replace(answer, external=ipaddress.ip_address("9.9.9.9"))


@pytest.mark.parametrize("name", LIES)
async def test_lies_in_front_of_the_answer_are_ignored(
    name: str, autojump_clock: MockClock
) -> None:
    async with routed() as router:
        router.speaks_nat_pmp = False
        router.twist = lambda answer: [*LIES[name](answer), answer]
        async with asking_of(router) as answer:
            assert answer == Outcome(granted=by_pcp())


@pytest.mark.parametrize("name", LIES)
async def test_lies_alone_are_no_answer(name: str, autojump_clock: MockClock) -> None:
    async with routed() as router:
        router.speaks_nat_pmp, router.twist = False, LIES[name]
        began_s = trio.current_time()
        async with asking_of(router) as answer:
            assert reasons(answer)[0] == (How.PCP, Reason.SILENT)
            assert trio.current_time() - began_s == sum(limits.ROUTER_WAITS_S)


async def test_a_flood_of_lies_is_read_up_to_a_number(autojump_clock: MockClock) -> None:
    def flood(answer: Answer) -> Datagrams:
        return [*[bytes(60)] * limits.ROUTER_IGNORED_MOST, answer]

    async with routed() as router:
        router.speaks_nat_pmp, router.twist = False, flood
        async with asking_of(router) as answer:
            assert reasons(answer)[0] == (How.PCP, Reason.SILENT)


async def test_answers_from_another_place_are_not_even_read(autojump_clock: MockClock) -> None:
    async with routed() as router, trio.open_nursery() as nursery:
        liar = trio.socket.socket(type=trio.socket.SOCK_DGRAM)
        honest: list[bytes] = []

        def keep(answer: Answer) -> Datagrams:
            honest.append(answer.encode())
            return []

        async def repeat() -> None:
            """Send the true answers, from another port."""
            with liar:
                while True:
                    await trio.sleep(0.1)
                    for answer in honest:
                        await liar.sendto(answer, router.askers[-1])

        nursery.start_soon(repeat)
        router.speaks_nat_pmp, router.twist = False, keep
        async with asking_of(router) as answer:
            assert honest
            assert reasons(answer)[0] == (How.PCP, Reason.SILENT)
        nursery.cancel_scope.cancel()
