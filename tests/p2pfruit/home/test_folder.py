"""A home: found, made private, locked by one, and never overwritten."""

import getpass
import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2pfruit.exits import Refusal
from p2pfruit.home.folder import Home
from p2pfruit.home.store import Known

LIMIT_S = 60


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "far" / "home")


# Where it is.


def test_the_option_weighs_more_than_the_environment(tmp_path: Path) -> None:
    environ = {"P2PFRUIT_HOME": str(tmp_path / "environment")}
    assert Home.find(str(tmp_path / "option"), environ).path == tmp_path / "option"
    assert Home.find(None, environ).path == tmp_path / "environment"


def test_the_usual_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for environ in ({}, {"P2PFRUIT_HOME": ""}):
        assert Home.find(None, environ).path.name == "p2pfruit"
        assert Home.find(None, environ).path.is_absolute()


def test_a_folder_of_here_or_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    assert Home.find("here", {}).path == tmp_path / "here"
    assert Home.find("~/fruit", {}).path == tmp_path / "me" / "fruit"


def test_an_empty_option_is_not_the_usual_place() -> None:
    with pytest.raises(Refusal, match="needs a folder"):
        Home.find("", {})


# What is in it.


def test_looking_leaves_no_trace(home: Home) -> None:
    assert home.known_identity() is None
    assert home.secret() is None
    assert home.look() is None
    assert home.name()
    assert not home.path.parent.exists()


def test_the_identity_is_made_once_and_for_its_owner(home: Home) -> None:
    first = home.identity()
    assert home.identity().key == first.key == Home(home.path).identity().key
    assert home.path.stat().st_mode & 0o777 == 0o700
    assert home.games.stat().st_mode & 0o777 == 0o700
    assert home.identity_file.stat().st_mode & 0o777 == 0o600
    assert home.secret() not in (None, first.key)


def test_whoever_was_faster_stays(home: Home) -> None:
    """Somebody made one between our look and our making."""
    first = home.identity()
    assert home.make_identity().key == first.key


def test_another_home_is_somebody_else(home: Home, tmp_path: Path) -> None:
    assert Home(tmp_path / "other").identity().key != home.identity().key


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:0],
        lambda text: text[:-20],
        lambda text: text.replace("secret ", "secret 00", 1),
        lambda text: text.replace("identity 1", "identity 2"),
        lambda text: text.replace("secret ", "secret xx", 1),
        lambda text: text.replace(text[30], "0" if text[30] != "0" else "1", 1),
        lambda text: "\x00\udcff" * 4000 + text,
    ],
)
def test_a_damaged_identity_is_refused_and_kept(home: Home, damage: object) -> None:
    home.identity()
    assert callable(damage)
    damaged = damage(home.identity_file.read_text()).encode("utf-8", "surrogateescape")
    home.identity_file.write_bytes(damaged)
    with pytest.raises(Refusal, match="identity is damaged") as caught:
        home.identity()
    assert caught.value.hint
    assert home.identity_file.read_bytes() == damaged


def test_a_folder_in_the_place_of_a_file(home: Home) -> None:
    home.identity_file.mkdir(parents=True)
    with pytest.raises(Refusal, match=r"cannot use .*identity: Is a directory"):
        home.identity()


def test_a_file_in_the_place_of_the_home(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    for use in (Home(path).make, Home(path / "below").identity, Home(path).lock().__enter__):
        with pytest.raises(Refusal, match="cannot use ") as caught:
            use()
        assert "--home" in str(caught.value.hint)


# The name.


def test_the_name_is_the_login_name_until_one_is_set(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "ada")
    assert home.name() == "ada"
    home.set_name("Ada Ångström")
    assert home.name() == "Ada Ångström"
    home.set_name("Bo")
    assert Home(home.path).name() == "Bo"


@pytest.mark.parametrize(
    ("login", "name"),
    [(" a\x1b[2Jb ", "a[2Jb"), ("", "player"), ("\x00", "player"), ("x" * 40, "x" * 32)],
)
def test_a_login_name_is_cleaned(
    login: str, name: str, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: login)
    assert home.name() == name


def test_nobody_by_name(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def getuser() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr(getpass, "getuser", getuser)
    assert home.name() == "player"


@pytest.mark.parametrize("name", ["", " ", "x" * 33, "a\nb", "\x1b[31m"])
def test_a_name_that_no_table_takes(name: str, home: Home) -> None:
    with pytest.raises(Refusal, match="1 to 32 printable"):
        home.set_name(name)
    assert not home.path.exists()


def test_a_damaged_name(home: Home) -> None:
    home.set_name("Ada")
    home.name_file.write_bytes(b"\xff\n\n")
    with pytest.raises(Refusal, match="name is damaged") as caught:
        home.name()
    assert "id name" in str(caught.value.hint)


# The lock.


def test_one_at_a_time(home: Home) -> None:
    with home.lock():
        with pytest.raises(Refusal, match=f"in use by .* process {os.getpid()}$") as caught:
            home.lock().__enter__()
        assert "--home" in str(caught.value.hint)
    with home.lock():
        pass


def test_a_holder_who_has_not_said_who(home: Home) -> None:
    with home.lock():
        home.lock_file.write_text("")
        with pytest.raises(Refusal, match=r"process \?$"):
            home.lock().__enter__()


def test_a_killed_process_holds_nothing(home: Home) -> None:
    script = (
        "import sys; from pathlib import Path; from p2pfruit.home.folder import Home\n"
        "with Home(Path(sys.argv[1])).lock():\n"
        "    print('locked', flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(home.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(Refusal, match=f"process {process.pid}$"):
            home.lock().__enter__()
        process.kill()
        process.wait(LIMIT_S)
    with home.lock():
        assert home.lock_file.read_text() == f"{os.getpid()}\n"


def test_a_folder_in_the_place_of_the_lock(home: Home) -> None:
    home.lock_file.mkdir(parents=True)
    with pytest.raises(Refusal, match=r"cannot use .*lock: Is a directory"):
        home.lock().__enter__()


def test_a_file_system_without_locks(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def take(_descriptor: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("p2pfruit.home.folder._take_lock", take)
    with pytest.raises(Refusal, match=r"cannot use .*: No locks available"):
        home.lock().__enter__()


# The database.


def test_my_own_name_is_mine(home: Home) -> None:
    home.set_name("Ada")
    with home.open_store(now=10) as store:
        (me,) = store.people()
        assert (me.key, me.name) == (home.identity().key, "Ada")
        meeting = store.meet(b"k" * 32, "ADA", now=20)
    assert (meeting.known, meeting.owner, meeting.since) == (Known.IMPOSTOR, me.key, 10)


def test_a_store_that_cannot_be_used_is_closed(home: Home) -> None:
    home.make()
    home.identity_file.write_text("damaged")
    with pytest.raises(Refusal, match="damaged"):
        home.open_store(now=1)
    assert not home.database.with_name("p2pfruit.db-wal").exists()


def test_reading_meanwhile_and_afterwards_leaves_no_trace(home: Home) -> None:
    with home.open_store(now=1):
        looking = home.look()
        assert looking is not None
        with looking:
            assert len(looking.people()) == 1
    before = sorted(os.listdir(home.path))
    looking = home.look()
    assert looking is not None
    with looking:
        assert len(looking.people()) == 1
    assert sorted(os.listdir(home.path)) == before
