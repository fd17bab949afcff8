"""The families, and their files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from protocol.series.chain import STAGE
from tests.vectors import (
    code,
    codec,
    content,
    equality,
    face,
    feed,
    file,
    hash_to_curve,
    invitation,
    judging,
    knowledge,
    link,
    name,
    off_suit,
    relay,
    roster,
    series,
    shuffle,
    signature,
    transcript,
    union,
)
from tests.vectors.cases import (
    CHAIN,
    CONTRADICT,
    FORM,
    GOOD,
    PROOF,
    READING,
    RULES,
    SIGNATURE,
    Case,
)


class Family(NamedTuple):
    make: Callable[[], list[Case]]
    check: Callable[[Case], str]
    stages: frozenset[str] = frozenset({GOOD, FORM, PROOF})


FAMILIES = {
    "hash_to_curve": Family(hash_to_curve.make, hash_to_curve.check),
    "face": Family(face.make, face.check, frozenset({GOOD, PROOF})),
    "transcript": Family(transcript.make, transcript.check),
    "knowledge": Family(knowledge.make, knowledge.check),
    "equality": Family(equality.make, equality.check),
    "off_suit": Family(off_suit.make, off_suit.check),
    "shuffle": Family(shuffle.make, shuffle.check),
    "signature": Family(signature.make, signature.check, frozenset({GOOD, FORM, SIGNATURE})),
    "name": Family(name.make, name.check, frozenset({GOOD, FORM})),
    "codec": Family(codec.make, codec.check),
    "roster": Family(roster.make, roster.check, frozenset({GOOD, FORM, RULES})),
    "content": Family(content.make, content.check, frozenset({GOOD, RULES})),
    "feed": Family(feed.make, feed.check, frozenset({GOOD, FORM, CHAIN, SIGNATURE})),
    "judging": Family(judging.make, judging.check, judging.CODES | {GOOD}),
    "file": Family(
        file.make, file.check, frozenset({GOOD, FORM, CHAIN, SIGNATURE, RULES, READING, PROOF})
    ),
    "union": Family(union.make, union.check, frozenset({GOOD, CONTRADICT})),
    "series": Family(series.make, series.check, frozenset({GOOD, FORM, SIGNATURE, STAGE})),
    "code": Family(code.make, code.check, frozenset({GOOD, FORM, SIGNATURE, PROOF})),
    "invitation": Family(invitation.make, invitation.check),
    "relay": Family(relay.make, relay.check, frozenset({GOOD, FORM, SIGNATURE, PROOF})),
    "link": Family(link.make, link.check, frozenset({GOOD, FORM, SIGNATURE, PROOF})),
}


def path(name: str) -> Path:
    return Path(__file__).with_name(f"{name}.json")


def rules_path(game: str) -> Path:
    return Path(__file__).with_name("rules") / f"{game}.json"


def text(cases: list[Case]) -> str:
    return json.dumps(cases, indent=1) + "\n"


def load(name: str) -> list[Case]:
    cases: list[Case] = json.loads(path(name).read_text("utf-8"))
    return cases
