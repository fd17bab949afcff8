"""What is said at the step of forked_step_model.py, and how ballots are counted there."""

from collections.abc import Mapping
from typing import NamedTuple

ANSWER, VOTE, FORK, LEAVE, ON = "answer", "vote", "fork", "leave", "on"

NONE = -1  # the vote that names no player


class Place(NamedTuple):
    """So many entries of a branch of a feed."""

    length: int = 0
    branch: int = 0

    def leads_to(self, other: "Place") -> bool:
        return self.length == 0 or (self.branch == other.branch and self.length <= other.length)


Outcome = tuple[tuple[bool, Place] | tuple[()], ...]  # of players who owed: if, where they answered


class Said(NamedTuple):
    kind: str
    seen: tuple[Place, ...]  # of each feed, how far its author acted on it
    ballot: int = 0
    about: int = NONE  # the player whom a vote names, or whose fork is answered
    outcome: Outcome = ()  # entries of the next step tell how the step was closed


Branch = tuple[Said, ...]
Feeds = tuple[tuple[Branch, ...], ...]  # of each player, the branches of its feed


class Rules(NamedTuple):
    """Wrong rules that a world may follow. None of them is right."""

    # A late word about a fork makes a forker, like any other.
    late_words_turn: bool = False
    # Answers to forks count when they are read.
    answers_must_be_read: bool = False
    # A forker has said nothing in a ballot before all have answered its fork.
    forkers_speak_when_all_have_answered: bool = False
    # A forker who left on the branch that is read has left, and all else does not matter.
    who_left_has_not_forked: bool = False
    # Of a player whom the reader has named, no leave counts.
    named_players_never_leave: bool = False
    # Unread acts of a player whom the reader has named tell which branch is read.
    unread_acts_lead: bool = False
    # A vote lapses if by what was read no forker owes any more.
    lapse_by_what_was_read: bool = False
    # The entries up to a cut show that the feed ends there.
    a_cut_shows_an_end: bool = False
    # A player who knows of a fork may say other things first.
    forks_can_wait: bool = False


TRUE = Rules()


class World(NamedTuple):
    """Who sits there, what they may do, and by which rules."""

    players: int
    owing: tuple[int, ...]
    scripts: tuple[tuple[int, tuple[Branch, ...]], ...]  # of liars
    ballots: int = 1
    silent: frozenset[int] = frozenset()  # honest players who do not answer
    leaving: frozenset[int] = frozenset()
    keeping: frozenset[int] = frozenset()  # those who may vote to keep every player
    begun: tuple[tuple[int, tuple[Branch, ...]], ...] = ()  # what honest players have said before
    rules: Rules = TRUE

    @property
    def honest(self) -> list[int]:
        liars = dict(self.scripts)
        return [p for p in range(self.players) if p not in liars]

    @property
    def forkers(self) -> list[int]:
        return [liar for liar, branches in self.scripts if len(branches) > 1]

    def start(self) -> Feeds:
        said = dict(self.begun) | dict(self.scripts)
        return tuple([said.get(p, ((),)) for p in range(self.players)])

    @property
    def alike(self) -> list[int]:
        """Return players whose names can be exchanged."""
        if self.begun:
            return []
        return [p for p in self.honest if p not in (*self.owing, *self.silent, *self.leaving)]


class Vote(NamedTuple):
    named: int
    seen: tuple[Place, ...]


class Forker(NamedTuple):
    answers: Mapping[int, Place]
    late: frozenset[int]
    chain: Branch  # as far as any player acted on it


class Ballot(NamedTuple):
    """What a reader knows of a ballot."""

    players: range
    number: int
    votes: Mapping[int, Vote]
    gone: Mapping[int, tuple[Place, ...]]  # players whose feeds ended: how far they had acted
    forkers: Mapping[int, Forker]


class Dropped(NamedTuple):
    player: int
    cut: int
    ends: Mapping[int, int]  # how far forkers count


FAILED = "failed"

Result = Dropped | str | None


def count(ballot: Ballot, rules: Rules) -> Result:
    """Return whom a ballot has dropped, or that it has failed, or None."""
    says = [vote.named for vote in ballot.votes.values()]
    for forker in ballot.forkers.values():
        says += [said.about for said in forker.chain if _votes_in(said, ballot.number)]
    hopes = [_about(ballot, player, rules) for player in ballot.players]
    for hope in hopes:
        if isinstance(hope, Dropped):
            return hope
    return FAILED if says and not any(hopes) else None


def _votes_in(said: Said, number: int) -> bool:
    return said.kind == VOTE and said.ballot == number


def _about(ballot: Ballot, named: int, rules: Rules) -> Dropped | bool:
    """Return that a ballot has dropped a player, or True if it still may."""
    everyone = [p for p in ballot.players if p != named]
    asked = {p for p in everyone if p not in ballot.forkers and p not in ballot.gone}
    forkers = {
        player: forker
        for player, forker in ballot.forkers.items()
        if forker.answers.keys() - {named} - (set() if rules.late_words_turn else forker.late)
        or asked <= forker.answers.keys()
    }
    gone = {p: seen for p, seen in ballot.gone.items() if p not in forkers}
    asked = {p for p in everyone if p not in forkers and p not in gone}
    votes: list[Vote] = []
    seen: list[tuple[Place, ...]] = []
    ends: dict[int, int] = {}
    waiting, undecided = 0, False  # how many are still to speak
    for player in everyone:
        if player in forkers:
            forker = forkers[player]
            whole = asked <= forker.answers.keys()
            places = [forker.answers[p] for p in asked & forker.answers.keys()]
            places += [acts[player] for acts in gone.values()]
            ends[player] = end = max([0, *[place.length for place in places]])
            counted = forker.chain[:end]
            seen += [counted[-1].seen] if counted else []
            said = [one for one in counted if _votes_in(one, ballot.number)][:1]
            if whole or not rules.forkers_speak_when_all_have_answered:
                votes += [Vote(one.about, one.seen) for one in said]
            undecided |= not whole
            waiting += not whole and not said
        elif player in ballot.votes:
            votes.append(ballot.votes[player])
        elif player in gone:
            seen.append(gone[player])
        else:
            waiting += 1
    if any(vote.named != named for vote in votes) or len(votes) + waiting < 2:
        return False
    if waiting or undecided:
        return True
    seen += [vote.seen for vote in votes]
    return Dropped(named, max([0, *[acts[named].length for acts in seen]]), ends)
