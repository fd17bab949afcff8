"""What several tests of pages begin with."""

import secrets

import pytest

from p2pfruit.net.invitations import Invitation
from protocol.link.keys import SECRET_SIZE


@pytest.fixture
def invitation() -> Invitation:
    return Invitation(
        secret=secrets.token_bytes(SECRET_SIZE),
        addresses=("192.0.2.7:24977",),
    )
