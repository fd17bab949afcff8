"""The point of a face, with its suit in games with claims."""

from protocol.crypto import group
from protocol.table.cards import face_point
from tests.vectors.cases import GOOD, PROOF, Case, outcome, point

FACES = [
    ("fig", None),
    ("fig", "fig"),
    ("mango-7", None),
    ("mango-7", "mango"),
    ("mango-8", "mango"),
    ("mango-7", "mang"),
    ("Kürbis-1", "Kürbis"),
    ("1", ""),
]


def make() -> list[Case]:
    good: list[Case] = [
        {
            "name": f"{face!r} of the suit {suit!r}" if suit is not None else f"{face!r}",
            "face": face,
            "suit": suit,
            "point": group.encode_point(face_point(face, suit)).hex(),
            "expect": GOOD,
        }
        for face, suit in FACES
    ]
    mango = good[3]
    return [
        *good,
        mango | {"name": "another face", "face": "mango-8", "expect": PROOF},
        mango | {"name": "another suit", "suit": "fig", "expect": PROOF},
        mango | {"name": "no suit", "suit": None, "expect": PROOF},
    ]


def check(case: Case) -> str:
    return outcome(lambda: point(case["point"]) == face_point(case["face"], case["suit"]))
