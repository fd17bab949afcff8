"""Files of a table of two: a whole game of Frutopia, parts of it, and what is no file.

Frutopia has no cards, and its entries are short. One file more is the beginning of a game of Bastos
with three players, with shuffles, shares, secret choices and a claim.
"""

from dataclasses import replace

from engine import registry
from protocol.codec import encode
from protocol.feed.entries import Entry
from protocol.file import gamefile
from protocol.file.gamefile import MAGIC, Refused
from protocol.file.report import report
from protocol.table.table import Table
from tests.protocol.file.files import Parts, resigned
from tests.protocol.tables import Room, Setup
from tests.vectors import judging
from tests.vectors.cases import CHAIN, FORM, GOOD, PROOF, READING, RULES, SIGNATURE, Case

BEGINNING = 4  # both have sat down and drawn lots


def make() -> list[Case]:
    setup = _setup()
    room = Room(setup.parties())
    room.run()
    said = [data for _, data in room.said]
    begun = Parts.of(gamefile.write(_table(setup, said[:BEGINNING])))
    cards = judging.story()
    return [
        _shown("nothing said", gamefile.write(_table(setup, []))),
        _shown("the beginning of a game", begun.join()),
        _shown("a whole game", gamefile.write(_table(setup, said))),
        _shown("all but the last signature", gamefile.write(_table(setup, said[:-1]))),
        _shown("somebody left", gamefile.write(_table(setup, _left(setup, said)))),
        _shown("the beginning of a game of cards", gamefile.write(cards.table(len(cards.said)))),
        _shown("a false proof", gamefile.write(_table(setup, _lied(setup, said))), PROOF),
        {"name": "a game that nobody knows", "file": _unknown().hex(), "expect": RULES},
        *_spoilt(setup, begun),
    ]


def _unknown() -> bytes:
    setup = _setup()
    setup.roster = replace(setup.roster, game="chess")
    room = Room(setup.parties())
    room.run(lambda: len(room.said) >= BEGINNING)
    return gamefile.write(_table(setup, [data for _, data in room.said]))


def _setup(number: int = 0) -> Setup:
    return Setup(registry.build("frutopia", {"standstill": "10"}), 2, number)


def _table(setup: Setup, said: list[bytes]) -> Table:
    table = Table(setup.roster, setup.game)
    for data in said:
        table.take(data)
    return table


def _left(setup: Setup, said: list[bytes]) -> list[bytes]:
    party = setup.party(1)
    for data in said[:BEGINNING]:
        party.take(data)
    return [*said[:BEGINNING], *party.leave()]


def _lied(setup: Setup, said: list[bytes]) -> list[bytes]:
    """The last lot of the beginning, with the proof of nothing."""
    *before, lot = said[:BEGINNING]
    share, proof = Entry.decode(lot).body
    assert type(proof) is bytes
    return [*before, resigned(setup, lot, body=(share, proof[:-1] + b"\x01")).data]


def _spoilt(setup: Setup, good: Parts) -> list[Case]:
    data = good.join()
    mine, theirs = good.feeds
    ahead = resigned(setup, mine[-1], step=1000)
    blind = resigned(setup, mine[-1], seen=(None, None))
    swapped = resigned(setup, mine[-1], seq=7)
    forged = bytes([mine[-1][0] ^ 1]) + mine[-1][1:]
    other = _setup(1)
    turned = replace(setup.roster, players=setup.roster.players[:1])
    rosters = {
        "an unknown game": replace(setup.roster, game="chess"),
        "other rules": replace(setup.roster, rules_id="0" * 64),
        "another table's roster": other.roster,
        "a player less": turned,
    }
    bad: dict[str, tuple[bytes, str]] = {
        "empty": (b"", FORM),
        "another version": (data.replace(MAGIC, b"p2pfruit game 1\n"), FORM),
        "one byte short": (data[:-1], FORM),
        "one byte long": (data + b"\0", FORM),
        **{
            name: (good._replace(roster=roster.encode()).join(), FORM)
            for name, roster in rosters.items()
        },
        "a feed less": (good._replace(feeds=good.feeds[:1]).join(), FORM),
        "an entry that is none": (good.with_feed(0, (*mine, b"fig")).join(), FORM),
        "the first entry is missing": (good.with_feed(0, mine[1:]).join(), CHAIN),
        "an entry twice": (good.with_feed(0, (*mine, mine[-1])).join(), CHAIN),
        "entries in another order": (good.with_feed(0, mine[::-1]).join(), CHAIN),
        "feeds in another order": (good._replace(feeds=(theirs, mine)).join(), CHAIN),
        "a number too high": (good.with_feed(0, (*mine[:-1], swapped.data)).join(), CHAIN),
        "a forged entry": (good.with_feed(0, (*mine[:-1], forged)).join(), SIGNATURE),
        "a forged entry, and later one that is none": (
            good.with_feed(0, (*mine[:-1], forged)).with_feed(1, (*theirs, b"fig")).join(),
            SIGNATURE,
        ),
        "an entry that is none, and later a forged one": (
            good.with_feed(0, (*mine, b"fig")).with_feed(1, (*theirs[:-1], forged)).join(),
            FORM,
        ),
        "a forged entry, and later a number for an entry": (
            MAGIC + encode((good.roster, ((*mine[:-1], forged), (7,)), ())),
            FORM,
        ),
        "an entry from the future": (good.with_feed(0, (*mine[:-1], ahead.data)).join(), READING),
        "an entry by one who heard nothing": (
            good.with_feed(0, (*mine[:-1], blind.data)).join(),
            READING,
        ),
        "a rival that nobody speaks of": (good._replace(rivals=(blind.data,)).join(), READING),
    }
    return [
        {"name": name, "file": data.hex(), "expect": stage} for name, (data, stage) in bad.items()
    ]


def _shown(name: str, data: bytes, expect: str = GOOD) -> Case:
    return {"name": name, "file": data.hex(), "shows": _report(data), "expect": expect}


def _report(data: bytes) -> Case:
    return shown(gamefile.read(data))


def shown(table: Table) -> Case:
    found = report(table)
    return {
        "verdict": found.verdict.value,
        "step": found.step,
        "seats": list(found.seats),
        "scores": [list(row) for row in found.scores],
        "places": list(found.places),
        "owed": found.owed,
        "owing": list(found.owing),
        "lost": [
            [loss.player, loss.step, loss.ending.why.value, loss.ending.code] for loss in found.lost
        ],
        "table": table.roster.table.hex(),
        "digest": table.play.digest().hex(),
    }


def check(case: Case) -> str:
    """PROOF: the file is read, and its game blames somebody for a false proof."""
    data = bytes.fromhex(case["file"])
    try:
        found = _report(data)
    except Refused as error:
        return error.stage
    assert found == case["shows"]
    return PROOF if any(loss[3] == PROOF for loss in found["lost"]) else GOOD
