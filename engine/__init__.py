"""The rules: pure, deterministic, standard library only.

A game is a frozen public state that says what it needs next (see needs.py). The runner of the
game meets that need and hands back the outcome. A runner is a trusted dealer, a table of peers
that do not trust each other, or a replay. No rule reads a clock, draws a random number or keeps a
secret. Only the dealer knows closed cards, and it draws from the generator that it is given.

    needs.py     the requests that a state can make
    moves.py     the answers of players, and the replies of the rules
    record.py    the public state, its bytes and its digest
    game.py      the contract of a game: the rules that hold in all of them, written once
    views.py     the knowledge of one seat, and worlds that fit it
    dealer.py    the trusted dealer: runs any game with a generator that is passed in
    content.py   the numbers on the cards, read from TOML beside the game
    registry.py  the games by name
    packages.py  the games that installed packages bring
    codec.py     the one byte form of everything that is recorded
    errors.py    the errors, each with a stable code
    limits.py    every bound, with its reason

Each game is a folder of its own.
"""
