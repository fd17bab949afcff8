"""p2pfruit id and paths: who I am, without a terminal and at one."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from p2pfruit.cli.main import main
from p2pfruit.home import keyfile
from p2pfruit.home.folder import Home
from p2pfruit.text.fingerprint import fingerprint
from protocol.crypto.identity import Identity
from tests.p2pfruit.cli.terminal import terminal

Said = tuple[int, str, str]
Speak = Callable[..., Said]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def speak(home: Home, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Speak:
    """Runs a command in this process: exit code, stdout, stderr. Seals cost nothing."""
    monkeypatch.setattr(keyfile, "_COST", 2**4)
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    def speak(*arguments: str) -> Said:
        code = main([*arguments, "--home", str(home.path)])
        return code, *capsys.readouterr()

    return speak


@pytest.fixture
def passphrase(tmp_path: Path) -> str:
    path = tmp_path / "passphrase"
    path.write_text("correct horse\nbattery\n")
    return str(path)


# Who I am.


@pytest.mark.parametrize(
    "arguments", [["id"], ["id", "--json"], ["id", "book"], ["paths"], ["history"]]
)
def test_looking_makes_nothing(arguments: list[str], home: Home, speak: Speak) -> None:
    speak(*arguments)
    assert not home.path.exists()


def test_nobody_yet(speak: Speak) -> None:
    code, out, err = speak("id")
    assert (code, out) == (1, "")
    assert "error: there is no identity in " in err
    assert "hint: `p2pfruit id make`" in err


def test_made_once(home: Home, speak: Speak) -> None:
    code, out, err = speak("id", "make", "--name", "Ada")
    key = home.identity().key
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "name:        Ada",
        f"fingerprint: {fingerprint(key)}",
        f"key:         {key.hex()}",
        f"file:        {home.identity_file}",
    ]
    assert speak("id") == (0, out, "")
    code, out, err = speak("id", "make", "--name", "Bo")
    assert (code, out) == (1, "")
    assert "already" in err
    assert (home.identity().key, home.name()) == (key, "Ada")


def test_made_without_a_name(home: Home, speak: Speak) -> None:
    assert speak("id", "make")[0] == 0
    assert home.known_identity() is not None
    assert not home.name_file.exists()


def test_json(home: Home, speak: Speak) -> None:
    home.set_name("Ada!")
    key = home.identity().key
    code, out, _ = speak("id", "--json")
    assert code == 0
    assert json.loads(out) == {
        "name": "Ada!",
        "fingerprint": fingerprint(key),
        "key": key.hex(),
        "file": str(home.identity_file),
    }


def test_another_name(home: Home, speak: Speak) -> None:
    assert speak("id", "name", "Chloé") == (0, "", "")
    assert home.name() == "Chloé"
    for bad in ("", "x" * 33, "\x1b[2J"):
        code, out, err = speak("id", "name", bad)
        assert (code, out) == (2, "")
        assert "1 to 32 printable" in err
        assert speak("id", "make", "--name", bad)[0] == 2
    assert home.name() == "Chloé"
    assert home.known_identity() is None


def test_a_running_game_keeps_its_identity(home: Home, speak: Speak) -> None:
    with home.lock():
        code, _, err = speak("id", "make")
    assert code == 1
    assert "in use" in err


# From one home to another.


def test_there_and_back(home: Home, speak: Speak, passphrase: str, tmp_path: Path) -> None:
    home.set_name("Ada")
    key = home.identity().key
    file = tmp_path / "me"
    code, out, err = speak("id", "export", str(file), "--passphrase-file", passphrase)
    assert (code, out) == (0, "")
    assert "keep them apart" in err
    assert file.stat().st_mode & 0o777 == 0o600
    other = Home(tmp_path / "other")
    arguments = ["id", "import", str(file), "--passphrase-file", passphrase]
    assert main([*arguments, "--home", str(other.path)]) == 0
    assert (other.identity().key, other.name()) == (key, "Ada")
    assert other.identity_file.stat().st_mode & 0o777 == 0o600
    assert speak(*arguments)[0] == 0  # the same again changes nothing
    assert not list(home.path.glob("*backup*"))


def test_an_export_replaces_no_file(
    home: Home, speak: Speak, passphrase: str, tmp_path: Path
) -> None:
    home.identity()
    file = tmp_path / "taken"
    file.write_text("mine")
    code, out, err = speak("id", "export", str(file), "--passphrase-file", passphrase)
    assert (code, out) == (1, "")
    assert "already exists" in err
    assert file.read_text() == "mine"


def test_a_file_that_appears_meanwhile_is_not_replaced(
    home: Home, speak: Speak, passphrase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.identity()
    file = tmp_path / "taken"

    def seal(*_: object) -> str:
        file.write_text("mine")
        return "other"

    monkeypatch.setattr(keyfile, "seal", seal)
    assert speak("id", "export", str(file), "--passphrase-file", passphrase)[0] == 1
    assert file.read_text() == "mine"


def test_nobody_cannot_be_exported(
    home: Home, speak: Speak, passphrase: str, tmp_path: Path
) -> None:
    code, _, err = speak("id", "export", str(tmp_path / "me"), "--passphrase-file", passphrase)
    assert code == 1
    assert "no identity" in err
    assert not home.path.exists()


def test_an_import_replaces_nobody_unless_forced(
    home: Home, speak: Speak, passphrase: str, tmp_path: Path
) -> None:
    file = tmp_path / "other"
    secret = bytes(range(32))
    file.write_text(keyfile.seal(keyfile.Exported(secret, "Bo"), "correct horse"))
    before = home.identity()
    arguments = ["id", "import", str(file), "--passphrase-file", passphrase]
    code, out, err = speak(*arguments)
    assert (code, out) == (1, "")
    assert "--force" in err
    assert home.identity().key == before.key
    old = home.identity_file.read_bytes()
    (home.path / "identity.backup-1").write_text("an earlier one")
    code, out, err = speak(*arguments, "--force")
    assert code == 0
    assert "identity.backup-2" in err
    assert "name:        Bo" in out
    assert home.identity().key == Identity(secret).key
    assert (home.path / "identity.backup-2").read_bytes() == old
    assert (home.path / "identity.backup-1").read_text() == "an earlier one"


def test_a_damaged_identity_is_replaced_by_force(
    home: Home, speak: Speak, passphrase: str, tmp_path: Path
) -> None:
    file = tmp_path / "other"
    file.write_text(keyfile.seal(keyfile.Exported(bytes(32), "Bo"), "correct horse"))
    home.make()
    home.identity_file.write_text("damaged")
    arguments = ["id", "import", str(file), "--passphrase-file", passphrase]
    assert speak(*arguments)[0] == 1
    assert speak(*arguments, "--force")[0] == 0
    assert (home.path / "identity.backup-1").read_text() == "damaged"


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("", 2, "8 to 1000 characters"),
        ("short\nlong enough\n", 2, "8 to 1000 characters"),
        ("é" * 1001, 2, "8 to 1000 characters"),
        ("another phrase\n", 1, "does not open"),
        (None, 1, "cannot read"),
    ],
)
def test_bad_passphrases(
    text: str | None, code: int, says: str, home: Home, speak: Speak, tmp_path: Path
) -> None:
    file, words = tmp_path / "other", tmp_path / "words"
    file.write_text(keyfile.seal(keyfile.Exported(bytes(32), "Bo"), "correct horse"))
    if text is not None:
        words.write_text(text)
    got, out, err = speak("id", "import", str(file), "--passphrase-file", str(words))
    assert (got, out) == (code, "")
    assert says in err
    assert "\nhint: " in err
    assert not home.path.exists()


def test_an_import_of_something_else(home: Home, speak: Speak, passphrase: str) -> None:
    for file, says in (("/nowhere", "cannot read"), (passphrase, "not an exported identity")):
        code, out, err = speak("id", "import", file, "--passphrase-file", passphrase)
        assert (code, out) == (1, "")
        assert says in err
    assert not home.path.exists()


def test_without_a_terminal_nobody_is_asked(home: Home, speak: Speak, tmp_path: Path) -> None:
    home.identity()
    code, _, err = speak("id", "export", str(tmp_path / "me"))
    assert code == 2
    assert "hint: use --passphrase-file" in err


def test_at_a_terminal_one_is_asked(home: Home, tmp_path: Path) -> None:
    """With the real cost of a seal."""
    key = home.identity().key
    file = tmp_path / "me"
    with terminal("id", "export", str(file), "--home", str(home.path)) as screen:
        screen.wait_for("passphrase: ")
        screen.type("correct horse\n")
        screen.wait_for("repeat it: ")
        screen.type("correct horse\n")
        assert screen.end() == 0
        assert "correct" not in screen.transcript
    with terminal("id", "import", str(file), "--home", str(tmp_path / "other")) as screen:
        screen.wait_for("passphrase: ")
        screen.type("correct horse\n")
        assert screen.end() == 0
        assert fingerprint(key) in screen.transcript


def test_two_passphrases_that_differ(home: Home, tmp_path: Path) -> None:
    home.identity()
    with terminal("id", "export", str(tmp_path / "me"), "--home", str(home.path)) as screen:
        screen.wait_for("passphrase: ")
        screen.type("correct horse\n")
        screen.wait_for("repeat it: ")
        screen.type("correct house\n")
        assert screen.end() == 2
        assert "the passphrases differ" in screen.transcript
    assert not (tmp_path / "me").exists()


def test_the_end_of_input_is_an_interrupt(home: Home, tmp_path: Path) -> None:
    home.identity()
    with terminal("id", "export", str(tmp_path / "me"), "--home", str(home.path)) as screen:
        screen.wait_for("passphrase: ")
        screen.type("\x04")
        assert screen.end() == 130


# Whom I have met.


@pytest.fixture
def book(home: Home) -> list[bytes]:
    """Me and two others, one of them under a name that a terminal would obey."""
    home.set_name("Ada")
    keys = [home.identity().key, bytes([2]) * 32, bytes([3]) * 32]
    with home.open_store(now=0) as store:
        store.meet(keys[1], "Bo", 86_400 * 10)
        store.meet(keys[2], 'E"ve', 86_400 * 20)
    return keys


def test_the_book(book: list[bytes], speak: Speak) -> None:
    code, out, err = speak("id", "book")
    assert (code, err) == (0, "")
    eve, bo, me = out.splitlines()
    assert eve.startswith(f'"E\\"ve"  {fingerprint(book[2])}  first met 1970-01-2')
    assert bo.startswith(f"Bo       {fingerprint(book[1])}  first met 1970-01-1")
    assert me == f"Ada      {fingerprint(book[0])}  you"


@pytest.mark.parametrize("arguments", [["id", "book", "--json"], ["id", "--json", "book"]])
def test_the_book_for_programs(arguments: list[str], book: list[bytes], speak: Speak) -> None:
    rows = [json.loads(line) for line in speak(*arguments)[1].splitlines()]
    assert rows[1] == {
        "name": "Bo",
        "key": book[1].hex(),
        "fingerprint": fingerprint(book[1]),
        "first": 864_000,
        "last": 864_000,
    }
    assert len(rows) == 3


def test_an_empty_book(speak: Speak) -> None:
    code, out, err = speak("id", "book")
    assert (code, out) == (0, "")
    assert "no players have been met" in err


def test_a_book_without_an_identity(home: Home, book: list[bytes], speak: Speak) -> None:
    home.identity_file.unlink()
    code, out, _ = speak("id", "book")
    assert (code, len(out.splitlines())) == (0, 3)
    assert "yourself" not in out


def test_one_player(book: list[bytes], speak: Speak) -> None:
    typed = fingerprint(book[1]).lower().replace("-", " ")
    code, out, _ = speak("id", "book", typed)
    assert (code, len(out.splitlines())) == (0, 1)
    assert out.startswith("Bo ")


def test_one_player_is_forgotten(home: Home, book: list[bytes], speak: Speak) -> None:
    assert speak("id", "book", fingerprint(book[1]), "--forget") == (0, "", "")
    out = speak("id", "book")[1]
    assert fingerprint(book[1]) not in out
    assert fingerprint(book[2]) in out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--forget"], 2, "--forget needs a fingerprint"),
        (["CC6WTA-B6RGSP-D48JXD"], 2, "a letter is wrong or missing"),
        (["CC6WTA"], 2, "a letter is wrong or missing"),
        (["CC6WTA-B6RGSP-D48JXC"], 1, "have not met a player with this fingerprint"),
    ],
)
def test_nobody_is_found(
    arguments: list[str], code: int, says: str, book: list[bytes], speak: Speak
) -> None:
    got, out, err = speak("id", "book", *arguments)
    assert (got, out) == (code, "")
    assert says in err
    assert "\nhint: " in err


# Where things are.


def test_paths(home: Home, speak: Speak) -> None:
    code, out, err = speak("paths")
    assert (code, err) == (0, "")
    rows = dict(line.split() for line in out.splitlines())
    assert rows == {
        "home": str(home.path),
        "identity": str(home.identity_file),
        "name": str(home.name_file),
        "settings": str(home.path / "settings.toml"),
        "database": str(home.database),
        "games": str(home.games),
    }
    assert json.loads(speak("paths", "--json")[1]) == rows


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["--home", "/here", "paths"], ""),
        (["paths", "--home", "/here"], ""),
        (["--home", "/elsewhere", "paths", "--home=/here"], ""),
        (["paths"], "/here"),
        (["--home", "/here", "paths"], "/elsewhere"),
    ],
)
def test_the_home_is_named_before_after_or_by_the_environment(
    arguments: list[str],
    environment: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("P2PFRUIT_HOME", environment)
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines()[0] == "home      /here"


def test_no_folder_is_no_home(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paths", "--home", ""]) == 2
    assert "--home needs a folder" in capsys.readouterr().err
