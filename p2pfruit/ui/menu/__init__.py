"""The start menu, which makes command lines.

menu.py       runs the menu until the player leaves it
entries.py    what can be chosen, and the command line that each choice leads to
forms.py      the questions that a choice asks first
"""
