"""The two ways in which a table refuses.

RemoteProtocolError: bytes that came from outside do not hold; nothing has changed. Whatever a peer
sends is accepted or raises this, and nothing else.

LocalProtocolError: this side asked for something that the table does not allow now; nothing has
changed and nothing was signed.
"""


class ProtocolError(Exception):
    """`code` is stable and documented; `why` is for people."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{why} ({code})")
        self.code = code
        self.why = why


class RemoteProtocolError(ProtocolError):
    pass


class LocalProtocolError(ProtocolError):
    pass
