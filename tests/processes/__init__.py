"""The program as its users have it: separate processes, each with a home of its own, over loopback.

program.py  the program with the games of tests, and with faults that a test asks for
hall.py     starts programs, waits for what they say, and leaves nothing running
"""
