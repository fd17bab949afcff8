"""The entries of the start menu. Each turns the player's answers into a command line.

The full screen and line mode share them: an Asker asks the questions. The menu itself only stores
the name and the settings; its caller runs the command lines.
"""

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2pfruit import language
from p2pfruit.exits import Refusal
from p2pfruit.home import settings
from p2pfruit.language import plural
from p2pfruit.language import text as _
from p2pfruit.ui.forms import Answers, Asker, Field, Form, Item, Picking
from p2pfruit.ui.menu import forms

if TYPE_CHECKING:
    from p2pfruit.home.folder import Home
    from p2pfruit.home.store import PlayedTable

# None: the player went back or quit. REBUILD_UI: build the front again, run nothing.
Line = list[str] | None
REBUILD_UI: list[str] = []

# A change of these settings takes effect when the front is built again.
_BUILT_WITH = ("glyphs", "colour", "mouse")


@dataclass(frozen=True, slots=True)
class MenuEntry:
    item: Item
    open: Callable[[Asker], Awaitable[Line]]


class Menu:
    """The state that outlives a front: the selected entry, earlier answers, a notice to show first.

    `lang` comes from the command line and overrides the settings.
    """

    def __init__(self, home: "Home", lang: str | None) -> None:
        self.home = home
        self.notice: tuple[str, Sequence[str]] | None = None
        self.chosen: Line = None  # a command line that is still to be run
        self._lang = lang
        self._at = 0
        self._offers_kept = False  # the first entry continues a game
        self._answered: dict[str, Answers] = {}
        self._settings_at: int | None = None  # the row to return to after the front was rebuilt
        self._greeted = False

    async def choose(self, asker: Asker) -> Line:
        """Return a command line, or None when the player quits."""
        if self.notice is not None:
            notice, self.notice = self.notice, None
            await asker.tell(*notice)
        if (line := await self._greet(asker)) is not None:
            return line
        while True:
            wish = await self._wish(asker)
            if wish is None:
                return None
            try:
                line = await wish.open(asker)
            except Refusal as refusal:
                await asker.tell(*as_notice(refusal))
                continue
            if line is not None:
                return line

    def _is_new(self) -> bool:
        return not self._greeted and not self.home.name_file.exists()

    async def _greet(self, asker: Asker) -> Line:
        """Ask a new player for a name, and offer a first game. A player who goes back is asked
        again at the next start."""
        if not self._is_new():
            return None
        self._greeted = True
        answers = await asker.fill(forms.name_form(self.home))
        if answers is None:
            return None
        self.home.set_name(answers["name"])
        items, lines = zip(*_first_games(), strict=True)
        picked = await asker.pick(Picking(title=_welcome(self._name()), items=items))
        return None if picked is None else lines[picked]

    def first(self) -> Picking | None:
        """Return the list of entries if nothing else is to be asked or told before it."""
        if self.notice is not None or self._settings_at is not None or self._is_new():
            return None
        return self._picking(self._wishes())

    async def _wish(self, asker: Asker) -> MenuEntry | None:
        if self._settings_at is not None:
            return MenuEntry(Item(label=""), self._settings)
        wishes = self._wishes()
        picked = await asker.pick(self._picking(wishes))
        if picked is None or picked >= len(wishes):
            return None
        self._at = picked
        return wishes[picked]

    def _picking(self, wishes: Sequence[MenuEntry]) -> Picking:
        items = tuple(wish.item for wish in wishes)
        leave = Item(label=_("Quit"), about=_("leave p2pfruit"))
        return Picking(title=self._name(), items=(*items, leave), at=self._at, top=True)

    def _name(self) -> str:
        """Return the player's name, or "?" if its file is damaged: the settings then say why."""
        from p2pfruit.text.safe import shown_names

        try:
            return shown_names([self.home.name()])[0]
        except Refusal:
            return "?"

    def _wishes(self) -> list[MenuEntry]:
        kept = self._kept()
        if bool(kept) != self._offers_kept:  # then the other entries stand elsewhere
            self._at, self._offers_kept = 0, bool(kept)
        goes_on = Item(label=_("Continue"), about=kept)
        return [
            *([MenuEntry(goes_on, self._go_on)] if kept else []),
            MenuEntry(
                Item(
                    label=_("Play against bots"),
                    about=_("on this computer, with the same proofs as a game with strangers"),
                ),
                self._play,
            ),
            MenuEntry(
                Item(
                    label=_("Host a table"),
                    about=_("open a table and get an invitation to send to your friends"),
                ),
                self._host,
            ),
            MenuEntry(
                Item(
                    label=_("Join a table"),
                    about=_("play or watch, with the invitation that a host sent you"),
                ),
                self._join,
            ),
            MenuEntry(
                Item(
                    label=_("Tables on this network"),
                    about=_("list the tables announced here, and join one with its code"),
                ),
                self._look_around,
            ),
            MenuEntry(
                Item(label=_("Replay a game"), about=_("step through a finished game")),
                self._replay,
            ),
            MenuEntry(
                Item(label=_("Statistics"), about=_("your games, wins and places")),
                self._stats,
            ),
            MenuEntry(
                Item(
                    label=_("Learn"),
                    about=_("a guided first round, and the rules of every game"),
                ),
                self._learn,
            ),
            MenuEntry(
                Item(label=_("Settings"), about=_("name, language, screen, sound, confirmations")),
                self._settings,
            ),
        ]

    # Forms.

    async def _fill(
        self, asker: Asker, name: str, form: Form, line: Callable[[Answers], list[str]]
    ) -> Line:
        """Ask the questions of a form, starting with the previous answers."""
        answers = await asker.fill(_with(form, self._answered.get(name, {})))
        if answers is None:
            return None
        self._answered[name] = dict(answers)
        return line(answers)

    async def _play(self, asker: Asker) -> Line:
        form = forms.play_form(self._current())
        return await self._fill(asker, "play", form, forms.play_argv)

    async def _host(self, asker: Asker) -> Line:
        line = partial(forms.host_line, self._current())
        return await self._fill(asker, "host", forms.host_form(), line)

    async def _join(self, asker: Asker) -> Line:
        answers = await asker.fill(forms.join_form())
        return None if answers is None else forms.join_line(answers)

    async def _look_around(self, asker: Asker) -> Line:
        while (found := await asker.listen()) is not None:
            if found.announcement.entrance is None:
                answers = await asker.fill(forms.join_form(found))
                if answers is not None:
                    return forms.join_line(answers)
            else:
                known = self.home.knows(found.announcement.entrance.host)
                answers = await asker.fill(forms.code_form(found, known=known))
                if answers is not None:
                    return forms.code_line(found, answers)
        return None

    def _current(self) -> settings.Settings:
        return settings.load(self.home.path)

    # Games played.

    def _played(self) -> list["PlayedTable"]:
        store = self.home.look()
        if store is None:
            return []
        with store:
            return store.history()

    def _with_files(self) -> list["PlayedTable"]:
        return [table for table in self._played() if table.file and os.path.exists(table.file)]

    def _kept(self) -> str:
        """Return how many games can be resumed, in words; "" if there are none.

        The entry also stands there if the store cannot be read: opening it says why.
        """
        try:
            count = sum(table.ended is None for table in self._played())
        except Refusal:
            return _("the saved games cannot be read")
        return (
            plural("{count} interrupted game", "{count} interrupted games", count) if count else ""
        )

    async def _go_on(self, asker: Asker) -> Line:
        from p2pfruit.home.played import ID_DIGITS

        tables = [table for table in self._played() if table.ended is None]
        picked = 0
        if len(tables) != 1:
            found = await self._pick_table(asker, _("Continue"), tables, ())
            if found is None:
                return None
            picked = found
        return ["resume", tables[picked].id.hex()[:ID_DIGITS]]

    async def _replay(self, asker: Asker) -> Line:
        tables = self._with_files()
        other = Item(label=_("Another file"), about=_("a game file from somewhere else"))
        picked = await self._pick_table(asker, _("Replay a game"), tables, (other,))
        if picked is None:
            return None
        if picked < len(tables):
            return ["replay", tables[picked].file]
        return await self._fill(asker, "file", forms.file_form(), forms.file_line)

    async def _stats(self, _asker: Asker) -> Line:
        return ["stats"]

    async def _pick_table(
        self,
        asker: Asker,
        title: str,
        tables: Sequence["PlayedTable"],
        more: tuple[Item, ...],
    ) -> int | None:
        from p2pfruit.home.played import described

        items = tuple(Item(label=described(table), about=_others(table)) for table in tables)
        return await asker.pick(Picking(title=title, items=(*items, *more)))

    # Lessons and rules.

    async def _learn(self, asker: Asker) -> Line:
        from engine import registry
        from p2pfruit.games.about import about
        from p2pfruit.games.course import taught

        teacher = _("a guided first round, five minutes")
        offered = [
            (
                Item(label=_("Learn {game}").format(game=name.capitalize()), about=teacher),
                ["learn", "--game", name],
            )
            for name in taught()
        ]
        for name in registry.names():
            label = _("Rules of {game}").format(game=name.capitalize())
            offered.append((Item(label=label, about=about(name).summary()), ["rules", name]))
        items = tuple(item for item, _line in offered)
        picked = await asker.pick(Picking(title=_("Learn"), items=items))
        return None if picked is None else offered[picked][1]

    # Settings.

    async def _settings(self, asker: Asker) -> Line:
        at, self._settings_at = self._settings_at or 0, None
        self._settings_at = await asker.adjust(
            lambda: forms.settings_form(self.home), self._change, at
        )
        return None if self._settings_at is None else REBUILD_UI

    def _change(self, field: Field, value: Any) -> bool:
        if field.name == "name":
            self.home.set_name(value)
            return False
        current = settings.change(self.home.path, field.name, value)
        if field.name == "language" and self._lang is None:
            language.use(language.wanted((), os.environ, current.language))
        return field.name in _BUILT_WITH


def _welcome(name: str) -> str:
    return _("Welcome, {name}! What would you like to do first?").format(name=name)


def _first_games() -> list[tuple[Item, Line]]:
    """Return what a new player is offered, each with its command line; None leads to the menu."""
    from p2pfruit.games.course import FIRST_GAME

    lesson = Item(
        label=_("Learn to play in five minutes"),
        about=_("a guided first round of {game}").format(game=FIRST_GAME.capitalize()),
    )
    game = Item(
        label=_("Play against easy bots"),
        about=_("{game} at once; F1 shows the rules in short at any time").format(
            game=FIRST_GAME.capitalize()
        ),
    )
    menu = Item(label=_("Look around"), about=_("open the menu, with everything there is"))
    easy = ["play", "--game", FIRST_GAME, "--seats", "3", "--level", "easy"]
    return [(lesson, ["learn", "--game", FIRST_GAME]), (game, easy), (menu, None)]


def _others(table: "PlayedTable") -> str:
    """Say if another player's file of a table says something else, or more."""
    from p2pfruit.home import others

    found = others.kept(Path(table.file)) if table.file else []
    return others.words(found[0]) if found else ""


def as_notice(refusal: Refusal) -> tuple[str, Sequence[str]]:
    return str(refusal), [refusal.hint] if refusal.hint else []


def _with(form: Form, answers: Mapping[str, Any]) -> Form:
    """Return the same form with these answers as its starting values."""

    def begun(fields: Sequence[Field]) -> tuple[Field, ...]:
        return tuple(replace(field, start=answers.get(field.name, field.start)) for field in fields)

    return replace(
        form, fields=begun(form.fields), further=lambda given: begun(form.further(given))
    )
