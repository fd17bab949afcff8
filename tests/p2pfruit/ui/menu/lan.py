"""Tables that are announced on a network that nobody listens to."""

from p2pfruit.net.beacon import Announcement, Found
from p2pfruit.net.invitations import Invitation
from protocol.link.keys import key_id


def announced(invitation: Invitation, name: str = "Bea", host: str = "192.0.2.7") -> Found:
    announcement = Announcement(
        key_id=key_id(invitation.access.psk),
        name=name,
        game="fruitoplay",
        taken=1,
        seats=4,
        port=24977,
    )
    return Found(announcement=announcement, host=host)
