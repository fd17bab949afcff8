"""A table that was played through a proxy is resumed through it, or not at all."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2pfruit.cli.commands import resume
from p2pfruit.cli.main import build_parser
from p2pfruit.exits import Refusal
from p2pfruit.home.store import Store
from p2pfruit.home.ways import Ways
from p2pfruit.net import invitations
from p2pfruit.net.addresses import Address
from p2pfruit.seat.doors import Doors
from p2pfruit.seat.plans import HostPlan, JoinPlan, ResumePlan
from p2pfruit.seat.whereabouts import Network
from protocol.file.report import Verdict, report
from protocol.peer.peer import Peer
from tests.p2pfruit.net.socks import proxied
from tests.p2pfruit.seat.halls import Ear, offer_of
from tests.p2pfruit.seat.test_plans import HERE, Invited, household, play

NAME = "table.example"
URL, OTHER = "socks5://127.0.0.1:9", "socks5://127.0.0.1:10"


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[list[Store]]:
    with Store(tmp_path / "host") as host, Store(tmp_path / "guest") as guest:
        yield [host, guest]


async def test_a_table_joined_through_a_proxy_is_resumed_through_it(stores: list[Store]) -> None:
    """The guest knows the host by a name that only the proxy can look up."""
    observer, ear, ended = Invited(), Ear(), list[Peer]()
    hosting = HostPlan(offer=offer_of(2), network=HERE, doors=Doors())
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play, hosting, household(stores[0], "host", observer), ended)
            await observer.came.wait()
            invitation = invitations.parse(observer.invitation)
            here = Address.parse(invitation.addresses[0])
            async with proxied({NAME: here}) as proxy:
                ways = Ways(proxy=f"socks5://127.0.0.1:{proxy.port}")
                join = JoinPlan(
                    invitation=invitation,
                    hosts=(Address(NAME, here.port),),
                    network=Network.of(ways, ()),
                    ways=ways,
                )
                async with trio.open_nursery() as first:
                    first.start_soon(join.play, household(stores[1], "guest", ear))
                    await ear.until(lambda: bool(stores[1].unfinished()))
                    first.cancel_scope.cancel()
                [saved] = stores[1].unfinished()
                asked = len(proxy.asked)
                kept = stores[1].ways(saved.secret)
                assert kept == ways
                again = ResumePlan(saved=saved, seat=saved.seats[0], ways=kept)
                await play(again, household(stores[1], "guest", Ear()), ended)
                assert len(proxy.asked) > asked
                assert {host for _kind, host, _port in proxy.asked} == {NAME}
    assert [report(peer.table).verdict for peer in ended] == [Verdict.FINAL] * 2


HIDDEN = Ways(proxy=URL, roams=True)
BY_TOR = Ways(tor=True, roams=True)


@pytest.mark.parametrize(
    ("kept", "options", "used"),
    [
        (HIDDEN, [], HIDDEN),
        (BY_TOR, [], BY_TOR),
        (HIDDEN, ["--direct"], Ways(roams=True)),
        (BY_TOR, ["--direct"], Ways(roams=True)),
        (
            HIDDEN,
            ["--proxy", "socks5://127.0.0.1:10"],
            replace(HIDDEN, proxy="socks5://127.0.0.1:10"),
        ),
        (BY_TOR, ["--proxy", URL], HIDDEN),
        (Ways(), ["--direct"], Ways(roams=True)),
    ],
)
def test_how_a_table_is_resumed(
    kept: Ways,
    options: list[str],
    used: Ways,
    stores: list[Store],
    capsys: pytest.CaptureFixture[str],
) -> None:
    secret = bytes(16)
    stores[0].keep_ways(secret, kept)
    arguments = build_parser().parse(["resume", *options])
    assert resume._ways(stores[0], secret, arguments) == used
    warned = "the other players can see the address" in capsys.readouterr().err
    assert warned == (kept != Ways() and "--direct" in options)


def test_a_table_cannot_be_resumed_both_ways(stores: list[Store]) -> None:
    arguments = build_parser().parse(["resume", "--direct", "--proxy", URL])
    with pytest.raises(Refusal, match="--direct cannot be combined with --proxy"):
        resume._ways(stores[0], bytes(16), arguments)
