"""The page of a replay: one file, in every language that we speak.

The data stands in it as JSON in which no sign means anything to a browser. The policy names the
digests of the one script and the one style; everything else, any address too, is forbidden.
"""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from p2pfruit import language
from p2pfruit.language import text as _
from p2pfruit.replay.frames import Replay
from p2pfruit.replay.html.pictures import pictures

_GAP = re.compile(r"\{\{([a-z]+)\}\}")


def page(replay: Replay) -> str:
    style, script = _file("replay.css"), _file("parts.js") + _file("replay.js")
    gaps = {
        "language": language.current(),
        "policy": _policy(style, script),
        "title": escape(replay.title),
        "headline": escape(replay.headline),
        "help": escape(_("this page needs JavaScript, which it brings along")),
        "style": style,
        "script": script,
        "data": _embedded({"language": language.current(), "languages": _in_all(replay)}),
    }
    return _GAP.sub(lambda gap: gaps[gap[1]], _file("replay.html"))


def _file(name: str) -> str:
    return files("p2pfruit.replay.html").joinpath(name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {_source(script)}",
            f"style-src {_source(style)}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _embedded(data: Any) -> str:
    """JSON in ASCII, without a sign that could end the element it stands in."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _in_all(replay: Replay) -> dict[str, Any]:
    spoken = language.current()
    try:
        return {code: _in(code, replay) for code in language.LANGUAGES}
    finally:
        language.use(spoken)


def _in(code: str, replay: Replay) -> dict[str, Any]:
    language.use(code)
    return {"words": _words(), **pictures(replay)}


def _words() -> dict[str, str]:
    """What the page itself says."""
    return {
        "self": _("English"),
        "verified": _("verified ✓"),
        "progress": _("frame {number} of {count}, round {round}"),
        "first": _("first frame (Home)"),
        "round_back": _("round back (PageUp)"),
        "back": _("back (left arrow)"),
        "forward": _("forward (right arrow)"),
        "round_forward": _("round forward (PageDown)"),
        "last": _("last frame (End)"),
        "play": _("play by itself (space)"),
        "pause": _("stop playing (space)"),
        "frame": _("frame"),
        "hands": _("open hands"),
        "hands_key": _("show and hide the hands (h)"),
        "dark": _("dark"),
        "language": _("language"),
        "hand": _("hand"),
        "closed": _("closed card"),
        "never": _("cards that stay closed because the record never opens them: {count}"),
        "points": _("points"),
        "now": _("if now"),
        "projection": _("if the round ended now"),
        "gone": _("no longer plays"),
        "told": _("in words"),
        "signs": _("what the signs mean"),
        "total": _("total"),
        "in_all": _("{points} points, {total} in all"),
        "ranking": _("final ranking"),
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
