"""What bots are called, and how they are told from people.

The identity of a bot is made for one table. So its name is not pinned to it: at the next table
another Ada would look like an impostor.
"""

BOT_NAMES = ("Ada", "Bruno", "Chloe", "Davor", "Emeka", "Freja", "Goran", "Hana")

BOT_PREFIX = "bot "


def is_bot(name: str) -> bool:
    return name.startswith(BOT_PREFIX)
