"""The source files of the three packages, for tests that read them instead of running them."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "protocol", "p2pfruit")


def sources(*packages: str) -> list[Path]:
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))
