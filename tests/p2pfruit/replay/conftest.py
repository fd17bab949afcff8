from tests.p2pfruit.cli.conftest import game_file

__all__ = ["game_file"]
