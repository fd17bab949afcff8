"""A small model of hops: who may shuffle ahead in a step, on top of what, and what readers find.

In a step all players speak once, each with or without a hop. A speaker has read some of what the
others say in this step, and nobody knows which. Readers take what is said in any order. A rule says
whether a player makes a hop, by what it has read, and whether a reader lets a hop count. All
readers must come to the same chain of hops, and no player who keeps the rule may be blamed. When a
round begins, all of whose shares a card needs must be seated.

The rules of the protocol are RULE. The others look as good, and each of them is wrong.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, permutations, product
from typing import NamedTuple

Chain = tuple[int, ...]  # the players who have shuffled, one on top of the other


class Hop(NamedTuple):
    author: int
    on: Chain


class Said(NamedTuple):
    author: int
    hop: Hop | None


class Rule(NamedTuple):
    """`may` tells on top of which chain a player may make a hop, or None: of those that closed
    steps have left, and of this step as far as it was read."""

    name: str
    may: Callable[[int, Sequence[int], Chain, Sequence[Said]], Chain | None]
    kept_after_a_loss: bool = False


def _lowest(
    player: int, players: Sequence[int], before: Chain, _read: Sequence[Said]
) -> Chain | None:
    free = [other for other in players if other not in before]
    return before if free and free[0] == player else None


def _first_come(
    player: int, _players: Sequence[int], before: Chain, read: Sequence[Said]
) -> Chain | None:
    taken = any(said.hop for said in read)
    return None if taken or player in before else before


def _on_top(
    player: int, _players: Sequence[int], before: Chain, read: Sequence[Said]
) -> Chain | None:
    now = _grown(before, read)
    return None if player in now else now


def _lowest_at_once(
    player: int, players: Sequence[int], before: Chain, read: Sequence[Said]
) -> Chain | None:
    return _lowest(player, players, _grown(before, read), ())


def _grown(before: Chain, read: Sequence[Said]) -> Chain:
    for said in read:
        if said.hop is not None and said.hop.on == before:
            before = (*before, said.author)
    return before


RULE = Rule("the lowest of those who have not, on top of closed steps", _lowest)
WRONG = (
    Rule("the first that comes", _first_come),
    Rule("on top of whatever was read", _on_top),
    Rule("the lowest, and it counts when it is read", _lowest_at_once),
    Rule("kept when a seat is lost", _lowest, kept_after_a_loss=True),
)


class Broken(Exception):
    """Readers disagree, an honest player is blamed, or a card cannot be opened."""


def check(rule: Rule, players: int, steps: int) -> int:
    """Play every course of some steps; return how many readings there were."""
    return sum(_go_on(rule, tuple(range(players)), (), steps))


def _go_on(rule: Rule, seated: tuple[int, ...], before: Chain, steps: int) -> Iterator[int]:
    if not set(before) <= set(seated):
        raise Broken(f"{rule.name}: the shares of {set(before) - set(seated)} will be missing")
    if not steps:
        return
    for spoken in _sayings(rule, seated, before):
        found = {_read(rule, seated, before, order) for order in permutations(spoken)}
        yield sum(1 for _ in permutations(spoken))
        if len(found) > 1:
            raise Broken(f"{rule.name}: readers find {sorted(found)}")
        [after] = found
        yield from _go_on(rule, seated, after, steps - 1)
        for lost in seated:
            kept = before if rule.kept_after_a_loss else ()
            left = tuple([player for player in seated if player != lost])
            yield from _go_on(rule, left, kept, steps - 1)


def _sayings(rule: Rule, seated: Sequence[int], before: Chain) -> Iterator[tuple[Said, ...]]:
    """All that players may say, whatever each of them had read of those who spoke before it.

    No hop is owed, so each may also make none.
    """
    for order in permutations(seated):
        for willing in product((True, False), repeat=len(seated)):
            yield from _said_so_far(rule, seated, before, order, willing, ())


def _said_so_far(
    rule: Rule,
    seated: Sequence[int],
    before: Chain,
    order: Sequence[int],
    willing: Sequence[bool],
    said: tuple[Said, ...],
) -> Iterator[tuple[Said, ...]]:
    if len(said) == len(order):
        yield said
        return
    author, makes = order[len(said)], willing[len(said)]
    for read in _parts(said):
        on = rule.may(author, seated, before, read) if makes else None
        spoken = Said(author, None if on is None else Hop(author, on))
        yield from _said_so_far(rule, seated, before, order, willing, (*said, spoken))


def _parts(said: tuple[Said, ...]) -> Iterator[tuple[Said, ...]]:
    yield from chain.from_iterable(combinations(said, count) for count in range(len(said) + 1))


def _read(rule: Rule, seated: Sequence[int], before: Chain, order: Sequence[Said]) -> Chain:
    """Return the chain that a reader finds who takes what was said in this order."""
    after = before
    read: list[Said] = []
    for said in order:
        if said.hop is not None:
            on = rule.may(said.author, seated, before, read)
            if on != said.hop.on:
                raise Broken(f"{rule.name}: {said.author} is blamed for a hop on {said.hop.on}")
            after = (*on, said.author)
        read.append(said)
    return after
