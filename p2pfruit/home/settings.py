"""What a player may set: settings.toml in the home.

Whatever stands in the file is one of the keys below with one of its values; anything else is
refused with the place and what would be right, so that writing the file loses nothing. It is
written whole, in a fixed order, with a line of explanation for each key.

NO_COLOR in the environment is a wish to all programs. `colour = "auto"` honours it; "on" and "off"
are said to this program alone, and win.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.places import home_folder
from p2pfruit.home.settings_file import AUTO, FILE, read_table
from p2pfruit.language import LANGUAGES
from p2pfruit.language import text as _
from p2pfruit.text.safe import shortened, shown_path

Value = str | bool | int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    language: str = AUTO
    screen: str = AUTO
    glyphs: str = AUTO
    colour: str = AUTO
    motion: bool = True
    bell: bool = True
    mouse: bool = False  # it would take the terminal's own way to select text
    confirm: bool = True  # nothing can be taken back
    chat: bool = True
    game: str = "fruitoplay"
    seats: int = 4
    level: str = "expert"


DEFAULTS = Settings()

_SWITCH = {
    **dict.fromkeys(("on", "yes", "true", "oui"), True),
    **dict.fromkeys(("off", "no", "false", "non"), False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One setting. `offered` looks up the values when they are needed: some take long to load."""

    name: str
    offered: Callable[[], Sequence[Value]]
    label: Callable[[], str]
    about: Callable[[], str]

    @property
    def default(self) -> Value:
        found: Value = getattr(DEFAULTS, self.name)
        return found

    def allows(self, value: object) -> bool:
        if type(value) is not type(self.default):
            return False
        if value == self.default:
            return True
        if self.name == "game":  # its package may be gone since: other games are still played
            return _is_name_of_a_game(value)
        return value in self.offered()

    def read(self, text: str) -> Value:
        """What somebody typed."""
        if type(self.default) is bool and text.lower() in _SWITCH:
            return _SWITCH[text.lower()]
        for value in self.offered():
            if type(value) is not bool and text.lower() == str(value):
                return value
        message = _("{key} cannot be {value}; it can be: {values}").format(
            key=self.name, value=repr(shortened(text)), values=self.values()
        )
        hint = _("`p2pfruit settings` says what each means")
        raise Refusal(message, hint=hint, code=USAGE)

    def values(self) -> str:
        return ", ".join(map(written, self.offered()))


def written(value: Value) -> str:
    """As it is typed and listed."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _is_name_of_a_game(value: object) -> bool:
    from engine import packages

    return packages.is_name(value)


def _games() -> Sequence[Value]:
    from engine import registry

    return registry.names()


def _levels() -> Sequence[Value]:
    from p2pfruit.bots import LEVELS

    return LEVELS


def _seats() -> Sequence[Value]:
    from engine.limits import SEATS_MOST

    return range(2, SEATS_MOST + 1)


def _switch() -> Sequence[Value]:
    return (True, False)


KEYS = (
    Key(
        name="language",
        label=lambda: _("language"),
        offered=lambda: (AUTO, *LANGUAGES),
        about=lambda: _("the language to speak; auto: the locale's"),
    ),
    Key(
        name="screen",
        label=lambda: _("screen"),
        offered=lambda: (AUTO, "full", "lines"),
        about=lambda: _("full: the whole screen; lines: line by line, good to hear read aloud"),
    ),
    Key(
        name="glyphs",
        label=lambda: _("signs"),
        offered=lambda: (AUTO, "unicode", "ascii"),
        about=lambda: _("the signs to draw with; ascii where others come out wrong"),
    ),
    Key(
        name="colour",
        label=lambda: _("colour"),
        offered=lambda: (AUTO, "on", "off"),
        about=lambda: _("auto: unless NO_COLOR is set; on and off say it to p2pfruit alone"),
    ),
    Key(
        name="motion",
        label=lambda: _("motion"),
        offered=_switch,
        about=lambda: _("cards are turned up step by step; off: at once"),
    ),
    Key(
        name="bell",
        label=lambda: _("bell"),
        offered=_switch,
        about=lambda: _("the terminal rings when you are asked"),
    ),
    Key(
        name="mouse",
        label=lambda: _("mouse"),
        offered=_switch,
        about=lambda: _("clicks choose; selecting text then needs the Shift key"),
    ),
    Key(
        name="confirm",
        label=lambda: _("confirm cards"),
        offered=_switch,
        about=lambda: _("a digit picks and Enter plays; off: a digit plays at once"),
    ),
    Key(
        name="chat",
        label=lambda: _("chat"),
        offered=_switch,
        about=lambda: _("show what others write; off: nobody's words are shown"),
    ),
    Key(
        name="game",
        label=lambda: _("usual game"),
        offered=_games,
        about=lambda: _("the game that the menu proposes"),
    ),
    Key(
        name="seats",
        label=lambda: _("usual players"),
        offered=_seats,
        about=lambda: _("how many players the menu proposes"),
    ),
    Key(
        name="level",
        label=lambda: _("usual bots"),
        offered=_levels,
        about=lambda: _("how well bots play, in the menu"),
    ),
)


def find(name: str) -> Key:
    for key in KEYS:
        if key.name == name:
            return key
    message = _("there is no setting {key}").format(key=repr(shortened(name)))
    raise Refusal(message, hint=_meant(name), code=USAGE)


def _meant(name: str) -> str:
    from difflib import get_close_matches

    names = [key.name for key in KEYS]
    near = get_close_matches(name, names, n=1)
    if near:
        return _("did you mean {name}?").format(name=near[0])
    return _("there are: {names}").format(names=", ".join(names))


# Reading.


def current(arguments: argparse.Namespace, environ: Mapping[str, str]) -> Settings:
    """What is set in the home of this command."""
    return load(home_folder(arguments.home, environ))


def load(home: Path) -> Settings:
    """Raises Refusal for a file that is not as it would have been written."""
    return _checked(home / FILE, read_table(home))


def _checked(path: Path, table: Mapping[str, Any]) -> Settings:
    keys = {key.name: key for key in KEYS}
    for name, value in table.items():
        if name not in keys:
            why = _("there is no setting {key}").format(key=repr(shortened(name)))
            raise _misset(path, name, f"{why}; {_meant(name)}")
        if not keys[name].allows(value):
            right = ", ".join(map(_as_toml, keys[name].offered()))
            message = _("{key} cannot be {value}; it can be: {values}").format(
                key=name, value=shortened(_as_toml(value)), values=right
            )
            raise _misset(path, name, message)
    return Settings(**table)


def _misset(path: Path, name: str, why: str) -> Refusal:
    message = _("{path}: {why}").format(path=shown_path(str(path)), why=why)
    hint = _("mend it, or `p2pfruit settings --reset {key}` removes it")
    return Refusal(message, hint=hint.format(key=shown_path(shortened(name))))


# Writing.


def save(home: Path, settings: Settings) -> None:
    from p2pfruit.home.atomic_write import write_whole
    from p2pfruit.home.folder import Home

    Home(home).make()
    write_whole(home / FILE, _text(settings).encode(), replace=True)


def change(home: Path, name: str, value: Value) -> Settings:
    """Sets one of them and keeps it."""
    changes: dict[str, Any] = {name: value}
    settings = replace(load(home), **changes)
    save(home, settings)
    return settings


def reset(home: Path, name: str | None) -> Settings:
    """One of them, or all, as they were in the beginning: whatever the file says now."""
    table = {} if name is None else read_table(home)
    if name is not None:
        if name not in table:
            find(name)
        table.pop(name, None)
    settings = _checked(home / FILE, table)
    save(home, settings)
    return settings


def _text(settings: Settings) -> str:
    head = _("what `p2pfruit settings` shows and changes")
    lines = [f"# {head}"]
    for name, value in asdict(settings).items():
        key = find(name)
        values = ", ".join(map(_as_toml, key.offered()))
        lines += ["", f"# {key.about()} ({values})", f"{name} = {_as_toml(value)}"]
    return "\n".join(lines) + "\n"


def _as_toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)
