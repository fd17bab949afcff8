"""The parts of a game that are not rules.

    about.py             ABOUT: summary, options and credit; the rules pages lie beside it
    narrator.py          NARRATOR: the game told in lines
    presenter.py         PRESENTER: the game as scenes, for line mode, the screen and the browser
    bots/heuristics.py   HEURISTICS: the knowledge of bots
    lesson/course.py     COURSE: the lesson

A shipped game has them in p2pfruit/games/<game>/. A game of an installed package has them in that
package, beside its rules. Each may be missing: then the plain way is taken, which fits any game.
"""
