"""Fruitoplay: three rounds of seven simultaneous tricks, scored as largest times smallest column.

cards.py    the eighty cards, from content that a player can supply
trick.py    who wins a trick
scoring.py  columns, rotten fruit, points
rules.py    the game: set-up, turns, end of round, collective fruit
"""

from engine.fruitoplay.rules import Fruitoplay as Fruitoplay
