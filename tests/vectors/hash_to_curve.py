"""Label and parts to a point and to a scalar; and what is a point at all."""

from protocol.crypto import group
from tests.vectors.cases import FORM, GOOD, PROOF, Case, outcome, point

INPUTS: list[tuple[str, list[bytes]]] = [
    ("", []),
    ("face", [b"apple"]),
    ("face", [b"app", b"le"]),
    ("faceapp", [b"le"]),
    ("face", [b"apple", b""]),
    ("chain", []),
    *(("generator", [index.to_bytes(4, "big")]) for index in range(4)),
    ("Früchte", ["Kürbis".encode()]),
    ("long", [bytes(1000)]),
]

G_X = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
G_Y = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
FIELD = 2**256 - 2**32 - 977

NO_POINTS = {
    "empty": "",
    "the identity as one byte": "00",
    "the identity as zeros": "00" * 33,
    "one byte short": "02" + G_X[:-2],
    "one byte long": "02" + G_X + "00",
    "x alone": G_X,
    "uncompressed": "04" + G_X + G_Y,
    "hybrid, even": "06" + G_X + G_Y,
    "hybrid, odd": "07" + G_X + G_Y,
    "a first byte of 4": "04" + G_X,
    "x of no point": "02" + "00" * 31 + "05",
    "x is the field's prime": "02" + f"{FIELD:064x}",
    "x is one more than the prime": "02" + f"{FIELD + 1:064x}",
    "x is all ones": "02" + "ff" * 32,
}


def make() -> list[Case]:
    good: list[Case] = [
        {
            "name": f"{label!r} and {len(parts)} parts",
            "label": label,
            "parts": [part.hex() for part in parts],
            "point": group.encode_point(group.hash_to_point(label, *parts)).hex(),
            "scalar": group.encode_scalar(group.hash_to_scalar(label, *parts)).hex(),
            "expect": GOOD,
        }
        for label, parts in INPUTS
    ]
    apple = good[1]
    bad: list[Case] = [{"name": n, "point": text, "expect": FORM} for n, text in NO_POINTS.items()]
    bad.append({"name": "the other y", "point": "03" + apple["point"][2:], "expect": PROOF})
    bad.append({"name": "another label", "label": "faces", "expect": PROOF})
    bad.append({"name": "another scalar", "scalar": "00" * 31 + "01", "expect": PROOF})
    return [*good, *(apple | change for change in bad)]


def check(case: Case) -> str:
    parts = [bytes.fromhex(part) for part in case["parts"]]
    made = (
        group.hash_to_point(case["label"], *parts),
        group.hash_to_scalar(case["label"], *parts),
    )
    return outcome(
        lambda: made == (point(case["point"]), group.decode_scalar(bytes.fromhex(case["scalar"])))
    )
