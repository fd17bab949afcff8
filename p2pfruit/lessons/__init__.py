"""Lessons: the first part of a game, played by the real rules with a teacher beside it.

table.py    deals the arranged cards and lets the others follow their script
lesson.py   runs through the steps, the same for every game and every screen

Each game supplies its course: see p2pfruit/games/course.py.
"""
