"""Items to digests and challenges, one after the other in one transcript."""

from protocol.crypto import group
from tests.vectors import cases
from tests.vectors.cases import FORM, GOOD, PLACE, PROOF, Case

ROWS: list[list[tuple[str, list[bytes]]]] = [
    [],
    [("statement", [])],
    [("statement", [b""])],
    [("statement", [b"one", b"two"])],
    [("statement", [b"onet", b"wo"])],
    [("statement", [b"one"]), ("statement", [b"two"])],
    [("Äpfel", [bytes(200)])],
]


def make() -> list[Case]:
    good = []
    for row in ROWS:
        absorbed = [[label, [part.hex() for part in parts]] for label, parts in row]
        case: Case = {"name": f"{len(row)} items", "place": PLACE, "absorbed": absorbed}
        good.append(case | _drawn(case) | {"expect": GOOD})
    last = good[-1]
    bad = [
        last | {"name": f"another {field}", "place": {**PLACE, field: value}, "expect": PROOF}
        for field, value in cases.OTHER_PLACES
    ]
    without: Case = {"name": "about nothing", "place": {**PLACE, "about": []}, "absorbed": []}
    good.append(without | _drawn(without) | {"expect": GOOD})
    beyond = {"name": "a challenge beyond the order", "challenge": f"{group.ORDER:064x}"}
    return [*good, *bad, last | beyond | {"expect": FORM}]


def check(case: Case) -> str:
    drawn = _drawn(case)

    def verify() -> bool:
        group.decode_scalar(bytes.fromhex(case["challenge"]))
        return all(case[name] == value for name, value in drawn.items())

    return cases.outcome(verify)


def _drawn(case: Case) -> Case:
    transcript = cases.transcript(case["place"])
    for label, parts in case["absorbed"]:
        transcript.absorb(label, *(bytes.fromhex(part) for part in parts))
    return {
        "digest": transcript.digest().hex(),
        "challenge": group.encode_scalar(transcript.challenge("one")).hex(),
        "challenges": [
            group.encode_scalar(scalar).hex() for scalar in transcript.challenges("many", 3)
        ],
        "after": transcript.digest().hex(),
    }
