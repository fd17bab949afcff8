"""A table of the trusted dealer, played on the full screen, in lines or as JSON."""

from collections.abc import Sequence
from typing import Any

from engine.dealer import Dealer
from engine.game import Game
from engine.moves import Event
from engine.needs import Done
from p2pfruit.bots import limits as bot_limits
from p2pfruit.exits import ENDED_EARLY, FINE, Goodbye
from p2pfruit.games.about import about
from p2pfruit.games.presenter import Presenter, presenter_for
from p2pfruit.home.settings import Settings
from p2pfruit.language import text as _
from p2pfruit.seat.local import DealtTable
from p2pfruit.ui.fronts import Looks
from p2pfruit.ui.history import TableHistory, history_help
from p2pfruit.ui.lines.json_lines import emit, emit_event
from p2pfruit.ui.lines.player import LinePlayer, Quit
from p2pfruit.ui.lines.printing import print_lines
from p2pfruit.ui.screen.fitness import full_screen


def play(
    game: Game[Any],
    levels: Sequence[str],
    seed: int,
    decider: str,
    looks: Looks,
    settings: Settings,
) -> int:
    """Play against bots of these levels. `decider`: the level of a bot that plays for the person,
    or nothing."""
    if looks.json:
        return _play_as_json(DealtTable(game, levels, seed), decider)
    title = _("{game}, {seats} players, seed {seed}")
    print(title.format(game=game.name, seats=len(levels) + 1, seed=seed))
    if decider:
        return _play_in_lines(DealtTable(game, levels, seed), decider)
    table = DealtTable(game, levels, seed, bot_limits.LIVE_LIMIT_S)
    if looks.plain or not full_screen(settings):
        return _play_at_terminal(table)
    from p2pfruit.ui.screen import dealt

    return dealt.play(table, settings)


def _play_as_json(table: DealtTable, level: str) -> int:
    table.seat_bot(level)
    _emit_opening(table)
    table.play(_emit_events)
    _emit_result(table.dealer)
    return FINE


def _play_in_lines(table: DealtTable, level: str) -> int:
    table.seat_bot(level)
    _play(table, presenter_for(table.game, table.names), TableHistory())
    return FINE


def _play_at_terminal(table: DealtTable) -> int:
    print(_("type ? for help, rules for the rules, quit to leave"))
    presenter = presenter_for(table.game, table.names, table.me)
    rules = about(table.game.name).rules
    history = TableHistory(table.game.name)
    table.players[table.me] = LinePlayer(
        presenter, rules, print_lines, input, history_help(), history.words()
    )
    try:
        _play(table, presenter, history)
    except Quit:
        raise Goodbye(_("you left the game, nothing was kept"), ENDED_EARLY) from None
    return FINE


def _play(table: DealtTable, presenter: Presenter, history: TableHistory) -> None:
    def show(events: list[Event]) -> None:
        told = presenter.narrator.tell(events)
        history.told(told)
        history.happened(presenter, events, table.dealer.state)
        print_lines(told)

    table.play(show)
    narrator, state = presenter.narrator, table.dealer.state
    print_lines(["", *narrator.ranking(state), *filter(None, [narrator.decided(state)])])


def _emit_events(events: Sequence[Event]) -> None:
    for event in events:
        emit_event(event)


def _emit_opening(table: DealtTable) -> None:
    """Say what is needed to play the same game again."""
    emit(
        "table",
        game=table.game.name,
        rules_id=table.game.rules_id,
        options=table.game.chosen,
        content=table.game.content.title,
        seats=len(table.names),
        names=table.names,
        me=table.me,
        seed=table.seed,
    )


def _emit_result(dealer: Dealer[Any]) -> None:
    need = dealer.state.need
    assert isinstance(need, Done)
    emit("done", ended=need.ended, places=need.places, scores=dealer.state.scores)
