"""Names of players: which characters they may have.

All peers must come to the same answer about a name, in whatever language or version their program
is written. So the characters that no name has are listed here once and for all, and no table of the
platform is asked. Code points that mean nothing yet are allowed: a program that does not know a
character still takes the name, and spells the character out where it is shown.
"""

from protocol import limits
from protocol.errors import RemoteProtocolError

# The code points that no name has, first and last of each range: control and format characters,
# spaces other than the plain one, surrogates, private use, noncharacters of the first plane, tags.
# docs/protocol.md, section 3, has the same list.
REFUSED = (
    (0x0000, 0x001F), (0x007F, 0x00A0), (0x00AD, 0x00AD), (0x0600, 0x0605), (0x061C, 0x061C),
    (0x06DD, 0x06DD), (0x070F, 0x070F), (0x0890, 0x0891), (0x08E2, 0x08E2), (0x1680, 0x1680),
    (0x180E, 0x180E), (0x2000, 0x200F), (0x2028, 0x202F), (0x205F, 0x206F), (0x3000, 0x3000),
    (0xD800, 0xF8FF), (0xFDD0, 0xFDEF), (0xFEFF, 0xFEFF), (0xFFF0, 0xFFFB), (0xFFFE, 0xFFFF),
    (0x110BD, 0x110BD), (0x110CD, 0x110CD), (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE00FF), (0xE01F0, 0x10FFFF),
)  # fmt: skip


def allows(character: str) -> bool:
    """Return True if a name may have this character."""
    code = ord(character)
    return not any(first <= code <= last for first, last in REFUSED)


def is_name(name: str) -> bool:
    return 0 < len(name) <= limits.NAME_LENGTH_MOST and all(map(allows, name))


def check_name(name: str) -> None:
    if not is_name(name):
        raise RemoteProtocolError(
            "roster", f"a name has 1 to {limits.NAME_LENGTH_MOST} printable characters"
        )
