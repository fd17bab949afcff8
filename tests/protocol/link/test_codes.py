"""The host's side of a code: what counts as a failure, and when the code is new."""

from collections import Counter
from collections.abc import Callable

import pytest

from protocol import limits
from protocol.crypto.spake2 import Code
from protocol.errors import RemoteProtocolError
from protocol.link.codes import CodeEntry, Doorkeeper, KnockEntry, Renewed
from protocol.link.entrance import Run
from tests.protocol.crypto import edwards
from tests.protocol.link import code_model
from tests.protocol.link.code_model import Broken, World
from tests.protocol.link.entrances import OFFER, Draws, Porch
from tests.protocol.link.links import ALICE, BOB, MALLORY
from tests.protocol.tables import secret

HELLO = ALICE.key + Code("4821", secret("blind")).caller(secret("x")).share


def refusal(act: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(RemoteProtocolError) as caught:
        act(*arguments)
    return caught.value.code


def test_a_code_is_four_digits_and_drawn_evenly() -> None:
    draws = Draws("evenly")
    porch = Porch(name="evenly")
    assert len(porch.keeper.digits) == 4
    assert porch.keeper.digits.isdigit()
    first = Counter(
        Doorkeeper(
            host=BOB.key, offer=OFFER, draw=draws, knows=bool, renewed=lambda _why: None
        ).digits[0]
        for _ in range(500)
    )
    assert set(first) == set("0123456789")
    assert max(first.values()) < 90


def test_the_next_code_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one digit, each of the nine others comes, and the same never does."""
    monkeypatch.setattr(limits, "CODE_DIGITS_LEAST", 1)
    porch = Porch()
    pairs = set()
    for _ in range(1000):
        before = porch.keeper.digits
        run = porch.answer(HELLO)
        run.confirm(run)
        pairs.add((before, porch.keeper.digits))
    assert len(pairs) == 90
    assert all(one != other for one, other in pairs)


def test_after_a_success_the_code_and_the_entrance_are_new() -> None:
    porch = Porch()
    before, digits = porch.entrance, porch.keeper.digits
    run = porch.answer(HELLO)
    assert porch.keeper.failures == 1
    run.confirm(run)
    assert porch.keeper.failures == 0
    assert porch.renewals == [Renewed.USED]
    assert porch.keeper.digits != digits
    assert len(porch.keeper.digits) == 4
    assert porch.entrance.id != before.id
    assert (porch.entrance.host, porch.entrance.offer) == (before.host, before.offer)
    assert refusal(porch.keeper.answer, before.id, HELLO) == "stranger"
    assert not porch.keeper.closed(run)


def test_a_code_lets_one_player_in() -> None:
    porch = Porch()
    first, second = porch.answer(HELLO), porch.answer(HELLO)
    first.confirm(first)
    assert refusal(second.confirm, second) == "code"
    assert refusal(first.confirm, first) == "code"
    assert porch.keeper.failures == 1  # the second stays one


@pytest.mark.parametrize("ended", [True, False], ids=["closed", "left open"])
def test_ten_failures_make_the_code_longer(ended: bool) -> None:
    porch = Porch()
    lengths = []
    answered = 0
    while answered < 60:
        old = porch.entrance.id
        try:
            run = porch.keeper.answer(old, HELLO)
        except RemoteProtocolError:
            assert porch.entrance.id != old
            continue
        answered += 1
        lengths.append(len(porch.keeper.digits))
        if ended:
            assert porch.keeper.closed(run)
    assert lengths == [4] * 10 + [6] * 10 + [8] * 10 + [10] * 10 + [12] * 20
    assert porch.renewals == [Renewed.GUESSED] * (6 if ended else 5)
    assert porch.keeper.failures == 60


def test_successes_do_not_make_guessing_cheaper() -> None:
    """Failures are counted over all codes, and a code never becomes shorter."""
    porch = Porch()
    for _ in range(9):
        porch.keeper.closed(porch.answer(HELLO))
        good = porch.answer(HELLO)
        good.confirm(good)
    assert len(porch.keeper.digits) == 4
    porch.keeper.closed(porch.answer(HELLO))
    assert len(porch.keeper.digits) == 6
    good = porch.answer(HELLO)
    good.confirm(good)
    assert len(porch.keeper.digits) == 6


def test_runs_left_open_are_void_when_the_code_is_longer() -> None:
    porch = Porch()
    runs = [porch.answer(HELLO) for _ in range(limits.CODE_FAILURES)]
    assert refusal(porch.answer, HELLO) == "stranger"
    assert porch.renewals == [Renewed.GUESSED]
    for run in runs:
        assert refusal(run.confirm, run) == "code"
        assert not porch.keeper.closed(run)


def test_the_tenth_may_still_be_right() -> None:
    """As long as nobody else calls: an honest caller is not sent away for nine guessers."""
    porch = Porch()
    *guesses, last = [porch.answer(HELLO) for _ in range(limits.CODE_FAILURES)]
    for run in guesses:
        porch.keeper.closed(run)
    last.confirm(last)
    assert porch.renewals == [Renewed.USED]
    assert porch.keeper.failures == 9


def test_another_offer_is_another_entrance_with_the_same_code() -> None:
    porch = Porch()
    before, digits, run = porch.entrance, porch.keeper.digits, porch.answer(HELLO)
    porch.keeper.offer_changed(OFFER)
    assert porch.entrance is before
    porch.keeper.offer_changed(bytes(32))
    assert porch.entrance.offer != before.offer
    assert porch.entrance.id != before.id
    assert porch.keeper.digits == digits
    assert refusal(run.confirm, run) == "code"
    assert porch.keeper.failures == 1


NO_KEYS = [edwards.encode(point) for point in edwards.small_points()]


@pytest.mark.parametrize("key", [*NO_KEYS, bytes([255]) * 32], ids=bytes.hex)
def test_a_key_that_is_none_gets_no_answer(key: bytes) -> None:
    porch = Porch(known=(key,))
    assert refusal(porch.answer, key + HELLO[32:]) == "key"
    assert refusal(porch.answer, key) == "key"
    assert porch.keeper.failures == 0


def test_a_share_that_is_none_gets_no_answer() -> None:
    porch = Porch()
    assert refusal(porch.answer, ALICE.key + bytes(33)) == "point"
    assert porch.keeper.failures == 0


def test_who_is_known_may_knock_and_it_is_no_run() -> None:
    porch = Porch(known=(ALICE.key,))
    run = porch.answer(KnockEntry(porch.entrance, ALICE.key).hello)
    assert run.knocks
    assert run.caller == ALICE.key
    run.confirm(run)
    assert not porch.keeper.closed(run)
    assert porch.keeper.failures == 0
    assert porch.renewals == []
    assert refusal(porch.answer, MALLORY.key) == "stranger"


def test_a_knock_has_no_answer() -> None:
    with pytest.raises(NotImplementedError):
        KnockEntry(Porch().entrance, ALICE.key).answered(b"")


def test_no_secret_is_shown_by_accident() -> None:
    porch = Porch()
    run = porch.answer(HELLO)
    assert run.psk.hex() not in repr(run)
    entry = CodeEntry(porch.entrance, ALICE.key, "4821", secret("x"))
    assert "4821" not in repr(entry)


# All orders, against the rules; and rules that are wrong.


class ForgetsOpenRuns(Doorkeeper):
    """Counts a failure when it is over: a guesser opens as many as it likes."""

    def answer(self, id: bytes, hello: bytes) -> Run:
        run = super().answer(id, hello)
        self.failures -= 1
        return run

    def closed(self, run: Run) -> bool:
        self.failures += run in self._open
        return super().closed(run)

    def _confirm(self, run: Run) -> None:
        self.failures += 1
        super()._confirm(run)


class KeepsOldRuns(Doorkeeper):
    """Lets a run be confirmed after its code was replaced."""

    def _confirm(self, run: Run) -> None:
        self._open.add(run)
        super()._confirm(run)


class ForgivesAfterASuccess(Doorkeeper):
    def _confirm(self, run: Run) -> None:
        super()._confirm(run)
        self.failures = 0


class BecomesShorter(Doorkeeper):
    def _confirm(self, run: Run) -> None:
        self._length = limits.CODE_DIGITS_LEAST
        super()._confirm(run)


class LocksOut(Doorkeeper):
    """Answers nobody after too many failures."""

    def answer(self, id: bytes, hello: bytes) -> Run:
        if self.failures >= limits.CODE_FAILURES:
            raise RemoteProtocolError("stranger", "too many wrong codes")
        return super().answer(id, hello)


class KeepsTheCode(Doorkeeper):
    """Lets a code be used again."""

    def _confirm(self, run: Run) -> None:
        if run not in self._open:
            raise RemoteProtocolError("code", "the code has changed meanwhile")
        self._open.discard(run)
        self.failures -= 1


def explore(kind: type[Doorkeeper], depth: int) -> int:
    """How many orders there are; raises Broken at the first that breaks a rule."""
    count = 0
    orders: list[list[tuple[str, int]]] = [[]]
    while orders:
        order = orders.pop()
        world = World(kind, HELLO)
        for act in order:
            world.act(act)
        count += 1
        if len(order) < depth:
            orders += [[*order, act] for act in world.acts()]
        else:
            world.check_open()
    return count


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small figures, and points that cost nothing: the model is about counting."""
    for name, value in (
        ("CODE_FAILURES", code_model.FAILURES),
        ("CODE_DIGITS_LEAST", code_model.LEAST),
        ("CODE_DIGITS_STEP", code_model.STEP),
        ("CODE_DIGITS_MOST", code_model.MOST),
    ):
        monkeypatch.setattr(limits, name, value)
    monkeypatch.setattr("protocol.link.codes.Code", _NoCode)


class _NoCode:
    def __init__(self, _digits: str, _seed: bytes) -> None: ...

    def answer(self, _share: bytes, _about: bytes, seed: bytes) -> tuple[bytes, bytes]:
        return seed, seed


def test_in_every_order_the_rules_hold(small: None) -> None:
    assert explore(Doorkeeper, 8) > 3_000


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        (ForgetsOpenRuns, "guesses"),
        (KeepsOldRuns, "single"),
        (ForgivesAfterASuccess, "guesses"),
        (BecomesShorter, "longer"),
        (LocksOut, "open"),
        (KeepsTheCode, "single"),
    ],
)
def test_the_model_finds_wrong_rules(small: None, wrong: type[Doorkeeper], rule: str) -> None:
    with pytest.raises(Broken, match=rule):
        explore(wrong, 8)
