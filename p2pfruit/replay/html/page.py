"""The page of a replay: one file, in every language of the program.

The data is embedded as JSON without any character that has a meaning in HTML. The page's policy
names the digests of its one script and its one style. Everything else is forbidden, including every
address.
"""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from p2pfruit import language
from p2pfruit.language import text as _
from p2pfruit.replay.analysis import Analysis
from p2pfruit.replay.frames import Replay
from p2pfruit.replay.html.pictures import pictures

_GAP = re.compile(r"\{\{([a-z]+)\}\}")


def page(replay: Replay, found: Analysis | None = None) -> str:
    """Return the page of a replay, with an analysis of one player's decisions if there is one."""
    style, script = _file("replay.css"), _file("parts.js") + _file("replay.js")
    gaps = {
        "language": language.current(),
        "policy": _policy(style, script),
        "title": escape(replay.title),
        "headline": escape(replay.headline),
        "terms": escape(" · ".join(replay.terms)),
        "help": escape(_("this page needs JavaScript; it loads nothing from elsewhere")),
        "style": style,
        "script": script,
        "data": _embedded({"language": language.current(), "languages": _in_all(replay, found)}),
    }
    return filled(_file("replay.html"), gaps)


def filled(frame: str, gaps: Mapping[str, str]) -> str:
    """Return the frame of a page with every gap filled, once: what is put in has no gaps."""
    return _GAP.sub(lambda gap: gaps[gap[1]], frame)


def _file(name: str) -> str:
    return files("p2pfruit.replay.html").joinpath(name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {source(script)}",
            f"style-src {source(style)}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def source(text: str) -> str:
    """Return what a policy calls exactly this script or style."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _embedded(data: Any) -> str:
    """Return JSON in ASCII, without a character that could end the element around it."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _in_all(replay: Replay, found: Analysis | None) -> dict[str, Any]:
    spoken = language.current()
    try:
        return {code: _in(code, replay, found) for code in language.LANGUAGES}
    finally:
        language.use(spoken)


def _in(code: str, replay: Replay, found: Analysis | None) -> dict[str, Any]:
    language.use(code)
    return {"words": _words(), **pictures(replay, found)}


def _words() -> dict[str, str]:
    """Return the words of the page itself."""
    return {
        "self": _("English"),
        "verified": _("verified ✓"),
        "progress": _("frame {number} of {count}, round {round}"),
        "start": _("replay from the first card"),
        "first": _("first frame (Home)"),
        "round_back": _("previous round (PageUp)"),
        "back": _("back (left arrow)"),
        "forward": _("forward (right arrow)"),
        "round_forward": _("next round (PageDown)"),
        "last": _("last frame (End)"),
        "play": _("play (space)"),
        "pause": _("pause (space)"),
        "frame": _("frame"),
        "hands": _("open hands"),
        "hands_key": _("show or hide the hands (h)"),
        "dark": _("dark"),
        "language": _("language"),
        "hand": _("hand"),
        "closed": _("closed card"),
        "never": _("cards that stay closed because they were never opened: {count}"),
        "points": _("points"),
        "now": _("if now"),
        "projection": _("if the round ended now"),
        "gone": _("no longer plays"),
        "told": _("in words"),
        "signs": _("what the symbols mean"),
        "total": _("total"),
        "in_all": _("{points} points, {total} in all"),
        "ranking": _("final ranking"),
        "expert": _("how the expert would have played"),
        "standing": _("points so far"),
        "place": _("place"),
        "name": _("name"),
        "round": _("round {round}"),
        "target": _("target"),
        "wins": _("wins"),
        "void": _("void"),
        "past": _("past"),
        "barred": _("cannot be played now"),
    }
