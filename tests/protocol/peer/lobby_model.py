"""A small lobby in every order of events.

Messages cross, links break, the host changes its offer or crashes, players agree or do not.

Each link carries messages in order in both directions. Either end may close it at any moment; what
the other end has sent is then lost, and the other end learns of it later. A player who is asked
about a changed offer may answer at any moment, or never. A player who has begun tells others.

    RULE       what docs/protocol.md says in section 18
    every      all states that can come about
    check      raises Flaw if something is wrong in one of them

The other rules look as good, and each of them is wrong.
"""

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

HOST = -1

Conditions = tuple[str, int]  # what is played, and the number of seats
Offer = tuple[Conditions, int]  # with the number of the change
Nonce = tuple[int, int]  # whose, and which
Word = tuple[Any, ...]  # a message, with its kind first


class Rule(NamedTuple):
    """What the host and its guests do; each part of it is needed."""

    name: str
    join_names_offer: bool = True  # a guest agrees to the offer that it saw, and no other
    change_voids: bool = True  # a roster that was proposed
    leaving_voids: bool = True
    nonces_again: bool = True  # after a roster is void, all guests make new ones
    fresh_nonce: bool = True  # with every join
    host_fresh_nonce: bool = True  # with every roster
    player_is_asked: bool = True  # about an offer that has changed
    lobby_voids: bool = True  # for a guest who has accepted
    numbered: bool = True  # an offer that is changed back is another one
    lobby_first: bool = True  # over a new link a guest hears the offer before it agrees
    leavers_are_known: bool = True  # a roster has only guests who are still there


RULE = Rule("the rule")


class Roster(NamedTuple):
    conditions: Conditions
    nonces: tuple[Nonce, ...]  # of the host, and of each guest who plays


class Sitting(NamedTuple):
    """A guest, as the host sees it."""

    sits: bool = False
    agreed: Nonce | None = None
    accepted: bool = False


class Host(NamedTuple):
    offer: Offer
    nonce: Nonce
    guests: tuple[Sitting, ...]
    roster: Roster | None = None
    begun: bool = False


class Guest(NamedTuple):
    offer: Offer | None = None
    agreed: tuple[Conditions, ...] = ()  # all that the player has agreed to, the last one last
    me: Nonce | None = None
    told: bool = False  # what is offered, over this link
    nonces: int = 0
    roster: Roster | None = None
    accepted: tuple[Roster, ...] = ()
    begun: bool = False
    gone: bool = False  # there was no seat


class Wire(NamedTuple):
    """A link: which of its ends are open, and what is on its way."""

    at_host: bool = False
    at_guest: bool = False
    down: tuple[Word, ...] = ()
    up: tuple[Word, ...] = ()


class State(NamedTuple):
    host: Host
    guests: tuple[Guest, ...]
    wires: tuple[Wire, ...]
    proposed: frozenset[Roster]
    changes: int  # that may still happen
    faults: int
    crashes: int


class Flaw(Exception):
    """The rule has failed."""


class World(NamedTuple):
    guests: int
    offers: tuple[Conditions, ...]  # the first, and those that the host may change to
    changes: int = 0
    faults: int = 0
    crashes: int = 0
    rule: Rule = RULE

    def __str__(self) -> str:
        budget = f"{self.changes} changes, {self.faults} faults, {self.crashes} crashes"
        return f"{self.guests} guests, {budget}: {self.rule.name}"

    def start(self) -> State:
        host = Host((self.offers[0], 0), (HOST, 0), (Sitting(),) * self.guests)
        wires = (Wire(),) * self.guests
        guests = (Guest(),) * self.guests
        return State(host, guests, wires, frozenset(), self.changes, self.faults, self.crashes)

    def every(self) -> Iterator[State]:
        first = self.start()
        known, waiting = {first}, deque([first])
        while waiting:
            state = waiting.popleft()
            going = list(self.going_on(state))
            if not going:
                _check_end(state)
            yield state
            for after in (*going, *self.trouble(state)):
                if after not in known:
                    known.add(after)
                    waiting.append(after)

    # What happens without anybody's fault.

    def going_on(self, state: State) -> Iterator[State]:
        for at, (guest, wire) in enumerate(zip(state.guests, state.wires, strict=True)):
            if wire.up and wire.at_host:
                rest = _wire(state, at, wire._replace(up=wire.up[1:]))
                yield self._host_hears(rest, at, wire.up[0])
            if wire.down and wire.at_guest:
                rest = _wire(state, at, wire._replace(down=wire.down[1:]))
                yield self._guest_hears(rest, at, wire.down[0])
            if not (wire.at_host or wire.at_guest or guest.gone or guest.begun):
                yield self._opened(state, at)
            elif wire.at_host != wire.at_guest and not (wire.up or wire.down):
                yield self._closed(state, at, at_host=wire.at_host)
            if self._is_asked(guest) and wire.at_guest:
                yield self._agree(state, at, guest)
            if guest.roster and not guest.begun and _begun_elsewhere(state, guest.roster):
                yield _guest(state, at, guest._replace(begun=True))

    # What may happen besides.

    def trouble(self, state: State) -> Iterator[State]:
        host = state.host
        if state.changes and not host.begun:
            for conditions in self.offers:
                if conditions != host.offer[0] and conditions[1] >= _here(host):
                    yield self._change(state._replace(changes=state.changes - 1), conditions)
        if state.crashes and not host.begun:
            yield self._crash(state._replace(crashes=state.crashes - 1))
        if state.faults:
            less = state._replace(faults=state.faults - 1)
            for at, wire in enumerate(state.wires):
                if wire.at_host and wire.at_guest:
                    yield self._closed(less, at, at_host=True)
                    yield self._closed(less, at, at_host=False)

    # The links.

    def _opened(self, state: State, at: int) -> State:
        guest, host = state.guests[at], state.host
        guest = guest._replace(told=False, me=guest.me if guest.roster else None)
        word = ("begin", host.roster) if host.begun else ("lobby", host.offer)
        wire = Wire(at_host=True, at_guest=True, down=(word,))
        return _wire(_guest(state, at, guest), at, wire)

    def _closed(self, state: State, at: int, *, at_host: bool) -> State:
        wire = state.wires[at]
        if not at_host:
            return _wire(state, at, wire._replace(at_guest=False, down=()))
        state = _wire(state, at, wire._replace(at_host=False, up=()))
        host = state.host
        sat = host.guests[at].sits
        if not host.begun:
            freed = Sitting() if self.rule.leavers_are_known else host.guests[at]
            state = _sitting(state, at, freed)
            if sat and host.roster is not None and self.rule.leaving_voids:
                return self._void(state)
            if sat and host.roster is None:
                return _tell(state)
        return state

    # The host.

    def _change(self, state: State, conditions: Conditions) -> State:
        host = state.host
        number = host.offer[1] + 1 if self.rule.numbered else 0
        state = state._replace(host=host._replace(offer=(conditions, number)))
        if host.roster is not None and not self.rule.change_voids:
            return _tell(state)
        return self._void(state)

    def _void(self, state: State) -> State:
        host = state.host
        if host.roster is not None:
            fresh = (HOST, host.nonce[1] + self.rule.host_fresh_nonce)
            host = host._replace(roster=None, nonce=fresh)
            keep = not self.rule.nonces_again
        else:
            keep = False
        guests = [
            one._replace(agreed=one.agreed if keep else None, accepted=False) for one in host.guests
        ]
        return _tell(state._replace(host=host._replace(guests=tuple(guests))))

    def _crash(self, state: State) -> State:
        """The host comes back with the same table, and remembers nothing of the lobby."""
        nonce = (HOST, state.host.nonce[1] + 1)
        host = Host((self.offers[0], 0), nonce, (Sitting(),) * self.guests)
        wires = tuple([wire._replace(at_host=False, up=()) for wire in state.wires])
        return state._replace(host=host, wires=wires)

    def _host_hears(self, state: State, at: int, word: Word) -> State:
        host, sitting = state.host, state.host.guests[at]
        if word[0] == "join":
            return self._joins(state, at, word)
        if host.begun or host.roster is None or not sitting.agreed or sitting.accepted:
            return state
        if word[1:] != (host.offer, host.roster):
            return state
        state = _sitting(state, at, sitting._replace(accepted=True))
        return _begin_if_all(state)

    def _joins(self, state: State, at: int, word: Word) -> State:
        _kind, offer, nonce = word
        host, sitting = state.host, state.host.guests[at]
        agrees = offer == host.offer or not self.rule.join_names_offer
        if host.begun:
            return state
        if sitting.agreed and agrees:
            raise Flaw("an honest guest was refused", state)
        if not sitting.sits and _here(host) >= host.offer[0][1]:
            return _say(state, at, ("bye",))
        if sitting.sits and not agrees:
            return state
        state = _tell(_sitting(state, at, Sitting(sits=True, agreed=nonce if agrees else None)))
        host = state.host
        seated = [one for one in host.guests if one.sits]
        if len(seated) + 1 < host.offer[0][1] or not all(one.agreed for one in seated):
            return state
        roster = Roster(host.offer[0], (host.nonce, *[one.agreed for one in seated if one.agreed]))
        if any(host.nonce in other.nonces for other in state.proposed if other != roster):
            raise Flaw("the host's nonce stands in two rosters", state)
        state = state._replace(
            host=host._replace(roster=roster), proposed=state.proposed | {roster}
        )
        return _to_seated(state, ("roster", roster))

    # The guests.

    def _is_asked(self, guest: Guest) -> bool:
        if not guest.agreed or guest.offer is None or guest.begun or guest.gone:
            return False
        return guest.offer[0] != guest.agreed[-1] and guest.me is None

    def _agree(self, state: State, at: int, guest: Guest) -> State:
        assert guest.offer is not None
        guest = guest._replace(agreed=(*guest.agreed, guest.offer[0]))
        if guest.told or not self.rule.lobby_first:
            return self._join(state, at, guest)
        return _guest(state, at, guest)

    def _join(self, state: State, at: int, guest: Guest) -> State:
        assert guest.offer is not None
        nonces = guest.nonces + (self.rule.fresh_nonce or not guest.nonces)
        nonce = (at, nonces)
        agreed = guest.agreed or (guest.offer[0],)
        guest = guest._replace(me=nonce, nonces=nonces, agreed=agreed)
        return _say_up(_guest(state, at, guest), at, ("join", guest.offer, nonce))

    def _guest_hears(self, state: State, at: int, word: Word) -> State:
        guest = state.guests[at]
        kind = word[0]
        if kind == "bye":
            wire = state.wires[at]._replace(at_guest=False, down=())
            return _wire(_guest(state, at, guest._replace(gone=True)), at, wire)
        if kind == "begin":
            begun = guest.roster is not None and guest.roster == word[1]
            return _guest(state, at, guest._replace(begun=guest.begun or begun))
        if guest.begun:
            return state
        return self._lobby(state, at, word[1]) if kind == "lobby" else _roster(state, at, word[1])

    def _lobby(self, state: State, at: int, offer: Offer) -> State:
        guest = state.guests[at]
        if guest.roster is not None and not self.rule.lobby_voids:
            return state
        if offer != guest.offer or guest.roster is not None:
            guest = guest._replace(roster=None, me=None)
        guest = guest._replace(offer=offer, told=True)
        if guest.me is None and not (self.rule.player_is_asked and self._is_asked(guest)):
            return self._join(state, at, guest)
        return _guest(state, at, guest)


def check(world: World) -> dict[str, int]:
    """Look at every state; return how many there are, and in how many the table has begun."""
    met = {"states": 0, "begun": 0, "asked": 0, "full": 0}
    for state in world.every():
        met["states"] += 1
        met["begun"] += state.host.begun
        met["asked"] += any(world._is_asked(guest) for guest in state.guests)
        met["full"] += any(guest.gone for guest in state.guests)
        _check_beginning(state)
    return met


def _check_beginning(state: State) -> None:
    host = state.host
    if host.begun:
        assert host.roster is not None
        for at, _number in host.roster.nonces[1:]:
            if host.roster not in state.guests[at].accepted:
                raise Flaw("begun without a guest who has accepted", state)
    for guest in state.guests:
        if guest.begun and not (host.begun and guest.roster == host.roster):
            raise Flaw("a guest has begun another table than the host", state)
        if guest.begun and guest.roster and guest.roster.conditions not in guest.agreed:
            raise Flaw("a player has begun what it had not agreed to", state)


def _check_end(state: State) -> None:
    """Nothing more happens by itself: then all have begun, or somebody is missing."""
    host = state.host
    if host.begun:
        assert host.roster is not None
        playing = [state.guests[at] for at, _number in host.roster.nonces[1:]]
        if not all(guest.begun for guest in playing):
            raise Flaw("some have begun, and others never will", state)
    elif _here(host) == host.offer[0][1]:
        raise Flaw("all are here, and nothing begins", state)
    elif any(not one.sits for one, g in zip(host.guests, state.guests, strict=True) if not g.gone):
        raise Flaw("there is a free seat, and a guest who does not sit", state)


def _roster(state: State, at: int, roster: Roster) -> State:
    """A guest is shown a roster."""
    guest = state.guests[at]
    if guest.roster is not None or guest.me is None or guest.me not in roster.nonces:
        raise Flaw("an honest host was refused", state)
    if guest.offer is None or roster.conditions != guest.offer[0]:
        raise Flaw("an honest host was refused", state)
    if any(guest.me in other.nonces for other in guest.accepted):
        raise Flaw("a nonce stands in two rosters that its player accepted", state)
    guest = guest._replace(roster=roster, accepted=(*guest.accepted, roster))
    return _say_up(_guest(state, at, guest), at, ("accept", guest.offer, roster))


def _begin_if_all(state: State) -> State:
    host = state.host
    if not all(one.accepted for one in host.guests if one.sits):
        return state
    begun = state._replace(host=host._replace(begun=True))
    return _to_seated(begun, ("begin", host.roster))


def _begun_elsewhere(state: State, roster: Roster) -> bool:
    there = [state.host.roster] if state.host.begun else []
    there += [guest.roster for guest in state.guests if guest.begun]
    return roster in there


def _here(host: Host) -> int:
    return 1 + sum(one.sits for one in host.guests)


# What is sent.


def _tell(state: State) -> State:
    for at in range(len(state.guests)):
        state = _say(state, at, ("lobby", state.host.offer))
    return state


def _to_seated(state: State, word: Word) -> State:
    for at, one in enumerate(state.host.guests):
        if one.sits:
            state = _say(state, at, word)
    return state


def _say(state: State, at: int, word: Word) -> State:
    wire = state.wires[at]
    if not (wire.at_host and wire.at_guest):
        return state
    return _wire(state, at, wire._replace(down=(*wire.down, word)))


def _say_up(state: State, at: int, word: Word) -> State:
    wire = state.wires[at]
    if not (wire.at_host and wire.at_guest):
        return state
    return _wire(state, at, wire._replace(up=(*wire.up, word)))


# One part of a state replaced.


def _wire(state: State, at: int, wire: Wire) -> State:
    return state._replace(wires=_put(state.wires, at, wire))


def _guest(state: State, at: int, guest: Guest) -> State:
    return state._replace(guests=_put(state.guests, at, guest))


def _sitting(state: State, at: int, sitting: Sitting) -> State:
    guests = _put(state.host.guests, at, sitting)
    return state._replace(host=state.host._replace(guests=guests))


def _put(values: tuple, place: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*values[:place], value, *values[place + 1 :])
