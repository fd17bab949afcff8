"""What nobody may learn: closed cards, and every secret that they hang on."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import combinations
from typing import ClassVar

import pytest

from engine.errors import IllegalMove
from engine.moves import Move
from engine.needs import Slot
from protocol.crypto import group
from protocol.crypto.group import ORDER, Degenerate, Point, base, difference, times, total
from protocol.crypto.proofs import shuffle
from protocol.crypto.proofs.deck import Deck
from protocol.crypto.secrets import SecretSource
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.feed.entries import COMMIT, MOVE, SHUFFLE, Entry
from protocol.table.cards import face_point
from protocol.table.party import Party
from protocol.table.phases import Phase
from tests.adversary.courses import HAND, few, follow, games
from tests.adversary.hall import Hall, draw_from, due, forge, said_in

# What a coalition of all others can compute.


def sums(points: Iterable[Point]) -> Iterator[Point]:
    """Every point, its negative, and the sum of every two of these."""
    signed = [one for point in points for one in (point, group.negate(point))]
    yield from signed
    for pair in combinations(signed, 2):
        try:
            yield total(pair)
        except Degenerate:
            continue


def within_reach(hall: Hall, victim: Party, slot: Slot) -> set[Point]:
    """Points that all others together can make of a closed card of the victim."""
    play = victim.table.play
    pile = play.cards.pile(slot)
    card = pile.card(slot)
    coalition = hall.others(victim)
    theirs = sum(party._secret for party in coalition) % ORDER
    masked = difference(card.b, times(card.a, theirs))  # M + x·a: all they can take away
    public = [card.a, card.b, masked, victim._key, play.joint_key, *pile.shares_of(slot).values()]
    reach = set(sums(public))
    reach |= {difference(card.b, times(card.a, party._secret)) for party in coalition}
    scalars = [theirs, *(party._secret for party in coalition), 2, ORDER - 2]
    scalars += [pow(scalar, -1, ORDER) for scalar in scalars[:3]]
    reach |= {times(point, scalar) for point in public[:4] for scalar in scalars}
    # the shares that the victim has published of other cards, and those cards
    for other in range(pile.slots.start, pile.slots.stop):
        shares = pile.shares_of(other)
        if other != slot and victim.me in shares:
            reach.add(difference(masked, shares[victim.me]))
            reach.add(total((masked, shares[victim.me])))
            between = difference(card.a, pile.card(other).a)
            reach.add(difference(masked, between))
            reach.add(difference(difference(card.b, pile.card(other).b), times(between, theirs)))
    return reach


@pytest.mark.parametrize("players", [2, 3])
def test_no_coalition_reads_a_hand(players: int) -> None:
    """At every step of a game, of every closed card in one honest hand."""
    hall = Hall("punnet", players, 2)
    victim = hall.parties[1]
    faces = {face_point(face): face for face in hall.setup.game.deck.piles[0]}  # type: ignore[attr-defined]
    looked: set[tuple[int, Slot]] = set()
    seen_kinds: set[Phase] = set()

    def look(party: Party) -> bool:
        play = victim.table.play
        if party is not victim or not play.seats:
            return False
        for slot in play.state.hands[play.seat(victim.me)]:
            pile = play.cards.pile(slot)
            place = len(pile.shares_of(slot)), slot
            if place in looked or victim.me in pile.shares_of(slot):
                continue
            looked.add(place)
            seen_kinds.add(play.phase)
            assert not within_reach(hall, victim, slot) & faces.keys()
        return False

    hall.run(look)
    assert len({slot for _, slot in looked}) >= 3
    assert Phase.COMMITTING in seen_kinds


@pytest.mark.parametrize("game", games(SHUFFLE))
def test_no_coalition_reads_a_closed_card(game: str) -> None:
    """Right after the deal and some choices later, neither of a hand nor of the pile."""
    hall = follow(game)
    for choices in (0, 12):
        victim = hall.run(
            lambda party: party.asked and hall.kinds[MOVE] + hall.kinds[COMMIT] >= choices  # noqa: B023
        )
        assert victim is not None
        piles = victim.table.play.cards.piles
        faces = {face_point(*shown) for pile in piles for shown in pile.prints}
        kept = closed_to_others(victim)
        everyone = sum(party._secret for party in hall.parties)
        for slot in {*kept[:3], *kept[-2:]}:
            card = victim.table.play.cards.pile(slot).card(slot)
            assert difference(card.b, times(card.a, everyone)) in faces
            assert not within_reach(hall, victim, slot) & faces


def closed_to_others(party: Party) -> list[Slot]:
    """Cards that are open to nobody but the player, if even to that one: its hand comes first."""
    play = party.table.play
    made = [(slot, pile.shares_of(slot)) for pile in play.cards.piles for slot in pile.slots]
    hand = play.state.hands[play.seat(party.me)]
    closed = [slot for slot, shares in made if party.me not in shares]
    assert set(hand) <= set(closed)
    return [*hand, *[slot for slot in closed if slot not in hand]]


def test_the_search_means_something() -> None:
    """With the victim's share the same search finds the face."""
    hall = Hall("punnet", 3)
    hall.before("commit")
    victim = hall.parties[1]
    [slot, *_] = victim.view().hand
    card = victim.table.play.cards.pile(slot).card(slot)
    everyone = sum(party._secret for party in hall.parties)
    face = difference(card.b, times(card.a, everyone))
    assert face == face_point(victim.view().known[slot])
    assert face not in within_reach(hall, victim, slot)


@pytest.mark.parametrize("game", games(HAND))
def test_only_the_holder_knows_a_hand(game: str) -> None:
    """At every step each party knows the faces of its own cards and of no others."""
    hall = follow(game)
    looked = 0

    def look(party: Party) -> bool:
        nonlocal looked
        view = party.view()
        assert set(view.known) <= set(view.hand)
        others = [hand for seat, hand in enumerate(view.state.hands) if seat != view.seat]
        for hand in others:
            looked += len(hand)
            assert party._known(hand) == {}
        return len(hall.said) > 60

    hall.run(look)
    assert looked > 100


# Secrets in the open.


def secrets_of(hall: Hall, party: Party) -> dict[str, list[bytes]]:
    """In every form in which they could be written."""
    seed = hall.setup.seeds[party.me]
    scalar = party._secret
    return {
        "seed": [seed, seed.hex().encode(), repr(seed).encode()],
        "table secret": [
            scalar.to_bytes(32, "big"),
            scalar.to_bytes(32, "little"),
            str(scalar).encode(),
            hex(scalar)[2:].encode(),
            (ORDER - scalar).to_bytes(32, "big"),
        ],
        "identity": [
            party.identity._private.private_bytes_raw(),
            party.identity._private.private_bytes_raw().hex().encode(),
        ],
    }


def assert_clean(hall: Hall, text: bytes) -> None:
    for party in hall.parties:
        for what, forms in secrets_of(hall, party).items():
            for form in forms:
                assert form not in text, what


class Watched(SecretSource):
    """Remembers what it gave."""

    drawn: ClassVar[dict[bytes, list[tuple[str, bytes]]]] = {}

    def _bytes(self, kind: str, label: str, statement: bytes, length: int) -> bytes:
        given = super()._bytes(kind, label, statement, length)
        Watched.drawn.setdefault(self._seed, []).append((f"{kind} {label}", given))
        return given


def watch(party: Party, seed: bytes) -> None:
    draw_from(party, Watched(seed))


@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("punnet", 3),
        ("brambles", 2),
        *[pytest.param(game, few(game), marks=pytest.mark.slow) for game in games()],
    ],
)
def test_no_secret_is_said_or_shown(game: str, players: int) -> None:
    """Not in entries, events, views, reprs; nonces of commitments only when they are revealed."""
    Watched.drawn = {}
    hall = Hall(game, players)
    for party in hall.parties:
        watch(party, hall.setup.seeds[party.me])
    hall.run()
    for party in hall.parties:
        shown = [party, party.table, party.table.play, party._source, party.identity, party.view()]
        shown += [*party.table.take_events(), *party.table.lost, party.table.judge]
        assert_clean(hall, "\n".join(f"{one!r} {one!s}" for one in shown).encode())
    said = b"".join(data for _, data in hall.said)
    assert_clean(hall, said)
    before = b"".join(
        data for _, data in hall.said if Entry.decode(data).kind not in ("reveal", "move")
    )
    for drawn in Watched.drawn.values():
        for label, given in drawn:
            if label == "nonce commit":
                assert given not in before
            elif label.startswith("scalars"):
                wide = [given[at : at + 48] for at in range(0, len(given), 48)]
                scalars = [1 + int.from_bytes(one, "big") % (ORDER - 1) for one in wide]
                for scalar in scalars:
                    assert scalar.to_bytes(32, "big") not in said
            else:
                assert given not in said


def test_no_secret_in_an_error() -> None:
    """Whatever a party refuses, it does not say with what it knows."""
    hall = Hall("punnet", 3)
    hall.before("commit")
    texts = []
    for party in hall.parties:
        for move in (Move("play", (999,)), Move("draw")):
            with pytest.raises(IllegalMove) as illegal:
                party.decide(move)
            texts += [repr(illegal.value), str(illegal.value)]
        for named in (99, party.me):
            with pytest.raises(LocalProtocolError) as local:
                party.vote(named)
            texts += [repr(local.value), str(local.value)]
        for data in (b"x", forge(party, "commit", (), seq=0, prev=b"")[:-1]):
            with pytest.raises(RemoteProtocolError) as remote:
                party.take(data)
            texts += [repr(remote.value), str(remote.value)]
    assert_clean(hall, "\n".join(texts).encode())
    for seed in (b"short", bytes(31)):
        with pytest.raises(ValueError, match="32 bytes") as wrong:
            SecretSource(seed)
        assert repr(seed) not in str(wrong.value)


# Secrets used twice.


class Careless(SecretSource):
    """Binds what it draws to its purpose alone: the same place, the same secrets."""

    def _bytes(self, kind: str, label: str, statement: bytes, length: int) -> bytes:
        index = statement[32:] if kind == "permutation" else b""
        return super()._bytes(kind, label, index, length)


def two_inputs(source: type[SecretSource]) -> tuple[list[Deck], list[Deck]]:
    """The second shuffler at one place, run on two decks of the first one: inputs and outputs."""
    hall = Hall("punnet", 3, ahead=False)
    first = hall.before("shuffle")
    inputs, outputs = [], []
    for number in range(2):
        draw_from(first, SecretSource(sha256(bytes([number])).digest()))
        story = forge(first, *due(first))
        seats = first.table.play.seats
        second = hall.parties[seats[seats.index(first.me) + 1]]
        victim = hall.twin(second)
        draw_from(victim, source(hall.setup.seeds[victim.me]))
        victim.take(story)
        inputs.append(victim.table.play.decks[0])
        said, *_ = victim.answer()
        [(deck, _)] = said_in(said)
        outputs.append(Deck.decode(deck))
    return inputs, outputs


def positions(inputs: list[Deck], outputs: list[Deck]) -> dict[int, int]:
    """What anybody can compute from two runs: where the differences of inputs come out."""
    went_in = {
        difference(one.a, two.a): at
        for at, (one, two) in enumerate(zip(inputs[0].cards, inputs[1].cards, strict=True))
    }
    came_out = [
        difference(one.a, two.a)
        for one, two in zip(outputs[0].cards, outputs[1].cards, strict=True)
    ]
    return {place: went_in[point] for place, point in enumerate(came_out) if point in went_in}


def test_22_shuffle_run_again_on_another_input() -> None:
    """Nothing in common: no permutation, no scalar, no difference that comes out again."""
    Watched.drawn = {}
    inputs, outputs = two_inputs(Watched)
    assert positions(inputs, outputs) == {}
    [drawn] = Watched.drawn.values()
    by_label: dict[str, list[bytes]] = {}
    for label, given in drawn:
        by_label.setdefault(label, []).append(given)
    assert {"permutation permutation", "scalars encryption", "scalars proof"} <= by_label.keys()
    for label in ("permutation permutation", "scalars encryption", "scalars proof"):
        pieces = [
            given[at : at + 48] for given in by_label[label] for at in range(0, len(given), 48)
        ]
        assert len(by_label[label]) >= 2
        assert len(pieces) == len(set(pieces))


def test_22_secrets_bound_to_the_place_alone_make_all_positions_public() -> None:
    inputs, outputs = two_inputs(Careless)
    found = positions(inputs, outputs)
    assert sorted(found) == sorted(found.values()) == list(range(19))


def test_22_nonce_that_meets_two_challenges_gives_the_key_away() -> None:
    """The same with the proof of a key, at two tables with one seed's careless secret source."""
    answers = []
    for number in (0, 1):
        hall = Hall("punnet", 2, number)
        party = hall.parties[0]
        party._secret, party._key = 4242, base(4242)
        party._source = Careless(
            hall.setup.seeds[0] if number == 0 else Hall("punnet", 2).setup.seeds[0]
        )
        _, proof = due(party)[1]
        answers.append(group.decode_scalars(proof, 2))
    (c1, s1), (c2, s2) = answers
    assert (s1 - s2) * pow(c1 - c2, -1, ORDER) % ORDER == 4242


def test_22_honest_nonces_do_not() -> None:
    answers = []
    for number in (0, 1):
        hall = Hall("punnet", 2, number)
        party = hall.parties[0]
        party._secret, party._key = 4242, base(4242)
        party._source = SecretSource(bytes(32))
        _, proof = due(party)[1]
        answers.append(group.decode_scalars(proof, 2))
    (c1, s1), (c2, s2) = answers
    assert (s1 - s2) * pow(c1 - c2, -1, ORDER) % ORDER != 4242


# Time.


@pytest.mark.parametrize("game", ["punnet", "brambles"])
def test_23_a_long_lived_secret_never_meets_a_point_as_it_is(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through a whole game: the multiplication whose time depends on its scalar never gets the
    table secret, its negative, or the same scalar that hides it for two points."""
    met: list[tuple[Point, int]] = []
    multiply = group._multiply

    def watched(point: Point, scalar: int) -> object:
        met.append((point, scalar % ORDER))
        return multiply(point, scalar)

    monkeypatch.setattr(group, "_multiply", watched)
    hall = Hall(game, 2)
    hall.run()
    secrets = {one for party in hall.parties for one in (party._secret, ORDER - party._secret)}
    scalars = {scalar for _, scalar in met}
    assert len(met) > 500
    assert not secrets & scalars
    # secret − blind and blind: each pair for one point only
    for party in hall.parties:
        halves = [(s, p) for p, s in met if (party._secret - s) % ORDER in scalars]
        assert halves
        points: dict[int, set[Point]] = {}
        for scalar, point in halves:
            points.setdefault(scalar, set()).add(point)
        assert all(len(of_one) == 1 for of_one in points.values())


def test_shuffle_proofs_do_not_repeat_a_nonce() -> None:
    """Two proofs of one shuffle by one source are the same bytes; of two decks, nothing is."""
    hall = Hall("punnet", 2)
    party = hall.before("shuffle")
    play = party.table.play
    transcripts = [play.shuffle_transcript(party.me, 0) for _ in range(2)]
    runs = [
        shuffle.shuffle(transcript, party._source, play.joint_key, play.decks[0])
        for transcript in transcripts
    ]
    assert runs[0][1] == runs[1][1]
