"""An evening: one game after the other in front of one player, over the same connections.

Each game has a front of its own, with its own observer, that takes the place of the one before.
What a player of another program sees does not depend on that: the node stays the same.

Between two games of a series the standings are told. Where no person can say so, a program goes on
by itself as long as the series does. Outside a series the games that each player has won are told.
"""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import trio

from p2pfruit.exits import Goodbye
from p2pfruit.games import contracts
from p2pfruit.home.results import GameResult
from p2pfruit.home.series import HomeSeries
from p2pfruit.home.verification import Progress
from p2pfruit.language import text as _
from p2pfruit.replay import series as told
from p2pfruit.text.safe import shown_names
from p2pfruit.ui.fronts import Front
from p2pfruit.ui.observer import TableObserver
from protocol import limits as protocol_limits
from protocol.feed.roster import Roster
from protocol.file.report import Report, report
from protocol.peer.offer import Offer
from protocol.peer.peer import Peer
from protocol.peer.series_offer import SeriesOffer

End = Callable[[Peer, Progress | None], tuple[GameResult, HomeSeries | None]]


class Evening:
    """`end` writes the file of a game, and that of its series. `make_front` makes the front for
    another one."""

    def __init__(self, front: Front, end: End, make_front: Callable[[], Front]) -> None:
        self.front = front  # of the game that is played now
        self._end = end
        self._make_front = make_front
        self._series: HomeSeries | None = None  # to which the last game belonged
        self._wins: Counter[bytes] = Counter()
        self._names: dict[bytes, str] = {}
        self._games = 0
        self._left = trio.Event()  # the table is over for the node
        self._last: Peer | None = None  # once it is
        self._code: int | None = None  # of the last game that has ended

    async def run(self, table: Callable[[], Awaitable[Peer]]) -> int:
        """Play at a table, and on, until the player leaves; return the exit code."""
        try:
            async with trio.open_nursery() as seat:
                seat.start_soon(self._sit, table)
                await self._game()
                while self.front.table.again:
                    before, self.front = self.front, self._make_front()
                    await self.front.follow(before, partial(self._go_on, before.table))
                self.front.table.part()
        except* Goodbye:
            if self._code is None:
                raise
        assert self._code is not None
        return self._code

    async def _sit(self, table: Callable[[], Awaitable[Peer]]) -> None:
        self._last = await table()
        self._left.set()

    async def _go_on(self, before: TableObserver) -> None:
        """Play another game with those who stay."""
        assert before.node is not None
        factory = self.front.decider_factory
        assert factory is not None
        roster = before.peer.table.roster
        offer = next_offer(roster, self._series) if before.node.hosts else None
        before.node.again(self.front.table, factory, offer)
        await self._game()

    async def _game(self) -> None:
        """Play one game, from the lobby to its file, and stay until the player has enough."""
        front = self.front
        async with trio.open_nursery() as keys:
            keys.start_soon(front.read_keys)
            peer = await self._wait_over(front.table)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(front.over, report(peer.table), peer)
                ended, self._series = await trio.to_thread.run_sync(self._end, peer, front.progress)
                front.checked(ended, peer)
                self._tell_standings(ended.report)
            await self._follow_series()
            keys.cancel_scope.cancel()
        self._code = ended.code

    def _tell_standings(self, found: Report) -> None:
        """Tell the standings of the series, or from the second game on who has won how often."""
        self._games += 1
        self._names |= {player.key: player.name for player in found.roster.players}
        for place, player in zip(found.places, found.seats, strict=bool(found.places)):
            self._wins[found.roster.players[player].key] += place == 1
        if self._series is not None:
            contract = self._series.signed.contract
            self.front.standings(*told.standings(contract, self._series.course))
            if (following := self._series.next) is not None:
                words = _("game {number} of the series: {game}")
                game = contracts.game_title(contract.plan, following.number)
                self.front.table.next_game = words.format(number=following.number, game=game)
        elif self._games > 1:
            self.front.standings(self._count(), {})

    def _count(self) -> list[str]:
        keys = [key for key, _wins in self._wins.most_common()]
        names = shown_names([self._names[key] for key in keys])
        won = [f"{name} {self._wins[key]}" for name, key in zip(names, keys, strict=True)]
        words = _("games won this evening: {won}")
        return [words.format(won=", ".join(won))]

    async def _follow_series(self) -> None:
        """Go on by itself where no person can say so, as long as the series does."""
        table, series = self.front.table, self._series
        if self.front.stays or series is None or series.next is None or table.peer.given_up:
            return
        assert table.node is not None
        if table.node.hosts:
            table.again = True
            return
        table.ask_for_another()
        with trio.move_on_after(protocol_limits.AFTERWARDS_MS / 1000):
            await table.parting.wait()

    async def _wait_over(self, observer: TableObserver) -> Peer:
        """Wait until the game is over, and its seat is kept for now or was left."""
        async with trio.open_nursery() as nursery:

            async def wait(event: trio.Event) -> None:
                await event.wait()
                nursery.cancel_scope.cancel()

            nursery.start_soon(wait, observer.over)
            nursery.start_soon(wait, self._left)
        return observer.peer if self._last is None else self._last


def next_offer(roster: Roster, series: HomeSeries | None) -> Offer:
    """Return what a host offers after a game: the same again, or the next of the series."""
    same = Offer(*roster.terms, len(roster.players))
    if series is None or (place := series.next) is None:
        return same
    game = series.signed.contract.plan.game(place.number)
    return replace(
        same,
        game=game.game,
        rules_id=game.rules_id,
        options=game.options,
        content=roster.content if game.rules_id == roster.rules_id else "",
        limits=game.limits,
        series=SeriesOffer.following(series.signed, place),
    )
