"""One suite for every registered game, shipped or not, with every option, at every seat count.

Most tests look at each state of a few random games; the last ones let hypothesis choose.
"""

import gc
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, cycle, pairwise, product
from random import Random
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.codec import encode
from engine.dealer import Dealer, replay
from engine.errors import BadOutcome, IllegalMove
from engine.moves import Move, Outcome, Step
from engine.needs import EVERYONE, Choose, Deal, Done, Face, Need, Seat, Shuffle, Slot
from engine.record import State, digest
from engine.views import View, guess
from tests.engine.conformance import check_bytes, check_state, walk
from tests.engine.oracles import GOES_ON, ORACLES, leaving, places
from tests.engine.playing import (
    GAMES,
    Moment,
    Table,
    at_random,
    every_table,
    histories,
    history,
    moments,
    play_on,
    record,
    view_of,
)

every_game = pytest.mark.parametrize("name", GAMES)


def test_the_games_are_those_that_are_registered() -> None:
    assert {game.name for game in GAMES.values()} >= {"fruitoplay", "brambles", "punnet"}
    assert {game.name for game in GAMES.values()} == set(ORACLES)


# States.


@every_table
def test_every_state_is_sound(table: Table) -> None:
    for state, _, faces in moments(table):
        check_state(table.game, state, faces)


@pytest.mark.slow
@every_table
def test_every_state_of_many_games_is_sound(table: Table) -> None:
    for seed in range(100, 120):
        game = history(table, seed)
        for state, _, faces in game:
            check_state(table.game, state, faces)
        rows = ORACLES[table.game.name](table.game, table.seats, record(game))
        assert list(game[-1].state.scores) == rows


@every_table
def test_a_card_is_dealt_once_and_opened_once(table: Table) -> None:
    for game in histories(table):
        holder: dict[Slot, Seat] = {}
        opened: set[Slot] = set()
        for state, outcome, _ in game:
            for slot, seat in holder.items():
                in_hand = slot in state.hands[seat]
                assert in_hand != (slot in opened) or slot < state.first
            if outcome is None:
                continue
            if isinstance(state.need, Deal):
                to_seats = {slot: seat for slot, seat in state.need.cards if seat != EVERYONE}
                assert to_seats.keys().isdisjoint(holder.keys() | opened)
                holder |= to_seats
            turned_up = turns_up(state.need, outcome)
            assert opened.isdisjoint(turned_up)
            opened.update(turned_up)


def turns_up(need: Need, outcome: Outcome) -> list[Slot]:
    if isinstance(need, Deal):
        return [slot for slot, seat in need.cards if seat == EVERYONE]
    return [slot for move in outcome.moves for slot in move.cards]


@every_table
def test_no_state_contains_a_face_that_nobody_opened(table: Table) -> None:
    for game in histories(table):
        deck: set[Face] = set()
        opened: set[Face] = set()
        for state, outcome, _ in game:
            assert strings(state) & deck <= opened
            if isinstance(state.need, Shuffle):
                deck = {face for pile in state.need.piles for face in pile}
                opened = set()
            if outcome is not None:
                opened.update(outcome.faces)


def strings(state: State) -> set[object]:
    """All text in a state, but for what says what is in the deck and what is not in a hand."""
    need = replace(state.need, piles=()) if isinstance(state.need, Shuffle) else state.need
    rest = replace(state, piles=(), claims=(), need=need)
    return {value for _, value in walk(rest) if isinstance(value, str)}


@every_table
def test_outcomes_and_needs_have_bytes(table: Table) -> None:
    for state, outcome, _ in moments(table):
        check_bytes(table.game, state.need)
        if outcome is not None:
            check_bytes(table.game, outcome)


@every_table
def test_a_game_finishes_with_the_scores_and_places_of_the_oracle(table: Table) -> None:
    for game in histories(table):
        state = game[-1].state
        rows = ORACLES[table.game.name](table.game, table.seats, record(game))
        assert list(state.scores) == rows
        ranking = places(table.game.name, rows, table.seats, range(table.seats))
        assert state.need == Done("finished", ranking)


@every_table
def test_scores_of_finished_rounds_stay(table: Table) -> None:
    for game in histories(table):
        for before, after in pairwise(game):
            assert after.state.scores[: len(before.state.scores)] == before.state.scores
            assert after.state.made >= before.state.made


@every_table
def test_replay_gives_the_same_state(table: Table) -> None:
    for game in histories(table):
        outcomes = [outcome for _, outcome in record(game)]
        read_back = [table.game.load(encode(outcome)) for outcome in outcomes]
        end = replay(table.game, table.seats, read_back)
        assert end == game[-1].state
        assert digest(end) == digest(game[-1].state)


@every_table
def test_a_game_object_keeps_nothing_of_a_table(table: Table) -> None:
    fresh = type(table.game)(table.game.content, table.game.chosen)
    assert fresh.rules_id == table.game.rules_id
    rng = Random(0)
    again = play_on(fresh, fresh.start(table.seats), {}, rng, at_random(rng))
    assert again == history(table, 0)


# What does not fit changes nothing.


def choices(table: Table, seed: int) -> list[Moment]:
    return [moment for moment in history(table, seed) if isinstance(moment.state.need, Choose)]


def misfits(state: Any, outcome: Outcome) -> Iterator[Outcome]:
    """Outcomes near the true one that do not fit the need."""
    foreign = Move("pass")
    need = state.need
    faces, lots, moves = outcome.faces, outcome.lots, outcome.moves
    yield replace(outcome, moves=(*moves, foreign))
    yield replace(outcome, faces=(*faces, "fig-1"))
    yield replace(outcome, lots=(*lots, 0))
    if faces:
        yield replace(outcome, faces=faces[1:])
        yield replace(outcome, faces=faces[:-1])
        shown = [face for face in state.faces if face is not None]
        for wrong in ("", "no-such-face", None, 0, *no_longer_closed(state)):
            yield replace(outcome, faces=(*faces[:-1], wrong))  # type: ignore[arg-type]
        for wrong in other_pile(state, turns_up(need, outcome)[0]):
            yield replace(outcome, faces=(wrong, *faces[1:]))
        copies = Counter(face for pile in state.piles for face in pile)
        if len(faces) > copies[faces[0]] - shown.count(faces[0]):
            yield replace(outcome, faces=(faces[0],) * len(faces))
    if moves:
        yield replace(outcome, moves=moves[:-1])
        yield replace(outcome, moves=(*moves[:-1], foreign, moves[-1]))
    for at, (lot, below) in enumerate(zip(lots, getattr(need, "below", ()), strict=True)):
        for wrong in (-1, below, below + 1, bool(lot), None, str(lot)):
            yield replace(outcome, lots=(*lots[:at], wrong, *lots[at + 1 :]))  # type: ignore[arg-type]
    if lots:
        yield replace(outcome, lots=lots[1:])


def no_longer_closed(state: State) -> list[Face]:
    """Faces of which every copy lies open already."""
    copies = Counter(face for pile in state.piles for face in pile)
    shown = Counter(face for face in state.faces if face is not None)
    return [face for face, count in shown.items() if count == copies[face]][:2]


def other_pile(state: State, slot: Slot) -> list[Face]:
    """A face of each pile that the slot is not in."""
    found = []
    start = state.first
    for pile in state.piles:
        if not start <= slot < start + len(pile):
            found.append(pile[0])
        start += len(pile)
    return found


@every_table
def test_an_outcome_that_does_not_fit_is_refused(table: Table) -> None:
    for state, outcome, _ in moments(table):
        before = digest(state)
        if outcome is None:
            with pytest.raises(BadOutcome):
                table.game.step(state, Outcome())
            continue
        for misfit in misfits(state, outcome):
            with pytest.raises((BadOutcome, IllegalMove)) as refusal:
                table.game.step(state, misfit)
            assert str(refusal.value)
            # Whether a word may be said can depend on the card that it is said with.
            worded = any(move.cards and move.words for move in outcome.moves)
            assert worded or misfit.moves != outcome.moves or refusal.type is BadOutcome
        assert digest(state) == before


def bad_moves(state: Any, seat: Seat, move: Move) -> Iterator[Move]:
    """Moves near a legal one: most are illegal for everybody to see, some break a claim."""
    hand = state.hands[seat]
    opened = [slot for slot, face in enumerate(state.faces, state.first) if face is not None]
    strange = [
        *(held[-1] for other, held in enumerate(state.hands) if held and other != seat),
        *opened[-2:],
        *undealt(state)[:2],
        state.first - 1,
        state.made,
    ]
    for verb in ("play", "draw", "pass", "collect", "cancel", "leave"):
        yield Move(verb, move.cards, move.words)
        yield Move(verb)
    for slot in strange:
        if slot >= 0:
            yield Move(move.verb, (slot, *move.cards[1:]), move.words)
            yield Move(move.verb, (*move.cards, slot), move.words)
    for slot in hand:
        yield Move(move.verb, (slot,), move.words)
        yield Move(move.verb, (slot,), (*move.words, "please"))
    for pair in combinations(hand, 2):
        yield Move(move.verb, pair, move.words)
    yield Move(move.verb, move.cards, (*move.words, "fig"))
    yield Move(move.verb, move.cards, ("fig-1", *move.words))
    yield Move(move.verb, move.cards, move.words[1:])
    yield Move(move.verb, move.cards, move.words[::-1])


def undealt(state: State) -> list[Slot]:
    held = {slot for hand in state.hands for slot in hand}
    closed = [slot for slot, face in enumerate(state.faces, state.first) if face is None]
    return [slot for slot in closed if slot not in held]


def check_refused(dealer: Dealer[Any], *attempts: tuple[Seat, Move]) -> None:
    """The dealer refuses each of them with a reason, and nothing has changed."""
    before, waiting, events = digest(dealer.state), dealer.waiting, list(dealer.events)
    for seat, move in attempts:
        with pytest.raises(IllegalMove) as refusal:
            dealer.decide(seat, move)
        assert refusal.value.rule
        assert refusal.value.why
    assert (digest(dealer.state), dealer.waiting, dealer.events) == (before, waiting, events)


@every_table
def test_a_move_is_legal_exactly_if_it_is_listed(table: Table) -> None:
    for state, _, faces in choices(table, 0):
        dealer = Dealer(table.game, state, Random(0), faces)
        for seat in dealer.waiting:
            legal = dealer.view(seat).moves()
            near = set(bad_moves(state, seat, legal[0])) - set(legal)
            check_refused(dealer, *((seat, move) for move in sorted(near)))


@every_table
def test_only_who_is_asked_moves(table: Table) -> None:
    for state, outcome, faces in moments(table):
        asked = state.need.seats if isinstance(state.need, Choose) else ()
        moves = outcome.moves if outcome and outcome.moves else (Move("pass"),)
        for seat in (-1, *range(table.seats), table.seats, 99):
            if seat not in asked:
                for move in moves:
                    with pytest.raises(IllegalMove) as refusal:
                        table.game.check(state, seat, move, [faces[slot] for slot in move.cards])
                    assert refusal.value.rule == "turn"


@every_table
def test_a_move_is_made_once_and_by_its_own_seat(table: Table) -> None:
    for state, outcome, faces in choices(table, 0):
        if outcome is None or len(outcome.moves) < 2:
            continue
        dealer = Dealer(table.game, state, Random(0), faces)
        first, second = dealer.waiting[:2]
        if outcome.moves[1].cards:
            check_refused(dealer, (first, outcome.moves[1]))
        dealer.decide(first, outcome.moves[0])
        check_refused(dealer, (first, outcome.moves[0]))
        assert dealer.waiting == dealer.asked[1:]
        assert second in dealer.waiting


@every_table
def test_faces_of_a_move_are_counted_and_known(table: Table) -> None:
    for state, outcome, faces in history(table, 0):
        if not isinstance(state.need, Choose) or outcome is None:
            continue
        seat, move = state.need.seats[0], outcome.moves[0]
        shown = [faces[slot] for slot in move.cards]
        wrong: list[list[Face]] = [[*shown, "fig-1"]]
        if shown:
            wrong += [[], ["no-such-face"], [""]]
        for some in wrong:
            with pytest.raises(BadOutcome):
                table.game.check(state, seat, move, some)


# Arrival order and views.


@every_table
def test_the_order_of_decisions_leaves_no_trace(table: Table) -> None:
    rng = Random(5)
    dealers = [Dealer(table.game, table.game.start(table.seats), Random(1)) for _ in range(3)]
    while asked := dealers[0].asked:
        moves = {seat: rng.choice(dealers[0].view(seat).moves()) for seat in asked}
        orders = [asked, asked[::-1], tuple(rng.sample(asked, len(asked)))]
        for dealer, order in zip(dealers, orders, strict=True):
            for seat in order:
                dealer.decide(seat, moves[seat])
        assert len({digest(dealer.state) for dealer in dealers}) == 1
        assert len({tuple(dealer.take_events()) for dealer in dealers}) == 1
    assert dealers[0].outcomes == dealers[1].outcomes == dealers[2].outcomes


@every_table
def test_a_view_holds_the_public_state_and_its_own_hand(table: Table) -> None:
    rng = Random(3)
    dealer = Dealer(table.game, table.game.start(table.seats), Random(2))
    for _ in range(8):
        if not dealer.asked:
            break
        for seat in (None, *range(table.seats)):
            view = dealer.view(seat)
            assert digest(view.state) == digest(dealer.state)
            assert set(view.known) == set(view.hand)
            check_reach(dealer, view)
        dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in dealer.asked])


def check_reach(dealer: Dealer[Any], view: View[Any]) -> None:
    """From a view there is no way to the dealer, nor to a face of a closed card of another."""
    closed = {slot for slot, face in enumerate(view.state.faces, view.state.first) if face is None}
    beyond = (type, ModuleType, FunctionType, BuiltinFunctionType)
    seen: dict[int, object] = {}
    front: list[object] = [view]
    while front:
        item = front.pop()
        if id(item) in seen or isinstance(item, beyond):
            continue
        seen[id(item)] = item
        assert item is not dealer
        assert item is not dealer.rng
        if isinstance(item, dict) and any(type(value) is str for value in item.values()):
            assert not (closed - set(view.hand)) & {key for key in item if type(key) is int}
        front += gc.get_referents(item)


# Somebody leaves.


def some_leave(table: Table) -> list[tuple[Seat, ...]]:
    """Every set of seats that can go."""
    sizes = range(1, table.seats + 1)
    return [gone for size in sizes for gone in combinations(range(table.seats), size)]


def kept(
    table: Table, game: Sequence[Moment], at: int, gone: Sequence[Seat]
) -> list[tuple[Need, Outcome]]:
    """What counts of the record before this moment: not the round that begins again."""
    before = record(list(game[:at]))
    if table.game.name in GOES_ON:
        return [*before, leaving(gone)]
    if not isinstance(game[at].state.need, Shuffle):
        while before and not isinstance(before.pop()[0], Shuffle):
            pass
    return before


def check_scores_kept(table: Table, before: State, after: State) -> None:
    """A round that goes on may be at its end when the last one to play in it has left."""
    more = after.scores[len(before.scores) :]
    assert after.scores == before.scores + more
    assert not more or table.game.name in GOES_ON


def check_retired(table: Table, game: Sequence[Moment], at: int, gone: Sequence[Seat]) -> None:
    rules, state = table.game, game[at].state
    step = rules.retire(state, gone)
    if isinstance(state.need, Done):
        assert step == Step(state, ())
        return
    stayed = tuple(seat for seat in state.seated if seat not in gone)
    assert step.state.seated == stayed
    check_scores_kept(table, state, step.state)
    assert step.claims == ()
    if isinstance(step.state.need, Shuffle):
        # Nothing is left of the broken round: it is as if they had gone before it began.
        starts = [one.state for one in game[: at + 1] if isinstance(one.state.need, Shuffle)]
        assert step.state == replace(rules.retire(starts[-1], gone).state, made=state.made)
    rng = Random(at)
    rest = play_on(rules, step.state, faces_so_far(*game[at]), rng, at_random(rng))
    end = rest[-1].state
    for moment in (rest[0], rest[-1]):
        check_state(rules, moment.state, moment.faces)
    rows = ORACLES[rules.name](rules, table.seats, [*kept(table, game, at, gone), *record(rest)])
    ended = "finished" if len(stayed) in rules.seats else "abandoned"
    assert list(end.scores) == rows
    assert end.need == Done(ended, places(rules.name, rows, table.seats, stayed))
    assert all(end.need.places[here] < end.need.places[there] for here in stayed for there in gone)


def faces_so_far(
    state: State, _outcome: Outcome | None, faces: Mapping[Slot, Face]
) -> dict[Slot, Face]:
    """What the slots show that are made at this moment."""
    return {slot: face for slot, face in faces.items() if slot < state.made}


@every_table
def test_whoever_leaves_the_game_goes_on_or_is_over(table: Table) -> None:
    game = history(table, 1)
    gone = cycle(some_leave(table))
    # What goes on is played to its end from each place: fewer of them where there are hundreds.
    stride = 1 + len(game) // 40 if table.game.name in GOES_ON else 1
    for at in range(0, len(game), stride):
        check_retired(table, game, at, next(gone))


@pytest.mark.slow
@every_table
def test_whoever_leaves_whenever(table: Table) -> None:
    game = history(table, 2)
    for at, gone in product(range(len(game)), some_leave(table)):
        check_retired(table, game, at, gone)


@every_table
def test_one_after_another_leaves_until_it_is_over(table: Table) -> None:
    rng = Random(4)
    state = table.game.start(table.seats)
    faces: dict[Slot, Face] = {}
    while not isinstance(state.need, Done):
        moment = rng.choice(play_on(table.game, state, faces, rng, at_random(rng))[:-1])
        before, faces = moment.state, faces_so_far(*moment)
        state = table.game.retire(before, [rng.choice(before.seated)]).state
        check_scores_kept(table, before, state)
        check_state(table.game, state, faces)
    assert state.need.ended == "abandoned"
    assert len(state.seated) == table.game.seats[0] - 1


@every_table
def test_nothing_happens_if_nobody_leaves(table: Table) -> None:
    for state, _, _ in history(table, 0):
        for gone in [(), (table.seats, 99), (-1,)]:
            assert table.game.retire(state, gone) == Step(state, ())


# Guessed worlds.


def check_guess(view: View[Any], rng: Random) -> dict[Slot, Face]:
    state = view.state
    world = guess(view, rng)
    assert set(world) == set(range(state.first, state.made))
    for slot, face in world.items():
        assert face == state.faces[slot - state.first] or state.faces[slot - state.first] is None
    assert {slot: world[slot] for slot in view.known} == view.known
    start = state.first
    for pile in state.piles:
        assert Counter(world[slot] for slot in range(start, start + len(pile))) == Counter(pile)
        start += len(pile)
    for claim in state.claims:
        assert {world[slot] for slot in claim.slots}.isdisjoint(claim.faces)
    return world


@every_table
def test_a_guessed_world_agrees_with_the_view(table: Table) -> None:
    rng = Random(6)
    for state, _, faces in moments(table):
        for seat in (None, rng.randrange(table.seats)):
            check_guess(view_of(table.game, state, seat, faces), rng)


@every_table
def test_a_guessed_world_can_be_played_to_the_end(table: Table) -> None:
    rng = Random(7)
    choosing = [moment for moment in moments(table) if isinstance(moment.state.need, Choose)]
    for state, _, faces in choosing[:: 1 + len(choosing) // 30]:
        view = view_of(table.game, state, rng.randrange(table.seats), faces)
        dealer = Dealer(table.game, state, Random(8), check_guess(view, rng))
        while asked := dealer.asked:
            dealer.answer([rng.choice(dealer.view(seat).moves()) for seat in asked])
        assert dealer.state.need.ended == "finished"


@every_table
def test_the_same_generator_guesses_the_same_world(table: Table) -> None:
    state, _, faces = history(table, 0)[-4]
    view = view_of(table.game, state, 0, faces)
    assert guess(view, Random(9)) == guess(view, Random(9))


# Hypothesis chooses.

WORDS = [
    "fig", "apple", "banana", "strawberry", "fig-1", "fig-2", "apple-1", "apple-2", "banana-1",
    "banana-2", "strawberry-1", "strawberry-2", "raspberry", "jar-1", "trump", "mango", "x",
]  # fmt: skip
VERBS = ["play", "draw", "pass", "collect", "cancel", "lay", "bastos", "raise", "keep", "x"]


def any_moves(slots: int) -> st.SearchStrategy[Move]:
    return st.builds(
        Move,
        st.sampled_from(VERBS),
        st.lists(st.integers(0, slots), max_size=3, unique=True).map(tuple),
        st.lists(st.sampled_from(WORDS), max_size=3).map(tuple),
    )


@every_game
@given(data=st.data())
def test_any_move_is_listed_or_refused(name: str, data: st.DataObject) -> None:
    table = Table(GAMES[name], data.draw(st.sampled_from(GAMES[name].seats)))
    state, _, faces = data.draw(st.sampled_from(choices(table, 0)))
    dealer = Dealer(table.game, state, Random(0), faces)
    seat = data.draw(st.integers(0, table.seats - 1))
    move = data.draw(any_moves(state.made))
    if move in dealer.view(seat).moves():
        dealer.decide(seat, move)
    else:
        check_refused(dealer, (seat, move))


@every_game
@given(data=st.data())
def test_any_outcome_is_taken_or_refused(name: str, data: st.DataObject) -> None:
    """Whoever runs the game may hand over anything that is an Outcome."""
    game = GAMES[name]
    table = Table(game, data.draw(st.sampled_from(game.seats)))
    state, true, _ = data.draw(st.sampled_from(history(table, 0)))
    faces = [face for pile in state.piles for face in pile] or ["fig-1"]
    true = true or Outcome()
    outcome = Outcome(
        data.draw(st.just(true.moves) | st.lists(any_moves(state.made), max_size=3).map(tuple)),
        data.draw(st.just(true.faces) | st.lists(st.sampled_from(faces), max_size=9).map(tuple)),
        data.draw(st.just(true.lots) | st.lists(st.integers(-1, 5), max_size=2).map(tuple)),
    )
    before = digest(state)
    with suppress(BadOutcome, IllegalMove):
        check_bytes(game, game.step(state, outcome).state)
    assert digest(state) == before


class Play(RuleBasedStateMachine):
    """A table at which anything may happen: moves, refused moves, seats that go."""

    table: Table

    @initialize(seed=st.integers(0, 2**32))
    def begin(self, seed: int) -> None:
        self.rng = Random(seed)
        self.dealer = Dealer(self.table.game, self.table.game.start(self.table.seats), self.rng)
        self.left: set[Seat] = set()

    @precondition(lambda self: self.dealer.waiting)
    @rule(data=st.data())
    def decide(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.dealer.waiting))
        self.dealer.decide(seat, data.draw(st.sampled_from(self.dealer.view(seat).moves())))

    @precondition(lambda self: self.dealer.asked)
    @rule(seed=st.integers(0, 2**32), turns=st.integers(1, 6))
    def go_on(self, seed: int, turns: int) -> None:
        """Several choices at once: long games are reached, not only their beginning."""
        player = at_random(Random(seed))
        for _ in range(turns):
            for seat in self.dealer.waiting:
                self.dealer.decide(seat, player(self.dealer.view(seat)))

    @precondition(lambda self: self.dealer.waiting)
    @rule(data=st.data())
    def refuse(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.dealer.waiting))
        legal = self.dealer.view(seat).moves()
        near = [move for move in bad_moves(self.dealer.state, seat, legal[0]) if move not in legal]
        check_refused(self.dealer, (seat, data.draw(st.sampled_from(near))))

    @precondition(lambda self: self.dealer.asked)
    @rule(data=st.data())
    def retire(self, data: st.DataObject) -> None:
        if data.draw(st.integers(0, 7)) == 7:
            seat = data.draw(st.sampled_from(self.dealer.state.seated))
            self.dealer.retire([seat])
            self.left.add(seat)

    @precondition(lambda self: not self.dealer.asked)
    @rule(seat=st.integers(0, 5))
    def over(self, seat: Seat) -> None:
        before = self.dealer.state
        check_refused(self.dealer, (seat, Move("pass")))
        self.dealer.retire([seat])
        assert self.dealer.state == before

    @invariant()
    def sound(self) -> None:
        state = self.dealer.state
        faces = {slot: face for slot, face in enumerate(state.faces, state.first) if face}
        for seat in state.seated:
            faces |= self.dealer.view(seat).known
        check_state(self.table.game, state, faces)
        assert set(state.seated) | self.left == set(range(self.table.seats))

    def teardown(self) -> None:
        while asked := self.dealer.asked:
            self.dealer.answer([self.dealer.view(seat).moves()[0] for seat in asked])
        state = self.dealer.state
        self.sound()
        if self.left:
            ends = {seat: state.need.places[seat] for seat in range(self.table.seats)}
            assert all(ends[here] < ends[gone] for here in state.seated for gone in self.left)
        else:
            assert state.need.ended == "finished"
            assert replay(self.table.game, self.table.seats, self.dealer.outcomes) == state


@every_table
def test_play_to_the_end(table: Table) -> None:
    machine = type("PlayHere", (Play,), {"table": table})
    examples = max(2, settings().max_examples // 25)
    run_state_machine_as_test(
        machine, settings=settings(max_examples=examples, stateful_step_count=15)
    )
