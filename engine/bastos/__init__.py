"""Bastos: tricks whose cards are worth what the price table says in the end.

cards.py   the fruits, from content that a player can supply, and the price table
trick.py   who wins a trick, and which card leads it when it is played
rules.py   the game: set-up, the secret Bastos, tricks, trump, prices, points
"""

from engine.bastos.rules import Bastos as Bastos
