"""The settings of a player: settings.toml in the home.

The file may hold only the keys below, each with one of its values. Anything else is refused with a
message that says where it is and what would be right. So writing the file never loses anything. It
is written whole, in a fixed order, with a line of explanation for each key.

NO_COLOR in the environment is addressed to all programs. `colour = "auto"` honours it. "on" and
"off" are addressed to this program alone, and override it.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from p2pfruit.exits import USAGE, Refusal
from p2pfruit.home.location import home_folder
from p2pfruit.home.settings_file import AUTO, FILE, read_table
from p2pfruit.language import LANGUAGES
from p2pfruit.language import text as _
from p2pfruit.levels import word_of
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
    mouse: bool = False  # it would disable the terminal's own selection of text
    confirm: bool = True  # a move cannot be taken back
    chat: bool = True
    game: str = "fruitoplay"
    seats: int = 4
    level: str = "hard"


DEFAULTS = Settings()

_SWITCH = {
    **dict.fromkeys(("on", "yes", "true", "oui"), True),
    **dict.fromkeys(("off", "no", "false", "non"), False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One setting. `offered` looks up the values only when needed: some take long to load."""

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
        if self.name == "game":  # its package may be gone by now; other games can still be played
            return _is_name_of_a_game(value)
        return value in self.offered()

    def read(self, text: str) -> Value:
        """Return the value that was typed. Raises Refusal for any other text."""
        if type(self.default) is bool and text.lower() in _SWITCH:
            return _SWITCH[text.lower()]
        meant = word_of(text.lower()) if self.name == "level" else text.lower()
        for value in self.offered():
            if type(value) is not bool and meant == str(value):
                return value
        message = _("{key} cannot be {value}; it can be: {values}").format(
            key=self.name, value=repr(shortened(text)), values=self.values()
        )
        hint = _("run `p2pfruit settings` for an explanation of each setting")
        raise Refusal(message, hint=hint, code=USAGE)

    def values(self) -> str:
        return ", ".join(map(written, self.offered()))


def written(value: Value) -> str:
    """Return a value as it is typed and listed."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _is_name_of_a_game(value: object) -> bool:
    from engine import packages

    return packages.is_name(value)


def _games() -> Sequence[Value]:
    from engine import registry

    return registry.names()


def _levels() -> Sequence[Value]:
    from p2pfruit.levels import WORDS

    return tuple(WORDS)


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
        about=lambda: _("the language of the program; auto: that of your locale"),
    ),
    Key(
        name="screen",
        label=lambda: _("screen"),
        offered=lambda: (AUTO, "full", "lines"),
        about=lambda: _("full: the whole screen; lines: line by line, good for screen readers"),
    ),
    Key(
        name="glyphs",
        label=lambda: _("symbols"),
        offered=lambda: (AUTO, "unicode", "ascii"),
        about=lambda: _("the symbols to draw with; ascii if others look wrong"),
    ),
    Key(
        name="colour",
        label=lambda: _("colour"),
        offered=lambda: (AUTO, "on", "off"),
        about=lambda: _("auto: on unless NO_COLOR is set; on and off override NO_COLOR"),
    ),
    Key(
        name="motion",
        label=lambda: _("motion"),
        offered=_switch,
        about=lambda: _("turn cards up step by step; off: all at once"),
    ),
    Key(
        name="bell",
        label=lambda: _("bell"),
        offered=_switch,
        about=lambda: _("ring the terminal bell when it is your turn"),
    ),
    Key(
        name="mouse",
        label=lambda: _("mouse"),
        offered=_switch,
        about=lambda: _("click to choose; selecting text then needs the Shift key"),
    ),
    Key(
        name="confirm",
        label=lambda: _("confirm cards"),
        offered=_switch,
        about=lambda: _("a digit selects and Enter plays; off: a digit plays at once"),
    ),
    Key(
        name="chat",
        label=lambda: _("chat"),
        offered=_switch,
        about=lambda: _("show what others write; off: hide all chat"),
    ),
    Key(
        name="game",
        label=lambda: _("default game"),
        offered=_games,
        about=lambda: _("the game that the menu suggests"),
    ),
    Key(
        name="seats",
        label=lambda: _("default players"),
        offered=_seats,
        about=lambda: _("the number of players that the menu suggests"),
    ),
    Key(
        name="level",
        label=lambda: _("default bots"),
        offered=_levels,
        about=lambda: _("the level of bots that the menu suggests"),
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
    return _("the settings are: {names}").format(names=", ".join(names))


# Reading.


def current(arguments: argparse.Namespace, environ: Mapping[str, str]) -> Settings:
    """Return the settings in the home of this command."""
    return load(home_folder(arguments.home, environ))


def load(home: Path) -> Settings:
    """Return the settings of a home. Raises Refusal if the file is not valid."""
    return _checked(home / FILE, read_table(home))


def _checked(path: Path, table: Mapping[str, Any]) -> Settings:
    keys = {key.name: key for key in KEYS}
    if isinstance(level := table.get("level"), str):
        table = {**table, "level": word_of(level)}
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
    hint = _("fix it, or remove it with `p2pfruit settings --reset {key}`")
    return Refusal(message, hint=hint.format(key=shown_path(shortened(name))))


# Writing.


def save(home: Path, settings: Settings) -> None:
    from p2pfruit.home.atomic_write import write_whole
    from p2pfruit.home.folder import Home

    Home(home).make()
    write_whole(home / FILE, _text(settings).encode(), replace=True)


def change(home: Path, name: str, value: Value) -> Settings:
    """Change one setting and save it."""
    changes: dict[str, Any] = {name: value}
    settings = replace(load(home), **changes)
    save(home, settings)
    return settings


def reset(home: Path, name: str | None) -> Settings:
    """Set one setting, or all, back to the default, even if the file has a wrong value for it."""
    table = {} if name is None else read_table(home)
    if name is not None:
        if name not in table:
            find(name)
        table.pop(name, None)
    settings = _checked(home / FILE, table)
    save(home, settings)
    return settings


def _text(settings: Settings) -> str:
    head = _("`p2pfruit settings` shows and changes these settings")
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
