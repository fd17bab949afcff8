"""The two errors of a table.

RemoteProtocolError: bytes from outside were refused, and nothing has changed. Bytes that a peer
sends are either accepted or raise this error; they never raise another one.

LocalProtocolError: this side asked for something that the table does not allow now. Nothing has
changed, and nothing was signed.
"""


class ProtocolError(Exception):
    """An error with a stable, documented `code`, and an explanation for people (`why`)."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{why} ({code})")
        self.code = code
        self.why = why


class RemoteProtocolError(ProtocolError):
    pass


class LocalProtocolError(ProtocolError):
    pass
