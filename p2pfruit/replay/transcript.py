"""A table told again from its file: in the words of the game's narrator, or entry by entry."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from engine.moves import Event
from p2pfruit.games import terms
from p2pfruit.games.narrator import Narrator, narrator_for
from p2pfruit.home.results import placed
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.replay import verdict
from p2pfruit.text.safe import shown
from protocol.feed.entries import FORK, LEAVE, STOP, VOTE, Entry
from protocol.file.report import Report
from protocol.table.events import BallotEnded, Lost, Said
from protocol.table.phases import PHASES
from protocol.table.table import Table

ID_DIGITS = 12
KINDS = {rule.kind for rule in PHASES.values()} | {LEAVE, STOP, VOTE, FORK}


def story(table: Table, found: Report) -> list[str]:
    """Return lines about what everyone at the table saw, from the seats to the result."""
    names = verdict.player_names(found)
    count = plural("{count} player", "{count} players", len(names))
    seated = [names[player] for player in found.seats]
    narrator = narrator_for(table.game, seated) if seated else None
    title = _("{game}, {players}: {names}")
    title = title.format(game=found.roster.game, players=count, names=", ".join(names))
    conditions = terms.lines(found.roster, len(names))[1:]
    lines = [title, *conditions, *_told(table, names, narrator)]
    if narrator is not None and found.places:
        lines += ["", *narrator.ranking(placed(table.play.state, found))]
    return [*(shown(line).rstrip() for line in lines), "", verdict.headline(found, names)]


def _told(table: Table, names: Sequence[str], narrator: Narrator | None) -> Iterator[str]:
    """Yield lines about all events. Events of one turn go to the narrator together."""
    entries = _read(table)
    for of_game, some in groupby(table.events, lambda event: isinstance(event, Event)):
        if of_game:
            assert narrator is not None
            yield from played([event for event in some if isinstance(event, Event)], narrator)
            continue
        for event in some:
            if isinstance(event, Lost):
                yield from ["", verdict.loss(table, event, names)]
            elif isinstance(event, BallotEnded):
                yield ballot_end(event, names)
            elif isinstance(event, Said):
                yield from beside(*next(entries), names)


def played(events: Sequence[Event], narrator: Narrator) -> Iterator[str]:
    for event in events:
        if event.what == "seats":
            yield _("seats, drawn by lot: {names}").format(names=", ".join(narrator.names))
    # The table has said already how a player was lost. The rules call every loss "left".
    yield from narrator.tell([event for event in events if event.what not in ("seats", "left")])


def beside(player: int, entry: Entry, names: Sequence[str]) -> Iterator[str]:
    """Yield a line about an entry beside the game: a vote or a fork."""
    name = names[player]
    match entry.kind, entry.body:
        case "vote", (int(), ()):
            yield _("{name} votes to wait").format(name=name)
        case "vote", (int(), (*players,)) if all(player in range(len(names)) for player in players):
            others = ", ".join(names[at] for at in range(len(names)) if at in players)
            yield _("{name} votes to go on without {names}").format(name=name, names=others)
        case "fork", (int(other), bytes(), bytes()) if other < len(names):
            words = _("{name} shows two entries by {other} with the same number")
            yield words.format(name=name, other=names[other])


def ballot_end(event: BallotEnded, names: Sequence[str]) -> str:
    """Say how a ballot ended in which no player was lost."""
    words = _("the vote about {names} has failed: not all players want to go on without them")
    if event.answered:
        words = _("{names} answered after all: the vote is over, and the game goes on with them")
    return words.format(names=", ".join(names[player] for player in event.named))


def entries(table: Table, found: Report) -> list[str]:
    """Return one line for each entry: player, number, step, kind, bytes, id and name.

    The entries are in the order of reading. Then come those that do not count, such as a second
    history.
    """
    names = verdict.player_names(found)
    read = [(player, entry) for player, entry in _read(table)]
    counted = {entry.id for _player, entry in read}
    unread = [
        (player, entry)
        for player, feed in enumerate(table.feeds.feeds)
        for entry in sorted(feed.by_id.values(), key=lambda entry: (entry.seq, entry.id))
        if entry.id not in counted
    ]
    return [
        *(_row(player, entry, names) for player, entry in read),
        *(f"{_row(player, entry, names)}  (unread)" for player, entry in unread),
    ]


def _row(player: int, entry: Entry, names: Sequence[str]) -> str:
    kind = entry.kind if entry.kind in KINDS else "?"
    return (
        f"{player} {entry.seq:5} {entry.step:5}  {kind:7} {len(entry.data):6}"
        f"  {entry.id.hex()[:ID_DIGITS]}  {names[player]}"
    )


def _read(table: Table) -> Iterator[tuple[int, Entry]]:
    """Yield the entries in the order in which they were read, each with its player."""
    feeds = [iter(feed) for feed in table.read]
    for event in table.events:
        if isinstance(event, Said):
            yield event.player, next(feeds[event.player])
