"""Frutopia: islands where collectors slide, ships wait, and businesses take the room.

island.py     the twenty-five cells: shores, ponds, sliding, where a shape fits
baskets.py    fruits, and so many of each
catalogue.py  ships, rows, tokens, ice cream: what the content says, checked
reading.py    pieces of a content file
factory.py    the juice factory: circles, vats and arrows, checked
state.py      the public table
setup.py      all that is random, out of one lot
legal.py      what a seat may do
refusals.py   which rule a move breaks
rules.py      the game: turns, rounds, the end
"""

from engine.frutopia.rules import Frutopia as Frutopia
