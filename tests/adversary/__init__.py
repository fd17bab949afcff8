"""Players who cheat: every attack of the list in docs/security.md, with a peer that really tries.

hall.py     a table in one process, what a cheat can forge there, and what must come of it
forging.py  what a cheat computes with true tools and false witnesses
courses.py  what each game asks of a table, and honest games to come in at any place
attacks/    attacks that are tried in every game that gives them a place
"""
