"""Proofs that show a statement to be true and nothing else, one file each, both sides together.

Both sides are handed a transcript that is opened with its context, and absorb the whole statement
themselves. Bytes that are no proof at all raise RemoteProtocolError; one that is well formed and
does not hold is False, and so is one whose calculation meets the identity.
"""
