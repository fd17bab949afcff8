"""How an attack is listed.

It is a function that comes to its place in a hall and says something bad there; it returns who did.
`needs` is what a game must ask for, as tests/adversary/courses.py finds it out: kinds of entries,
and more. `code` is what everybody names the cheat for. The numbers are those of the list in
docs/security.md.
"""

from collections.abc import Callable
from typing import NamedTuple

from protocol.table.party import Party
from tests.adversary.hall import Body, Hall, forge

Does = Callable[[Hall], Party]


class Attack(NamedTuple):
    number: int
    does: Does
    needs: frozenset[str]
    code: str

    def __str__(self) -> str:
        return f"{self.number:02}-{self.does.__name__}"


ATTACKS: list[Attack] = []


def attack(number: int, *needs: str, code: str) -> Callable[[Does], Does]:
    def listed(does: Does) -> Does:
        ATTACKS.append(Attack(number, does, frozenset(needs), code))
        return does

    return listed


def come_to(hall: Hall, place: Callable[[Party], bool]) -> Party:
    party = hall.run(place)
    assert party is not None, "no such place in this game"
    return party


def says(hall: Hall, cheat: Party, kind: str, body: Body) -> Party:
    """To everybody, in the place of what it owes."""
    hall.tell(cheat, forge(cheat, kind, body))
    return cheat


def keeps_to(hall: Hall, cheat: Party, kind: str, body: Body) -> None:
    """Says it, and goes on as if it were true."""
    data = forge(cheat, kind, body)
    cheat.take(data)
    hall.tell(cheat, data)
