"""Players who cheat: every attack of the list in docs/security.md, with a peer that really tries.

hall.py  a table in one process, what a cheat can forge there, and what must come of it
"""
