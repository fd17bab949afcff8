"""Names, as UTF-8, at the edges of every range of characters that no name has."""

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.feed.names import REFUSED, check_name
from tests.vectors.cases import FORM, GOOD, Case

LONGEST = limits.NAME_LENGTH_MOST
SURROGATES = range(0xD800, 0xE000)
LAST = 0x10FFFF

NAMES = {
    "ASCII": ("Ada", GOOD),
    "a plain space alone": (" ", GOOD),
    "French": ("Chloé", GOOD),
    "Tagalog": ("ᜀᜇ", GOOD),
    "with an ideographic variant": ("\u8fbb\U000e0100", GOOD),
    "an emoji of 2022": ("\U0001fae8", GOOD),
    "code points without a meaning": ("\u0378\U000dffff", GOOD),
    "the longest, beyond the first plane": ("\U0001f353" * LONGEST, GOOD),
    "one character too long": ("x" * (LONGEST + 1), FORM),
    "one character too long, beyond the first plane": ("\U0001f353" * (LONGEST + 1), FORM),
    "empty": ("", FORM),
    "a line feed at the end": ("Ada\n", FORM),
    "turned round by a control": ("\u202eadA", FORM),
}


def make() -> list[Case]:
    edges = {
        code: any(first <= code <= last for first, last in REFUSED)
        for start, end in REFUSED
        for code in (start - 1, start, end, end + 1)
        if 0 <= code <= LAST and code not in SURROGATES
    }
    return [
        *[_case(name, text.encode(), expect) for name, (text, expect) in NAMES.items()],
        *[
            _case(f"U+{code:04X}", chr(code).encode(), FORM if refused else GOOD)
            for code, refused in sorted(edges.items())
        ],
        _case("a surrogate", b"\xed\xa0\x80", FORM),
        _case("no UTF-8", b"\xff", FORM),
    ]


def _case(name: str, text: bytes, expect: str) -> Case:
    return {"name": name, "text": text.hex(), "expect": expect}


def check(case: Case) -> str:
    try:
        check_name(bytes.fromhex(case["text"]).decode())
    except (RemoteProtocolError, UnicodeDecodeError):
        return FORM
    return GOOD
