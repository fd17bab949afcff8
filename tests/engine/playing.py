"""The games that tests play: every game that is shipped, and those of tests."""

from engine.registry import SHIPPED
from p2pfruit.conformance.playing import every_table_of, games_of, label, tables_of
from tests.games import NAMES, registered

# Built while the games of tests are registered; a game needs no registry afterwards.
with registered():
    GAMES = {label(game): game for name in (*SHIPPED, *NAMES) for game in games_of(name)}

TABLES = tables_of(list(GAMES.values()))

every_table = every_table_of(list(GAMES.values()))
