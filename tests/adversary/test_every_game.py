"""Every attack in every shipped game that gives it a place.

Which those are is found out by playing each game, so that a new one is attacked by being shipped.
"""

from collections.abc import Iterator
from random import Random

import pytest

from engine import registry
from engine.errors import BadMoveText
from engine.moves import Move
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import AGREE, COMMIT, MOVE, SHUFFLE, Entry
from protocol.file.gamefile import Refused, read, write
from protocol.file.report import Stopped, Verdict
from protocol.table.events import Why
from protocol.table.party import Party
from protocol.table.phases import Phase
from tests.adversary.attacks import ATTACKS, Attack
from tests.adversary.attacks.listing import come_to
from tests.adversary.courses import (
    KINDS,
    TURNED,
    few,
    finished,
    follow,
    kinds_of,
    needs,
    traits,
)
from tests.adversary.forging import turn_body
from tests.adversary.hall import Hall, forge, owed
from tests.quick import slow_but

GAMES = tuple(registry.SHIPPED)
every_game = pytest.mark.parametrize("game", GAMES)


def attacks_on(game: str, players: int | None = None) -> list[Attack]:
    return [attack for attack in ATTACKS if attack.needs <= traits(game, players)]


def first_tried() -> set[tuple[str, Attack]]:
    """Every attack in one game, and in each of the others one for each of some codes that name a
    cheat. A cheat at the end of a game is tried in the shortest."""
    games = sorted(GAMES, key=lambda game: -len(attacks_on(game)))
    shortest = min(GAMES, key=lambda game: len(needs(game, few(game))))
    tried: dict[Attack | tuple[str, str], tuple[str, Attack]] = {
        attack: (shortest, attack) for attack in ATTACKS if attack.number == 33
    }
    for game in games:
        for attack in attacks_on(game):
            if not late(game, attack):
                tried.setdefault(attack, (game, attack))
                if attack.code in ("claim", "digest", "illegal", "proof"):
                    tried.setdefault((game, attack.code), (game, attack))
    return set(tried.values())


def late(game: str, attack: Attack) -> bool:
    """Where all cards are chosen in secret, open moves are few, and it is a long way to each."""
    asked = traits(game)
    return MOVE in attack.needs and COMMIT in asked and TURNED not in asked


FIRST = first_tried()
TRIED = [
    pytest.param(
        *(game, attack),
        id=f"{game}-{attack}",
        marks=[pytest.mark.slow] * ((game, attack) not in FIRST),
    )
    for game in GAMES
    for attack in attacks_on(game)
]


@pytest.mark.parametrize(("game", "attack"), TRIED)
def test_a_cheat_is_named_at_once(game: str, attack: Attack) -> None:
    """By everybody, and by whoever reads the file; nobody else is."""
    named_at_once(follow(game), attack)


def named_at_once(hall: Hall, attack: Attack) -> None:
    cheat = attack.does(hall)
    scored = cheat.table.play.state.scores
    hall.silent.add(cheat.me)
    found = hall.named((cheat, Why.BAD, attack.code))
    assert found.scores[: len(scored)] == scored


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players"), [(game, n) for game in GAMES for n in registry.find(game).game.seats]
)
def test_a_cheat_is_named_among_any_number(game: str, players: int) -> None:
    for attack in attacks_on(game, players):
        named_at_once(follow(game, players), attack)


@pytest.mark.slow
@every_game
def test_the_others_play_on_to_the_end(game: str) -> None:
    """One more than the game needs; after one attack with each kind of entry."""
    players = registry.find(game).game.seats[0] + 1
    for kind in kinds_of(game):
        attack = next(one for one in attacks_on(game, players) if kind in one.needs)
        hall = follow(game, players)
        found = hall.out(attack.does(hall), attack.code, to_the_end=True)
        assert found.verdict is Verdict.FINAL


# Whether everything is tried.


@pytest.mark.parametrize("game", slow_but(lambda game: game not in ("bastos", "pixies"), GAMES))
def test_what_a_game_asks_is_attacked(game: str) -> None:
    """All kinds of entries that are truly said there, and all else that was found out about it;
    and a bit anywhere in its file (attack 20), which is refused and never another result."""
    assert set(finished(game).kinds) == traits(game) & set(KINDS)
    file = write(finished(game).parties[0].table)
    for at in Random(game).sample(range(len(file)), 3):
        changed = bytearray(file)
        changed[at] ^= 1 << (at % 8)
        with pytest.raises(Refused):
            read(bytes(changed))
    tried = attacks_on(game)
    assert traits(game) == {need for attack in tried for need in attack.needs}
    assert {attack.code for attack in tried} >= {"proof", "digest", "form", "kind", "illegal"}


def test_every_attack_is_tried() -> None:
    tried = {attack for game in GAMES for attack in attacks_on(game)}
    assert [str(attack) for attack in ATTACKS if attack not in tried] == []
    assert len({str(attack) for attack in ATTACKS}) == len(ATTACKS)


# Moves that no player would make.

CHOICES_MOST = 45  # a round or more of every game


def strange(move: Move, others: list[Move], rng: Random) -> Iterator[Move]:
    """Like a legal move, but for something; or one of another moment."""
    other = rng.choice(others)
    forms = [
        (other.verb, other.cards, other.words),
        (other.verb, move.cards, move.words),
        (move.verb, other.cards, move.words),
        (move.verb, move.cards, other.words),
        (move.verb, (), ()),
        (move.verb, move.cards, (*move.words, "0")),
        (move.verb, move.cards, move.words[:-1]),
        (move.verb, move.cards, tuple(reversed(move.words))),
        (move.verb, (), ("-".join(other.words)[:32] or "0",)),
        (move.verb, move.cards, ("99999999999999999999",)),
    ]
    for verb, cards, words in forms:
        try:
            yield Move(verb, cards, words)
        except BadMoveText:
            continue


@every_game
def test_no_strange_move_is_let_through(game: str) -> None:
    """At every third of many open choices, judged by another: refused, unless it is legal."""
    hall = follow(game)
    rng = Random(game)
    seen: list[Move] = []
    places = 0

    def judged(party: Party) -> bool:
        nonlocal places
        if owed(party) != MOVE:
            return False
        legal = party.view().moves()
        seen.append(rng.choice(legal))
        places += 1
        if places % 3 == 0:
            for move in strange(rng.choice(legal), seen, rng):
                assert move in legal or not accepts(hall.others(party)[0], party, move), str(move)
        return places == CHOICES_MOST

    hall.run(judged)
    assert places >= 3


def accepts(judge: Party, mover: Party, move: Move) -> bool:
    held = set(mover.view().hand)
    body = (
        turn_body(mover, move)
        if held.issuperset(move.cards)
        else ((move.verb, move.cards, move.words), b"", b"", ())
    )
    try:
        judge.table.judge.judge(mover.me, Entry.decode(forge(mover, MOVE, body)))
    except RemoteProtocolError:
        return False
    return True


# Two stories.


def two_choices(hall: Hall) -> tuple[Party, bytes, bytes]:
    """Two heads of one player decide, each in its own way."""
    cheat = hall.run(lambda party: owed(party) in (MOVE, COMMIT) and len(party.view().moves()) > 1)
    assert cheat is not None
    twin = hall.twin(cheat)
    first, *_, last = cheat.view().moves()
    [one, *_], [two, *_] = cheat.decide(first), twin.decide(last)
    return cheat, one, two


@every_game
def test_17_two_choices_told_to_all(game: str) -> None:
    hall = follow(game)
    cheat, first, second = two_choices(hall)
    one, two = hall.others(cheat)
    hall.silent.add(cheat.me)
    one.table.feeds.accept(first)  # held, and not yet read
    two.table.feeds.accept(second)
    one.take(second)
    two.take(first)
    for party in (one, two):
        hall.tell(party, *party.answer())
    hall.named((cheat, Why.FORKED, "fork"))


@every_game
def test_17_two_choices_each_told_to_one(game: str) -> None:
    """They go on with it as far as they can, and then compare. If both have said something since,
    the table is split."""
    hall = follow(game)
    cheat, first, second = two_choices(hall)
    one, two = hall.others(cheat)
    hall.silent.add(cheat.me)
    hall.walls = {(one.me, two.me), (two.me, one.me)}
    hall.tell(cheat, first, to=[one])
    hall.tell(cheat, second, to=[two])
    hall.run()
    hall.walls = set()
    for party in (one, two):
        for data in hall._held((one, two)):
            party.take(data)
    for party in (one, two, one):
        hall.tell(party, *party.answer())
    code = "fork" if one.table.split is None else "split"
    hall.named((cheat, Why.FORKED, code))


# Going.

GOING = [
    (game, kind)
    for game in GAMES
    for kind in kinds_of(game)
    if kind != AGREE or SHUFFLE in traits(game)  # else only the result is signed
]


def lost_one(hall: Hall, gone: Party, why: Why) -> None:
    """The others know who, and that nobody cheated; they go on, or are too few."""
    others = hall.others(gone)

    def known(party: Party) -> bool:
        play = party.table.play
        return bool(play.seats) and gone.me not in play.seated

    hall.run(lambda _: all(map(known, others)))
    for party in others:
        assert [(loss.player, loss.ending.why) for loss in party.table.lost] == [(gone.me, why)]
    found = hall.agreed(others)
    assert found.cheats == ()
    if len(others) < hall.setup.game.seats[0]:
        assert (found.verdict, found.stopped) == (Verdict.STOPPED, Stopped.TOO_FEW)
    else:
        assert found.verdict is Verdict.UNFINISHED


# Choices in every game, and in one all that can be owed.
FEWER = slow_but(lambda _, kind: kind in (MOVE, COMMIT), GOING)
SOME = slow_but(lambda game, kind: game == "tindahan" or kind in (MOVE, COMMIT), GOING)


@pytest.mark.parametrize(("game", "kind"), FEWER)
def test_19_leaving_at_every_kind_of_step(game: str, kind: str) -> None:
    hall = follow(game)
    leaving = hall.before(kind)
    hall.tell(leaving, *leaving.leave())
    hall.silent.add(leaving.me)
    lost_one(hall, leaving, Why.LEFT)


@pytest.mark.parametrize(("game", "kind"), SOME)
def test_19_vanishing_at_every_kind_of_step(game: str, kind: str) -> None:
    """Whoever refuses to shuffle, share, choose or reveal is voted out by all others."""
    hall = follow(game)
    absent = hall.before(kind)
    hall.silent.add(absent.me)
    hall.run()
    for party in hall.others(absent):
        assert party.table.waiting_for == (absent.me,)
        hall.tell(party, *party.vote(absent.me))
    lost_one(hall, absent, Why.GONE)


@pytest.mark.slow
@every_game
def test_33_who_does_not_sign_changes_nothing(game: str) -> None:
    hall = follow(game)
    absent = come_to(
        hall, lambda party: party.table.play.phase is Phase.SIGNING and owed(party) == AGREE
    )
    hall.silent.add(absent.me)
    hall.run()
    found = hall.agreed(hall.others(absent))
    assert (found.verdict, found.owing) == (Verdict.UNSIGNED, (absent.me,))
    assert found.places
