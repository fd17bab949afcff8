"""Invitations: there and back, forgiving of what programs do, unforgiving of slips."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2pfruit import limits
from p2pfruit.exits import USAGE
from p2pfruit.net import invitations
from p2pfruit.net.invitations import BadInvitation, Invitation, host_hash
from p2pfruit.text import base32
from protocol.link.link import seat_key, watch_key

KEY = bytes(range(32))
ONION = "p53lf57qovyuvwsc6xnrppyply3vtqm7l6pcobkmyqsiofyeznfu5uqd.onion:7000"
SIMPLE = Invitation(secret=bytes(range(16)), host=host_hash(KEY), addresses=("192.0.2.7:7000",))
RICH = Invitation(
    secret=b"s" * 16,
    host=host_hash(KEY),
    addresses=("192.0.2.7:7000", "[2001:db8::7]:7000", "example.org:1", ONION, "localhost:65535"),
)

ports = st.integers(1, 65535)
names = st.from_regex(r"([a-z0-9]{1,20}\.){0,3}[a-z]{1,10}", fullmatch=True)
addresses = st.one_of(
    st.builds("{}:{}".format, st.ip_addresses(v=4).filter(lambda ip: ip.packed != bytes(4)), ports),
    st.builds("[{}]:{}".format, st.ip_addresses(v=6).filter(lambda ip: any(ip.packed)), ports),
    st.builds("{}:{}".format, names, ports),
)


@st.composite
def any_invitation(draw: st.DrawFn) -> Invitation:
    watching = draw(st.booleans())
    size = 32 if watching else 16
    return Invitation(
        secret=draw(st.binary(min_size=size, max_size=size)),
        host=draw(st.binary(min_size=16, max_size=16)),
        addresses=tuple(draw(st.lists(addresses, max_size=8, unique=True))),
        watching=watching,
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
    assert invitations.format(SIMPLE) == (
        "FRUIT-080000-820C20-A1G710-4GM2RC-1M70YR-RDSMMP-DH1KCT-8H4N28-QES5PK-R4R000-41RVB0-TAZMGG"
    )


def test_the_size_that_people_paste() -> None:
    assert len(invitations.format(SIMPLE)) < 90
    many = tuple(f"{'long-label.' * 22}{number}.example:1" for number in range(8))
    longest = Invitation(secret=bytes(16), host=bytes(16), addresses=many).to_watch()
    text = invitations.format(longest)
    assert len(text) < limits.INVITATION_SIZE_MOST // 2
    assert invitations.parse(text) == longest


def test_whom_it_expects_and_what_opens_the_link() -> None:
    assert SIMPLE.is_of(KEY)
    assert not SIMPLE.is_of(bytes(32))
    assert SIMPLE.psk == seat_key(SIMPLE.secret)
    watching = SIMPLE.to_watch()
    assert watching.psk == watching.secret == watch_key(SIMPLE.psk)
    assert (watching.host, watching.addresses) == (SIMPLE.host, SIMPLE.addresses)
    assert watching.to_watch() == watching


def test_the_secret_is_not_printed() -> None:
    assert "secret" not in repr(SIMPLE)


# Forgiving.


@pytest.mark.parametrize("invitation", [SIMPLE, RICH, RICH.to_watch()])
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
    ],
)
def test_forgiving(invitation: Invitation, change: object) -> None:
    assert callable(change)
    assert invitations.parse(change(invitations.format(invitation))) == invitation


# Unforgiving.


@pytest.mark.parametrize("invitation", [SIMPLE, SIMPLE.to_watch()])
def test_every_wrong_letter_is_found(invitation: Invitation) -> None:
    text = invitations.format(invitation)
    for at in range(len(text)):
        for wrong in base32.ALPHABET + "U!é":
            changed = text[:at] + wrong + text[at + 1 :]
            if base32.fold(changed) != base32.fold(text):
                with pytest.raises(BadInvitation):
                    invitations.parse(changed)


@pytest.mark.parametrize("invitation", [SIMPLE, RICH, RICH.to_watch()])
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


def spelled(data: bytes, prefix: str = "FRUIT-") -> str:
    return prefix + base32.with_check(base32.spell(data), 6)


HEAD = bytes([2, 0]) + bytes(32)
PORT = bytes([1, 2])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (spelled(b"\1" + HEAD[1:]), "version"),
        (spelled(b"\1"), "version"),
        (spelled(b"\3" + HEAD[1:]), "version"),
        (spelled(b"\3"), "version"),
        (spelled(b"\xff" * 20), "version"),
        (spelled(b"\0" + HEAD[1:]), "form"),
        (spelled(b"\2"), "form"),
        (spelled(b""), "check"),
        (spelled(b"\2\2" + HEAD[2:]), "form"),
        (spelled(HEAD[:-1]), "form"),
        (spelled(HEAD, "WATCH-"), "form"),
        (spelled(b"\2\1" + bytes(48), "FRUIT-"), "form"),
        (spelled(HEAD + b"\5" + bytes(4) + PORT), "form"),
        (spelled(HEAD + b"\4" + bytes(4) + PORT[:1]), "form"),
        (spelled(HEAD + b"\4\1\2\3\4\0\0"), "form"),
        (spelled(HEAD + b"\0\0" + PORT), "form"),
        (spelled(HEAD + b"\0\x071.2.3.4" + PORT), "form"),  # an address written as a name
        (spelled(HEAD + b"\0\3A.b" + PORT), "form"),
        (spelled(HEAD + b"\0\3\xffab" + PORT), "form"),
        (spelled(HEAD + b"\0\3\x1b[J" + PORT), "form"),
        (spelled(HEAD + (b"\4\1\2\3\4" + PORT) * 2), "form"),
        (spelled(HEAD + b"".join(b"\4\1\2\3%c" % at + PORT for at in range(9))), "form"),
        ("FRUIT-" + base32.with_check(base32.spell(HEAD) + "0", 6), "form"),
        ("FRUIT-" + base32.with_check("0", 6), "form"),
        (invitations.format(SIMPLE).replace("-", "!", 3), "check"),
        (invitations.format(SIMPLE)[6:40], "form"),
    ],
)
def test_what_is_wrong(text: str, what: str) -> None:
    with pytest.raises(BadInvitation) as caught:
        invitations.parse(text)
    assert caught.value.what == what


def test_a_bare_one_names_no_address() -> None:
    assert invitations.parse(spelled(HEAD)).addresses == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"secret": bytes(32)},
        {"watching": True},
        {"host": bytes(32)},
        {"addresses": ("a:1", "a:1")},
        {"addresses": tuple(f"a:{port}" for port in range(1, 10))},
        {"addresses": ("no port",)},
        {"addresses": ("a:0",)},
        {"addresses": (":1",)},
        {"addresses": ("[fe80::1%eth0]:1",)},
        {"addresses": ("UPPER:1",)},
        {"addresses": ("[0:0::1]:1",)},
    ],
)
def test_one_that_nobody_could_use_is_not_made(fields: dict[str, object]) -> None:
    usual = {"secret": bytes(16), "host": bytes(16), "addresses": ()}
    with pytest.raises(ValueError, match=r"\w"):
        Invitation(**{**usual, **fields})  # type: ignore[arg-type]
