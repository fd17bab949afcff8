"""Piles that are shuffled ahead: what hops save, when they count, and when they are void."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from engine.moves import Move
from protocol import limits
from protocol.codec import Value
from protocol.crypto.group import total
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import MOVE, SHUFFLE, Entry
from protocol.file import gamefile
from protocol.file.report import Verdict, report
from protocol.table.ahead import Hops
from protocol.table.cards import opening_deck
from protocol.table.judging import Judge
from protocol.table.party import Party
from protocol.table.phases import Phase
from protocol.table.play import Play
from protocol.table.proving import Proof, check_one
from protocol.table.table import Table
from tests.protocol.file.files import resigned
from tests.protocol.tables import Room, Setup

PLAYERS = 3

# How the second round of Brambles begins, from the last move on: the hands are dealt, and trump is
# drawn. Nobody shuffles.
BEGINS = [Phase.MOVING, Phase.AGREEING, Phase.SHARING, Phase.DRAWING]


def phases(room: Room) -> list[Phase]:
    """The phases of all closed steps."""
    return [closed.phase for closed in room.parties[0].table.ballots.closed]


def shuffles(room: Room) -> int:
    """How often a player shuffled because a round was to begin."""
    return phases(room).count(Phase.SHUFFLING)


def until(room: Room, place: Callable[[Play], bool]) -> Play:
    """Play until this holds for the first party."""
    table = room.parties[0].table
    room.run(lambda: place(table.play))
    return table.play


def hops(play: Play) -> Hops:
    assert play.hops is not None
    return play.hops


def test_no_player_shuffles_when_the_second_round_begins() -> None:
    room = Room(Setup("brambles", PLAYERS).parties())
    room.run()
    assert report(room.parties[0].table).verdict is Verdict.FINAL
    assert shuffles(room) == PLAYERS - 1  # of the first round, in which one was made with a lot
    said = phases(room)
    assert sum(said[at : at + len(BEGINS)] == BEGINS for at in range(len(said))) == 1
    file = gamefile.write(room.parties[0].table)
    assert report(gamefile.read(file)).verdict is Verdict.FINAL


def test_only_those_shuffle_who_have_not() -> None:
    """No hop is owed. Who makes none shuffles when the round begins, and the others do not."""
    setup = Setup("brambles", PLAYERS)
    room = Room([setup.party(at, ahead=at == 1) for at in range(PLAYERS)])
    room.run()
    assert report(room.parties[0].table).verdict is Verdict.FINAL
    assert shuffles(room) == PLAYERS + PLAYERS - 1


def test_hops_are_void_once_a_seat_is_lost() -> None:
    room = Room(Setup("brambles", PLAYERS + 1).parties())
    play = until(room, lambda play: play.hops is not None and len(play.hops.done) == 2)
    made = hops(play).decks
    leaver = room.parties[-1]
    room.send(leaver.me, leaver.leave())
    room.silent.add(leaver.me)
    play = until(room, lambda play: leaver.me not in play.seated)
    assert play.hops is None
    assert play.phase is Phase.SHUFFLING
    assert play.decks == play.opening_decks(play.state.need.piles)  # type: ignore[union-attr]
    assert not set(made) & set(play.decks)
    room.run()
    found = report(room.parties[0].table)
    assert found.verdict is Verdict.FINAL
    # all but the one with a lot, and once more the three who stayed
    assert shuffles(room) == PLAYERS + PLAYERS


def test_a_hop_is_void_if_its_step_loses_a_seat() -> None:
    """Two commit, one of them with a hop, and the third leaves."""
    room = Room(Setup("fruitoplay", PLAYERS).parties())
    play = until(room, lambda play: play.phase is Phase.COMMITTING)
    carrier = play.hop_by(play.hops_so_far())
    assert carrier is not None
    party = room.parties[carrier]
    room.send(carrier, party.decide(party.view().moves()[0]))
    leaver = room.parties[(carrier + 1) % PLAYERS]
    room.send(leaver.me, leaver.leave())
    room.silent.add(leaver.me)
    stays = next(one for one in room.parties if one.me not in (carrier, leaver.me)).table
    room.run(lambda: leaver.me not in stays.play.seated)
    assert stays.play.hops is None


def test_a_hop_serves_one_shuffle_only() -> None:
    """The second round begins with hops, loses a seat, and begins again without them."""
    room = Room(Setup("brambles", PLAYERS + 1).parties())
    play = until(room, lambda play: play.state.round == 2 and play.phase is Phase.MOVING)
    assert play.hops is None
    used = play.cards.piles[0].deck
    leaver = room.parties[-1]
    room.send(leaver.me, leaver.leave())
    room.silent.add(leaver.me)
    play = until(room, lambda play: leaver.me not in play.seated)
    assert play.phase is Phase.SHUFFLING
    assert used not in play.decks
    room.run()
    assert shuffles(room) == PLAYERS + PLAYERS
    assert report(room.parties[0].table).verdict is Verdict.FINAL


def test_piles_that_would_not_fit_beside_claims_are_not_shuffled_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    setup = Setup("brambles", PLAYERS)
    claimed = limits.CLAIMED_SIZE * setup.game.claimed_most(PLAYERS)
    piles = setup.game.start(PLAYERS).need.piles
    hop = sum(196 * len(pile) + 176 for pile in piles)
    monkeypatch.setattr(limits, "CARRIED_SIZE_MOST", claimed + hop - 1)
    room = Room(setup.parties())
    room.run()
    assert report(room.parties[0].table).verdict is Verdict.FINAL
    assert shuffles(room) == PLAYERS + PLAYERS


def test_the_size_of_a_hop_is_known_beforehand() -> None:
    room = Room(Setup("brambles", 2).parties())
    play = until(room, lambda play: play.phase is Phase.MOVING)
    carrier = play.hop_by(play.hops_so_far())
    assert carrier is not None
    [hop] = room.parties[carrier].shuffler.hop()
    piles = play.hops_so_far().piles
    for faces, pile in zip(piles, hop, strict=True):
        assert isinstance(pile, tuple)
        size = sum(len(part) for part in pile if isinstance(part, bytes))
        assert size <= limits.SHUFFLED_CARD_SIZE * len(faces) + limits.SHUFFLED_PILE_SIZE - 16


def choosing(ahead: bool = True) -> Party:
    """A party that is asked for a choice, with which it may make a hop."""
    room = Room(Setup("brambles", 2).parties(ahead=ahead))
    play = until(room, lambda play: play.phase is Phase.MOVING)
    carrier = play.hop_by(play.hops_so_far())
    assert carrier is not None
    return room.parties[carrier]


def test_a_hop_is_made_in_a_thread_while_its_player_thinks() -> None:
    """It is the same as the one that would be made with the choice."""
    thinking, quick = choosing(), choosing()
    work = thinking.shuffler.ahead()
    assert work is not None
    in_thread(work)
    assert thinking.shuffler.ahead() is None
    move = quick.view().moves()[0]
    assert thinking.decide(move)[0] == quick.decide(move)[0]


def in_thread(work: Callable[[], None]) -> None:
    thread = Thread(target=work)
    thread.start()
    thread.join()


class Checked:
    """Proofs are checked elsewhere, and it is not known yet whether they hold."""

    def __init__(self) -> None:
        self.known = True

    def check(self, proof: Proof) -> bool | None:
        return proof.holds() if self.known else None


def next_to_shuffle(bad: bool = False) -> tuple[Party, Checked, bytes]:
    """A party that holds a shuffle, not yet checked, and is the next to shuffle."""
    setup, checked = Setup("punnet", PLAYERS), Checked()
    parties = setup.parties(ahead=False)
    room = Room(parties)
    play = until(room, lambda play: play.phase is Phase.SHUFFLING)
    order = play.players_at(play.state.seated)
    first = parties[order[0]]
    who = setup.identities[order[1]], setup.seeds[order[1]]
    second = Party(*who, setup.roster, setup.game, checked.check, ahead=False)
    for _, data in room.said:
        first.take(data)
        second.take(data)
    [shuffled] = first.answer()
    if bad:
        body: Any = Entry.decode(shuffled).body
        [(deck, proof)] = body
        shuffled = resigned(setup, shuffled, body=((deck, bytes(len(proof))),)).data
    checked.known = False
    second.take(shuffled)
    return second, checked, shuffled


def test_the_next_player_shuffles_while_the_shuffle_before_is_checked() -> None:
    waiting, checked, _ = next_to_shuffle()
    assert waiting.answer() == []
    work = waiting.shuffler.on_trust()
    assert work is not None
    assert waiting.shuffler.on_trust() is None  # it is handed out once
    in_thread(work)
    assert waiting.answer() == []  # nothing is signed on top of what is not checked
    checked.known = True
    waiting.table.go_on()
    after, checked, _ = next_to_shuffle()
    checked.known = True
    after.table.go_on()
    assert waiting.answer() == after.answer() != []


def test_nothing_is_signed_while_the_shuffle_is_being_made() -> None:
    waiting, checked, _ = next_to_shuffle()
    work = waiting.shuffler.on_trust()
    assert work is not None
    checked.known = True
    waiting.table.go_on()
    assert waiting.answer() == []
    in_thread(work)
    assert len(waiting.answer()) == 1


def test_work_on_top_of_a_bad_shuffle_is_thrown_away() -> None:
    waiting, checked, _ = next_to_shuffle(bad=True)
    work = waiting.shuffler.on_trust()
    assert work is not None
    in_thread(work)
    _, in_vain = waiting.shuffler._made
    checked.known = True
    waiting.table.go_on()
    assert len(waiting.table.lost) == 1
    [begun_again] = map(Entry.decode, waiting.answer())
    assert begun_again.kind == SHUFFLE
    assert begun_again.body != in_vain


def test_a_false_shuffle_frames_nobody() -> None:
    """The liar's deck is that with which the others begin again once the liar is lost.

    So the next player has shuffled exactly this deck already, but for the liar's key as well.
    """
    waiting, checked, shuffled = next_to_shuffle()
    setup, play = Setup("punnet", PLAYERS), waiting.table.play
    [liar] = play.owing
    stay = total([play.keys[player] for player in play.seated if player != liar])
    body: Any = Entry.decode(shuffled).body
    need: Any = play.state.need
    decks = [opening_deck(stay, play.prints(faces)).data for faces in need.piles]
    false = tuple([(deck, proof) for deck, (_, proof) in zip(decks, body, strict=True)])
    framing = resigned(setup, shuffled, body=false).data
    waiting = setup.party(waiting.me, ahead=False)
    waiting._check = checked.check
    checked.known = True
    for _, entry in next_to_shuffle()[0].table.feeds.log[:-1]:
        waiting.take(entry.data)
    checked.known = False
    waiting.take(framing)
    work = waiting.shuffler.on_trust()
    assert work is not None
    in_thread(work)
    checked.known = True
    waiting.table.go_on()
    [again] = waiting.answer()
    reader = Table(setup.roster, setup.game)
    for _, entry in waiting.table.feeds.log:
        reader.take(entry.data)
    assert Entry.decode(again).kind == SHUFFLE
    assert [loss.player for loss in reader.lost] == [liar]


def test_work_of_another_thread_is_taken_for_nothing_else() -> None:
    """It ends at any time, and its result stands for the statement that it was made for."""
    other = choosing()
    task = other.shuffler._hop_task()
    assert task is not None
    again = other.shuffler._work(task)
    assert again is not None
    assert other.shuffler._work(task) is None  # it is under way
    assert other.shuffler.hop() == ()  # and no answer waits for it
    other.shuffler._made = (b"another", ((b"", b""),))
    in_thread(again)
    assert other.shuffler._made[0] == task.name
    assert other.shuffler._under_way == set()


def test_no_work_on_top_of_what_is_no_shuffle() -> None:
    """An entry that was not read yet, such as one that is held up by another."""
    waiting, _, shuffled = next_to_shuffle()
    setup = Setup("punnet", PLAYERS)
    waiting = setup.party(waiting.me, ahead=False)
    for _, entry in next_to_shuffle()[0].table.feeds.log[:-1]:
        waiting.take(entry.data)
    assert waiting.table.play.shuffles_next == waiting.me
    assert waiting.shuffler.on_trust() is None  # nothing is held
    waiting.table.feeds.accept(resigned(setup, shuffled, body=()).data)
    assert waiting.shuffler.on_trust() is None


def test_a_party_that_makes_no_hops_has_no_such_work() -> None:
    assert choosing(ahead=False).shuffler.ahead() is None
    assert choosing().shuffler.on_trust() is None  # and no player is to shuffle


def test_a_hop_is_a_list_of_piles() -> None:
    party = choosing()
    move = party.view().moves()[0]
    with pytest.raises(RemoteProtocolError, match="a list of piles"):
        Judge(party.table.play, check_one).judge(party.me, hopping(party, move, b""))


def hopping(party: Party, move: Move, hop: Value) -> Entry:
    read = party.table.read[party.me]
    return Entry.sign(
        party.identity,
        table=party.table.feeds.table,
        seq=len(read),
        prev=read[-1].id,
        seen=(None,) * len(party.table.read),
        step=party.table.play.step,
        kind=MOVE,
        body=(*party._turn(move), hop),
    )


def test_a_player_sees_no_card_of_which_a_share_is_missing() -> None:
    room = Room(Setup("brambles", 2).parties())
    play = until(room, lambda play: play.phase is Phase.SHARING)
    view = room.parties[0].view()
    assert view.state.hands[play.seat(0)]
    assert view.known == {}
