"""The names of bots, and how bots are told from people.

The identity of a bot is made for one table. So its name is not pinned to its key: otherwise another
bot Ada at the next table would look like an impostor.
"""

BOT_NAMES = ("Ada", "Bruno", "Chloe", "Davor", "Emeka", "Freja", "Goran", "Hana")

BOT_PREFIX = "bot "


def is_bot(name: str) -> bool:
    return name.startswith(BOT_PREFIX)
