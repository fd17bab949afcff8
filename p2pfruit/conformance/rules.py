"""Rules vectors: whole games of one game as outcomes, with a digest after each.

With them the rules of a second implementation are tested without cryptography, and without this
program's random numbers: every outcome stands in the file. The SHA-256 of the file is a constant of
the game, `vectors`, and part of its rules id. So peers that agree on a rules id have rules that
passed the same games.

    [{"seats": 3, "options": {…}, "start": digest, "steps": [step, …], "digest": …, …}, …]

    step     [digest, moves, faces, lots, seats that left], without the empty lists at its end
    claimed  for how many cards the claims of one move are proved at the most
    suits    only in games with claims: [face, suit] for each face that was shuffled
    ahead    the first 8 bytes of the SHA-256 of a list, in the form in which states are signed: for
             each state that asks for a choice, the piles that are shuffled ahead, and for each deal
             that foretells a lot, its bounds

The digests are of the state after the step, the first 8 bytes of each; `digest` is all of the last
one. Moves are in the need's order, written as text. For each number of players there is a game, or
four where a game is short, and one in which a seat is lost; there is a game for each further value
of an option, and one in which a seat is lost before anything has happened.

    python -m p2pfruit.conformance.rules GAME

prints the vectors of a game, and on stderr the constant that its class declares.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any

from engine import registry
from engine.codec import Plain, encode
from engine.errors import EngineError
from engine.game import Game
from engine.moves import Move, Outcome
from engine.needs import Choose, Deal, Done, Face, Seat, Shuffle, Slot
from engine.record import State, digest
from p2pfruit.conformance import limits
from p2pfruit.conformance.playing import at_random, meet

DIGEST_DIGITS = 16

Case = dict[str, Any]
Pile = tuple[Face, ...]


def vectors(name: str) -> str:
    """Return the rules vectors of a game, as the text of their file."""
    return text(list(_cases(name)))


def fingerprint(text: str) -> str:
    """Return what the class of the game declares as `vectors`."""
    return sha256(text.encode()).hexdigest()


def _cases(name: str) -> Iterator[Case]:
    plain = registry.build(name)
    for seats in plain.seats:
        first = _played(plain, seats, 0)
        steps = len(first["steps"])
        yield first
        if steps <= limits.SHORT_STEPS_MOST:
            yield from [_played(plain, seats, seed) for seed in (1, 2, 3)]
        yield _played(plain, seats, 0, leaving=steps // 2)
    for option in plain.options:
        for value in option.values:
            if value != option.default:
                yield _played(registry.build(name, {option.name: value}), plain.seats[0], 0)
    yield _played(plain, plain.seats[-1], 0, leaving=0)


def _played(game: Game[Any], seats: int, seed: int, leaving: int | None = None) -> Case:
    """Play a game at random; after `leaving` steps a seat is lost."""
    rng = Random(seed)
    player = at_random(rng)
    state = game.start(seats)
    start = state
    steps: list[list[Any]] = []
    faces: dict[Slot, Face] = {}
    foretold: list[Plain] = []
    shuffled: list[Pile] = []
    while not isinstance(state.need, Done):
        foretold += _foretold(game, state)
        if isinstance(state.need, Shuffle):
            shuffled += state.need.piles
        if len(steps) == leaving:
            lost = [rng.choice(state.seated)]
            state = game.retire(state, lost).state
            steps.append(_step(state, Outcome(), lost))
            continue
        outcome = meet(game, state, faces, rng, player)
        state = game.step(state, outcome).state
        steps.append(_step(state, outcome))
    return {
        "seats": seats,
        "options": game.chosen,
        "start": short(start),
        "steps": steps,
        "digest": digest(state).hex(),
        "scores": state.scores,
        "places": state.need.places,
        "claimed": game.claimed_most(seats),
        **_suits(game, seats, shuffled),
        "ahead": _hash(foretold),
    }


def _foretold(game: Game[Any], state: State) -> list[Plain]:
    """Return what the rules foretell in this state."""
    if isinstance(state.need, Choose):
        return [game.ahead(state)]
    lot = game.lot_ahead(state) if isinstance(state.need, Deal) else ()
    return [lot] if lot else []


def _suits(game: Game[Any], seats: int, piles: Sequence[Pile]) -> Case:
    """Return the suit of each face that was shuffled, if the game has claims."""
    if not game.claimed_most(seats):
        return {}
    faces = dict.fromkeys(face for pile in piles for face in pile)
    return {"suits": [[face, game.suit(face)] for face in faces]}


def _hash(foretold: Sequence[Plain]) -> str:
    return sha256(encode(tuple(foretold))).hexdigest()[:DIGEST_DIGITS]


def short(state: State) -> str:
    return digest(state).hex()[:DIGEST_DIGITS]


def _step(state: State, outcome: Outcome, lost: Sequence[Seat] = ()) -> list[Any]:
    moves = [str(move) for move in outcome.moves]
    step: list[Any] = [short(state), moves, outcome.faces, outcome.lots, lost]
    while not step[-1]:
        step.pop()
    return step


def text(cases: Sequence[Case]) -> str:
    """Return the file: a line for each step."""
    return "[\n" + ",\n".join(map(_lines, cases)) + "\n]\n"


def _lines(case: Case) -> str:
    steps = ",\n".join(_json(step) for step in case["steps"])
    head = _json({key: case[key] for key in ("seats", "options", "start")})
    last = ("digest", "scores", "places", "claimed", "suits", "ahead")
    tail = _json({key: case[key] for key in last if key in case})
    return f'{head[:-1]},"steps":[\n{steps}\n],{tail[1:]}'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def check_case(game: Game[Any], case: Case) -> None:
    """Play the outcomes of a case, and assert that its digests come out."""
    state = game.start(case["seats"])
    assert short(state) == case["start"], "the first state"
    foretold: list[Plain] = []
    shuffled: list[Pile] = []
    for number, step in enumerate(case["steps"]):
        foretold += _foretold(game, state)
        if isinstance(state.need, Shuffle):
            shuffled += state.need.piles
        expected, moves, faces, lots, lost = step + [[]] * (5 - len(step))
        if lost:
            state = game.retire(state, lost).state
        else:
            parsed = tuple([Move.parse(move) for move in moves])
            state = game.step(state, Outcome(parsed, tuple(faces), tuple(lots))).state
        assert short(state) == expected, f"the state after step {number}, {step}"
    assert isinstance(state.need, Done)
    assert digest(state).hex() == case["digest"]
    assert [list(row) for row in state.scores] == case["scores"]
    assert list(state.need.places) == case["places"]
    assert game.claimed_most(case["seats"]) == case["claimed"]
    suits = _suits(game, case["seats"], shuffled).get("suits")
    assert suits == case.get("suits"), "the suits of the faces"
    assert _hash(foretold) == case["ahead"], "what is shuffled and drawn ahead"


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m p2pfruit.conformance.rules GAME", file=sys.stderr)
        return 2
    try:
        made = vectors(arguments[0])
    except EngineError as error:
        print(error, file=sys.stderr)
        return 2
    sys.stdout.write(made)
    print(f'vectors = "{fingerprint(made)}"', file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
