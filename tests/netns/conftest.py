"""Networks that several tests share."""

import pytest

from tests.needs import CHECKS
from tests.netns.shared_torland import SharedTorland, Where, shared

# The fixtures below, and what each needs.
_NETWORKS = {"torland": Where.LOOPBACK, "tor_internet": Where.INTERNET}


def pytest_collection_finish(session: pytest.Session) -> None:
    """Begin at once with a network that a test wants: it takes half a minute to start."""
    if CHECKS["tor"]() or session.config.option.collectonly:
        return
    wanted = {name for item in session.items for name in getattr(item, "fixturenames", ())}
    for name, where in _NETWORKS.items():
        if name in wanted and not (where is Where.INTERNET and CHECKS["namespaces"]()):
            shared(where)


@pytest.fixture(scope="session")
def torland() -> SharedTorland:
    """A private Tor network on loopback. Tests that want it need tor."""
    return shared(Where.LOOPBACK)


@pytest.fixture(scope="session")
def tor_internet() -> SharedTorland:
    """A private Tor network with public addresses. Tests need tor, namespaces and nft."""
    return shared(Where.INTERNET)
