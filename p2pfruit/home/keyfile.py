"""Exported identities: a text file that only its passphrase opens.

    p2pfruit identity 1, sealed
    fingerprint <of the key>
    salt <16 bytes as hexadecimal digits>
    sealed <the secret, then the name in UTF-8: ChaCha20-Poly1305, as hexadecimal digits>

The key of the seal is scrypt of the passphrase (NFKC, UTF-8) and the salt. Its costs are fixed, so
that a file cannot ask for more. A salt, and so a key, is used only once, so the nonce can be zero.
The seal covers the first two lines as well. Seeds of tables never leave their home: two programs
that play one seat would sign two histories.
"""

import secrets
import unicodedata
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from p2pfruit.exits import Refusal
from p2pfruit.home.folder import is_name
from p2pfruit.language import text as _
from p2pfruit.text.fingerprint import fingerprint
from protocol.crypto.identity import KEY_SIZE, Identity

SALT_SIZE = 16
_HEADER = "p2pfruit identity 1, sealed"
_COST, _BLOCK, _LANES = 2**17, 8, 1  # each try costs 128 MiB and some tenths of a second
_NONCE = bytes(12)


class Exported(NamedTuple):
    secret: bytes
    name: str


def seal(exported: Exported, passphrase: str) -> str:
    salt = secrets.token_bytes(SALT_SIZE)
    open_lines = f"{_HEADER}\nfingerprint {fingerprint(Identity(exported.secret).key)}\n"
    sealed = _cipher(passphrase, salt).encrypt(
        _NONCE, exported.secret + exported.name.encode(), open_lines.encode()
    )
    return f"{open_lines}salt {salt.hex()}\nsealed {sealed.hex()}\n"


def unseal(text: str, passphrase: str) -> Exported:
    match text.split():
        case [*header, "fingerprint", shown, "salt", salt, "sealed", sealed] if (
            header == _HEADER.split()
        ):
            open_lines = f"{_HEADER}\nfingerprint {shown}\n"
        case _:
            raise _no_export()
    try:
        cipher = _cipher(passphrase, bytes.fromhex(salt))
        data = cipher.decrypt(_NONCE, bytes.fromhex(sealed), open_lines.encode())
        exported = Exported(data[:KEY_SIZE], data[KEY_SIZE:].decode())
    except ValueError:
        raise _no_export() from None
    except InvalidTag:
        message = _("the passphrase does not open this identity, or the file was changed")
        raise Refusal(message, hint=_("try again; capitals and spaces count")) from None
    if len(exported.secret) != KEY_SIZE or not is_name(exported.name):
        raise _no_export()
    return exported


def _no_export() -> Refusal:
    message = _("this is not an exported identity")
    return Refusal(message, hint=_("`p2pfruit id export FILE` writes one"))


def _cipher(passphrase: str, salt: bytes) -> ChaCha20Poly1305:
    words = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogateescape")
    key = Scrypt(salt=salt, length=32, n=_COST, r=_BLOCK, p=_LANES).derive(words)
    return ChaCha20Poly1305(key)
