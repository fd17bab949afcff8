"""Attacks on the deck: what it is made of, who puts what into it, and in which order."""

from hashlib import sha256

import pytest

from protocol.crypto import group
from protocol.crypto.group import ORDER, Point, base, difference, negate, times, total
from protocol.crypto.proofs import off_suit, shuffle
from protocol.crypto.proofs.deck import Card, Deck
from protocol.crypto.proofs.shuffle import Witness
from protocol.crypto.secrets import SecretSource
from protocol.errors import RemoteProtocolError
from protocol.feed.entries import SHUFFLE, Entry
from protocol.table.cards import face_point
from tests.adversary.attacks.decks import doubles_a_card, shuffles
from tests.adversary.courses import few, games, printed
from tests.adversary.forging import task
from tests.adversary.hall import Hall, due, forge
from tests.protocol.tables import secret


def test_12_duplicated_card_at_two_players() -> None:
    hall = Hall("punnet", 2)
    hall.out(shuffles(hall, doubles_a_card), "proof")


@pytest.mark.parametrize("cards", [18, 20, 1])
def test_12_pile_of_another_size(cards: int) -> None:
    hall = Hall("punnet", 2)
    cheat = hall.before("shuffle")
    [(deck, proof)] = due(cheat)[1]
    hall.tell(cheat, forge(cheat, "shuffle", (((deck * 2)[: 66 * cards], proof),)))
    hall.out(cheat, "length")


@pytest.mark.parametrize("piles", [[1, 0], [0], [0, 1, 1], [0, 0]])
def test_12_piles_exchanged_left_out_or_doubled(piles: list[int]) -> None:
    hall = Hall("brambles", 2)
    cheat = hall.before("shuffle")
    honest = due(cheat)[1]
    hall.tell(cheat, forge(cheat, "shuffle", tuple(honest[at] for at in piles)))
    hall.out(cheat, "form" if len(piles) != 2 else "length")


def compensated(deck: Deck, weights: list[int], by: Point) -> Deck:
    """Two cards changed so that the sum of all, with these weights, stays."""
    (one, two), rest = deck.cards[:2], deck.cards[2:]
    inverse = [pow(weight, -1, ORDER) for weight in weights[:2]]
    return Deck.of(
        [
            Card(one.a, total((one.b, times(by, inverse[0])))),
            Card(two.a, difference(two.b, times(by, inverse[1]))),
            *rest,
        ]
    )


def test_08_challenges_known_before_the_deck() -> None:
    """Whoever knew the weights of the cards beforehand could change two that cancel out."""
    hall = Hall("punnet", 3)
    cheat = hall.before("shuffle", nth=2)
    play = cheat.table.play
    owed = task(cheat)
    order = owed.order
    deck = owed.shuffled(order)
    transcript = play.shuffle_transcript(cheat.me, 0)
    transcript.absorb("shuffle", group.encode_point(play.joint_key), play.decks[0].data)
    guessed = transcript.challenges("cards", len(order))
    weights = [guessed[source] for source in order]
    by = difference(face_point("apple-1"), face_point("fig-1"))
    false = compensated(deck, weights, by)
    # with these weights nobody could tell the two decks apart
    assert group.combine([c.b for c in false.cards], weights) == group.combine(
        [c.b for c in deck.cards], weights
    )
    hall.tell(cheat, forge(cheat, "shuffle", owed.proved(false, order)))
    hall.out(cheat, "proof")


def test_07_statement_not_hashed() -> None:
    """A proof made for one deck, shown with another that its answers were chosen for."""
    hall = Hall("punnet", 3)
    cheat = hall.before("shuffle", nth=2)
    play = cheat.table.play
    owed = task(cheat)
    order = owed.order
    deck = owed.shuffled(order)
    [[_, proof]] = owed.proved(deck, order)
    other = shuffle.apply(play.joint_key, deck, Witness(list(range(len(order))), [3] * len(order)))
    hall.tell(cheat, forge(cheat, "shuffle", ((other.data, proof),)))
    hall.out(cheat, "proof")


def test_11_proof_of_another_pile() -> None:
    hall = Hall("brambles", 2)
    cheat = hall.before("shuffle")
    play = cheat.table.play
    data, proof = due(cheat)[1][0]
    arguments = (play.joint_key, play.decks[0], Deck.decode(data), proof)
    assert shuffle.verify(play.shuffle_transcript(cheat.me, 0), *arguments)
    assert not shuffle.verify(play.shuffle_transcript(cheat.me, 1), *arguments)
    assert not shuffle.verify(play.shuffle_transcript(1 - cheat.me, 0), *arguments)


# What the deck is made of.


def probably_prime(number: int) -> bool:
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for witness_ in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        power = pow(witness_, odd, number)
        if power not in (1, number - 1) and not any(
            (power := power * power % number) == number - 1 for _ in range(twos - 1)
        ):
            return False
    return True


def test_01_no_small_subgroup_and_nothing_recurs() -> None:
    """The order is prime; and no point of a deck comes back in what it is shuffled to."""
    assert probably_prime(ORDER)
    point = face_point("fig-1")
    assert times(point, ORDER - 1) == negate(point)
    hall = Hall("punnet", 3, ahead=False)
    hall.before("agree")
    decks = [
        entry.body[0][0]  # type: ignore[index]
        for _, data in hall.said
        if (entry := Entry.decode(data)).kind == "shuffle"
    ]
    points = [
        data[at : at + 33] for data in decks if isinstance(data, bytes) for at in range(0, 1254, 33)
    ]
    assert len(decks) == 3
    assert len(points) == len(set(points)) == 3 * 38


@pytest.mark.parametrize("game", games(SHUFFLE))
def test_02_faces_are_not_related(game: str) -> None:
    """None is a small multiple of the base point, of another face, or a sum of two.

    In games with claims all faces are made of two points, so there are other relations between
    them. What a card shows cannot be moved along these either (moves_a_card_to_another_suit).
    """
    play = Hall(game, few(game)).parties[0].table.play
    points = [face_point(*shown) for shown in play.prints(printed(game))]
    assert len(set(points)) == len(points)
    small = {base(number) for number in range(1, 300)}
    assert not small & {*points, *map(negate, points)}
    multiples = {times(point, number) for point in points for number in (2, 3, 5)}
    assert not multiples & set(points)
    some = points[:12]
    sums = {total((one, two)) for one in some for two in some}
    assert not sums & set(points)


def test_10_generators_come_from_a_hash_alone() -> None:
    """Made again here from fixed labels: nobody had a choice."""
    p = 2**256 - 2**32 - 977

    def sized(data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + data

    def from_hash(label: bytes, *parts: bytes) -> bytes:
        prefix = b"p2pfruit 2 point" + sized(label) + len(parts).to_bytes(4, "big")
        for counter in range(100):
            whole = prefix + b"".join(map(sized, parts)) + counter.to_bytes(4, "big")
            x = int.from_bytes(sha256(whole).digest(), "big")
            if x < p and pow(x**3 + 7, (p - 1) // 2, p) == 1:
                return b"\x02" + x.to_bytes(32, "big")
        raise AssertionError

    for index, point in enumerate(group.generators(20)):
        made = from_hash(b"generator", index.to_bytes(4, "big"))
        assert group.encode_point(point) == made
    assert group.encode_point(face_point("fig-1")) == from_hash(b"face", b"fig-1")
    suits, ranks = off_suit.suit_base(), off_suit.rank_base()
    assert group.encode_point(suits) == from_hash(b"suit")
    assert group.encode_point(ranks) == from_hash(b"rank")
    others = {group.hash_to_point("chain"), base(1), suits, ranks}
    assert len({*group.generators(250), *others}) == 254


def test_21_every_permutation_is_as_likely() -> None:
    counts: dict[tuple[int, ...], int] = {}
    for number in range(240):
        source = SecretSource(secret("bias", number))
        for statement in range(10):
            drawn = tuple(source.permutation("permutation", bytes([statement]), 4))
            counts[drawn] = counts.get(drawn, 0) + 1
    assert len(counts) == 24
    chi = sum((count - 100) ** 2 / 100 for count in counts.values())
    assert chi < 50  # of 23 degrees of freedom: once in a thousand by chance


def test_21_a_seed_is_never_short() -> None:
    for seed in (b"", bytes(16), bytes(31), bytes(33)):
        with pytest.raises(ValueError, match="32 bytes"):
            SecretSource(seed)


def test_35_empty_deck() -> None:
    with pytest.raises(RemoteProtocolError):
        Deck.decode(b"")
    with pytest.raises(group.Degenerate):
        total([])
    with pytest.raises(group.Degenerate):
        total([base(5), base(-5)])
