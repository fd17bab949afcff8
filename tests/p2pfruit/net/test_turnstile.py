"""Who may pass, and when."""

from collections.abc import Sequence

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pfruit.net import limits
from p2pfruit.net.turnstile import Turnstile


async def passed(addresses: Sequence[str], until_s: float) -> list[tuple[str, float]]:
    """Who has passed by then, and when; all come at once, in this order."""
    turnstile = Turnstile()
    seen: list[tuple[str, float]] = []

    async def come(address: str) -> None:
        await turnstile.wait(address)
        seen.append((address, trio.current_time() - since_s))

    since_s = trio.current_time()
    with trio.move_on_after(until_s):
        async with trio.open_nursery() as nursery:
            for address in addresses:
                nursery.start_soon(come, address)
                await wait_all_tasks_blocked()
    return seen


async def test_some_pass_at_once_and_the_rest_one_by_one(autojump_clock: MockClock) -> None:
    names = [f"host {number}" for number in range(limits.RUNS_AT_ONCE + 3)]
    seen = await passed(names, 100)
    assert [name for name, _at in seen] == names
    at_once = [0.0] * limits.RUNS_AT_ONCE
    later = [limits.RUN_EVERY_S * number for number in (1, 2, 3)]
    assert [round(at_s, 6) for _name, at_s in seen] == at_once + later


async def test_a_crowd_waits_for_itself(autojump_clock: MockClock) -> None:
    """One address comes thirty times, and another one once: it is next but one at the most."""
    seen = await passed([*["crowd"] * 30, "guest"], 100)
    place = [name for name, _at in seen].index("guest")
    assert place <= limits.RUNS_AT_ONCE + 1
    assert len(seen) == 31


async def test_who_goes_away_holds_up_nobody(autojump_clock: MockClock) -> None:
    turnstile = Turnstile()
    for number in range(limits.RUNS_AT_ONCE):
        await turnstile.wait(f"host {number}")
    with trio.move_on_after(limits.RUN_EVERY_S / 2):  # it is its turn, but it goes before
        await turnstile.wait("gone")
    async with trio.open_nursery() as nursery:
        with trio.CancelScope() as scope:
            nursery.start_soon(turnstile.wait, "next")
            await wait_all_tasks_blocked()
            nursery.start_soon(turnstile.wait, "after")
            await wait_all_tasks_blocked()
            scope.cancel()
    since_s = trio.current_time()
    await turnstile.wait("last")
    assert trio.current_time() - since_s <= limits.RUN_EVERY_S


async def test_who_was_idle_passes_at_once_again(autojump_clock: MockClock) -> None:
    turnstile = Turnstile()
    for _ in range(limits.RUNS_AT_ONCE + 2):
        await turnstile.wait("host")
    await trio.sleep(limits.RUNS_AT_ONCE * limits.RUN_EVERY_S)
    since_s = trio.current_time()
    for _ in range(limits.RUNS_AT_ONCE):
        await turnstile.wait("host")
    assert trio.current_time() == since_s


async def test_it_remembers_no_more_than_it_should(autojump_clock: MockClock) -> None:
    turnstile = Turnstile()
    for number in range(limits.TURNS_REMEMBERED_MOST + 10):
        await turnstile.wait(f"host {number}")
    assert len(turnstile._passed) == limits.TURNS_REMEMBERED_MOST
