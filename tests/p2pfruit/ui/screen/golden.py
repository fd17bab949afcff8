"""Screens as they were looked at and found good, in golden/<name>.txt.

GOLDEN=write in the environment writes them anew; look at the difference before you keep it.
"""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def check(name: str, text: str) -> None:
    path = FOLDER / f"{name}.txt"
    whole = text.rstrip("\n") + "\n"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(whole, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == whole
