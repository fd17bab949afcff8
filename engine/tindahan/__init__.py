"""Tindahan: play to the trick, or send a vendor to the stall of its fruit; a donkey marks trump.

cards.py    the fruits, from content that a player can supply
scoring.py  majorities, the trump stall, a round without vendor and trick
rules.py    the game: set-up, tricks, end of round
"""

from engine.tindahan.rules import Tindahan as Tindahan
