"""p2pfruit settings: shows and changes the settings."""

import argparse
import json
import os
from dataclasses import asdict

from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE, USAGE, Refusal
from p2pfruit.home import settings
from p2pfruit.home.location import home_folder
from p2pfruit.home.settings import Key, Settings
from p2pfruit.language import text as _
from p2pfruit.text.safe import padded

_COLUMNS = max(len(key.name) for key in settings.KEYS) + len(" = fruitoplay")


def examples() -> list[Example]:
    return [
        ("p2pfruit settings", _("list all settings")),
        ("p2pfruit settings bell off", _("switch the bell off")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "key", nargs="?", metavar=_("KEY"), help=_("the setting to show or change (default: all)")
    )
    parser.add_argument("value", nargs="?", metavar=_("VALUE"), help=_("the new value"))
    parser.add_argument(
        "--reset", action="store_true", help=_("reset KEY to its default, or all settings")
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(arguments: argparse.Namespace) -> int:
    home = home_folder(arguments.home, os.environ)
    if arguments.reset:
        if arguments.value is not None:
            message = _("--reset takes no value")
            raise Refusal(message, hint=_("leave out one of them"), code=USAGE)
        settings.reset(home, arguments.key)
        return FINE
    if arguments.value is not None:
        key = settings.find(arguments.key)
        settings.change(home, key.name, key.read(arguments.value))
        return FINE
    keys = settings.KEYS if arguments.key is None else (settings.find(arguments.key),)
    _show(settings.load(home), keys, as_json=arguments.json)
    return FINE


def _show(current: Settings, keys: tuple[Key, ...], *, as_json: bool) -> None:
    values = asdict(current)
    if as_json:
        print(json.dumps({key.name: values[key.name] for key in keys}))
        return
    for key in keys:
        setting = f"{key.name} = {settings.written(values[key.name])}"
        print(f"{padded(setting, _COLUMNS)}  {key.about()} ({key.values()})")
