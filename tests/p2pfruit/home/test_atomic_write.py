"""Files are written whole or not at all."""

import os
from pathlib import Path

import pytest

from p2pfruit.exits import Refusal
from p2pfruit.home.atomic_write import write_whole


def test_whole_and_private(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"one", replace=False)
    assert path.read_bytes() == b"one"
    assert path.stat().st_mode & 0o777 == 0o600
    write_whole(path, b"two", replace=True)
    assert path.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["file"]


def test_what_stands_is_not_replaced_unasked(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        write_whole(path, b"other", replace=False)
    assert path.read_bytes() == b"mine"
    assert os.listdir(tmp_path) == ["file"]


def test_a_file_system_without_second_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(*_paths: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", link)
    path = tmp_path / "file"
    write_whole(path, b"one", replace=False)
    with pytest.raises(FileExistsError):
        write_whole(path, b"two", replace=False)
    assert path.read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["file"]


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fsync(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "file"
    path.write_bytes(b"before")
    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(Refusal, match=r"cannot write .*: No space left on device"):
        write_whole(path, b"after", replace=True)
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["file"]


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"cannot write .*: No such file") as caught:
        write_whole(tmp_path / "none" / "file", b"", replace=True)
    assert caught.value.hint
