"""An exported identity: opened by its passphrase, and by nothing else."""

from collections.abc import Iterator

import pytest

from p2pfruit.exits import Refusal
from p2pfruit.home import keyfile
from p2pfruit.home.keyfile import Exported, seal, unseal
from p2pfruit.text.fingerprint import fingerprint
from protocol.crypto.identity import Identity

MINE = Exported(bytes(range(32)), "Ada Ångström")


@pytest.fixture(autouse=True)
def cheap() -> Iterator[None]:
    """What a try costs is no part of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keyfile, "_COST", 2**4)
        yield


@pytest.fixture
def sealed() -> str:
    return seal(MINE, "correct hörse")


def test_there_and_back(sealed: str) -> None:
    assert unseal(sealed, "correct hörse") == MINE
    assert unseal(sealed.replace("\n", "\r\n"), "correct ho\u0308rse") == MINE  # another keyboard


def test_what_can_be_seen(sealed: str) -> None:
    lines = sealed.splitlines()
    assert lines[0] == "p2pfruit identity 1, sealed"
    assert lines[1] == f"fingerprint {fingerprint(Identity(MINE.secret).key)}"
    assert MINE.secret.hex() not in sealed
    assert "Ada" not in sealed


def test_two_exports_have_nothing_in_common(sealed: str) -> None:
    again = seal(MINE, "correct hörse").splitlines()
    assert not set(again[2:]) & set(sealed.splitlines())


@pytest.mark.parametrize(
    ("old", "new", "passphrase"),
    [
        ("", "", "Correct hörse"),
        ("fingerprint ", "fingerprint 0", "correct hörse"),
        ("salt ", "salt 00", "correct hörse"),
        ("sealed ", "sealed 00", "correct hörse"),
    ],
)
def test_another_passphrase_or_a_change(old: str, new: str, passphrase: str, sealed: str) -> None:
    head, _, body = sealed.partition("\n")
    with pytest.raises(Refusal, match="does not open"):
        unseal(f"{head}\n{body.replace(old, new, 1)}", passphrase)


@pytest.mark.parametrize(
    ("old", "new"),
    [("identity 1", "identity 2"), ("salt ", "salt x"), ("\nsalt", "\n"), ("\nsealed ", " ")],
)
def test_no_export(old: str, new: str, sealed: str) -> None:
    with pytest.raises(Refusal, match="not an exported identity"):
        unseal(sealed.replace(old, new), "correct hörse")


@pytest.mark.parametrize("inside", [Exported(bytes(32), ""), Exported(bytes(32), "\x1b[2J")])
def test_a_name_that_no_table_takes(inside: Exported) -> None:
    with pytest.raises(Refusal, match="not an exported identity"):
        unseal(seal(inside, "correct hörse"), "correct hörse")
