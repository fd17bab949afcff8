"""The rules: pure, deterministic, standard library only.

A game is a frozen public state that says what it needs next (see needs.py). Whoever runs the
game, a trusted dealer, a table of peers that trust nobody or a replay, meets that need and hands
back what came of it. No rule reads a clock, draws a random number or keeps a secret; the dealer
draws from the generator that it is given, and nothing else knows a closed card.

    needs.py     what a state can ask for
    moves.py     what a player can answer, and what the rules say back
    record.py    the public state, its bytes and its digest
    game.py      the contract: what holds in every game, written once
    views.py     what one seat knows, and worlds that fit it
    dealer.py    the trusted dealer: runs any game with a generator that is passed in
    content.py   the numbers on the cards, read from TOML beside the game
    registry.py  the games by name
    codec.py     the one byte form of everything that is recorded
    errors.py    what can go wrong, each with a stable code
    limits.py    every bound, with its reason

Each game is a folder of its own.
"""
