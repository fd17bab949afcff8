"""The conformance suite: tests that every game passes, shipped or not.

    python -m p2pfruit.conformance figs

plays the game with every option at every seat count and looks at each state. It is pytest, so
that its options work too; the plugin adds --game, --oracle and --long.

    playing.py  whole games at random, and the tables of a game
    checks.py   statements that hold in every state
    misfits.py  outcomes and moves that do not fit
    oracle.py   a second reckoning of points, which the author of a game may supply
    bounds.py   how much memory and time a test may take
    plugin.py   the options, and the tables that each test gets
    test_*.py   the tests
"""
