"""The cryptography of the table.

group.py       points and scalars of secp256k1
identity.py    Ed25519 keys and signatures of players
noise.py       the handshake and the ciphers of a link
secrets.py     secrets, derived from a seed and the statement that they serve
transcript.py  the hash that makes the challenges of proofs
proofs/        the proofs, both sides of each together
"""
