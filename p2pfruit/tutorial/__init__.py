"""The tutorial: a first round of Fruitoplay, played by the real rules with a teacher beside it.

table.py    cards that were laid ready, and the others, who follow a script
reveal.py   what lay on the table when cards were turned up
teacher.py  what is said before and after each turn, and nothing that did not happen
points.py   what is said of hands, rotten fruit and points
lesson.py   the steps, one after the other
lines.py    the lesson in lines
page.py     the lesson on the full screen
"""
