"""Fingerprints: one full form, one short form, and no slip that goes unnoticed."""

import re
from hashlib import sha256

from p2pfruit.text.base32 import ALPHABET
from p2pfruit.text.fingerprint import fingerprint, matches, short, well_typed

KEY, OTHER = bytes(range(32)), bytes(32)


def test_the_form() -> None:
    text = fingerprint(KEY)
    assert re.fullmatch(f"[{ALPHABET}]{{6}}(-[{ALPHABET}]{{6}}){{2}}", text)
    plain = text.replace("-", "")
    number = 0
    for letter in plain[:16]:
        number = number * 32 + ALPHABET.index(letter)
    assert number.to_bytes(10) == sha256(KEY).digest()[:10]


def test_it_stays_what_it_is() -> None:
    assert fingerprint(KEY) == "CC6WTA-B6RGSP-D48JXC"
    assert short(KEY) == "CC6WTA"


def test_it_is_recognized_however_it_is_typed() -> None:
    text = fingerprint(KEY)
    for typed in (text, text.lower(), text.replace("-", ""), f"  {text.replace('-', ' ')}\n"):
        assert matches(typed, KEY)
        assert not matches(typed, OTHER)
        assert well_typed(typed)
    assert matches(text.replace("0", "o").replace("1", "l"), KEY)


def test_the_short_form_proves_nothing() -> None:
    assert not matches(short(KEY), KEY)
    assert not well_typed(short(KEY))


def test_a_slip_is_no_fingerprint() -> None:
    plain = fingerprint(KEY).replace("-", "")
    assert not well_typed(plain[:-1])
    assert not well_typed(plain[:-1] + "U")
    assert not any(
        well_typed(plain[:at] + wrong + plain[at + 1 :])
        for at, right in enumerate(plain)
        for wrong in set(ALPHABET) - {right}
    )
