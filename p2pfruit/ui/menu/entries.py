"""What somebody may wish for at the start, and the command line that it comes to.

The same for the full screen and for lines: an Asker puts the questions. Nothing is done here but
what the menu itself keeps (a name, settings); a wish that is complete is a command line, and
whoever runs the menu runs it.
"""

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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

# None: nothing came of it, or the end; nothing to run: the front is to be built anew.
Line = list[str] | None
REBUILD_UI: list[str] = []

# Settings that the front is built with.
_BUILT_WITH = ("glyphs", "colour", "mouse")


@dataclass(frozen=True, slots=True)
class MenuEntry:
    item: Item
    open: Callable[[Asker], Awaitable[Line]]


class Menu:
    """Remembers between two fronts: where one was, what was answered before, what to say first.
    `lang` was said on the command line, and wins over the settings."""

    def __init__(self, home: "Home", lang: str | None) -> None:
        self.home = home
        self.notice: tuple[str, Sequence[str]] | None = None
        self.chosen: Line = None  # what is still to be run
        self._lang = lang
        self._at = 0
        self._answered: dict[str, Answers] = {}
        self._settings_at: int | None = None  # where they were left to build the front anew
        self._greeted = False

    async def choose(self, asker: Asker) -> Line:
        """A command line; None at the end."""
        if self.notice is not None:
            notice, self.notice = self.notice, None
            await asker.tell(*notice)
        await self._greet(asker)
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

    async def _greet(self, asker: Asker) -> None:
        """The first time, a name, and nothing else; whoever goes back is asked the next time."""
        if self._greeted or self.home.name_file.exists():
            return
        self._greeted = True
        answers = await asker.fill(forms.name_form(self.home))
        if answers is not None:
            self.home.set_name(answers["name"])

    async def _wish(self, asker: Asker) -> MenuEntry | None:
        if self._settings_at is not None:
            return MenuEntry(Item(label=""), self._settings)
        wishes = self._wishes()
        items = tuple(wish.item for wish in wishes)
        leave = Item(label=_("Quit"), about=_("see you soon"))
        picking = Picking(title=self._name(), items=(*items, leave), at=self._at, top=True)
        picked = await asker.pick(picking)
        if picked is None or picked >= len(wishes):
            return None
        self._at = picked
        return wishes[picked]

    def _name(self) -> str:
        """A damaged file is no reason to have no menu: the settings say what is wrong with it."""
        from p2pfruit.text.safe import shown_names

        try:
            return shown_names([self.home.name()])[0]
        except Refusal:
            return "?"

    def _wishes(self) -> list[MenuEntry]:
        kept = self._kept()
        goes_on = Item(label=_("Continue a game"), about=kept)
        return [
            MenuEntry(
                Item(
                    label=_("Play against bots"),
                    about=_("alone, on this machine; as fair as with strangers"),
                ),
                self._play,
            ),
            MenuEntry(
                Item(
                    label=_("Host a table"),
                    about=_("open a table, and get an invitation to send to your friends"),
                ),
                self._host,
            ),
            MenuEntry(
                Item(
                    label=_("Join a table"),
                    about=_("with the invitation that a host sent you, to play or to look on"),
                ),
                self._join,
            ),
            MenuEntry(
                Item(
                    label=_("Tables on this network"),
                    about=_("those that announce themselves; listening sends nothing"),
                ),
                self._look_around,
            ),
            *([MenuEntry(goes_on, self._go_on)] if kept else []),
            MenuEntry(
                Item(label=_("Watch a replay"), about=_("step through a game that was played")),
                self._replay,
            ),
            MenuEntry(
                Item(
                    label=_("Learn"),
                    about=_("a first round with a teacher, and the rules of every game"),
                ),
                self._learn,
            ),
            MenuEntry(
                Item(label=_("Settings"), about=_("name, language, screen, sound, what is asked")),
                self._settings,
            ),
        ]

    # Forms.

    async def _fill(
        self, asker: Asker, name: str, form: Form, line: Callable[[Answers], list[str]]
    ) -> Line:
        """What was answered before is proposed again."""
        answers = await asker.fill(_with(form, self._answered.get(name, {})))
        if answers is None:
            return None
        self._answered[name] = dict(answers)
        return line(answers)

    async def _play(self, asker: Asker) -> Line:
        form = forms.play_form(self._current())
        return await self._fill(asker, "play", form, forms.play_argv)

    async def _host(self, asker: Asker) -> Line:
        form = forms.host_form(self._current())
        return await self._fill(asker, "host", form, forms.host_line)

    async def _join(self, asker: Asker) -> Line:
        answers = await asker.fill(forms.join_form())
        return None if answers is None else forms.join_line(answers)

    async def _look_around(self, asker: Asker) -> Line:
        while (found := await asker.listen()) is not None:
            answers = await asker.fill(forms.join_form(found))
            if answers is not None:
                return forms.join_line(answers)
        return None

    def _current(self) -> settings.Settings:
        return settings.load(self.home.path)

    # What was played.

    def _played(self) -> list["PlayedTable"]:
        store = self.home.look()
        if store is None:
            return []
        with store:
            return store.history()

    def _with_files(self) -> list["PlayedTable"]:
        return [table for table in self._played() if table.file and os.path.exists(table.file)]

    def _kept(self) -> str:
        """How many games wait, in words; nothing if none does. A store that cannot be read says why
        when it is opened."""
        try:
            count = sum(table.ended is None for table in self._played())
        except Refusal:
            return _("the games that were kept cannot be read")
        return plural("{count} game waits", "{count} games wait", count) if count else ""

    async def _go_on(self, asker: Asker) -> Line:
        from p2pfruit.home.played import ID_DIGITS

        tables = [table for table in self._played() if table.ended is None]
        picked = 0
        if len(tables) != 1:
            found = await self._pick_table(asker, _("Continue a game"), tables, ())
            if found is None:
                return None
            picked = found
        return ["resume", tables[picked].id.hex()[:ID_DIGITS]]

    async def _replay(self, asker: Asker) -> Line:
        tables = self._with_files()
        other = Item(label=_("Another file"), about=_("a game file from somewhere else"))
        picked = await self._pick_table(asker, _("Watch a replay"), tables, (other,))
        if picked is None:
            return None
        if picked < len(tables):
            return ["replay", tables[picked].file]
        return await self._fill(asker, "file", forms.file_form(), forms.file_line)

    async def _pick_table(
        self,
        asker: Asker,
        title: str,
        tables: Sequence["PlayedTable"],
        more: tuple[Item, ...],
    ) -> int | None:
        from p2pfruit.home.played import described

        items = tuple(Item(label=described(table)) for table in tables)
        return await asker.pick(Picking(title=title, items=(*items, *more)))

    # What can be learned.

    async def _learn(self, asker: Asker) -> Line:
        from engine import registry
        from p2pfruit.games.about import about
        from p2pfruit.games.course import taught

        teacher = _("five minutes with a teacher")
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

    # What is set.

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


def as_notice(refusal: Refusal) -> tuple[str, Sequence[str]]:
    return str(refusal), [refusal.hint] if refusal.hint else []


def _with(form: Form, answers: Mapping[str, Any]) -> Form:
    """The same form, with these answers to begin with."""

    def begun(fields: Sequence[Field]) -> tuple[Field, ...]:
        return tuple(replace(field, start=answers.get(field.name, field.start)) for field in fields)

    return replace(
        form, fields=begun(form.fields), further=lambda given: begun(form.further(given))
    )
