"""p2pfruit paths: prints where everything is stored. It creates nothing."""

import argparse
import json
import os

from p2pfruit.cli.parser import Example
from p2pfruit.exits import FINE
from p2pfruit.home import settings_file
from p2pfruit.language import text as _
from p2pfruit.text.safe import shown_path


def examples() -> list[Example]:
    return [
        ("p2pfruit paths", _("print where p2pfruit stores its files")),
        ("p2pfruit paths --json", _("print them as one JSON object")),
    ]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(arguments: argparse.Namespace) -> int:
    from p2pfruit.home.folder import Home

    home = Home.find(arguments.home, os.environ)
    paths = {
        "home": str(home.path),
        "identity": str(home.identity_file),
        "name": str(home.name_file),
        "settings": str(home.path / settings_file.FILE),
        "database": str(home.database),
        "games": str(home.games),
    }
    if arguments.json:
        print(json.dumps(paths))
        return FINE
    for what, path in paths.items():
        print(f"{what:8}  {shown_path(path)}")
    return FINE
