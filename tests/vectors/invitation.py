"""Invitations: the line, and what it says.

FORM: it is refused, for whatever reason. PROOF: an invitation, but another one.
"""

from collections.abc import Iterator

from p2pfruit.net import invitations
from p2pfruit.net.invitations import BadInvitation, Invitation
from p2pfruit.net.packing import pack_addresses
from p2pfruit.text import base32
from protocol.link.keys import Access
from tests.protocol.link.links import ACCESS
from tests.vectors.cases import FORM, GOOD, PROOF, Case

ONION = "p53lf57qovyuvwsc6xnrppyply3vtqm7l6pcobkmyqsiofyeznfu5uqd.onion"
KINDS = {
    "no address": (),
    "IPv4": ("203.0.113.7:24977",),
    "IPv4 and a port": ("203.0.113.7:7000",),
    "IPv6": ("[2001:db8::7]:24977",),
    "one port at two addresses": ("203.0.113.7:7000", "[2001:db8::7]:7000"),
    "a port that was written before the usual one": ("a.example:5", "b.example:24977", "c.org:5"),
    "two ports in turns": ("192.0.2.1:5", "192.0.2.2:6", "192.0.2.3:5"),
    "an onion service": (f"{ONION}:24977",),
    "a name with every kind of sign": ("a_0-9.z.example:1",),
    "a name that only looks like an onion service": ("example.onion:1",),
    "relays": ("relay/192.0.2.9:24979", "relay/a.example:24977", f"relay/{ONION}:443"),
    "eight addresses": tuple(f"192.0.2.{number}:24977" for number in range(1, 9)),
}
HEAD = "00100" + "0" * 128
HERE = "01000" + "00000001" * 4


def make() -> list[Case]:
    return [*_good(), *_bad()]


def _good() -> Iterator[Case]:
    watching = ACCESS.to_watch()
    for name, addresses in KINDS.items():
        yield _case(name, ACCESS, addresses)
    yield _case("to watch", watching, KINDS["IPv4"])
    line = _case("", ACCESS, KINDS["IPv4"])
    for name, text in (
        ("as it may be typed", line["text"].lower().replace("-", " ").replace("0", "o")),
        ("without its first word", line["text"][6:]),
        ("in quotes, in two lines", f"> “{line['text'][:30]}\n> {line['text'][30:]}”"),
    ):
        yield line | {"name": name, "text": text}


def _case(name: str, access: Access, addresses: tuple[str, ...]) -> Case:
    made = Invitation(secret=access.secret, addresses=addresses, watching=access.watching)
    return {
        "name": name,
        "text": invitations.format(made),
        "secret": access.secret.hex(),
        "watching": access.watching,
        "addresses": list(addresses),
        "expect": GOOD,
    }


def _bad() -> Iterator[Case]:
    line = _case("", ACCESS, KINDS["IPv4"])
    text: str = line["text"]
    yield line | {"name": "another address", "addresses": ["203.0.113.8:24977"], "expect": PROOF}
    yield line | {"name": "another kind", "watching": True, "expect": PROOF}
    port = f"{7:016b}"
    first = "01010" + HERE[5:] + port
    onion = pack_addresses(KINDS["an onion service"])
    for name, wrong in (
        ("a wrong letter", text[:9] + ("0" if text[9] != "0" else "1") + text[10:]),
        ("two letters swapped", text[:-2] + text[-1] + text[-2]),
        ("a letter missing", text[:-1]),
        ("the other first word", f"WATCH{text[5:]}"),
        ("an older version", _line("00010" + HEAD[5:])),
        ("a newer version", _line("00110" + HEAD[5:])),
        ("a version that stands elsewhere", _line("11110" + HEAD[5:])),
        ("a secret too short", _line(HEAD[:-5])),
        ("a letter too many", _line(HEAD + "00000")),
        ("filled up with a one", _line(HEAD + "01")),
        ("port 0", _line(HEAD + "01010" + HERE[5:] + "0" * 16)),
        ("the usual port written", _line(HEAD + "01010" + HERE[5:] + f"{24977:016b}")),
        ("no port was written before", _line(HEAD + "01001" + HERE[5:])),
        ("a port written twice", _line(HEAD + first + "10010" + "1" * 128 + port)),
        ("a fourth way to write a port", _line(HEAD + "01011" + HERE[5:])),
        ("every address of a machine", _line(HEAD + "01000" + "0" * 32)),
        ("an address twice", _line(HEAD + HERE * 2)),
        ("nine addresses", _line(HEAD + "".join(f"{HERE[:-8]}{at:08b}" for at in range(9)))),
        ("an address written as a name", _line(HEAD + _name("1.1.1.1"))),
        ("an onion service written as a name", _line(HEAD + _name(ONION))),
        ("a name without an end", _line(HEAD + _name("abc")[:-6])),
        ("a character that names do not have", _line(HEAD + "00000" + "101000" + "000000")),
        ("a key cut", _line(HEAD + onion[:-8])),
    ):
        yield {"name": name, "text": wrong, "expect": FORM}


def _line(bits: str) -> str:
    spelled = base32.with_check(base32.spell_bits(bits), invitations.CHECK)
    return f"FRUIT-{base32.grouped(spelled, invitations.GROUP)}"


def _name(name: str) -> str:
    """As an address of the usual port, without a check whether it is a name."""
    places = ["-.0123456789_abcdefghijklmnopqrstuvwxyz".index(one) + 1 for one in name]
    return "00000" + "".join(f"{place:06b}" for place in [*places, 0])


def check(case: Case) -> str:
    try:
        found = invitations.parse(case["text"])
    except BadInvitation:
        return FORM
    said = (found.secret.hex(), found.watching, list(found.addresses))
    return GOOD if said == (case["secret"], case["watching"], case["addresses"]) else PROOF
