from tests.protocol.conftest import games_of_tests

__all__ = ["games_of_tests"]
