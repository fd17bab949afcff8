"""How much memory a process has, and that it does not grow beyond a bound."""

from pathlib import Path

PAGE = 4096


def resident(pid: int | str = "self") -> int:
    """In bytes; 0 where the system does not say."""
    statm = Path(f"/proc/{pid}/statm")
    return int(statm.read_text().split()[1]) * PAGE if statm.exists() else 0


def grown(before: int, most: int, pid: int | str = "self") -> None:
    growth = resident(pid) - before
    print(f"grew by {growth // 1024} kB")
    assert growth <= most
