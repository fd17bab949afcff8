"""Series: several games of the same people that count together.

contract.py    what the members of a series sign before its first game
played.py      what one file shows of one game, and how that counts
standings.py   who has how many points, and when a series is decided
chain.py       which games follow each other, by the files of a series
agreeing.py    which game may follow, by what a player holds
seriesfile.py  a contract and its games in one file
"""
