"""Invitations: there and back, forgiving of what programs do, unforgiving of slips."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2pfruit import limits
from p2pfruit.exits import USAGE
from p2pfruit.net import invitations
from p2pfruit.net.addresses import Address
from p2pfruit.net.invitations import BadInvitation, Invitation, worth_inviting
from p2pfruit.net.onions import unpack
from p2pfruit.text import base32
from protocol.link.keys import Access

HOST = bytes(range(32))
ACCESS = Access.hosting(HOST, bytes(16))
ONION = "p53lf57qovyuvwsc6xnrppyply3vtqm7l6pcobkmyqsiofyeznfu5uqd.onion:24977"
SIMPLE = Invitation(secret=bytes(range(16)), addresses=("192.0.2.7:24977",))
RICH = Invitation(
    secret=b"s" * 16,
    addresses=(
        "192.0.2.7:7000",
        "[2001:db8::7]:7000",
        "example.org:1",
        ONION,
        "relay/192.0.2.9:24979",
        "relay/[2001:db8::9]:1",
        "localhost:65535",
    ),
)

ports = st.one_of(st.sampled_from([24977, 24979, 1, 65535]), st.integers(1, 65535))
names = st.from_regex(r"([a-z0-9_]{1,20}\.){0,3}[a-z]{1,10}", fullmatch=True)
hosts = st.one_of(
    st.ip_addresses(v=4).filter(lambda ip: ip.packed != bytes(4)).map(str),
    st.ip_addresses(v=6).filter(lambda ip: any(ip.packed)).map("[{}]".format),
    names,
    st.binary(min_size=32, max_size=32).map(unpack),
)
addresses = st.builds("{}{}:{}".format, st.sampled_from(["", "relay/"]), hosts, ports)


@st.composite
def any_invitation(draw: st.DrawFn) -> Invitation:
    return Invitation(
        secret=draw(st.binary(min_size=16, max_size=16)),
        addresses=tuple(draw(st.lists(addresses, max_size=8, unique=True))),
        watching=draw(st.booleans()),
    )


# There and back.


@given(any_invitation())
@example(RICH)
def test_there_and_back(invitation: Invitation) -> None:
    text = invitations.format(invitation)
    assert invitations.parse(text) == invitation
    assert text.startswith("WATCH-" if invitation.watching else "FRUIT-")
    assert text == text.upper()
    assert "\n" not in text


def test_it_stays_what_it_is() -> None:
    assert invitations.format(SIMPLE) == ("FRUIT-4000G-40R40-M30E2-09185-GR38E-1X300-00G7C-NAVY")


LETTERS = {  # with the first word and the dashes
    ("203.0.113.7:24977",): 52,
    ("203.0.113.7:7000",): 57,
    ("203.0.113.7:24977", "[2001:db8::7]:24977"): 85,
    ("203.0.113.7:7000", "[2001:db8::7]:7000", "192.168.1.20:7000"): 98,
    ("relay/203.0.113.9:24979",): 52,
    (ONION,): 106,
}


@pytest.mark.parametrize(("addresses", "letters"), LETTERS.items())
def test_the_size_that_people_paste(addresses: tuple[str, ...], letters: int) -> None:
    """docs/friends.md has these figures. An invitation to watch is as long."""
    invitation = Invitation(secret=ACCESS.secret, addresses=addresses)
    assert len(invitations.format(invitation)) == letters
    assert len(invitations.format(invitation.to_watch(HOST))) == letters


def test_the_longest() -> None:
    many = tuple(f"{'long-label.' * 22}{number}.example:1" for number in range(8))
    longest = Invitation(secret=bytes(16), addresses=many)
    text = invitations.format(longest)
    assert len(text) < limits.INVITATION_SIZE_MOST // 2
    assert invitations.parse(text) == longest


def test_whom_it_expects_and_what_opens_the_link() -> None:
    playing = Invitation(secret=ACCESS.secret, addresses=SIMPLE.addresses)
    assert playing.access == Access(secret=ACCESS.secret)
    assert playing.access.expects(HOST, ACCESS.salt)
    watching = playing.to_watch(HOST)
    assert watching.access.expects(HOST, ACCESS.to_watch().salt)
    assert (watching.watching, watching.addresses) == (True, SIMPLE.addresses)
    assert watching.to_watch(HOST) == watching


def test_the_secret_is_not_printed() -> None:
    assert "secret" not in repr(SIMPLE)


# Forgiving.


@pytest.mark.parametrize("invitation", [SIMPLE, RICH, RICH.to_watch(HOST)])
@pytest.mark.parametrize(
    "change",
    [
        str.lower,
        lambda text: text.replace("-", ""),
        lambda text: text.replace("-", " "),
        lambda text: text.replace("-", "\n> "),
        lambda text: f'  "{text}"\r\n',
        lambda text: f"“{text}”",
        lambda text: f"\ufeff<{text}>",
        lambda text: text[:40] + "\n" + text[40:],
        lambda text: text[6:],
        lambda text: text.replace("0", "O").replace("1", "I"),
        lambda text: text.replace("0", "o").replace("1", "l"),
        lambda text: text.replace("-", "–"),
        lambda text: text.title(),
        invitations.ungrouped,
    ],
)
def test_forgiving(invitation: Invitation, change: object) -> None:
    assert callable(change)
    assert invitations.parse(change(invitations.format(invitation))) == invitation


# Unforgiving.


@pytest.mark.parametrize("invitation", [SIMPLE, SIMPLE.to_watch(HOST)])
def test_every_wrong_letter_is_found(invitation: Invitation) -> None:
    text = invitations.format(invitation)
    for at in range(len(text)):
        for wrong in base32.ALPHABET + "U!é":
            changed = text[:at] + wrong + text[at + 1 :]
            if base32.fold(changed) != base32.fold(text):
                with pytest.raises(BadInvitation):
                    invitations.parse(changed)


@pytest.mark.parametrize("invitation", [SIMPLE, RICH, RICH.to_watch(HOST)])
def test_swapped_lost_and_doubled_letters_are_found(invitation: Invitation) -> None:
    text = invitations.format(invitation).replace("-", "")
    for at in range(len(text) - 1):
        swapped = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        for changed in (swapped, text[:at] + text[at + 1 :], text[:at] + text[at] + text[at:]):
            if base32.fold(changed) != base32.fold(text):
                with pytest.raises(BadInvitation):
                    invitations.parse(changed)


@given(any_invitation(), st.data())
def test_a_cut_one_is_found(invitation: Invitation, data: st.DataObject) -> None:
    text = invitations.format(invitation)
    cut = text[: data.draw(st.integers(6, len(text) - 1))]
    with pytest.raises(BadInvitation) as caught:
        invitations.parse(cut)
    assert caught.value.what == "check"


@given(st.one_of(st.text(), st.text(base32.ALPHABET), st.binary().map(base32.spell)))
@example("")
@example("FRUIT-")
@example("-")
@example("192.0.2.7:7000")
@example("https://example.org/")
@example("0" * 100)
@example("A" * (limits.INVITATION_SIZE_MOST + 1))
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadInvitation) as caught:
        invitations.parse(text)
    assert caught.value.code == USAGE
    assert caught.value.hint
    assert str(caught.value).isprintable()


def spelled(bits: str, prefix: str = "FRUIT-") -> str:
    return prefix + base32.with_check(base32.spell_bits(bits), 5)


HEAD = "00100" + "0" * 128
TO_WATCH = "00101" + HEAD[5:]
HERE = "01000" + "00000001" * 4  # 1.1.1.1 at the usual port
PORT = "0000000100000010"
END = "000000"


def letters(name: str) -> str:
    places = ["-.0123456789_abcdefghijklmnopqrstuvwxyz".index(one) + 1 for one in name]
    return "".join(f"{place:06b}" for place in places)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param(spelled("00010" + HEAD[5:]), "version", id="version 1"),
        pytest.param(spelled("00011"), "version", id="version 1, to watch"),
        pytest.param(spelled("00110" + HEAD[5:]), "version", id="version 3"),
        pytest.param(spelled("00111"), "version", id="version 3 that is short"),
        pytest.param(spelled("1" * 160), "version", id="the version stands elsewhere"),
        pytest.param(spelled("00000" + HEAD[5:]), "form", id="version 0"),
        pytest.param(spelled("00100"), "form", id="a head alone"),
        pytest.param(spelled(""), "check", id="nothing"),
        pytest.param(spelled(HEAD[:-5]), "form", id="a secret too short"),
        pytest.param(spelled(HEAD, "WATCH-"), "form", id="a seat under the other word"),
        pytest.param(spelled(TO_WATCH), "form", id="to watch under the other word"),
        pytest.param(spelled(HEAD + "0" * 5), "form", id="a letter too many"),
        pytest.param(spelled(HEAD + "1"), "form", id="filled up with ones"),
        pytest.param(spelled(HEAD + HERE[:-5]), "form", id="an address cut"),
        pytest.param(spelled(HEAD + "01010" + HERE[5:] + PORT[:-6]), "form", id="a port cut"),
        pytest.param(spelled(HEAD + "01010" + HERE[5:] + "0" * 16), "form", id="port 0"),
        pytest.param(
            spelled(HEAD + "01010" + HERE[5:] + f"{24977:016b}"), "form", id="the usual port"
        ),
        pytest.param(
            spelled(HEAD + "01110" + HERE[5:] + f"{24979:016b}"), "form", id="a relay's usual port"
        ),
        pytest.param(spelled(HEAD + "01001" + HERE[5:]), "form", id="no last port"),
        pytest.param(spelled(HEAD + "01011" + HERE[5:]), "form", id="another rule for ports"),
        pytest.param(
            spelled(HEAD + "01010" + HERE[5:] + PORT + "01010" + "00000010" * 4 + PORT),
            "form",
            id="a port written twice",
        ),
        pytest.param(spelled(HEAD + "01000" + "0" * 32), "form", id="every address"),
        pytest.param(spelled(HEAD + "10000" + "0" * 128), "form", id="every IPv6 address"),
        pytest.param(spelled(HEAD + "00000" + END), "form", id="no name"),
        pytest.param(spelled(HEAD + "00000" + letters("1.1.1.1") + END), "form", id="not a name"),
        pytest.param(spelled(HEAD + "00000" + letters("1.1") + END), "form", id="a number"),
        pytest.param(spelled(HEAD + "00000" + letters("a..b") + END), "form", id="an empty label"),
        pytest.param(
            spelled(HEAD + "00000" + letters(ONION[:-6]) + END), "form", id="a key as a name"
        ),
        pytest.param(spelled(HEAD + "00000" + "101000" + END), "form", id="no letter"),
        pytest.param(spelled(HEAD + "00000" + letters("abc")), "form", id="a name without end"),
        pytest.param(spelled(HEAD + "00000" + letters("a" * 300) + END), "form", id="a long name"),
        pytest.param(spelled(HEAD + HERE * 2), "form", id="an address twice"),
        pytest.param(
            spelled(HEAD + "".join(f"{HERE[:-8]}{at:08b}" for at in range(9))), "form", id="nine"
        ),
        pytest.param(invitations.format(SIMPLE).replace("-", "!", 3), "check", id="other signs"),
        pytest.param(invitations.format(SIMPLE)[6:30], "form", id="a piece"),
    ],
)
def test_what_is_wrong(text: str, what: str) -> None:
    with pytest.raises(BadInvitation) as caught:
        invitations.parse(text)
    assert caught.value.what == what


def test_a_bare_one_names_no_address() -> None:
    assert invitations.parse(spelled(HEAD)).addresses == ()
    assert invitations.parse(spelled(HEAD + HERE)).addresses == ("1.1.1.1:24977",)


@pytest.mark.parametrize(
    "fields",
    [
        {"secret": bytes(32)},
        {"secret": bytes(15)},
        {"addresses": ("a:1", "a:1")},
        {"addresses": tuple(f"a:{port}" for port in range(1, 10))},
        {"addresses": ("no port",)},
        {"addresses": ("a:0",)},
        {"addresses": (":1",)},
        {"addresses": ("0.0.0.0:1",)},
        {"addresses": ("[fe80::1%eth0]:1",)},
        {"addresses": ("relay/[fe80::1%eth0]:1",)},
        {"addresses": ("UPPER:1",)},
        {"addresses": ("[0:0::1]:1",)},
    ],
)
def test_one_that_nobody_could_use_is_not_made(fields: dict[str, object]) -> None:
    usual = {"secret": bytes(16), "addresses": ()}
    with pytest.raises(ValueError, match=r"\w"):
        Invitation(**{**usual, **fields})  # type: ignore[arg-type]


# Which addresses a host puts into it.


def worth(*texts: str) -> list[str]:
    return [str(at) for at in worth_inviting([Address.parse(text, 24977) for text in texts])]


PREFIX = "2a02:8071:1:2"
LONG = f"{'a' * 60}.{'b' * 60}.example"
DOCKER = [f"172.{number}.0.1" for number in range(17, 27)]


@pytest.mark.parametrize(
    ("here", "told"),
    [
        pytest.param(["127.0.0.1", "[::1]"], ["127.0.0.1", "[::1]"], id="this machine only"),
        pytest.param(["localhost"], ["localhost"], id="its name"),
        pytest.param(["127.0.0.1", "192.168.1.2"], ["192.168.1.2"], id="beside a real one"),
        pytest.param(["[::1]", "localhost", "9.9.9.9"], ["9.9.9.9"], id="names of it"),
        pytest.param(["9.9.9.9", "9.9.9.9"], ["9.9.9.9"], id="twice"),
        pytest.param(["[fe80::1]", "10.0.0.1"], ["10.0.0.1"], id="of one cable"),
        pytest.param(["[fe80::1%eth0]"], [], id="nothing that others could call"),
        pytest.param(["0.0.0.0", "9.9.9.9:0"], [], id="no address and no port"),
        pytest.param(["169.254.1.2", "10.0.0.1"], ["10.0.0.1", "169.254.1.2"], id="without DHCP"),
        pytest.param(
            [f"[{PREFIX}:aaaa::1]", f"[{PREFIX}::2]", "[2a02:8071:1:3::1]"],
            [f"[{PREFIX}:aaaa::1]", "[2a02:8071:1:3::1]"],
            id="a temporary and a lasting one",
        ),
        pytest.param(
            [ONION, "relay/9.9.9.1:24979", "10.0.0.1", f"[{PREFIX}::2]", "9.9.9.9", "a.example"],
            ["a.example", "9.9.9.9", f"[{PREFIX}::2]", "10.0.0.1", "relay/9.9.9.1:24979", ONION],
            id="the likeliest first",
        ),
        pytest.param(
            ["192.168.1.2", *DOCKER, "9.9.9.9"],
            ["9.9.9.9", "192.168.1.2", *DOCKER[:2]],
            id="few networks of this house",
        ),
        pytest.param(["100.64.0.7", "10.0.0.1"], ["10.0.0.1", "100.64.0.7"], id="a carrier's"),
        pytest.param(
            [*(f"8.8.8.{number}" for number in range(9)), ONION, "relay/a.example:1"],
            [*(f"8.8.8.{number}" for number in range(6)), "relay/a.example:1", ONION],
            id="what was asked for is not crowded out",
        ),
        pytest.param(
            [f"[2a02:8071:1:{number:x}::1]" for number in range(1, 9)],
            [f"[2a02:8071:1:{number:x}::1]" for number in range(1, 5)],
            id="as many as can be scanned",
        ),
        pytest.param([LONG, "9.9.9.9"], [LONG], id="a name that takes all the room"),
    ],
)
def test_what_is_worth_its_letters(here: list[str], told: list[str]) -> None:
    assert worth(*here) == [str(Address.parse(text, 24977)) for text in told]


@given(st.lists(addresses.map(Address.parse), max_size=12))
def test_whatever_is_chosen_can_be_invited_to(found: list[Address]) -> None:
    chosen = worth_inviting(found)
    assert set(chosen) <= set(found)
    assert worth_inviting(chosen) == chosen
    invitation = Invitation(secret=bytes(16), addresses=tuple(map(str, chosen)))
    assert invitations.parse(invitations.format(invitation)) == invitation
