"""What is said about a game before it is played: its summary, its options, its rules pages.

About works for any registered game; p2pfruit/games/<game>/about.py says it better.
"""

from importlib.resources import files

from engine import registry
from p2pfruit import language
from p2pfruit.games import parts
from p2pfruit.language import text as _


class About:
    def __init__(self, name: str) -> None:
        self.name = name

    def summary(self) -> str:
        """Return what the game is, in a few words."""
        return _("no description")

    def length(self) -> str:
        """Return how long a game takes; nothing if that is not known."""
        return ""

    def credit(self) -> str:
        """Return the author of the game; nothing if none is named."""
        return ""

    def option(self, name: str, value: str) -> str:
        return _("no description")

    def called(self, word: str) -> str:
        """Return the name of an option, or of one of its values, where a player chooses it."""
        return word

    def content_note(self) -> str:
        """Return what is ours and what is the publisher's; nothing if there is nothing to say."""
        return registry.find(self.name).content().note

    def rules(self) -> str:
        missing = _("{name} comes without a rules page").format(name=self.name) + "\n"
        return self._read("rules") or missing

    def short(self) -> str:
        """Return the rules on one screen, or all of them if there is no such page."""
        return self._read("short") or self.rules()

    def _read(self, page: str) -> str | None:
        """Read a page beside the other parts of the game, in the language spoken or in English."""
        folder = parts.folder(self.name)
        if folder is None:
            return None
        for spoken in (language.current(), "en"):
            file = files(folder).joinpath(f"{page}.{spoken}.md")
            if file.is_file():
                return file.read_text(encoding="utf-8")
        return None


def about(name: str) -> About:
    kind: type[About] = parts.part(name, "about", "ABOUT") or About
    return kind(name)
