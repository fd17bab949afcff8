"""Looking back at a game: its file verified, told again, or shown step by step.

verify.py      verifies files, and prints what they show as lines or JSON
verdict.py     the words for what a game file shows
unknown.py     the verdict on a file whose game is not known here
transcript.py  a game told again, in words or entry by entry
frames.py      a game as a series of pictures, forward and back
analysis.py    each decision of a player, beside the expert's
analyst.py     whose decisions, and what the home knows about them
judged.py      the words of an analysis
html/          a replay as one page for a browser
"""
