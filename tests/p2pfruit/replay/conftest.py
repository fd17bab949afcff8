from tests.p2pfruit.cli.conftest import checked, game_file

__all__ = ["checked", "game_file"]
