"""A table of the trusted dealer on the full screen."""

from collections.abc import Sequence
from functools import partial

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
from p2pfruit.ui.screen.model import Inquiry, TableModel
from p2pfruit.ui.screen.overlays import ChoicePage, Deciding
from p2pfruit.ui.screen.page import Page, Stage
from p2pfruit.ui.screen.table import TablePage
from p2pfruit.ui.screen.tableside import pages_for, rounds_seen, show_rounds, words_for


def play(table: DealtTable, settings: Settings) -> int:
    return driver.run(_Dealt(table, settings).run, settings)


class _Dealt:
    def __init__(self, table: DealtTable, settings: Settings) -> None:
        self._table = table
        self._model = model = TableModel(settings)
        model.game = table.game.name
        model.presenter = presenter_for(table.game, table.names, table.me)
        model.view = table.dealer.view(table.me)
        model.talk.allowed = False
        self._left = trio.Event()

    async def run(self, stage: Stage) -> int:
        model = self._model
        model.changed, model.ring = stage.redraw, stage.ring
        pages = {**pages_for(model), "escape": self._menu_page}
        stage.put(TablePage(model, words_for(stage, pages), pages))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(model.turn_up)
            nursery.start_soon(show_rounds, model, stage)
            nursery.start_soon(self._leave_early)
            await self._play()
            await rounds_seen(model, stage)
            nursery.cancel_scope.cancel()
        stage.clear()
        await stage.visit(FinalPage(self._final()))
        return FINE

    def _menu_page(self) -> Page:
        choices = [_("back to the table"), _("leave: nothing is kept of this game")]
        return Deciding(ChoicePage(_("the table"), "", choices), [None, self._left.set])

    async def _leave_early(self) -> None:
        await self._left.wait()
        raise Goodbye(_("you left the game, nothing was kept"), ENDED_EARLY)

    async def _play(self) -> None:
        dealer = self._table.dealer
        self._show(dealer.take_events())
        while asked := dealer.asked:
            moves = await self._moves(asked)
            dealer.answer([moves[seat] for seat in asked])
            self._show(dealer.take_events())

    async def _moves(self, asked: Sequence[Seat]) -> dict[Seat, Move]:
        """Bots think while a person does."""
        moves: dict[Seat, Move] = {}

        async def decide(seat: Seat) -> None:
            view = self._table.dealer.view(seat)
            if seat == self._table.me:
                moves[seat] = await self._ask()
            else:
                moves[seat] = await trio.to_thread.run_sync(self._table.players[seat], view)
            self._model.status[seat] = Status("✓", "")
            self._model.changed()

        self._model.status = {seat: Status("…", "") for seat in asked}
        async with trio.open_nursery() as nursery:
            for seat in asked:
                nursery.start_soon(decide, seat)
        return moves

    async def _ask(self) -> Move:
        model, view = self._model, self._table.dealer.view(self._table.me)
        assert model.presenter is not None
        options = model.presenter.options(view)
        if len(options) == 1:
            return options[0].move
        read = partial(model.presenter.narrator.read, view)
        move: Move = await model.ask(Inquiry(model.presenter.question(view), options, read))
        return move

    def _show(self, events: Sequence[Event]) -> None:
        model = self._model
        assert model.presenter is not None
        model.view = self._table.dealer.view(self._table.me)
        model.status = {}
        model.told(model.presenter.narrator.tell(events), news=False)
        model.happened(events)

    def _final(self) -> Final:
        state = self._table.dealer.state
        assert isinstance(state.need, Done)
        return Final(
            names=self._table.names,
            places=state.need.places,
            rounds=state.scores,
            me=self._table.me,
            headline=_("dealt by this program: there is no game file"),
            verified=None,
            file="",
        )
