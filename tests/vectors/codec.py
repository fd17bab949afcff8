"""Values and their one byte form. In a case bytes are {"hex": …}, everything else is plain."""

from typing import Any

from protocol import limits
from protocol.codec import Value, decode, encode
from tests.vectors.cases import FORM, GOOD, PROOF, Case, outcome

VALUES: dict[str, Value] = {
    "nothing": None,
    "false": False,
    "true": True,
    **{f"the number {n}": n for n in (0, 1, 127, 128, 255, 256, 65_535, 65_536)},
    **{f"the number {n}": n for n in (2**32 - 1, 2**32, limits.INTEGER_MOST)},
    "no text": "",
    "text of 31 letters": "x" * 31,
    "text of 32 letters": "x" * 32,
    "text of 256 letters": "x" * 256,
    "text beyond ASCII": "Kürbis 🍓",
    "no bytes": b"",
    "bytes": bytes(range(16)),
    "256 bytes": bytes(256),
    "no items": (),
    "15 items": tuple(range(15)),
    "16 items": tuple(range(16)),
    "items of all kinds": (None, True, 7, "fig", b"fig", ((), (1,))),
    f"{limits.DEPTH_MOST} lists deep": ((((((),),),),),),
    "64 items": (None,) * 64,
    "256 values in small lists": ((None,) * 50,) * 5,
}

NO_VALUES = {
    "nothing at all": "",
    "two values": "0102",
    "a list that lacks an item": "9201",
    "an empty map": "80",
    "a map": "81a16101",
    "a float": "ca3f800000",
    "a double": "cb3ff0000000000000",
    "an extension": "d40500",
    "a time": "d6ff00000000",
    "an empty extension": "c70005",
    "a byte that is never used": "c1",
    "65 items": encode((None,) * 65).hex(),
    "257 values in small lists": encode((None, *((None,) * 50,) * 5)).hex(),
    "minus one": "ff",
    "minus 128": "d080",
    "2**53": "cf0020000000000000",
    "2**64 - 1": "cf" + "ff" * 8,
    "1 in two bytes": "cc01",
    "255 in three bytes": "cd00ff",
    "1 as a signed number": "d001",
    "a short text with a long header": "d90161",
    "bytes with a long header": "c5000161",
    "a list with a long header": "dc000101",
    "text that is no UTF-8": "a1ff",
    "a surrogate": "a3eda080",
    "zero in two bytes of UTF-8": "a2c080",
    f"{limits.DEPTH_MOST + 1} lists deep": "91" * limits.DEPTH_MOST + "90",
    "a thousand lists deep": "91" * 1000 + "90",
    "more items than there may be": "dc" + f"{limits.ITEMS_MOST + 1:04x}",
}

OTHERS: dict[str, tuple[str, Value]] = {
    "true is not one": ("01", True),
    "zero is not false": ("c2", 0),
    "text is not bytes": ("a3666967", b"fig"),
    "an empty list is not nothing": ("90", None),
}


def make() -> list[Case]:
    good = [
        {"name": name, "data": encode(value).hex(), "value": _plain(value), "expect": GOOD}
        for name, value in VALUES.items()
    ]
    bad = [{"name": name, "data": data, "expect": FORM} for name, data in NO_VALUES.items()]
    others = [
        {"name": name, "data": data, "value": _plain(value), "expect": PROOF}
        for name, (data, value) in OTHERS.items()
    ]
    return [*good, *bad, *others]


def _plain(value: Value) -> Any:
    if type(value) is bytes:
        return {"hex": value.hex()}
    return [_plain(item) for item in value] if type(value) is tuple else value


def _value(plain: Any) -> Value:
    match plain:
        case {"hex": str(text)}:
            return bytes.fromhex(text)
        case list(items):
            return tuple([_value(item) for item in items])
    value: Value = plain
    return value


def check(case: Case) -> str:
    """PROOF: the bytes are a value, and another one."""
    data = bytes.fromhex(case["data"])

    def same() -> bool:
        read = decode(data, limits.ENTRY_SIZE_MOST)
        value = _value(case.get("value"))
        return repr(read) == repr(value) and encode(value) == data

    return outcome(same)
