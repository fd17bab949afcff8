"""What the remarks of Fruitoplay's teacher claim."""

from collections.abc import Mapping
from itertools import product

from engine.fruitoplay import Fruitoplay
from engine.fruitoplay.cards import FRUITS, Card
from engine.fruitoplay.rules import Orchard
from engine.moves import Event
from engine.needs import Face
from engine.views import View
from p2pfruit.games.fruitoplay.narrator import FruitoplayNarrator
from tests.p2pfruit.lessons.claims import ME, Claims, Said, rule


class Scene(Said[Orchard]):
    game: Fruitoplay
    narrator: FruitoplayNarrator

    def card(self, face: object) -> Card:
        return self.game.cards[str(face)]

    def names(self, *faces: object) -> bool:
        return self.says(*(self.narrator.card(str(face)) for face in faces))

    # The reveal.

    @property
    def end(self) -> Event:
        [end] = self.events("wins") + self.events("nobody_wins")
        return end

    @property
    def target(self) -> Card:
        return self.card(self.end.data[-1])

    @property
    def played(self) -> dict[int, Card]:
        return {e.seat: self.card(e.data[0]) for e in self.events("plays") if e.seat is not None}

    @property
    def void(self) -> set[int | None]:
        return {event.seat for event in self.events("void")}

    @property
    def winner(self) -> int | None:
        return self.end.seat

    @property
    def taken(self) -> list[Card]:
        faces = self.end.data[2:] if self.end.what == "wins" else self.end.data
        return [self.card(face) for face in faces]

    def away(self, card: Card) -> int:
        return abs(card.number - self.target.number)

    def winning(self) -> set[Face]:
        """The cards of my hand that win against the others' cards."""
        assert self.before.seat == ME
        others = {seat: card for seat, card in self.played.items() if seat != ME}
        hand = [self.card(face) for face in self.before.known.values()]
        return {c.face for c in hand if wins(self.target, {**others, ME: c}) == ME}

    # Columns.

    def totals(self, faces: list[Face]) -> list[tuple[int, ...]]:
        """The columns of these cards, in every way to cancel what is rotten."""
        columns = [[c for c in map(self.card, faces) if c.fruit == fruit] for fruit in FRUITS]
        ways = []
        for column in columns:
            total = sum(card.worth for card in column)
            victims = {card.worth for card in column if card.worth}
            rotten = any(card.worth == 0 for card in column)
            ways.append({total - worth for worth in victims} if rotten and victims else {total})
        return list(product(*ways))

    def mine(self, view: View[Orchard]) -> list[Face]:
        return [*view.state.won[ME], *view.known.values()]


def points(totals: tuple[int, ...]) -> int:
    full = sorted(total for total in totals if total)
    return full[-1] * full[0] if full else 0


def wins(target: Card, played: Mapping[int, Card]) -> int | None:
    """By the rulebook, one card after the other, the closest first."""
    for follows in (True, False):
        group = {s: c for s, c in played.items() if (c.fruit == target.fruit) == follows}
        aways = {s: abs(c.number - target.number) for s, c in group.items()}
        alone = {s: a for s, a in aways.items() if list(aways.values()).count(a) == 1}
        if alone:
            return min(alone, key=lambda seat: alone[seat])
    return None


def _outshone(at: Scene) -> bool:
    assert at.winner is not None
    best = at.played[at.winner]
    closer = [
        card
        for card in at.played.values()
        if card.fruit != at.target.fruit and at.away(card) < at.away(best)
    ]
    return best.fruit == at.target.fruit and any(
        at.names(card.face) and at.says(at.away(card)) for card in closer
    )


def _tied(at: Scene) -> bool:
    named = [card for seat, card in at.played.items() if seat in at.void and at.names(card.face)]
    distances = {at.away(card) for card in named}
    return len(named) > 1 and len(distances) == 1 and at.says(*distances)


def _victims(at: Scene) -> bool:
    worths = {points(totals) for totals in at.totals(list(at.view.state.won[ME]))}
    return len(worths) > 1 and len(at.view.moves()) > 1


def _rotten(at: Scene) -> list[Card]:
    return [card for card in map(at.card, at.view.state.won[ME]) if card.worth == 0]


def _settled(at: Scene) -> bool:
    """A rotten card with company, and the points do not depend on which goes."""
    faces = list(at.view.state.won[ME])
    cards = [at.card(face) for face in faces]
    company = [
        fruit
        for fruit in (card.fruit for card in _rotten(at))
        if any(card.fruit == fruit and card.worth for card in cards)
    ]
    return len({points(totals) for totals in at.totals(faces)}) == 1 and any(
        at.says(at.narrator.fruit(fruit)) for fruit in company
    )


def _alone(at: Scene) -> bool:
    cards = [at.card(face) for face in at.view.state.won[ME]]
    return any(
        at.says(at.narrator.fruit(rotten.fruit))
        for rotten in _rotten(at)
        if sum(card.fruit == rotten.fruit for card in cards) == 1
    )


def _column_with_rotten(at: Scene) -> bool:
    cards = [at.card(face) for face in at.view.state.won[ME]]
    return any(
        at.says(
            at.narrator.fruit(rotten.fruit),
            sum(card.worth for card in cards if card.fruit == rotten.fruit),
        )
        for rotten in _rotten(at)
    )


def _as_it_is(at: Scene) -> bool:
    best = max(points(totals) for totals in at.totals(at.mine(at.view)))
    return at.text.rstrip(".").endswith(f" {best}")


def _columns(at: Scene) -> bool:
    ways = at.totals(at.mine(at.view))
    best = max(map(points, ways))
    listed = [
        ", ".join(
            f"{at.narrator.fruit(fruit)} {total}"
            for fruit, total in zip(FRUITS, totals, strict=True)
        )
        for totals in ways
        if points(totals) == best
    ]
    return any(at.says(one) for one in listed) and at.says(f"= {best}" if best else "0")


def _empty(at: Scene) -> bool:
    held = {at.card(face).fruit for face in at.mine(at.view) if at.card(face).worth}
    lone = {
        fruit
        for totals in at.totals(at.mine(at.view))
        for fruit, t in zip(FRUITS, totals, strict=True)
        if not t
    }
    return any(at.says(at.narrator.fruit(fruit)) for fruit in {*FRUITS} - held | lone)


def _scored(at: Scene) -> tuple[int, tuple[int, ...]]:
    [event] = [event for event in at.events("scores") if event.seat == ME]
    score, *totals = [int(str(figure)) for figure in event.data]
    return score, tuple(totals)


def _one_more(at: Scene) -> bool:
    score, totals = _scored(at)
    return any(
        at.says(at.narrator.fruit(FRUITS[n]), more) and more > score
        for n, total in enumerate(totals)
        if total and (more := points((*totals[:n], total + 1, *totals[n + 1 :])))
    )


def _drawn(at: Scene) -> set[Face]:
    return {*at.view.known.values()} - {*at.before.known.values()}


def _asked_target(at: Scene) -> Card:
    return at.card(at.view.state.target)


def _try(at: Scene) -> bool:
    held = [at.card(face) for face in at.view.known.values()]
    target = _asked_target(at)
    return any(
        at.names(card.face) and (at.says(abs(card.number - target.number)) or card.worth == 0)
        for card in held
    )


def _laid(at: Scene) -> tuple[Face, ...]:
    [event] = [event for event in at.events("lays") if event.seat == ME]
    return tuple(str(face) for face in event.data)


def _hands(at: Scene) -> bool:
    return at.says(
        len(at.view.hand),
        *(
            f"{at.narrator.name(seat)} {len(at.view.state.hands[seat])}"
            for seat in at.view.state.seated
            if seat != ME
        ),
    )


CLAIMS: Claims[Scene] = {
    # Rules, and what to do.
    "welcome": rule,
    "cards": rule,
    "aim": rule,
    "rule": rule,
    "free": lambda at: at.step.suggested is None,
    "last_draw": lambda at: at.view.state.winner != ME,
    "rounds": rule,
    # Before a turn.
    "river": lambda at: at.names(at.view.state.river[-1]),
    "none_of_it": lambda at: all(
        at.card(face).fruit != _asked_target(at).fruit for face in at.view.known.values()
    ),
    "hold_rotten": lambda at: any(
        at.card(face).worth == 0 and at.names(face) for face in at.view.known.values()
    ),
    "hands": _hands,
    "columns": _columns,
    "empty": _empty,
    "try": _try,
    # After a turn.
    "outshone": _outshone,
    "tied": _tied,
    "takes": lambda at: at.winner == ME and at.says(len(at.played) + 1),
    "takes_void": lambda at: at.winner == ME and bool(at.void),
    "rotten_mine": lambda at: (
        at.winner == ME and any(card.worth == 0 and at.names(card.face) for card in at.taken)
    ),
    "rotten_gone": lambda at: (
        at.winner not in (None, ME)
        and at.played[ME].worth == 0
        and at.names(at.played[ME].face)
        and at.says(at.narrator.name(at.winner or 0))
    ),
    "better": lambda at: at.winner != ME and bool(at.winning()) and at.names(*at.winning()),
    "none_better": lambda at: at.winner != ME and not at.winning(),
    "draws": lambda at: at.winner != ME and len(_drawn(at)) == 1 and at.names(*_drawn(at)),
    "no_draw": lambda at: (
        at.winner == ME
        and not _drawn(at)
        and sorted(e.seat or 0 for e in at.events("draws")) == [1, 2, 3]
    ),
    "left": lambda at: at.winner == ME and not _drawn(at) and at.says(len(at.view.hand)),
    "no_last_draw": lambda at: at.winner == ME and at.view.state.turn == 7,
    # The end.
    "as_it_is": _as_it_is,
    "last_card": lambda at: (
        any(event.seat == ME for event in at.events("draws")) and at.names(_laid(at)[-1])
    ),
    "laid": lambda at: bool(_laid(at)) and at.names(*_laid(at)),
    "no_rotten": lambda at: not _rotten(at),
    "rotten_settled": _settled,
    "rotten_alone": _alone,
    "choose_victim": _column_with_rotten,
    "one_victim": _column_with_rotten,
    "victims": _victims,
    "score": lambda at: (
        at.text.rstrip(".").endswith(f" {_scored(at)[0]}")
        and _scored(at)[0] == points(_scored(at)[1])
    ),
    "one_more": _one_more,
}

SCENE = Scene
