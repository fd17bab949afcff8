"""The location of a home. Every command imports this module, so it imports next to nothing."""

import os
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "P2PFRUIT_HOME"


def home_folder(argument: str | None, environ: Mapping[str, str]) -> Path:
    """Return the folder of --home, or else of the environment, or else the platform's default."""
    named = argument or environ.get(VARIABLE)
    if not named:
        from platformdirs import user_data_dir

        named = user_data_dir("p2pfruit", appauthor=False)
    return Path(os.path.abspath(os.path.expanduser(named)))
