"""What bots are called."""

BOT_NAMES = ("Ada", "Bruno", "Chloe", "Davor", "Emeka", "Freja", "Goran", "Hana")
