"""Frutopia: islands where collectors slide, ships wait, and businesses take the room.

island.py     the twenty-five cells: shores, ponds, sliding, where a shape fits
baskets.py    amounts of each fruit
catalogue.py  ships, rows, tokens and ice cream, read from the content and checked
reading.py    pieces of a content file
factory.py    the juice factory: circles, vats and arrows, checked
state.py      the public table
setup.py      the random set-up, out of one lot
legal.py      the legal moves of a seat
refusals.py   which rule a move breaks
rules.py      the game: turns, rounds, the end
"""

from engine.frutopia.rules import Frutopia as Frutopia
