"""Lessons: a first part of a game, played by the real rules with a teacher beside it.

course.py   what a game supplies, and how it is found
remarks.py  what is said alike in several lessons
table.py    cards that were laid ready, and the others, who follow a script
lesson.py   the steps, one after the other
lines.py    a lesson in lines
page.py     a lesson on the full screen
"""
