"""Bastos: a trick game in which a price table at the end says how much each card is worth.

cards.py   the fruits, from content that a player can supply, and the price table
trick.py   who wins a trick, and which card leads it when it is played
rules.py   the game: set-up, the secret Bastos, tricks, trump, prices, points
"""

from engine.bastos.rules import Bastos as Bastos
