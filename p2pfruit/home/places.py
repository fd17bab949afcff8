"""Where a home is, before anything of it is read: cheap enough for the start of every command."""

import os
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "P2PFRUIT_HOME"


def home_folder(argument: str | None, environ: Mapping[str, str]) -> Path:
    """The folder that was asked for, else the environment's, else the platform's own place."""
    named = argument or environ.get(VARIABLE)
    if not named:
        from platformdirs import user_data_dir

        named = user_data_dir("p2pfruit", appauthor=False)
    return Path(os.path.abspath(os.path.expanduser(named)))
