"""Frutopia in words."""

from collections.abc import Sequence

from engine.errors import IllegalMove
from engine.frutopia.catalogue import MILKSHAKE_FRUITS, MILKSHAKE_POINTS, MIXED
from engine.frutopia.island import CELL, distance
from engine.frutopia.rules import Frutopia
from engine.frutopia.state import ADVANCE, MAKE, PLACE, SLIDE, TRADE, Islands
from engine.moves import Event, Move
from engine.needs import Done, Seat
from engine.record import State
from engine.views import View
from p2pfruit.games.frutopia import words
from p2pfruit.games.narrator import Narrator
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.text import places


class FrutopiaNarrator(Narrator):
    game: Frutopia

    # What happened.

    def _tell_other(self, event: Event, events: Sequence[Event]) -> list[str]:
        return []

    def _tell_bag(self, event: Event, events: Sequence[Event]) -> list[str]:
        bag = words.bag(str(event.data[0]))
        return [_("{name}: {bag} for the buoys").format(name=self._who(event), bag=bag)]

    def _tell_market(self, event: Event, events: Sequence[Event]) -> list[str]:
        row, *names = event.data
        cost = self.game.catalogue.rows[int(str(row)) - 1]
        told = ", ".join(words.business(self.game, str(name)) for name in names)
        paid = words.basket(cost.cost)
        return [f"{paid} -> {words.points(cost.points)}: {told}"]

    def _tell_track(self, event: Event, events: Sequence[Event]) -> list[str]:
        told = _("{count} steps of the permit marker to the cross").format(count=event.data[0])
        return [told, *(self._factory_map() if self.game.with_factory else [])]

    def _factory_map(self) -> list[str]:
        """Return each place of the factory, and where it leads."""
        lines = [_("juice factory:")]
        factory = self.game.catalogue.factory
        for name, place in factory.places.items():
            ways = [
                _("{place} for {fruits}").format(
                    place=words.place(arrow.target), fruits=words.basket(arrow.cost)
                )
                for arrow in factory.arrows[name]
            ]
            lines.append(
                "  " + " -> ".join([words.brings(place), *(["; ".join(ways)] if ways else [])])
            )
        return lines

    def _tell_round(self, event: Event, events: Sequence[Event]) -> list[str]:
        return ["", "=== " + _("round {round}").format(round=event.data[0]) + " ==="]

    def _tell_stuck(self, event: Event, events: Sequence[Event]) -> list[str]:
        return [self._said(event, _("no token can slide"))]

    def _tell_slides(self, event: Event, events: Sequence[Event]) -> list[str]:
        name, start, target, _far = map(str, event.data)
        token = words.token(self.game, name)
        told = _("{token} from {start} to {target}")
        return [self._said(event, told.format(token=token, start=start, target=target))]

    def _tell_harvests(self, event: Event, events: Sequence[Event]) -> list[str]:
        fruit, count = event.data
        return [self._said(event, "+" + words.counted(str(fruit), int(str(count))))]

    def _tell_ices(self, event: Event, events: Sequence[Event]) -> list[str]:
        pile, points = event.data
        colour = words.colour(str(pile).partition("-")[0])
        mine = _("you make {colour} ice: {points}")
        theirs = _("{name} makes {colour} ice: {points}")
        return [self._did(event, mine, theirs, colour=colour, points=self._points(points))]

    def _tell_shakes(self, event: Event, events: Sequence[Event]) -> list[str]:
        fruit, points = event.data
        mine = _("you make a milkshake of {fruits}: {points}")
        theirs = _("{name} makes a milkshake of {fruits}: {points}")
        fruits = words.counted(str(fruit), MILKSHAKE_FRUITS)
        return [self._did(event, mine, theirs, fruits=fruits, points=self._points(points))]

    def _tell_delivers(self, event: Event, events: Sequence[Event]) -> list[str]:
        cell, name, points = event.data
        fruits = words.basket(self.game.catalogue.ships[str(name)].order)
        mine = _("you deliver the ship at {cell}, {fruits}: {points}")
        theirs = _("{name} delivers the ship at {cell}, {fruits}: {points}")
        points = self._points(points)
        return [self._did(event, mine, theirs, cell=cell, fruits=fruits, points=points)]

    def _tell_takes(self, event: Event, events: Sequence[Event]) -> list[str]:
        name, row, points = event.data
        fruits = words.basket(self.game.catalogue.rows[int(str(row)) - 1].cost)
        mine = _("you take {token} for {fruits}: {points}")
        theirs = _("{name} takes {token} for {fruits}: {points}")
        token, points = words.token(self.game, str(name)), self._points(points)
        return [self._did(event, mine, theirs, token=token, fruits=fruits, points=points)]

    def _tell_places(self, event: Event, events: Sequence[Event]) -> list[str]:
        name, points, *cells = event.data
        mine, theirs = _("you place {token} on {cells}"), _("{name} places {token} on {cells}")
        token, told = words.token(self.game, str(name)), " ".join(map(str, cells))
        return [self._worth(self._did(event, mine, theirs, token=token, cells=told), points)]

    def _tell_advances(self, event: Event, events: Sequence[Event]) -> list[str]:
        start, target, discs, points = event.data
        told = (
            _("both discs from {start} to {target}")
            if discs == 2
            else _("a disc from {start} to {target}")
        )
        start, target = [words.circle(self.game, str(name)) for name in (start, target)]
        told = told.format(start=start, target=target)
        return [self._said(event, self._worth(told, points))]

    def _tell_permit(self, event: Event, events: Sequence[Event]) -> list[str]:
        left = int(str(event.data[0]))
        told = plural(
            "the permit marker is {count} step from the cross",
            "the permit marker is {count} steps from the cross",
            left,
        )
        return ["  " + told]

    def _tell_cross(self, event: Event, events: Sequence[Event]) -> list[str]:
        if self.game.one_more:
            return ["  " + _("the permit marker reaches the cross: the next round is the last")]
        return ["  " + _("the permit marker reaches the cross: this round is the last")]

    def _tell_still(self, event: Event, events: Sequence[Event]) -> list[str]:
        """Announce the end by standstill, a few rounds ahead."""
        quiet, left = [int(str(number)) for number in event.data]
        if left == 1:
            warning = _("the game ends after this round if it does not move")
        else:
            warning = _("the game ends in {count} rounds if it does not move").format(count=left)
        told = _("the permit marker has not moved for {count} rounds: {warning}")
        return [told.format(count=quiet, warning=warning)]

    def _tell_standstill(self, event: Event, events: Sequence[Event]) -> list[str]:
        told = _("the permit marker has not moved for {count} rounds: the game ends")
        return ["", told.format(count=event.data[0])]

    def _tell_shop(self, event: Event, events: Sequence[Event]) -> list[str]:
        shop, points = event.data
        return [self._said(event, self.shop(str(shop), points))]

    def shop(self, name: str, points: object) -> str:
        told = _("{told}: {points}")
        return told.format(told=words.token(self.game, name), points=self._points(points))

    def _tell_scores(self, event: Event, events: Sequence[Event]) -> list[str]:
        shops, total = event.data
        told = _("shops {shops}, in all {total}").format(shops=shops, total=total)
        return [self._said(event, told)]

    def _tell_goes_on(self, event: Event, events: Sequence[Event]) -> list[str]:
        return [_("the game goes on without their turns")]

    def brief(self, event: Event) -> str:
        """Return what a player did, in a few words; nothing where that goes without saying."""
        match event.what, [str(each) for each in event.data]:
            case "slides", [name, start, target, _far]:
                return f"{words.token(self.game, name)} {start}→{target}"
            case "ices", [pile, points]:
                colour = words.colour(pile.partition("-")[0])
                return _("{colour} ice").format(colour=colour) + f" +{points}"
            case "shakes", [_fruit, points]:
                return _("milkshake") + f" +{points}"
            case "delivers", [cell, _name, points]:
                return _("ship {cell}").format(cell=cell) + f" +{points}"
            case "takes", [name, _row, points]:
                token = words.token(self.game, name)
                return _("takes {token}").format(token=token) + f" +{points}"
            case "places", [_name, points, *_cells] if points != "0":
                return _("built") + f" +{points}"
            case "advances", [_start, target, _discs, points]:
                circle = words.circle(self.game, target)
                told = _("factory: {place}").format(place=circle)
                return told + (f" +{points}" if points != "0" else "")
        return ""

    def _said(self, event: Event, told: str) -> str:
        return f"  {self._who(event)}: {told}"

    def _did(self, event: Event, mine: str, theirs: str, **fields: object) -> str:
        """Return a sentence about what a player did: `mine` if that player reads it."""
        told = mine if event.seat == self.me else theirs
        return "  " + told.format(name=self._who(event), **fields)

    def _worth(self, told: str, points: object) -> str:
        """Add the points, if there are any."""
        if not points:
            return told
        return _("{told}: {points}").format(told=told, points=self._points(points))

    def _points(self, points: object) -> str:
        return words.points(int(str(points)))

    # The table.

    def place(self, state: Islands) -> list[str]:
        return [_("round {round}").format(round=state.round), *self._end(state)]

    def _end(self, state: Islands) -> list[str]:
        """Return how far away the end is."""
        if not state.permit:
            more = self.game.one_more and state.stood > 0
            return [_("one more round") if more else _("last round")]
        told = [_("permit marker {count} from the cross").format(count=state.permit)]
        if (left := self.game.rounds_to_standstill(state)) is not None:
            rounds = _("standstill: {count} rounds left").format(count=left)
            told.append(_("standstill: last round") if left == 1 else rounds)
        return told

    def discs(self, state: Islands, seat: Seat) -> str:
        """Return where the discs of a seat stand in the factory."""
        one, two = [words.circle(self.game, disc) for disc in state.discs[seat]]
        told = (
            _("{name}: both discs on {one}") if one == two else _("{name}: discs on {one}, {two}")
        )
        return told.format(name=self.name(seat), one=one, two=two)

    # The question.

    def question(self, view: View[Islands]) -> str:
        state = view.state
        token = words.token(self.game, state.token) if state.token else ""
        if state.need.what == "bag":
            return _("which bag fills the six buoys of your island first?")
        if state.need.what in ("pick", "gain"):
            asked = _("which fruit do you take?")
            if state.amount > 1:
                asked = _("which {count} fruits do you take?").format(count=state.amount)
            return f"{token}: {asked}"
        return {
            SLIDE: _("which token do you slide, and where?"),
            MAKE: _("{token}: what do you make? ({count} left)").format(
                token=token, count=state.amount
            ),
            TRADE: _("a ship, a business, or neither?"),
            PLACE: _("{token}: where does it go?").format(token=token),
            ADVANCE: _("factory: which disc do you advance?"),
        }[state.need.what]

    def choices(self, view: View[Islands]) -> list[tuple[str, Move]]:
        moves = view.moves()
        if view.state.need.what == TRADE:
            moves.sort(key=lambda move: ("ship", "take", "pass").index(move.verb))
        if view.state.need.what == MAKE:
            moves.sort(key=lambda move: ("ice", "shake", "stop").index(move.verb))
        return [(self.label(view, move), move) for move in moves]

    def label(self, view: View[Islands], move: Move) -> str:
        state = view.state
        assert view.seat is not None
        match move.verb, move.words:
            case "bag", [bag]:
                return words.bag(bag)
            case "slide", [name, cell]:
                far = distance(state.islands[view.seat].index(name), CELL[cell])
                return f"{words.token(self.game, name)} {cell} ({self._yield(name, far)})"
            case "pick", picked:
                pairs = [word.split("-") for word in picked]
                return ", ".join(words.counted(name, int(count)) for name, count in pairs)
            case "ice", [pile]:
                colour, points = pile.split("-")
                return _("{colour} ice: {points}").format(
                    colour=words.colour(colour), points=words.points(int(points))
                )
            case "shake", [name]:
                return _("milkshake of {fruits}: {points}").format(
                    fruits=words.counted(name, MILKSHAKE_FRUITS),
                    points=words.points(MILKSHAKE_POINTS),
                )
            case "ship", [cell]:
                return f"{cell} {words.ship(self.game, state.islands[view.seat][CELL[cell]])}"
            case "take", [name]:
                return self._offer(state, name)
            case "place", cells:
                return " ".join(cells)
            case "advance", [start, target, *both]:
                return self._arrow(view, start, target, bool(both))
        return {"pass": _("neither"), "stop": _("enough"), "stay": _("no disc")}[move.verb]

    def _yield(self, name: str, far: int) -> str:
        business = self.game.business(name)
        if business is None:
            return f"+{far}"
        if business.kind == MIXED:
            return f"+{far + 1}"
        return _("makes up to {count}").format(count=far)

    def _offer(self, state: Islands, name: str) -> str:
        [row] = [
            row
            for row, names in zip(self.game.catalogue.rows, state.market, strict=True)
            if name in names
        ]
        return _("{token} for {fruits}: {points}").format(
            token=words.business(self.game, name),
            fruits=words.basket(row.cost),
            points=words.points(row.points),
        )

    def marked(self, view: View[Islands], circle: str) -> int:
        """Return what a disc gains on a circle: nothing if my other disc stands there (R17)."""
        assert view.seat is not None
        joins = circle in view.state.discs[view.seat]
        return 0 if joins else self.game.catalogue.factory.points[circle]

    def _arrow(self, view: View[Islands], start: str, target: str, both: bool) -> str:
        factory = self.game.catalogue.factory
        place = factory.place_of[target]
        [cost] = [
            arrow.cost
            for arrow in factory.arrows[factory.place_of[start].name]
            if arrow.target == place.name
        ]
        told = (
            _("both from {start} to {target} for {fruits}")
            if both
            else _("{start} to {target} for {fruits}")
        ).format(
            start=words.circle(self.game, start),
            target=words.circle(self.game, target),
            fruits=words.basket(cost),
        )
        return self._worth(told, self.marked(view, target))

    def read(self, view: View[Islands], typed: str) -> Move:
        """Read the words of a move alone, too, and a label by its beginning."""
        said = " ".join(typed.replace(",", " ").lower().split())
        choices = self.choices(view)
        for _label, move in choices:
            if said and said == " ".join(move.words):
                return move
        begun = [move for label, move in choices if said and label.lower().startswith(said)]
        if len(begun) == 1 and not said.isdigit():
            return begun[0]
        return super().read(view, typed)

    def breach(self, error: IllegalMove) -> str:
        rules = {
            "token": _("that is no token of yours that slides (rule: token)"),
            "cell": _("cells are called a1 to e5 (rule: cell)"),
            "straight": _("tokens slide in a straight line (rule: straight)"),
            "free": _("tokens slide over free cells only (rule: free)"),
            "colour": _("a cart makes ice of its own colour (rule: colour)"),
            "pile": _("no such marker is left (rule: pile)"),
            "fruit": _("that is no fruit (rule: fruit)"),
            "ship": _("no ship lies there (rule: ship)"),
            "market": _("that business is not on offer (rule: market)"),
            "stock": _("your stock has not the fruits that it costs (rule: stock)"),
            "room": _("your island has no room for it (rule: room)"),
            "place": _("a business lies on free cells, in its shape (rule: place)"),
            "advance": _("discs follow arrows that you can pay (rule: advance)"),
        }
        return rules.get(error.rule, str(error))

    def tie_break(self, state: State, winner: Seat, rival: Seat) -> str:
        return _("whoever has the later turn is ahead")

    def ranking(self, state: State) -> list[str]:
        """Return the final places, and what the shops brought."""
        need = state.need
        assert isinstance(need, Done)
        plain = super().ranking(state)
        lines = [plain[0]]
        finished = len(state.scores) > state.round
        for seat in places.ranked(need.places):
            name = self._padded(self.name(seat))
            told = f"  {places.mark(need.places, seat):2} {name} {state.total(seat):4}"
            if finished:
                told += "   " + _("shops {shops}").format(shops=state.scores[-1][seat])
            lines.append(told)
        totals = [state.total(seat) for seat in state.seated]
        if len(set(totals)) < len(totals):
            lines.append(_("equal points: the player later in the round is ahead"))
        return lines


NARRATOR = FrutopiaNarrator
