"""Another game over the same connections: with all, without one, with a newcomer."""

from collections.abc import Sequence

from p2pfruit.exits import Goodbye
from p2pfruit.seat.lobby import Hosting, Joining
from p2pfruit.seat.node import Node
from p2pfruit.seat.players import Chair
from p2pfruit.seat.seat import SeatRunner
from p2pfruit.seat.whereabouts import Network
from protocol.file.report import Verdict, report
from protocol.link.notes import AGAIN, LEAVE
from protocol.peer.offer import Offer
from protocol.table.events import Wished
from tests.p2pfruit.seat.halls import ACCESS, LOOPBACK, Ear, Hall, Player, hall, maker


async def over(made: Hall, players: Sequence[Player]) -> None:
    """Plays to the end of a game; everybody stays."""
    made.gate.set()
    for player in players:
        await player.ear.over.wait()


def runner_of(player: Player) -> SeatRunner:
    assert player.node.runner is not None
    return player.node.runner


async def offered(guest: Player) -> Offer:
    """Wait until the host offers another game."""
    await guest.ear.until(lambda: bool(guest.ear.offers))
    return guest.ear.offers[-1]


def stay(made: Hall) -> None:
    for player in made.players:
        player.ear.stays = True


def go_on(player: Player, offer: Offer | None = None) -> Ear:
    """This player goes on to another game, which another observer shows."""
    player.ear = ear = Ear()
    ear.stays = True
    player.node.again(ear, maker(player.decider), offer)
    return ear


async def test_another_game_of_the_same_people() -> None:
    async with hall(3) as made:
        stay(made)
        await over(made, made.players)
        first = made.host.table.table.roster
        links = {player: dict(player.node._connections.by_number) for player in made.players}
        guests = made.players[1:]
        go_on(made.host, made.offer)
        for guest in guests:
            assert (await offered(guest)).same_conditions(made.offer)
            go_on(guest)
        await over(made, made.players)
        again = made.host.table.table.roster
        assert {one.key for one in again.players} == {one.key for one in first.players}
        nonces = {one.nonce for one in again.players} & {one.nonce for one in first.players}
        assert not nonces
        assert {report(player.table.table).verdict for player in made.players} == {Verdict.FINAL}
        for player in made.players:  # no new connection was needed
            assert player.node._connections.by_number.items() <= links[player].items()
        for player in made.players:
            runner_of(player).part()
            await player.ended.wait()
            assert player.failure is None


async def test_a_guest_asks_for_another_game() -> None:
    async with hall(2) as made:
        stay(made)
        await over(made, made.players)
        guest = made.players[1]
        runner_of(guest).wish(AGAIN)
        await made.host.ear.until(
            lambda: any(isinstance(e, Wished) and e.wish == AGAIN for e in made.host.ear.events)
        )


async def test_whoever_declines_is_replaced_by_nobody() -> None:
    async with hall(3) as made:
        stay(made)
        await over(made, made.players)
        host, second, third = made.players
        go_on(host, made.offer)
        await offered(third)
        runner_of(third).part()
        await third.ended.wait()
        assert third.failure is None
        await offered(second)
        go_on(second)
        await host.ear.until(lambda: len(host.ear.people[-1]) == 2)
        hosting, joining = host.node.lobby, second.node.lobby
        assert isinstance(hosting, Hosting)
        assert isinstance(joining, Joining)
        hosting.change(Offer(*made.offer.terms, 2))
        await second.ear.until(lambda: second.ear.lobbies[-1].asked)  # another offer: asked anew
        joining.agree(second.ear.lobbies[-1].offer)
        await over(made, [host, second])
        assert len(host.table.table.roster.players) == 2
        assert report(host.table.table).verdict is Verdict.FINAL


async def test_a_newcomer_comes_with_the_same_key() -> None:
    async with hall(2) as made:
        stay(made)
        await over(made, made.players)
        host, guest = made.players
        runner_of(guest).part()
        await guest.ended.wait()
        go_on(host, made.offer)
        newcomer = Player(guest.decider, 7)
        newcomer.ear.stays = True
        made.join(newcomer)
        await over(made, [host, newcomer])
        keys = {one.key for one in host.table.table.roster.players}
        assert keys == {host.identity.key, newcomer.identity.key}


async def test_a_lobby_of_another_player_means_nothing() -> None:
    async with hall(3) as made:
        stay(made)
        await over(made, made.players)
        _, second, third = made.players
        second.node._is_host = second.node.key.__eq__  # it makes itself the host
        go_on(second, made.offer)
        await second.ear.until(lambda: bool(second.ear.lobbies))
        runner_of(third).wish(LEAVE)  # over the same link, so the lobby came before the answer
        runner_of(second).wish(AGAIN)
        wished = Wished(second.table.me or 0, AGAIN)
        await third.ear.until(lambda: wished in third.ear.events)
        assert not third.ear.offers


async def test_leaving_the_lobby_of_another_game() -> None:
    async with hall(2) as made:
        stay(made)
        await over(made, made.players)
        go_on(made.host, made.offer)
        made.host.node.leave()
        await made.host.ended.wait()
        assert isinstance(made.host.failure, Goodbye)


async def test_the_host_starts_again_between_two_games() -> None:
    """Its program died. Another one opens the lobby at the same place, and the guest comes back."""
    async with hall(2) as made:
        stay(made)
        await over(made, made.players)
        host, guest = made.players
        address = made.address
        reborn = Player(host.decider, 0)
        reborn.ear.stays = True
        host.node._connections._closing = True  # nothing more is said: it was killed
        for connection in list(host.node._connections.by_number.values()):
            await connection.wire.aclose()
        host.node._ended.set()
        await host.ended.wait()
        chair = Chair(identity=host.identity, name="player 0", decider_factory=maker(host.decider))
        reborn.node = Node(chair, ACCESS, Network(binds=(address,)), reborn.ear)
        made.nursery.start_soon(reborn.play, lambda node: node.host(made.offer))
        await offered(guest)
        go_on(guest)
        await over(made, [reborn, guest])
        assert report(guest.table.table).verdict is Verdict.FINAL
        assert LOOPBACK.host == address.host
