"""What several tests of pages begin with."""

import secrets

import pytest

from p2pfruit.net.invitations import Invitation, host_hash
from protocol.link.link import SECRET_SIZE


@pytest.fixture
def invitation() -> Invitation:
    return Invitation(
        secret=secrets.token_bytes(SECRET_SIZE),
        host=host_hash(b"host"),
        addresses=("192.0.2.7:24977",),
    )
