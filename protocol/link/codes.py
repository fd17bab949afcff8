"""Entering an announced table without an invitation: with a code, or as a player the host knows.

An announcement names an entrance: a random id, the host's identity key and the id of its offer.
A caller opens a link there in one of two ways (protocol/link/link.py), and over the link the host
hands it the secret of the table:

    with the code that the host's screen shows: SPAKE2 makes the key of the link, so the caller
    shows first that it knows the code;
    by a knock, if the host's address book has the caller's key: the key of the link is public, both
    sides prove their identities, and the host is asked whether to let this player in.

The rules of the code:

1. A run is one exchange that the host has answered. It counts as a failure from then on, until the
   caller has shown that it knows the code. So it makes no difference whether a guesser says that it
   was wrong, hangs up or stays silent, and how many runs it opens at once.
2. After a success the code is new. A code is for one player.
3. After every 10 failures in all, the code is new and two digits longer, up to 12 digits. It never
   becomes shorter. So whatever guessers do, they have ten guesses at each length.
4. With a new code comes a new id, and runs of the code before are void.
5. No caller is ever locked out, and invitations have nothing to do with it.
"""

from collections.abc import Callable
from enum import Enum
from hashlib import sha256

from protocol import limits
from protocol.crypto.identity import KEY_SIZE, check_key
from protocol.crypto.secrets import SEED_BYTES
from protocol.crypto.spake2 import Code
from protocol.errors import RemoteProtocolError
from protocol.link.entrance import ENTRANCE_ID_SIZE, Entrance, Run

_KNOCK = b"p2pfruit knock 2\n"

Draw = Callable[[int], bytes]  # so many random bytes


def _knock_key(entrance: Entrance, caller: bytes) -> bytes:
    return sha256(_KNOCK + entrance.about(caller)).digest()


# The caller's side.


class CodeEntry:
    """`digits`: the code as it was typed. `seed` is random, for this call alone."""

    psk: bytes | None = None

    def __init__(self, entrance: Entrance, key: bytes, digits: str, seed: bytes) -> None:
        self.entrance = entrance
        self._caller = Code(digits, seed).caller(seed)
        self._about = entrance.about(key)
        self.hello = key + self._caller.share

    def answered(self, share: bytes) -> bytes:
        return self._caller.key(self._about, share)


class KnockEntry:
    def __init__(self, entrance: Entrance, key: bytes) -> None:
        self.entrance = entrance
        self.hello = key
        self.psk = _knock_key(entrance, key)

    def answered(self, share: bytes) -> bytes:
        raise NotImplementedError("a knock has no answer")


# The host's side.


class Renewed(Enum):
    """Why there is a new code."""

    USED = "used"  # a player came in with it
    GUESSED = "guessed"  # ten more runs have failed


class Doorkeeper:
    """The host's side: the code, and every run of it.

    `offer` is the id of the offer. `knows` says whether a key may knock. `renewed` is called with
    the reason when the code is new.
    """

    def __init__(
        self,
        *,
        host: bytes,
        offer: bytes,
        draw: Draw,
        knows: Callable[[bytes], bool],
        renewed: Callable[[Renewed], None],
    ) -> None:
        self.failures = 0  # answered runs that were not confirmed, open ones included
        self._host = host
        self._offer = offer
        self._draw = draw
        self._knows = knows
        self._renewed = renewed
        self._length = limits.CODE_DIGITS_LEAST
        self._worn_at = limits.CODE_FAILURES
        self._open: set[Run] = set()  # of the present code
        self.digits = ""
        self.entrance: Entrance
        self._code: Code
        self._make_code()

    def offer_changed(self, offer: bytes) -> None:
        """Go on with another offer. The code stays, but calls must name the new offer."""
        if self._offer != offer:
            self._offer = offer
            self._make_entrance()

    def answer(self, id: bytes, hello: bytes) -> Run:
        """Answer what a caller has said at the entrance with this id, or refuse to say anything."""
        if id != self.entrance.id:
            raise RemoteProtocolError("stranger", "the code has changed")
        caller = hello[:KEY_SIZE]
        check_key(caller)
        return self._answer_knock(caller) if hello == caller else self._answer_code(caller, hello)

    def _answer_knock(self, caller: bytes) -> Run:
        if not self._knows(caller):
            raise RemoteProtocolError("stranger", "an unknown player wants to come in without code")
        psk = _knock_key(self.entrance, caller)
        return Run(caller=caller, psk=psk, share=b"", confirm=lambda _run: None)

    def _answer_code(self, caller: bytes, hello: bytes) -> Run:
        if self.failures >= self._worn_at:
            self._renew(Renewed.GUESSED)
            raise RemoteProtocolError("stranger", "the code has changed")
        about, seed = self.entrance.about(caller), self._draw(SEED_BYTES)
        share, psk = self._code.answer(hello[KEY_SIZE:], about, seed)
        run = Run(caller=caller, psk=psk, share=share, confirm=self._confirm)
        self._open.add(run)
        self.failures += 1
        return run

    def _confirm(self, run: Run) -> None:
        if run not in self._open:
            raise RemoteProtocolError("code", "the code has changed meanwhile")
        self.failures -= 1
        self._renew(Renewed.USED)

    def closed(self, run: Run) -> bool:
        """Forget a run whose link has ended; return True if it was a failure of this code."""
        if run not in self._open:
            return False
        self._open.discard(run)
        if self.failures >= self._worn_at and not self._open:
            self._renew(Renewed.GUESSED)
        return True

    def _renew(self, why: Renewed) -> None:
        if why is Renewed.GUESSED:
            self._worn_at += limits.CODE_FAILURES
            self._length = min(self._length + limits.CODE_DIGITS_STEP, limits.CODE_DIGITS_MOST)
        self._make_code()
        self._renewed(why)

    def _make_code(self) -> None:
        """Draw another code than the last, evenly among all others of its length."""
        count = 10**self._length
        old = int(self.digits) if len(self.digits) == self._length else count
        number = int.from_bytes(self._draw(SEED_BYTES), "big") % (count - (old < count))
        self.digits = f"{number + (number >= old):0{self._length}}"
        self._code = Code(self.digits, self._draw(SEED_BYTES))
        self._make_entrance()

    def _make_entrance(self) -> None:
        """Make an id that only listeners to the announcements know. Runs at the last are void."""
        self._open.clear()
        id = self._draw(ENTRANCE_ID_SIZE)
        self.entrance = Entrance(id=id, host=self._host, offer=self._offer)
