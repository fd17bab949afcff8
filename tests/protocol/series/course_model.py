"""A small model of a series: who sits down at which table, and which results can come of it.

A table has a number, goes on from a file of a table before, and ends with a result, without one, or
not at all. Each player who sat down holds its end, or only its beginning, because the player left
or was cut off. Tables are offered in every way: any number, after any file, to any members. Who is
honest sits down by a rule, a liar wherever it likes. If two tables have a result of one number, and
follow from the files that they name, then a member must have sat down at both, and no such member
may be honest.

The rule of the protocol is RULE. The others look as good, and each of them is wrong.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from itertools import combinations, product
from typing import NamedTuple

NUMBERS = (1, 2)


class End(Enum):
    RESULT = "a result"
    NONE = "no result"
    OPEN = "not over"


class File(NamedTuple):
    """A table by its place in the history, at the length at which somebody holds it."""

    table: int
    shows: End


class Table(NamedTuple):
    number: int
    before: File | None
    members: tuple[int, ...]
    end: End


class Held(NamedTuple):
    """The last table at which a member has signed, and its file."""

    number: int
    file: File


class Rule(NamedTuple):
    """`sits` tells if a member sits down at a table of this number that goes on from this file."""

    name: str
    sits: Callable[[Held, int, File | None], bool]
    quorum: Callable[[int], int] = lambda members: members // 2 + 1


def _sits(last: Held, number: int, before: File | None) -> bool:
    if before is None:
        return False
    if before == last.file:
        return last.file.shows is not End.OPEN and number == _after(last)
    return number >= _after(last)


def _after(last: Held) -> int:
    return last.number + (last.file.shows is not End.NONE)


def _anew(last: Held, number: int, before: File | None) -> bool:
    return before is None or _sits(last, number, before)


def _same_number(last: Held, number: int, before: File | None) -> bool:
    return before is not None and number >= last.number


def _unless_it_saw_a_result(last: Held, number: int, before: File | None) -> bool:
    return before is not None and number >= last.number + (last.file.shows is End.RESULT)


RULE = Rule("by its last file", _sits)
WRONG = (
    Rule("half of the members", _sits, quorum=lambda members: members // 2),
    Rule("any two members", _sits, quorum=lambda _members: 2),
    Rule("it may begin anew", _anew),
    Rule("the same number, as often as it is offered", _same_number),
    Rule("again unless it has seen a result", _unless_it_saw_a_result),
)


class Broken(Exception):
    """Two tables have a result of one number, and no liar sat down at both."""


State = tuple[tuple[Table, ...], tuple[Held | None, ...]]


def check(rule: Rule, members: int, tables: int, liars: frozenset[int]) -> int:
    """Play every course of so many tables; return how many there are."""
    states: set[State] = {((), (None,) * members)}
    count = 0
    for _ in range(tables):
        states = {after for state in states for after in _go_on(rule, members, state, liars)}
        for played, _held in states:
            _judge(rule, played, liars)
        count += len(states)
    return count


def _go_on(rule: Rule, members: int, state: State, liars: frozenset[int]) -> Iterator[State]:
    played, held = state
    files: list[File | None] = [None]
    files += [File(at, shows) for at, one in enumerate(played) for shows in {one.end, End.OPEN}]
    for number, before in product(NUMBERS, files):
        willing = [
            member
            for member in range(members)
            if member in liars or (last := held[member]) is None or rule.sits(last, number, before)
        ]
        for size in range(rule.quorum(members), len(willing) + 1):
            for sitting in combinations(willing, size):
                yield from _ends(state, Table(number, before, sitting, End.OPEN))


def _ends(state: State, begun: Table) -> Iterator[State]:
    """Yield every end of a table, with everything that those who sat down may hold of it."""
    played, held = state
    for end in End:
        lengths = {end, End.OPEN}
        for shown in product(lengths, repeat=len(begun.members)):
            now = list(held)
            for member, shows in zip(begun.members, shown, strict=True):
                now[member] = Held(begun.number, File(len(played), shows))
            yield (*played, begun._replace(end=end)), tuple(now)


def _judge(rule: Rule, played: tuple[Table, ...], liars: frozenset[int]) -> None:
    results = [one for one in played if one.end is End.RESULT and _follows(played, one)]
    for one, other in combinations(results, 2):
        both = {*one.members} & {*other.members}
        if one.number == other.number and (not both or both - liars):
            raise Broken(f"{rule.name}: {one} and {other}")


def _follows(played: tuple[Table, ...], table: Table) -> bool:
    """Return True if a verifier lets this table follow from the file that it names."""
    if table.before is None:
        return table.number == 1
    previous = played[table.before.table]
    due = previous.number + (table.before.shows is End.RESULT)
    over = table.before.shows is not End.OPEN
    return over and table.number == due and _follows(played, previous)
