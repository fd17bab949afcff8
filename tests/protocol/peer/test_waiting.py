"""The table waits for somebody: who is asked, when, and what comes of the answer."""

import pytest

from protocol import limits
from protocol.feed.entries import Head
from protocol.file.report import Verdict, report
from protocol.limits import TIMES_S
from protocol.link.notes import ASKED, DONE
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer
from protocol.table.events import Again, Asked, BallotEnded, Why
from protocol.table.phases import Phase
from tests.protocol.peer.peers import Company, happened

TURN, DUTY, RESERVE = (1000 * seconds for seconds in TIMES_S.values())
ABSENT = 2


def waits(phase: Phase = Phase.SEATING) -> Company:
    """One of three falls silent in this phase, and the others wait for it."""
    company = Company(3)
    company.mesh()
    absent = company.peers[ABSENT]
    company.run(until=lambda: absent.table.play.phase is phase)
    fall_silent(company, ABSENT)
    assert company.peers[0].table.waiting_for == (ABSENT,)
    return company


def fall_silent(company: Company, player: int) -> None:
    for link in [link for link, ends in company.links.items() if player in ends]:
        company.cut(link)
    company.silent.add(player)
    company.run()


def late(company: Company) -> list[Question]:
    """Time passes until the others are asked."""
    company.wait(DUTY + RESERVE)
    questions = [one.question(company.now_ms) for one in others(company)]
    assert all(question is not None for question in questions)
    return [question for question in questions if question is not None]


def others(company: Company) -> list[Peer]:
    return [peer for at, peer in enumerate(company.peers) if at not in company.silent]


def reply(company: Company, peer: Peer, answer: Reply) -> None:
    question = peer.question(company.now_ms)
    assert question is not None
    peer.reply(question, answer, company.now_ms)
    company.run()


def test_nobody_is_asked_too_soon() -> None:
    company = waits()
    company.wait(DUTY + RESERVE - 1)
    assert all(peer.question(company.now_ms) is None for peer in others(company))
    company.wait(1)
    for peer in others(company):
        question = peer.question(company.now_ms)
        assert question == Question(
            step=peer.table.play.step,
            players=(ABSENT,),
            waited_ms=DUTY + RESERVE,
            can_go_on=True,
            direct=True,
        )
        assert question.default is Reply.GO_ON


@pytest.mark.no_cover
def test_whoever_owes_is_not_asked() -> None:
    company = waits(Phase.COMMITTING)
    company.wait(TURN + RESERVE)
    absent = company.peers[ABSENT]
    absent.look(company.now_ms)
    assert absent.asked
    assert absent.clocks.late(company.now_ms)
    assert absent.question(company.now_ms) is None
    assert company.peers[0].question(company.now_ms) is not None


def test_not_before_all_are_late() -> None:
    """One has answered the step before later than the other, and has more time left."""
    company = Company(4)
    company.mesh()
    peers = company.peers
    company.run(until=lambda: peers[0].table.play.phase is Phase.COMMITTING)
    for at in (2, 3):
        company.silent.add(at)
    company.run()
    waiting = peers[0].table.waiting_for
    assert {2, 3} <= set(waiting)
    peers[0].clocks._reserves[3] += 5_000
    company.now_ms = TURN + RESERVE
    assert peers[0].clocks.late(company.now_ms)[-1] == 2
    assert peers[0].question(company.now_ms) is None
    company.now_ms += 5_000
    question = peers[0].question(company.now_ms)
    assert question is not None
    assert question.players == waiting
    assert not question.can_go_on  # more than one: nobody can be named
    assert question.default is Reply.STOP


@pytest.mark.no_cover
def test_going_on_without() -> None:
    company = waits()
    late(company)
    one, other = others(company)
    reply(company, one, Reply.GO_ON)
    assert one.question(company.now_ms) is None
    reply(company, other, Reply.GO_ON)
    for peer in (one, other):
        assert peer.table.ended[ABSENT].why is Why.GONE
        assert peer.table.over
    assert report(one.table).verdict is Verdict.FINAL


def test_a_vote_calls_for_the_others_at_once() -> None:
    """Although one of them has said that it waits."""
    company = waits()
    late(company)
    one, other = others(company)
    reply(company, other, Reply.WAIT)
    assert other.question(company.now_ms) is None
    reply(company, one, Reply.GO_ON)
    question = other.question(company.now_ms)
    assert question is not None
    other.reply(question, Reply.WAIT, company.now_ms)
    company.run()
    assert one.table.ballots.number == other.table.ballots.number == 1  # it has failed
    assert other.question(company.now_ms) is None
    company.wait(DUTY)
    assert other.question(company.now_ms) is not None


@pytest.mark.no_cover
def test_after_a_vote_the_others_have_time_to_think() -> None:
    company = waits()
    late(company)
    one, other = others(company)
    reply(company, one, Reply.GO_ON)
    company.wait(limits.BALLOT_MS - 1)
    assert one.question(company.now_ms) is None
    company.wait(1)
    question = one.question(company.now_ms)
    assert question is not None
    assert not question.can_go_on  # it has said so already
    assert question.default is Reply.STOP
    one.reply(question, Reply.WAIT, company.now_ms)
    reply(company, other, Reply.GO_ON)
    assert one.table.over


def test_whoever_voted_and_is_left_alone_is_asked_again_at_once() -> None:
    company = waits()
    late(company)
    voter, stopper = others(company)
    reply(company, voter, Reply.GO_ON)
    assert voter.question(company.now_ms) is None
    reply(company, stopper, Reply.STOP)
    company.wait(1)
    question = voter.question(company.now_ms)
    assert question is not None
    assert not question.can_go_on
    assert question.default is Reply.STOP


def test_ballots_that_come_to_nothing_end_in_a_stop() -> None:
    question = Question(0, (1,), 0, can_go_on=True, direct=True, ballots=limits.BALLOTS_BY_DEFAULT)
    assert question.default is Reply.STOP


@pytest.mark.no_cover
def test_who_can_say_nothing_stays_no_longer_than_anybody_may_take() -> None:
    company = waits()
    late(company)
    for peer in others(company):
        reply(company, peer, Reply.GO_ON)
    company.silent.clear()
    stranded = company.peers[ABSENT]
    company.link(ABSENT, 0)
    company.run(until=lambda: ABSENT in stranded.table.ended)
    for link in list(company.links):
        company.cut(link)
    heard_ms = company.now_ms
    longest_ms = stranded.clocks.longest_ms + limits.STRANDED_MS
    assert not stranded.table.over
    assert not stranded.finished(heard_ms + longest_ms)
    assert stranded.finished(heard_ms + longest_ms + 1)


def test_waiting() -> None:
    company = waits()
    late(company)
    for peer in others(company):
        reply(company, peer, Reply.WAIT)
        assert peer.question(company.now_ms) is None
    company.wait(DUTY - 1)
    assert all(peer.question(company.now_ms) is None for peer in others(company))
    company.wait(1)
    assert all(peer.question(company.now_ms) is not None for peer in others(company))
    assert not others(company)[0].table.ended


def test_stopping() -> None:
    company = waits()
    late(company)
    one, other = others(company)
    reply(company, one, Reply.STOP)
    assert one.given_up
    assert one.finished(company.now_ms)
    assert other.table.ended[one.me or 0].why is Why.STOPPED
    assert one.question(company.now_ms + 10**9) is None


def test_a_question_that_no_longer_stands() -> None:
    company = waits()
    question, _ = late(company)
    peer = others(company)[0]
    held = len(peer.table.feeds.log)
    for other in (
        Question(question.step + 1, question.players, 0, True, True),
        Question(question.step, (1,), 0, True, True),
    ):
        peer.reply(other, Reply.STOP, company.now_ms)
    company.spectator().reply(question, Reply.STOP, company.now_ms)
    peer.clocks.wait(company.now_ms)
    peer.reply(question, Reply.STOP, company.now_ms)
    assert len(peer.table.feeds.log) == held


def test_two_players_cannot_vote_each_other_out() -> None:
    company = Company(2)
    company.mesh()
    one, absent = company.peers
    company.run(until=lambda: absent.table.play.phase is Phase.SEATING)
    fall_silent(company, 1)
    company.wait(DUTY + RESERVE)
    question = one.question(company.now_ms)
    assert question is not None
    assert not question.can_go_on
    assert question.default is Reply.STOP
    one.reply(question, Reply.GO_ON, company.now_ms)
    assert one.table.ballots.current == {}
    reply_later = one.question(company.now_ms)
    assert reply_later is None  # it waits
    company.wait(DUTY)
    reply(company, one, Reply.STOP)
    assert report(one.table).verdict is Verdict.STOPPED


@pytest.mark.no_cover
def test_nobody_is_voted_out_over_a_signature() -> None:
    company = waits(Phase.SIGNING)
    for question in late(company):
        assert not question.can_go_on
    for peer in others(company):
        reply(company, peer, Reply.STOP)
    found = report(company.peers[0].table)
    assert (found.verdict, found.stopped_by) == (Verdict.UNSIGNED, ())
    assert found.owing == (2,)
    assert found.places != ()
    assert found.cheats == ()


@pytest.mark.no_cover
def test_whom_one_never_met() -> None:
    """Everything comes through another player: it may be that one who is silent."""
    company = Company(4)
    for at in (0, 1, 2):
        company.link(3, at)
    absent = company.peers[ABSENT]
    company.run(until=lambda: absent.table.play.phase is Phase.SEATING)
    fall_silent(company, ABSENT)
    company.wait(DUTY + RESERVE)
    questions = [company.peers[at].question(company.now_ms) for at in (0, 1, 3)]
    assert [q.direct for q in questions if q] == [False, False, True]
    assert [q.default for q in questions if q] == [Reply.STOP, Reply.STOP, Reply.GO_ON]
    assert all(q.can_go_on for q in questions if q)


@pytest.mark.no_cover
def test_one_that_returns_in_time() -> None:
    company = waits()
    late(company)
    reply(company, others(company)[0], Reply.WAIT)
    company.silent.clear()
    for at in (0, 1):
        company.link(at, ABSENT)
    company.run()
    assert all(peer.table.over and not peer.table.ended for peer in company.peers)
    assert report(company.peers[0].table).verdict is Verdict.FINAL


@pytest.mark.no_cover
def test_one_that_returns_while_others_vote() -> None:
    """One has named it, the other holds its answer: it stays."""
    company = waits()
    late(company)
    one, other = others(company)
    reply(company, one, Reply.GO_ON)
    company.silent.clear()
    company.link(1, ABSENT)
    company.run()
    assert not one.table.ended
    assert all(peer.table.over for peer in company.peers)
    assert other.table.over


@pytest.mark.no_cover
def test_one_that_returns_too_late_watches() -> None:
    company = waits()
    absent = company.peers[ABSENT]
    late(company)
    for peer in others(company):
        reply(company, peer, Reply.GO_ON)
    company.silent.clear()
    absent.take_events()
    company.link(0, ABSENT)
    company.run()
    assert absent.table.ended[ABSENT].why is Why.GONE
    assert not absent.can_play
    assert not absent.asked
    assert absent.table.over
    company.wait(1_000)
    done = {peer.notes.latest(player, DONE) for peer in company.peers for player in range(3)}
    assert len({note.body for note in done if note is not None}) == 1
    assert absent.finished(company.now_ms)
    assert absent.question(company.now_ms + 10**9) is None


@pytest.mark.no_cover
def test_what_was_read_is_void() -> None:
    """It had answered, and nobody heard it in time: it reads again what the others have."""
    company = waits()
    absent = company.peers[ABSENT]
    assert not absent.table.owes(ABSENT)
    late(company)
    for peer in others(company):
        reply(company, peer, Reply.GO_ON)
    company.silent.clear()
    absent.take_events()
    company.link(0, ABSENT)
    company.run()
    assert happened(absent, Again) == [Again()]
    assert absent.table.heads() != (None,) * 3
    assert absent.table.over


@pytest.mark.no_cover
@pytest.mark.parametrize("answer", list(Reply))
def test_replies_of_one_who_has_nothing_to_say(answer: Reply) -> None:
    company = waits()
    question, _ = late(company)
    absent = company.peers[ABSENT]
    log = [Head(entry.seq, entry.id) for _, entry in absent.table.feeds.log]
    absent.reply(question, answer, company.now_ms)
    assert [Head(entry.seq, entry.id) for _, entry in absent.table.feeds.log] == log


def test_the_late_player_hears_that_the_others_are_asked() -> None:
    company = waits()
    questions = late(company)
    step, absent = questions[0].step, company.peers[ABSENT]
    for peer, question in zip(company.peers[:2], questions, strict=True):
        peer.asks(question)
    reply(company, company.peers[1], Reply.WAIT)
    company.silent.clear()
    company.link(0, ABSENT)
    company.run(until=lambda: absent.notes.latest(1, ASKED) is not None)
    assert happened(absent, Asked) == [Asked(0, step, (ABSENT,)), Asked(1, step, ())]


def test_a_vote_that_waits_needs_no_note() -> None:
    company = waits()
    late(company)
    first, second = others(company)
    reply(company, first, Reply.GO_ON)
    reply(company, second, Reply.WAIT)
    assert second.notes.latest(1, ASKED) is None
    assert happened(first, BallotEnded) == [BallotEnded(first.table.play.step, (ABSENT,), False)]


def test_an_answer_in_time_ends_the_ballot() -> None:
    company = waits()
    late(company)
    first, second = others(company)
    step = first.table.play.step
    reply(company, first, Reply.GO_ON)
    for peer in (first, second):
        peer.take_events()
    company.silent.clear()
    company.link(1, ABSENT)
    company.run()
    assert BallotEnded(step, (ABSENT,), True) in happened(second, BallotEnded)
