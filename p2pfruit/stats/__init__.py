"""What became of the games of a home: how many, how they ended, against whom.

past.py      a game that was played, as statistics see it, and which games count
filling.py   verifies the files of games that were played before there were statistics
counting.py  games, wins, places, averages and streaks, by game and by opponent
choosing.py  games of one kind, since a day, or with one opponent
words.py     the names of opponents and figures, in words
lines.py     the statistics as tables and bars, in lines
page.py      the statistics as one self-contained page for a browser
fields.py    the statistics as JSON, for programs
page.html    the frame of that page
page.css     its style
"""
