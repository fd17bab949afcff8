"""A router on loopback is asked over real datagrams, on a clock that jumps; it may be hostile.

UPnP is left out here: its library runs in a thread, for which that clock does not wait.
"""

import ipaddress
from collections.abc import Callable
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from p2pfruit.exits import Refusal
from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.router import asking, pcp
from p2pfruit.net.router.answers import Answer as Outcome
from p2pfruit.net.router.answers import Grant, How, Reason
from p2pfruit.net.router.asking import asked
from p2pfruit.net.router.gateways import Lane
from p2pfruit.net.router.keeping import has_forgotten
from tests.p2pfruit.net.router.asked import HOUR_S, News, alone, asking_of, by_pcp, reasons, twisted
from tests.p2pfruit.net.router.routers import (
    EXTERNAL,
    PORT,
    Answer,
    Datagrams,
    FakeRouter,
    routed,
)

__all__ = ["alone"]


async def test_a_port_is_granted_and_given_back(autojump_clock: MockClock) -> None:
    async with routed() as router:
        async with asking_of(router) as answer:
            assert answer == Outcome(granted=by_pcp())
            assert answer.reachable == (Address(EXTERNAL, PORT),)
            assert not answer.carrier
            assert router.open == {PORT: HOUR_S}
        assert router.open == {}
        nonces = {request.nonce for request in router.asked}  # type: ignore[union-attr]
        assert len(router.asked) == 2
        assert len(nonces) == 1


async def test_nothing_is_opened_twice(autojump_clock: MockClock) -> None:
    async with routed() as router, asking_of(router):
        assert [type(request) for request in router.asked] == [pcp.MapRequest]


async def test_a_port_is_renewed_at_half_of_its_time(autojump_clock: MockClock) -> None:
    news = News()
    async with routed() as router:
        began_s = trio.current_time()
        async with asking_of(router, news=news):
            await trio.sleep(2 * HOUR_S - 1)
            at_s = [round(at_s - began_s) for at_s in router.asked_at_s]
            assert at_s == [0, HOUR_S // 2, HOUR_S, 3 * HOUR_S // 2]
            assert len({request.nonce for request in router.asked}) == 1  # type: ignore[union-attr]
        assert news.told == []


@pytest.mark.parametrize(
    ("granted_s", "renewals"), [(2**32 - 1, 1), (120, HOUR_S // 60 - 1), (1, HOUR_S // 10 - 1)]
)
async def test_no_lifetime_that_a_router_grants_makes_us_ask_too_often(
    granted_s: int, renewals: int, autojump_clock: MockClock
) -> None:
    async with routed() as router:
        router.twist = twisted(lifetime_s=granted_s)
        async with asking_of(router):
            await trio.sleep(HOUR_S - 1)
            assert len(router.asked) == 1 + renewals


async def test_a_router_that_speaks_nat_pmp_only_and_says_so(autojump_clock: MockClock) -> None:
    def twist(answer: Answer) -> Datagrams:
        return (
            [bytes([0, 129, 0, 1, 0, 0, 0, 7])] if isinstance(answer, pcp.MapAnswer) else [answer]
        )

    async with routed() as router:
        router.twist = twist
        async with asking_of(router) as answer:
            assert [grant.how for grant in answer.granted] == [How.NAT_PMP]
            assert reasons(answer) == [(How.PCP, Reason.UNKNOWN)]
        assert router.open == {}


async def test_a_router_that_speaks_nat_pmp_only_is_not_waited_for_long(
    autojump_clock: MockClock,
) -> None:
    async with routed() as router:
        router.speaks_pcp = False
        began_s = trio.current_time()
        async with asking_of(router) as answer:
            assert trio.current_time() - began_s <= limits.PCP_LATE_S
            assert answer.granted == (Grant(address=Address(EXTERNAL, PORT), how=How.NAT_PMP),)
            assert reasons(answer) == [(How.PCP, Reason.SILENT)]
            await trio.sleep(HOUR_S - 1)
            assert len(router.asked) == 2
        assert router.open == {}


async def test_a_silent_router_is_given_up_after_some_seconds(autojump_clock: MockClock) -> None:
    async with routed() as router:
        router.speaks_pcp = router.speaks_nat_pmp = False
        began_s = trio.current_time()
        async with asking_of(router) as answer:
            assert trio.current_time() - began_s == sum(limits.ROUTER_WAITS_S)
            assert answer.granted == ()
            assert not answer.carrier
            assert reasons(answer) == [
                (How.PCP, Reason.SILENT),
                (How.NAT_PMP, Reason.SILENT),
                (How.UPNP, Reason.MISSING),
            ]
            assert {attempt.inside for attempt in answer.tried} == {"127.0.0.1"}


async def test_a_machine_that_answers_nothing_there(autojump_clock: MockClock) -> None:
    with trio.socket.socket(type=trio.socket.SOCK_DGRAM) as unused:
        await unused.bind(("127.0.0.1", 0))
        place = Address(*unused.getsockname())
    async with asking_of(FakeRouter(place)) as answer:
        assert reasons(answer)[:2] == [(How.PCP, Reason.UNKNOWN), (How.NAT_PMP, Reason.UNKNOWN)]


async def test_a_router_that_cannot_be_asked_at_all(autojump_clock: MockClock) -> None:
    lane = Lane(inside="127.0.0.1", router=Address("2600::1", 5351))

    async def look() -> list[Lane]:
        return [lane]

    async with asked(PORT, News(), look=look) as answer:
        assert [attempt.reason for attempt in answer.tried[:2]] == [Reason.SILENT] * 2


async def test_a_machine_without_a_network(autojump_clock: MockClock) -> None:
    async with asking_of() as answer:
        assert answer == Outcome()


@pytest.mark.parametrize("host", ["192.168.1.9", "100.64.3.4", "10.0.0.1"])
@pytest.mark.parametrize("speaks_pcp", [True, False])
async def test_a_router_behind_another_one_or_a_carrier(
    host: str, speaks_pcp: bool, autojump_clock: MockClock
) -> None:
    async with routed() as router:
        router.external, router.speaks_pcp = host, speaks_pcp
        async with asking_of(router) as answer:
            assert [grant.address for grant in answer.granted] == [Address(host, PORT)]
            assert answer.carrier
            assert answer.reachable == ()


@pytest.mark.parametrize("speaks_pcp", [True, False])
async def test_a_router_that_grants_another_port(
    speaks_pcp: bool, autojump_clock: MockClock
) -> None:
    async with routed() as router:
        router.speaks_pcp, router.twist = speaks_pcp, twisted(external_port=5000)
        async with asking_of(router) as answer:
            assert answer.reachable == (Address(EXTERNAL, 5000),)
            await trio.sleep(HOUR_S - 1)
            # A renewal asks for what was granted: others know it by now.
            assert [request.external_port for request in router.asked] == [PORT, 5000]


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        ("0.0.0.0", Reason.NO_ADDRESS),
        ("127.0.0.1", Reason.ODD),
        ("169.254.1.1", Reason.ODD),
        ("224.0.0.1", Reason.ODD),
        ("239.255.255.250", Reason.ODD),
        ("255.255.255.255", Reason.ODD),
        ("240.1.2.3", Reason.ODD),
    ],
)
@pytest.mark.parametrize("speaks_pcp", [True, False])
async def test_an_address_that_leads_nowhere_is_not_taken(
    host: str, reason: Reason, speaks_pcp: bool, autojump_clock: MockClock
) -> None:
    async with routed() as router:
        router.external, router.speaks_pcp = host, speaks_pcp
        async with asking_of(router) as answer:
            assert answer.granted == ()
            how = How.PCP if speaks_pcp else How.NAT_PMP
            assert (how, reason) in reasons(answer)
            assert answer.carrier is (reason is Reason.NO_ADDRESS)
        assert router.open == {}  # it is given back all the same


@pytest.mark.parametrize("values", [{"external_port": 0}, {"lifetime_s": 0}])
@pytest.mark.parametrize("speaks_pcp", [True, False])
async def test_a_grant_of_nothing_is_not_taken(
    values: dict[str, int], speaks_pcp: bool, autojump_clock: MockClock
) -> None:
    async with routed() as router:
        router.speaks_pcp, router.twist = speaks_pcp, twisted(**values)
        async with asking_of(router) as answer:
            assert answer.granted == ()
            assert Reason.ODD in [attempt.reason for attempt in answer.tried]


@pytest.mark.parametrize("external", ["::", "::1", "fe80::1", "fd00::1", "ff02::1", "8.8.8.8"])
async def test_only_a_global_address_of_ipv6_is_taken(
    external: str, autojump_clock: MockClock
) -> None:
    async with routed("::1") as router:
        router.twist = twisted(external=ipaddress.ip_address(external))
        async with asking_of(router) as answer:
            assert answer.granted == ()
            assert reasons(answer) == [(How.PCP, Reason.ODD)]


async def test_the_firewall_of_ipv6_is_asked_by_pcp_alone(autojump_clock: MockClock) -> None:
    async with routed("::1") as router:
        async with asking_of(router) as answer:
            assert answer.granted == by_pcp("2600::7")
        assert router.open == {}
        router.speaks_pcp = False
        async with asking_of(router) as answer:
            assert reasons(answer) == [(How.PCP, Reason.SILENT)]


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (1, Reason.UNKNOWN),
        (2, Reason.REFUSED),
        (7, Reason.NO_ADDRESS),
        (8, Reason.REFUSED),
        (11, Reason.REFUSED),
        (12, Reason.REFUSED),
        (99, Reason.REFUSED),
    ],
)
async def test_what_a_router_says_by_pcp_when_it_refuses(
    result: int, reason: Reason, autojump_clock: MockClock
) -> None:
    async with routed() as router:
        router.speaks_nat_pmp, router.twist = False, twisted(result=result)
        async with asking_of(router) as answer:
            assert answer.granted == ()
            assert reasons(answer)[0] == (How.PCP, reason)
            assert all(attempt.why for attempt in answer.tried)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (1, Reason.UNKNOWN),
        (2, Reason.REFUSED),
        (3, Reason.NO_ADDRESS),
        (4, Reason.REFUSED),
        (99, Reason.REFUSED),
    ],
)
async def test_what_a_router_says_by_nat_pmp_when_it_refuses(
    result: int, reason: Reason, autojump_clock: MockClock
) -> None:
    async with routed() as router:
        router.speaks_pcp, router.twist = False, twisted(result=result)
        async with asking_of(router) as answer:
            assert answer.granted == ()
            assert reasons(answer)[1] == (How.NAT_PMP, reason)


async def test_a_lost_question_is_asked_again(autojump_clock: MockClock) -> None:
    lost: list[Answer] = []

    def twist(answer: Answer) -> Datagrams:
        if len(lost) < 3:
            lost.append(answer)
            return []
        return [answer]

    async with routed() as router:
        router.speaks_nat_pmp, router.twist = False, twist
        async with asking_of(router) as answer:
            assert answer == Outcome(granted=by_pcp())
            assert len(router.asked) == 4


async def test_a_router_that_restarts_is_asked_again_at_once_about_all(
    autojump_clock: MockClock,
) -> None:
    """One renewal shows that the router has begun anew. The other port was lost, too."""
    async with routed() as router, routed("::1") as sixth:
        router.twist = twisted(lifetime_s=HOUR_S // 4)
        async with asking_of(router, sixth):
            await trio.sleep(HOUR_S / 16)
            router.restart()
            sixth.restart()
            await trio.sleep(HOUR_S / 16 + 1)
            assert PORT in router.open
            assert sixth.open == {PORT: HOUR_S}


async def test_a_router_whose_address_changes_is_news(autojump_clock: MockClock) -> None:
    news = News()
    async with routed() as router, asking_of(router, news=news):
        router.external = "9.9.9.9"
        assert (await news.next()).granted == by_pcp("9.9.9.9")
        router.external = "100.64.0.7"
        assert (await news.next()).carrier
    assert len(news.told) == 2


async def test_a_router_that_falls_silent_is_believed_until_its_time_is_up(
    autojump_clock: MockClock,
) -> None:
    news = News()
    async with routed() as router:
        began_s = trio.current_time()
        async with asking_of(router, news=news):
            router.speaks_pcp = router.speaks_nat_pmp = False
            assert (await news.next()).granted == ()
            assert HOUR_S <= trio.current_time() - began_s <= HOUR_S + 60
            router.speaks_pcp = True
            assert (await news.next()).granted == by_pcp()


async def test_a_router_that_refuses_a_renewal_is_not_believed_longer(
    autojump_clock: MockClock,
) -> None:
    news = News()
    async with routed() as router, asking_of(router, news=news):
        router.twist, router.speaks_nat_pmp = twisted(result=2), False
        gone = await news.next()
        assert gone.granted == ()
        assert reasons(gone)[0] == (How.PCP, Reason.REFUSED)


async def test_another_protocol_takes_over(autojump_clock: MockClock) -> None:
    news = News()
    async with routed() as router:
        async with asking_of(router, news=news):
            router.twist = lambda answer: (
                [replace(answer, result=2)] if isinstance(answer, pcp.MapAnswer) else [answer]
            )
            assert [grant.how for grant in (await news.next()).granted] == [How.NAT_PMP]
        assert router.open == {}


async def test_the_first_grant_does_not_wait_long_for_the_others(autojump_clock: MockClock) -> None:
    news = News()
    async with routed() as router, routed("::1") as sixth:
        sixth.speaks_pcp = False
        began_s = trio.current_time()
        async with asking_of(sixth, router, news=news) as answer:
            assert trio.current_time() - began_s == limits.ROUTER_OTHERS_S
            assert answer.granted == by_pcp()
            sixth.speaks_pcp = True
            assert set((await news.next()).granted) == {*by_pcp("2600::7"), *by_pcp()}


async def test_all_is_given_back_when_all_is_cancelled(autojump_clock: MockClock) -> None:
    async with routed() as router, routed("::1") as sixth:
        with trio.CancelScope() as scope:
            async with asking_of(router, sixth):
                assert router.open != {} != sixth.open
                scope.cancel()
                await trio.lowlevel.checkpoint()
        assert router.open == {} == sixth.open


async def test_what_may_have_been_opened_is_given_back_when_it_is_cancelled_early(
    autojump_clock: MockClock,
) -> None:
    async with routed() as router:
        with trio.CancelScope() as scope:

            def cancel(_answer: Answer) -> Datagrams:
                scope.cancel()
                return []

            router.twist = cancel
            async with asking_of(router):
                raise AssertionError("there was no answer")
        await trio.testing.wait_all_tasks_blocked()
        assert router.open == {}


async def test_a_silent_router_does_not_hold_up_the_end(autojump_clock: MockClock) -> None:
    async with routed() as router:
        async with asking_of(router):
            router.speaks_pcp = router.speaks_nat_pmp = False
            began_s = trio.current_time()
        assert trio.current_time() - began_s == limits.ROUTER_GIVE_BACK_S


async def test_an_error_inside_comes_out_as_itself(autojump_clock: MockClock) -> None:
    async with routed() as router:
        with pytest.raises(Refusal, match="the table is full"):
            async with asking_of(router):
                raise Refusal("the table is full")
        assert router.open == {}


async def test_a_program_that_was_killed_asks_as_the_same_asker(autojump_clock: MockClock) -> None:
    async with routed() as router:
        for _run in range(2):
            async with asking_of(router, secret=b"kept with a table"):
                pass
        async with asking_of(router, secret=b"of another table."):
            pass
        nonces = [request.nonce for request in router.asked]  # type: ignore[union-attr]
        assert len(set(nonces[:4])) == 1
        assert nonces[4] != nonces[0]


async def test_a_machine_that_moves_asks_the_other_router(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    hosts = ["127.0.0.1"]
    monkeypatch.setattr(asking, "own_addresses", lambda: list(hosts))
    news = News()
    async with routed() as here, routed() as there:
        there.external = "9.9.9.9"
        around = [here.lane]

        async def look() -> list[Lane]:
            return around

        async with asked(PORT, news, look=look):
            around = []
            hosts[:] = ["192.168.1.2"]
            assert (await news.next()).granted == ()
            around = [there.lane]  # the route comes some seconds later
            assert (await news.next()).granted == by_pcp("9.9.9.9")
        assert there.open == {}


async def test_a_machine_that_slept_asks_at_once(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    slept_s = 0.0
    monkeypatch.setattr(asking, "wall_s", lambda: trio.current_time() + slept_s)
    async with routed() as router, asking_of(router):
        await trio.sleep(60)
        router.restart()
        slept_s = 7200.0
        await trio.sleep(limits.LOOK_MOVED_S + 1)
        assert router.open == {PORT: HOUR_S}


async def test_announcements_are_heard_and_not_believed_too_often(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    ring: list[Callable[[], None]] = []

    async def listen(_routers: object, heard: Callable[[], None]) -> None:
        ring.append(heard)

    monkeypatch.setattr(asking, "listen", listen)
    async with routed() as router, asking_of(router):
        await trio.sleep(1)
        router.restart()
        ring[0]()
        await trio.sleep(0.1)
        assert router.open == {PORT: HOUR_S}
        before = len(router.asked)
        for _time in range(1000):
            ring[0]()
            await trio.sleep(0.1)
        assert len(router.asked) - before <= 100 / limits.ROUTER_DOUBT_S + 1


@pytest.mark.parametrize(
    ("server_s", "client_s", "forgotten"),
    [
        (1800, 1800, False),
        (1700, 1800, False),  # clocks go differently by a sixteenth
        (1900, 1800, False),
        (-1, 0, False),  # answers that overtook each other
        (-2, 0, True),
        (0, 1800, True),
        (1600, 1800, True),
        (2000, 1800, True),
        (2, 0, False),
        (3, 0, True),
    ],
)
def test_an_epoch_that_does_not_go_on_tells_of_a_restart(
    server_s: int, client_s: int, forgotten: bool
) -> None:
    assert has_forgotten((5000, 100.0), (5000 + server_s, 100.0 + client_s)) is forgotten
