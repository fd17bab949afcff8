"""The phases of a table: which players owe what in a step, and which phases may follow.

A table runs in numbered steps. Each step is in one phase, which says by which kind of entry it is
answered. PHASES is the whole diagram: the table makes no change of phase that is not in it. A step
that loses a seat is followed by the first phase of what the rules need then (AFRESH).
"""

from enum import StrEnum
from typing import NamedTuple

from protocol.feed import entries


class Phase(StrEnum):
    SITTING = "sitting"
    SEATING = "seating"
    SHUFFLING = "shuffling"
    AGREEING = "agreeing"
    SHARING = "sharing"
    COMMITTING = "committing"
    READYING = "readying"
    REVEALING = "revealing"
    MOVING = "moving"
    DRAWING = "drawing"
    SIGNING = "signing"
    OVER = "over"


class Rule(NamedTuple):
    kind: str  # of the entry that answers the step
    owed: str  # the players who owe it, for the documentation
    next: frozenset[Phase]


_P = Phase

# The first phases of needs, when no deal is left to settle.
AFRESH = frozenset({_P.SHUFFLING, _P.COMMITTING, _P.MOVING, _P.DRAWING, _P.SIGNING, _P.OVER})
_NEED = AFRESH - {_P.OVER} | {_P.SHARING, _P.AGREEING}

# The phases in which several players may be voted out together. In the others, what is missing may
# be withheld because of what the rest already shows.
TOGETHER = frozenset(_P) - {_P.SHARING, _P.READYING, _P.REVEALING, _P.SIGNING, _P.OVER}

PHASES = {
    _P.SITTING: Rule(entries.SEAT, "every player", frozenset({_P.SEATING})),
    _P.SEATING: Rule(entries.LOT, "every player", frozenset({_P.SEATING, _P.AGREEING}) | AFRESH),
    _P.SHUFFLING: Rule(
        entries.SHUFFLE, "one seat after the other", frozenset({_P.SHUFFLING, _P.AGREEING})
    ),
    _P.AGREEING: Rule(entries.AGREE, "every seat", _NEED),
    _P.SHARING: Rule(entries.SHARES, "every seat whose share is missing", _NEED),
    _P.COMMITTING: Rule(
        entries.COMMIT, "the seats that choose", frozenset({_P.READYING, _P.REVEALING})
    ),
    _P.READYING: Rule(entries.READY, "the seats that choose", frozenset({_P.REVEALING})),
    _P.REVEALING: Rule(entries.REVEAL, "the seats that choose", _NEED),
    _P.MOVING: Rule(entries.MOVE, "the seats that choose", _NEED),
    _P.DRAWING: Rule(entries.LOT, "every seat", _NEED),
    _P.SIGNING: Rule(entries.AGREE, "every seat", frozenset({_P.OVER})),
    _P.OVER: Rule("", "nobody", frozenset()),
}


def diagram() -> str:
    """Return the phases as a Mermaid diagram, for docs/protocol.md."""
    lines = ["stateDiagram-v2", "    [*] --> sitting"]
    for phase, rule in PHASES.items():
        lines += [f"    {phase} --> {after}" for after in Phase if after in rule.next]
    return "\n".join([*lines, "    over --> [*]"])
