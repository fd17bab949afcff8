"""Attacks that can be tried in any game that gives them a place.

listing.py  how an attack is listed, and what all of them use
keys.py     keys and lots
decks.py    shuffles
shares.py   shares of cards that are dealt
moves.py    open choices
secrets.py  secret choices
answers.py  what can be said badly at any step
"""

from tests.adversary.attacks import answers, decks, keys, moves, secrets, shares
from tests.adversary.attacks.listing import ATTACKS, Attack

__all__ = ["ATTACKS", "Attack", "answers", "decks", "keys", "moves", "secrets", "shares"]
