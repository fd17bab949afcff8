"""A table of the trusted dealer on the full screen."""

from collections.abc import Sequence

import trio

from engine.moves import Event, Move
from engine.needs import Done, Seat
from p2pfruit.exits import ENDED_EARLY, FINE, Goodbye
from p2pfruit.games.presenter import presenter_for
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.seat.local import DealtTable
from p2pfruit.ui.screen import driver
from p2pfruit.ui.screen.drawing import Status
from p2pfruit.ui.screen.final import Final, FinalPage
from p2pfruit.ui.screen.model import TableModel
from p2pfruit.ui.screen.overlays import ChoicePage, Deciding
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.tableside import Pages, TableSide, Words


def play(table: DealtTable, settings: Settings) -> int:
    return driver.run(Dealt(table, settings).run, settings)


class Dealt:
    def __init__(self, table: DealtTable, settings: Settings) -> None:
        self.table = table
        self.model = model = TableModel(settings)
        model.game = table.game.name
        model.presenter = presenter_for(table.game, table.names, table.me)
        model.view = table.dealer.view(table.me)
        model.talk.allowed = False
        model.advised = True
        self._side: TableSide | None = None

    async def run(self, stage: Stage) -> int:
        self._side = side = TableSide(self, stage)
        side.lay()
        await side.run(self._play)
        return FINE

    # What this table has beside others.

    def pages(self) -> Pages:
        return {"escape": self._menu_page}

    def words(self) -> Words:
        return {}

    def help(self) -> Sequence[tuple[str, str]]:
        return ()

    def _menu_page(self) -> Page:
        choices = [_("back to the table"), _("leave: nothing is kept of this game")]
        return Deciding(ChoicePage(_("the table"), "", choices), [None, self._leave])

    def _leave(self) -> None:
        assert self._side is not None
        self._side.leave(Goodbye(_("you left the game, nothing was kept"), ENDED_EARLY))

    # Playing.

    async def _play(self) -> None:
        dealer = self.table.dealer
        self._show(dealer.take_events())
        while asked := dealer.asked:
            moves = await self._moves(asked)
            dealer.answer([moves[seat] for seat in asked])
            self._show(dealer.take_events())
        assert self._side is not None
        await self._side.finish(FinalPage(self._final()))

    async def _moves(self, asked: Sequence[Seat]) -> dict[Seat, Move]:
        """Ask the player; bots think at the same time."""
        moves: dict[Seat, Move] = {}

        async def decide(seat: Seat) -> None:
            view = self.table.dealer.view(seat)
            if seat == self.table.me:
                moves[seat] = await self._ask()
            else:
                moves[seat] = await trio.to_thread.run_sync(self.table.players[seat], view)
            self.model.status[seat] = Status("✓", "")
            self.model.changed()

        self.model.status = {seat: Status("…", "") for seat in asked}
        async with trio.open_nursery() as nursery:
            for seat in asked:
                nursery.start_soon(decide, seat)
        return moves

    async def _ask(self) -> Move:
        inquiry = self.model.question(self.table.dealer.view(self.table.me))
        if len(inquiry.options) == 1:
            return inquiry.options[0].move
        move: Move = await self.model.ask(inquiry)
        return move

    def _show(self, events: Sequence[Event]) -> None:
        model = self.model
        assert model.presenter is not None
        model.view = self.table.dealer.view(self.table.me)
        model.status = {}
        model.told(model.presenter.narrator.tell(events), news=False)
        model.happened(events)

    def _final(self) -> Final:
        state = self.table.dealer.state
        assert isinstance(state.need, Done)
        assert self.model.presenter is not None
        return Final(
            names=self.table.names,
            places=state.need.places,
            rounds=state.scores,
            me=self.table.me,
            decided=self.model.presenter.narrator.decided(state),
            headline=_("dealt by this program: there is no game file"),
            verified=None,
            file="",
        )
