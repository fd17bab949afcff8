"""SPAKE2 (RFC 9382) on our group: two sides who know the same short code come to the same key.

    caller                             host
    X = x·G + w·M              ->
                               <-      Y = y·G + w·N
    K = x·(Y − w·N)                    K = y·(X − w·M)

    w     1 + SHA-512("p2pfruit code 2\n" ‖ the digits of the code) mod (q − 1)
    M, N  point("code M"), point("code N"), of which no one knows a logarithm
    key   SHA-256("p2pfruit code key 2\n" ‖ about ‖ X ‖ Y ‖ K ‖ w)

x and y are random and used once. `about` is what both sides must agree on besides the code; it has
a fixed length, as has everything else. A side that guesses the code learns whether this one guess
was right, and an observer learns nothing: there is no way to try codes offline. The roles are
fixed. M is not N, so a share that is sent back to its sender fits nothing.

The order of the group is prime, and the identity has no encoding, so every share that can be
decoded is a good point. The products with w are made once for a code, with blinding: how long an
answer takes says nothing about the code.
"""

from hashlib import sha256, sha512

from protocol.crypto import group
from protocol.crypto.group import ORDER, Point
from protocol.crypto.secrets import SecretSource
from protocol.errors import RemoteProtocolError

_SCALAR = b"p2pfruit code 2\n"
_KEY = b"p2pfruit code key 2\n"


class Code:
    """What one side computes from a code, once. `seed` is random, and only blinds."""

    __slots__ = ("_caller_mask", "_host_mask", "_scalar")

    def __init__(self, digits: str, seed: bytes) -> None:
        hashed = sha512(_SCALAR + digits.encode()).digest()
        self._scalar = 1 + int.from_bytes(hashed, "big") % (ORDER - 1)
        one, other = SecretSource(seed).scalars("code", b"masks", 2)
        self._caller_mask = group.times_secret(group.hash_to_point("code M"), self._scalar, one)
        self._host_mask = group.times_secret(group.hash_to_point("code N"), self._scalar, other)

    def key(self, about: bytes, caller_share: bytes, host_share: bytes, shared: Point) -> bytes:
        scalar = group.encode_scalar(self._scalar)
        parts = (about, caller_share, host_share, group.encode_point(shared), scalar)
        return sha256(_KEY + b"".join(parts)).digest()

    def caller(self, seed: bytes) -> "Caller":
        return Caller(self, self._caller_mask, self._host_mask, seed)

    def answer(self, share: bytes, about: bytes, seed: bytes) -> tuple[bytes, bytes]:
        """Return the host's share and the key, to a caller's share."""
        secret, blind = _drawn(seed)
        mine = group.encode_point(group.total([group.base(secret), self._host_mask]))
        shared = _shared(share, self._caller_mask, secret, blind)
        return mine, self.key(about, share, mine, shared)


class Caller:
    """The caller's side of one exchange; `seed` is random, and for this exchange alone."""

    __slots__ = ("_blind", "_code", "_host_mask", "_secret", "share")

    def __init__(self, code: Code, mask: Point, host_mask: Point, seed: bytes) -> None:
        self._code = code
        self._host_mask = host_mask
        self._secret, self._blind = _drawn(seed)
        self.share = group.encode_point(group.total([group.base(self._secret), mask]))

    def key(self, about: bytes, host_share: bytes) -> bytes:
        shared = _shared(host_share, self._host_mask, self._secret, self._blind)
        return self._code.key(about, self.share, host_share, shared)


def _drawn(seed: bytes) -> tuple[int, int]:
    secret, blind = SecretSource(seed).scalars("code", b"share", 2)
    return secret, blind


def _shared(share: bytes, mask: Point, secret: int, blind: int) -> Point:
    try:
        bare = group.difference(group.decode_point(share), mask)
    except group.Degenerate:
        raise RemoteProtocolError("point", "a share that hides nothing") from None
    return group.times_secret(bare, secret, blind)
