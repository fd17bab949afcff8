"""Pixies: three rounds of drafting open cards into nine places each.

cards.py    the seventy cards, from content that a player can supply
areas.py    a play area: its nine places, and the three cases of placing a card
scoring.py  validated cards, symbols, the largest zone of a colour
rules.py    the game: turns, who plays when, the end of a round
"""

from engine.pixies.rules import Pixies as Pixies
