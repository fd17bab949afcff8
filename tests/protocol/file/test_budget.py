"""A reader that has a budget gives up when it is used up, and says how far it got."""

from dataclasses import replace

import pytest

from protocol.codec import encode
from protocol.file import gamefile
from protocol.file.gamefile import MAGIC, OverBudget, UnknownRules
from protocol.file.report import report
from tests.protocol.file.files import Parts, finished


class Purse:
    """Pays for so many pieces of work."""

    def __init__(self, pieces: int) -> None:
        self.left = pieces
        self.paid: list[tuple[str, int, int]] = []

    def pay(self, stage: str, done: int, count: int) -> None:
        if not self.left:
            raise OverBudget(stage, done, count)
        self.left -= 1
        self.paid.append((stage, done, count))


def test_a_large_budget_changes_nothing() -> None:
    purse = Purse(10**6)
    table = gamefile.read(finished().data, pace=purse.pay)
    assert report(table) == report(finished().table)
    entries = sum(map(len, table.read))
    signatures = [paid for paid in purse.paid if paid[0] == "signature"]
    assert signatures == [("signature", done, entries) for done in range(entries)]
    read = [done for stage, done, count in purse.paid if stage == "reading" and count == entries]
    assert read == sorted(read)
    assert len(signatures) + len(read) == len(purse.paid)


def test_signatures_are_counted() -> None:
    with pytest.raises(OverBudget) as caught:
        gamefile.read(finished().data, pace=Purse(7).pay)
    assert (caught.value.stage, caught.value.done) == ("signature", 7)
    assert caught.value.count == sum(map(len, finished().table.read))


def test_rivals_are_counted() -> None:
    parts = Parts.of(finished().data)
    rivals = parts._replace(feeds=((), *parts.feeds[1:]), rivals=parts.feeds[0])
    held = sum(map(len, rivals.feeds))
    with pytest.raises(OverBudget) as caught:
        gamefile.read(rivals.join(), pace=Purse(held + 2).pay)
    assert (caught.value.stage, caught.value.done) == ("signature", held + 2)
    assert caught.value.count == held + len(rivals.rivals)


def test_reading_is_counted() -> None:
    entries = sum(map(len, finished().table.read))
    with pytest.raises(OverBudget) as caught:
        gamefile.read(finished().data, pace=Purse(entries + 5).pay)
    assert (caught.value.stage, caught.value.count) == ("reading", entries)
    assert 0 < caught.value.done < entries


def test_a_file_of_unknown_rules_has_the_same_budget() -> None:
    roster = replace(finished().setup.roster, game="unknown").encode()
    with pytest.raises(UnknownRules):  # there is nothing to pay for
        gamefile.read(MAGIC + encode((roster, ((), ()), ())), pace=Purse(0).pay)
    with pytest.raises(OverBudget):
        gamefile.read(MAGIC + encode((roster, ((b"entry",), ()), ())), pace=Purse(0).pay)
