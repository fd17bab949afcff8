"""Series files: a contract with all its signatures, and the files of its games in their order.

    file  "p2pfruit series 2" and a line feed, then [contract, signatures, files] in the codec

Each game file is the one that the roster of the next table names by its hash. So a file that is
missing, changed, or in another place is found without reading a single game.
"""

import re
from dataclasses import dataclass
from hashlib import sha256

from protocol import limits
from protocol.codec import Bounds, decode, encode
from protocol.errors import RemoteProtocolError
from protocol.file import gamefile
from protocol.file.gamefile import Refused
from protocol.series.chain import STAGE
from protocol.series.contract import SignedContract
from protocol.version import VERSION

MAGIC = b"p2pfruit series 2\n"

_ANY_MAGIC = re.compile(rb"p2pfruit series ([1-9][0-9]{0,8})\n")

_BOUNDS = Bounds(4 + limits.SERIES_TABLES_MOST + limits.ITEMS_MOST, limits.SERIES_TABLES_MOST, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesFile:
    """A series file whose contract and order were checked. Its games were not read."""

    signed: SignedContract
    files: tuple[bytes, ...]


def write(series: SeriesFile) -> bytes:
    signed = series.signed
    return MAGIC + encode((signed.contract.encode(), signed.signatures, series.files))


def read(data: bytes) -> SeriesFile:
    """Return the parts of a series file. Raises Refused, and nothing else."""
    try:
        series = _parts(data)
    except RemoteProtocolError as error:
        stage = "signature" if error.code == "signature" else "form"
        raise Refused(stage, error.why, error.code) from None
    _check_order(series)
    return series


def _parts(data: bytes) -> SeriesFile:
    if not data.startswith(MAGIC):
        other = _ANY_MAGIC.match(data)
        if other:
            why = f"a series file of version {int(other[1])}; this program reads version {VERSION}"
            raise RemoteProtocolError("version", why)
        raise RemoteProtocolError("file", "not a series file")
    match decode(data[len(MAGIC) :], limits.SERIES_SIZE_MOST, _BOUNDS):
        case (bytes(contract), tuple(signatures), tuple(files)):
            found = tuple([one for one in files if type(one) is bytes])
            if len(found) == len(files):
                signed = SignedContract.of(contract, signatures)
                return SeriesFile(signed=signed, files=found)
    raise RemoteProtocolError("file", "not a contract, its signatures and game files")


def _check_order(series: SeriesFile) -> None:
    """Raise Refused unless each game file is of this series and goes on from the one before it."""
    contract, before = series.signed.contract.id, b""
    for at, data in enumerate(series.files, start=1):
        place = gamefile.roster_of(data).series
        if place is None or place.contract != contract:
            raise Refused(STAGE, f"file {at} is not of this series", "contract")
        if place.before != before:
            raise Refused(STAGE, f"file {at} does not go on from the file before it", "before")
        before = sha256(data).digest()
