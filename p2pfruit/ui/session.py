"""A session: one table, played or watched in front of a person or a program, to its file."""

import os
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from p2pfruit.exits import USAGE, Refusal, say
from p2pfruit.home import others, series
from p2pfruit.home.atomic_write import write_whole
from p2pfruit.home.folder import Home
from p2pfruit.home.results import GameResult, conclude, judge
from p2pfruit.home.settings import Settings, load
from p2pfruit.home.store import Known, Meeting, Store
from p2pfruit.home.verification import Progress
from p2pfruit.language import text as _
from p2pfruit.seat.household import Household
from p2pfruit.seat.plans import Plan, WatchPlan
from p2pfruit.seat.players import Chair
from p2pfruit.seat.remembering import remembering
from p2pfruit.text.names import is_bot
from p2pfruit.text.safe import shown_path
from p2pfruit.ui.evening import Evening
from p2pfruit.ui.fronts import Looks, front_for
from protocol.feed.roster import Player
from protocol.file import gamefile
from protocol.peer.peer import Peer


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """From which home a table is played, who decides, and how it is shown. `decider` is as it is
    written down; `record`: where a copy of the game file goes."""

    home: Home
    decider: str
    looks: Looks
    record: str = ""


def play(plan: Plan, session: Session) -> int:
    """Play a table to its end, and return the exit code."""
    home, record = session.home, session.record
    with home.lock(), home.open_store(int(time.time())) as store:
        bots: set[bytes] = set()
        meet = partial(_meet, store, bots)
        identity = home.identity()
        make_front = partial(
            front_for, session.looks, load(home.path), identity.key, meet, session.decider, bots
        )
        front = make_front()
        assert front.decider_factory is not None
        chair = Chair(
            identity=identity,
            name=home.name(),
            decider_factory=remembering(front.decider_factory, store),
            decider=session.decider,
        )
        household = Household(
            chair=chair,
            observer=front.table,
            store=store,
            home=home.path,
            record=record,
            bots=bots,
        )

        def end(
            peer: Peer, progress: Progress | None
        ) -> tuple[GameResult, series.HomeSeries | None]:
            ended = conclude(home, store, peer, record, progress)
            place = peer.table.roster.series
            found = None if place is None else series.load(store, place.contract)
            if found is not None:
                series.write_file(home, found)
            return ended, found

        evening = Evening(front, end, make_front)
        kept = False  # to be gone on with by p2pfruit resume
        try:
            return front.run(partial(evening.run, partial(plan.play, household)))
        except Refusal:
            if (
                left := evening.front.table.left
            ) is not None:  # what was played is kept all the same
                end(left, None)
            raise
        except KeyboardInterrupt:
            kept = True
            if store.unfinished():
                say("\n" + _("the table is kept; p2pfruit resume continues it"))
            raise
        finally:
            if not kept and not store.unfinished():
                store.close_evening()


def watch(plan: WatchPlan, looks: Looks, settings: Settings, record: str, home: Home) -> int:
    """Watch a table to its end; nothing is kept but the file, where one is wanted.

    If the home has a file of this table, and this one says something else, it is kept, too.
    """
    front = front_for(looks, settings, b"", lambda _player: Meeting(known=Known.KNOWN), None)

    def end(peer: Peer, progress: Progress | None) -> tuple[GameResult, None]:
        data = gamefile.write(peer.table)
        path = Path(record) if record else None
        if path is not None:
            write_whole(path, data, replace=True)
        others.notice(home, peer.table, data)
        return judge(data, path, peer, progress), None

    evening = Evening(front, end, lambda: front)
    return front.run(partial(evening.run, partial(plan.watch, front.table, home.path)))


def _meet(store: Store, bots: set[bytes], player: Player) -> Meeting:
    """Look up a player in the address book, which has no bots."""
    if player.key in bots or is_bot(player.name):
        return Meeting(known=Known.KNOWN)
    return store.meet(player.key, player.name, int(time.time()))


def check_record(record: str | None) -> str:
    """Return where the copy goes; raise Refusal if it cannot be written there after the game."""
    if not record:
        return ""
    folder = Path(record).absolute().parent
    if not os.access(folder, os.W_OK) or Path(record).is_dir():
        message = _("cannot write {path}").format(path=shown_path(record))
        raise Refusal(message, hint=_("name a file in a folder that you can write to"), code=USAGE)
    return str(Path(record).absolute())
