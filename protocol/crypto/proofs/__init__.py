"""Zero-knowledge proofs: each shows that its statement is true, and nothing else.

    deck.py       closed cards as points; not a proof, but what a shuffle proof is about
    equality.py   the same secret made several points
    knowledge.py  the prover knows the secret of a key
    off_suit.py   each card is of another suit than a given one, without saying which
    shuffle.py    a shuffled deck holds the cards of the deck before

Each file has both sides, prove() and verify(). Both are handed a transcript that is opened with its
context, and absorb the whole statement themselves. Bytes that do not have the form of a proof raise
RemoteProtocolError. verify() returns False for a well-formed proof that does not hold, and for one
whose calculation meets the identity.
"""
