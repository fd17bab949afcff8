"""The page of a replay as text: it needs nothing else, and nothing in it is markup but its own."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from p2pfruit import language
from p2pfruit.replay.frames import Replay
from p2pfruit.replay.html.page import page
from p2pfruit.replay.html.pictures import pictures
from p2pfruit.text.safe import shown_names
from tests.p2pfruit.replay.tables import HOSTILE, four, hostile, page_of, replay_of, watched


class Elements(HTMLParser):
    """What a browser would find in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def names(self) -> list[str]:
        return [name for name, _ in self.found]


def embedded(text: str) -> str:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert found is not None
    return found[1]


def data_of(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(embedded(text))
    return data


def test_it_names_no_other_file() -> None:
    text = page_of(replay_of(four))
    elements = Elements(text)
    assert elements.names().count("script") == 2
    for _name, attributes in elements.found:
        assert not {"src", "href", "style", "onclick", "srcset", "action"} & set(attributes)
    assert "@import" not in text
    assert "url(" not in text
    addresses = set(re.findall(r"https?://[^\s\"']+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, which nobody fetches


def test_the_policy_forbids_everything_but_itself() -> None:
    text = page_of(replay_of(four))
    policy = next(
        attributes["content"]
        for name, attributes in Elements(text).found
        if name == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "http" not in policy


def test_names_are_no_markup() -> None:
    text = page_of(replay_of(hostile))
    plain = page_of(replay_of(four))
    assert Elements(text).names() == Elements(plain).names()
    assert "<img" not in text
    names = {row["name"] for row in data_of(text)["languages"]["en"]["ranking"]}
    assert names == set(shown_names(HOSTILE))


def test_nor_would_be_those_that_no_roster_has() -> None:
    read = replay_of(hostile)
    names = ["]]>\N{LINE SEPARATOR}</script>", '"><svg onload=a()>', "\0\x1b[2J", "{{data}}"]
    text = page(Replay(read.table, read.report, names))
    assert Elements(text).names() == Elements(page_of(replay_of(four))).names()
    assert "<svg" not in text
    assert text.count("application/json") == 1
    assert embedded(text).isascii()


def test_every_language_is_in_it() -> None:
    data = data_of(page_of(replay_of(four)))
    assert list(data["languages"]) == list(language.LANGUAGES)
    counts = {len(one["frames"]) for one in data["languages"].values()}
    assert counts == {len(replay_of(four).frames())}
    english, french = (data["languages"][code] for code in ("en", "fr"))
    assert english["words"].keys() == french["words"].keys()
    assert english["headline"].startswith("final: ")
    assert french["headline"].startswith("définitive : ")


@pytest.mark.parametrize("code", language.LANGUAGES)
def test_it_opens_in_the_language_that_is_spoken(code: str) -> None:
    before = language.current()
    language.use(code)
    try:
        text = page(replay_of(four))
        assert f'<html lang="{code}">' in text
        assert data_of(text)["language"] == code
        assert language.current() == code
    finally:
        language.use(before)


def test_pictures_are_what_frames_show() -> None:
    replay = replay_of(four)
    shown = pictures(replay)
    tiles = shown["tiles"]
    assert len({json.dumps(tile) for tile in tiles}) == len(tiles)
    for frame, picture in zip(replay.frames(), shown["frames"], strict=True):
        for row, player in zip(frame.scene.players, picture["players"], strict=True):
            assert [tiles[number]["name"] for number in player["hand"]] == [
                tile.name for tile in row.hand
            ]
        assert picture["told"] == frame.told
        assert ("moment" in picture, "reckoning" in picture) == (
            frame.moment is not None,
            frame.reckoning is not None,
        )


def test_a_game_in_the_engines_words() -> None:
    data = data_of(page_of(watched("brambles", 3, 5).replay))
    assert data["languages"]["en"]["suits"] == []
    assert data["languages"]["en"]["ranking"][0]["place"].startswith("1")
