"""A file whose game is not known here: all is checked that needs no rules, and no more is said."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine import registry
from engine.packages import Entry
from protocol.codec import encode
from protocol.feed.entries import Head
from protocol.file import gamefile
from protocol.file.gamefile import MAGIC, Refused, UnknownRules
from tests.games import punnet
from tests.games.punnet import Punnet
from tests.protocol.file import scenes
from tests.protocol.file.files import Parts, finished, resigned


@pytest.fixture(autouse=True)
def uninstalled(games_of_tests: None) -> Iterator[None]:
    finished()  # while the game is still there
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(registry._entries, "punnet")
        yield


def refusal(data: bytes) -> Refused:
    with pytest.raises(Refused) as caught:
        gamefile.read(data)
    return caught.value


def unknown(data: bytes) -> UnknownRules:
    found = refusal(data)
    assert isinstance(found, UnknownRules), found
    return found


def test_a_game_that_is_not_installed() -> None:
    whole = finished()
    found = unknown(whole.data)
    assert (found.stage, found.code) == ("rules", "game")
    assert found.why.startswith("there is no game 'punnet'")
    assert found.roster == whole.setup.roster
    assert found.entries == tuple(map(len, Parts.of(whole.data).feeds))
    assert found.forked == ()


@pytest.mark.parametrize("change", [{"game": "chess"}, {"rules_id": "0" * 64}])
def test_nothing_was_said_yet(change: dict[str, object]) -> None:
    roster = replace(finished().setup.roster, **change)  # type: ignore[arg-type]
    assert unknown(MAGIC + encode((roster.encode(), ((), ()), ()))).entries == (0, 0)


def test_another_version_has_other_rules() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Punnet, "version", 2)
        patch.setitem(registry._entries, "punnet", Entry(Punnet, punnet.content))
        found = unknown(finished().data)
    assert found.code == "rules"
    assert found.why == "the table plays other rules or other cards of punnet than this program"


def test_signatures_are_checked() -> None:
    parts = Parts.of(finished().data)
    feed = parts.feeds[0]
    forged = bytes(64) + feed[3][64:]
    assert refusal(parts.with_feed(0, (*feed[:3], forged)).join()).stage == "signature"
    flipped = feed[2][:-1] + bytes([feed[2][-1] ^ 1])
    assert refusal(parts.with_feed(0, (*feed[:2], flipped)).join()).stage in ("form", "signature")


def test_chains_are_checked() -> None:
    parts = Parts.of(finished().data)
    mine, theirs = parts.feeds
    for pair in (
        (mine[1:], theirs),
        (mine[:2] + mine[3:], theirs),
        ((*mine[:3], mine[2]), theirs),
        (theirs, mine),
        ((*mine, theirs[0]), theirs),
    ):
        assert refusal(parts._replace(feeds=pair).join()).stage == "chain"


def test_a_feed_does_not_branch() -> None:
    whole = finished()
    parts = Parts.of(whole.data)
    feed = parts.feeds[0]
    second = resigned(whole.setup, feed[2], step=1000)
    found = refusal(parts.with_feed(0, (*feed[:3], second.data)).join())
    assert (found.stage, found.code) == ("chain", "gap")
    assert found.why == "entry 2 of player 0 does not follow the one before it"


def test_what_was_seen_is_in_the_file() -> None:
    parts = Parts.of(finished().data)
    found = refusal(parts.with_feed(1, parts.feeds[1][:3]).join())
    assert (found.stage, found.code) == ("chain", "seen")
    assert found.why.endswith(" of player 0 has seen an entry that is missing")


def test_the_last_entry_of_a_feed_may_have_lied() -> None:
    """The file of an honest table holds the lie of a player who was lost for it."""
    whole = finished()
    parts = Parts.of(whole.data)
    feed = parts.feeds[0]
    lie = resigned(whole.setup, feed[-1], seen=(None, Head(10**6, bytes(32))))
    assert unknown(parts.with_feed(0, (*feed[:-1], lie.data)).join()).code == "game"


def test_players_who_forked_are_named() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry._entries, "punnet", Entry(Punnet, punnet.content))
        data = gamefile.write(scenes.forked().parties[0].table)
    found = unknown(data)
    assert found.forked == (len(found.roster.players) - 1,)
