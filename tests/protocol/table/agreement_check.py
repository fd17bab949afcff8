"""What must hold in the world of agreement_model.py, at every moment."""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from protocol.table.agreement import Complete, Failed
from tests.protocol.table.agreement_model import (
    VOTE,
    Feeds,
    Said,
    View,
    World,
    closing,
    departed,
    renamed,
)


class Flaw(Exception):
    """The rules have failed."""


@dataclass
class Report:
    states: int = 0
    sometimes: Counter[str] = field(default_factory=Counter)
    feeds: set[Feeds] = field(default_factory=set, repr=False)


def check_deliveries(world: World) -> Report:
    """Every order of events, each peer judged by what it holds, at every moment."""
    report = Report()
    for feeds, holdings in world.every_delivery():
        report.states += 1
        report.feeds.add(renamed(feeds, world.alike()))
        views = [world.view(seat, holdings[seat]) for seat in world.honest()]
        _check_agreement(world, views, holdings)
        for seat in world.honest():
            view = world.view(seat, holdings[seat])
            if any(closing(holdings[seat][x]) < sys.maxsize for x in view.frozen):
                report.sometimes["answered in the freeze"] += 1
            for after in world.deliveries(seat, feeds, holdings[seat]):
                _check_constancy(seat, view, world.view(seat, after))
        if all(holdings[seat] == feeds for seat in world.honest()):
            _check_progress(world, feeds, report)
            _witness(world, feeds, report)
    return report


def check_writings(world: World) -> Report:
    """Every order of events, each peer judged by all that was written, once it arrives."""
    report = Report()
    for feeds in world.every_writing():
        report.states += 1
        report.feeds.add(feeds)
        _check_agreement(world, [world.view(seat, feeds) for seat in world.honest()], feeds)
        _check_progress(world, feeds, report)
        _witness(world, feeds, report)
    return report


def _check_agreement(world: World, views: Sequence[View], state: object) -> None:
    """No two honest peers end the step differently, and no more than one ballot drops seats."""
    for seat in range(world.players):
        others = [
            view.fates[seat]
            for n, view in zip(world.honest(), views, strict=True)
            if n != seat or isinstance(view.fates[seat], int)
        ]
        ends = {fate for fate in others if fate is not None}
        if len(ends) > 1:
            raise Flaw("two ends", seat, ends, state)
    for view in views:
        gone = [isinstance(view.fates[seat], int) for seat, _ in view.decided]
        if any(gone) and not all(gone):
            raise Flaw("dropped by votes for more", view, state)
    drops = {
        view.decided
        for view in views
        if any(isinstance(view.fates[seat], int) for seat, _ in view.decided)
    }
    if len(drops) > 1:
        raise Flaw("two dropped", drops, state)


def _check_constancy(seat: int, before: View, after: View) -> None:
    """Nothing concluded is ever taken back; only of oneself one may have thought better."""
    if after.ballot < before.ballot or (before.decided and after.decided != before.decided):
        raise Flaw("another decision", before, after)
    for other, (old, new) in enumerate(zip(before.fates, after.fates, strict=True)):
        if other != seat and old is not None and old != new:
            raise Flaw("another end", before, after)


def _check_progress(world: World, feeds: Feeds, report: Report) -> None:
    """Where all is delivered and every honest seat has voted, something comes of it; unless there
    is somebody left to speak, other than the only seat that owes."""
    left = departed(feeds)
    for seat in world.honest() if world.lively else ():
        view = world.view(seat, feeds)
        voted = {n for n, feed in enumerate(feeds) if any(s.ballot == view.ballot for s in feed)}
        silent = [n for n in range(world.players) if n not in voted and n not in left]
        if (
            seat not in voted
            or seat in left
            or view.decided
            or None not in [view.fates[x] for x in world.owing if x != seat]
            or any(n not in world.owing and n != world.arbitrary for n in silent)
        ):
            continue
        keep = Said(VOTE, world.nothing, view.ballot)
        later = tuple([(*f, keep) if n in silent else f for n, f in enumerate(feeds)])
        if world.view(seat, later).ballot == view.ballot:
            raise Flaw("stuck", seat, feeds)
        if world.arbitrary in silent:
            report.sometimes["the arbitrary is silent"] += 1
        elif len(world.owing) > 1:
            report.sometimes["one who owes is silent"] += 1
        else:
            raise Flaw("stuck", seat, feeds)


def _witness(world: World, feeds: Feeds, report: Report) -> None:
    for ballot in range(1, world.ballots + 1):
        result = world.count(ballot, feeds)
        if isinstance(result, Failed):
            report.sometimes[f"failed in ballot {ballot}"] += 1
        if isinstance(result, Complete):
            report.sometimes[f"complete in ballot {ballot}"] += 1
            if len(result.cuts) > 1:
                foiled = world.foiled(result, feeds)
                report.sometimes["several foiled" if foiled else "several dropped"] += 1
                continue
            [(named, cut)] = result.cuts.items()
            if closing(feeds[named]) < cut:
                report.sometimes["lapsed"] += 1
            elif closing(feeds[named]) < len(feeds[named]):
                report.sometimes["answered too late"] += 1
            if cut:
                report.sometimes["cut behind the beginning"] += 1
            voted = {n for n, feed in enumerate(feeds) if any(s.ballot == ballot for s in feed)}
            if set(departed(feeds)) - voted - {named}:
                report.sometimes["the departed assent"] += 1
