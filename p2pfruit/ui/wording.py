"""A table of peers in words: who is there, who is waited for, what the peers are doing."""

from collections.abc import Sequence

from p2pfruit import limits
from p2pfruit.home.store import Known, Meeting
from p2pfruit.language import text as _
from p2pfruit.net.addresses import Reach
from p2pfruit.seat.news import WayNews
from p2pfruit.text.fingerprint import fingerprint
from p2pfruit.text.safe import shortened, shown, shown_names
from protocol.feed.roster import Player
from protocol.link.codes import Renewed
from protocol.link.notes import AGAIN, LEAVE
from protocol.peer.absence import Question, Reply
from protocol.peer.peer import Peer
from protocol.table.phases import Phase


def trouble_line(address: str, why: str) -> str:
    return _("connection {address}: {why}").format(address=address or "-", why=shown(why))


def reach_lines(reach: Reach) -> list[str]:
    """Say to the host if an invitation cannot work from anywhere, and what would help."""
    match reach:
        case Reach.MACHINE:
            return [
                _("this invitation only works on this computer"),
                _("for others, host with --lan (your network) or --internet (anywhere)"),
            ]
        case Reach.NETWORK:
            return [_("this invitation only works on your own network")]
    return []


def way_lines(news: WayNews) -> list[str]:
    """Say what has become of a way to the table."""
    hint = [] if news.hint is None else [_("hint: {hint}").format(hint=news.hint)]
    return [news.what, *hint]


def question_lines(question: Question, names: Sequence[str]) -> list[str]:
    missing = ", ".join(names[player] for player in question.players)
    words = _("the table has been waiting for {names} for {seconds} s")
    if question.signing:
        words = _("the game is over; the signature of {names} has been missing for {seconds} s")
    lines = [words.format(names=missing, seconds=question.waited_ms // 1000)]
    if not question.direct:
        lines.append(_("{names} was reached through other players only").format(names=missing))
    if question.signing:
        lines.append(_("the result stays as it is; the game file says whose signature is missing"))
    elif len(question.players) > 1 and question.can_go_on:
        lines.append(
            _("if all others agree, one vote drops {names} together").format(names=missing)
        )
    elif len(question.players) > 1:
        lines.append(_("no vote can drop so many together at this table"))
    words = _("answer within {seconds} s; if you do not, that counts as: {reply}")
    default = reply_words(question)[question.default]
    return [*lines, words.format(seconds=int(limits.QUESTION_S), reply=default)]


def reply_words(question: Question) -> dict[Reply, str]:
    """Return the replies that are possible, in words."""
    one = len(question.players) == 1
    replies = {Reply.WAIT: _("wait")}
    if question.can_go_on:
        replies[Reply.GO_ON] = _("go on without") if one else _("go on without all of them")
    stop = _("do not wait any longer") if question.signing else _("stop the table")
    return replies | {Reply.STOP: stop}


def wish_lines(wish: str, name: str) -> list[str]:
    """Say what another player wants after the game; that it is still here is no news."""
    words = {LEAVE: _("{name} has left"), AGAIN: _("{name} would like another game")}
    return [words[wish].format(name=name)] if wish in words else []


def reply_hints(question: Question, peer: Peer) -> dict[Reply, str]:
    """Say what each reply does."""
    live = set(peer.table.play.seated) - peer.table.ended.keys() - {peer.me}
    stop = _("you leave; if all others stop too, there is no result")
    if question.signing:
        stop = _("the result stays; the file says who did not sign")
    elif live <= set(question.players):
        stop = _("the game ends here, without a result")
    return {
        Reply.WAIT: _("another time limit; then you are asked again"),
        Reply.GO_ON: _("if all others agree, and the round begins again"),
        Reply.STOP: stop,
    }


def reply_line(question: Question, reply: Reply, names: Sequence[str], *, given: bool) -> str:
    """Say which reply counts, and about whom it is."""
    missing = ", ".join(names[player] for player in question.players)
    words = _("no answer about {names} was given, so it counts as: {reply}")
    if given:
        words = _("your answer about {names}: {reply}")
    return words.format(names=missing, reply=reply_words(question)[reply])


def link_line(peer: Peer, player: int, names: Sequence[str]) -> str:
    """Say how a player is reached."""
    name = names[player]
    if player == peer.me:
        return _("{name}: that is you").format(name=name)
    if not peer.linked:
        return _("{name}: no connection; p2pfruit keeps trying").format(name=name)
    if player not in peer.linked:
        return _("{name}: no direct connection, reached through others if at all").format(name=name)
    ms = peer.round_trips_ms().get(player)
    return _("{name}: connected, {ms} ms there and back").format(
        name=name, ms="?" if ms is None else ms
    )


def waiting_line(peer: Peer, names: Sequence[str], waiting: Sequence[int], now_ms: int) -> str:
    said = []
    for player in waiting:
        waited = peer.clocks.waited_ms(player, now_ms) // 1000
        left_ms = max(0, peer.clocks.left_ms(player, now_ms) or 0)
        words = (
            _("{name} ({waited} s, {left} s left)")
            if left_ms <= limits.CLOCK_SHOWN_MS
            else _("{name} ({waited} s)")
        )
        said.append(words.format(name=names[player], waited=waited, left=left_ms // 1000))
    return _("waiting for {names}").format(names=", ".join(said))


def clock(left_ms: int | None) -> str:
    """Return minutes and seconds; nothing where there is time enough."""
    if left_ms is None or left_ms > limits.CLOCK_SHOWN_MS:
        return ""
    seconds = max(0, left_ms) // 1000
    return f"{seconds // 60}:{seconds % 60:02}"


def progress(peer: Peer) -> str:
    """Say what the peers are doing while no player has to decide."""
    if not peer.knows_itself:
        return _("calling the others: the game goes on when one of them is reached")
    play = peer.table.play
    of = len(play.owing)
    done = of - len(peer.table.waiting_for)
    words = {
        Phase.SITTING: _("taking seats: {done} of {of}"),
        Phase.SEATING: _("drawing seats by lot: {done} of {of}"),
        Phase.SHUFFLING: _("shuffled and proved: {done} of {of} ✓"),
        Phase.AGREEING: _("all sign for the same cards: {done} of {of}"),
        Phase.SHARING: _("opening cards, each share proved: {done} of {of}"),
        Phase.COMMITTING: _("sealed choices: {done} of {of}"),
        Phase.READYING: _("all seals compared: {done} of {of}"),
        Phase.REVEALING: _("turning up: {done} of {of}"),
        Phase.DRAWING: _("drawing a lot together: {done} of {of}"),
        Phase.SIGNING: _("signing the result: {done} of {of}"),
    }.get(play.phase)
    if words is None:
        return ""
    if play.phase is Phase.SHUFFLING:
        done, of = play.shuffled
    return words.format(done=done, of=of)


def introduced(player: Player, meeting: Meeting, me: bytes, name: str = "") -> list[str]:
    """Say who a player is, loudly if the name belongs to another key.

    `name`: what the player is called at this table, where others may look alike.
    """
    [known] = shown_names([player.name])
    name = name or known
    mark = fingerprint(player.key)
    match meeting.known:
        case Known.IMPOSTOR if meeting.owner == me:
            return [_("{name} has your name, and another key: {mark}").format(name=name, mark=mark)]
        case Known.IMPOSTOR:
            forget = f"p2pfruit id book {fingerprint(meeting.owner)} --forget"
            return [
                _("WARNING: {name} is NOT the {known} you know").format(name=name, known=known),
                *_both(meeting.owner, mark),
                _("  ask them on another channel; if they have a new key: {command}").format(
                    command=forget
                ),
            ]
        case Known.ALIKE if meeting.owner == me:
            words = _("{name} has a name that looks like yours, and another key: {mark}")
            return [words.format(name=name, mark=mark)]
        case Known.ALIKE:
            words = _("WARNING: {name} only looks like {known}, whom you know")
            return [
                words.format(name=name, known=shown_names([meeting.like])[0]),
                *_both(meeting.owner, mark),
                _("  ask them on another channel who they are"),
            ]
        case Known.RENAMED:
            words = _("{name} was called {old} before: {mark}")
            old = shortened(meeting.old_name)
            return [words.format(name=name, old=old, mark=mark), *_alike(name, meeting)]
        case Known.NEW:
            words = _(
                "{name} is new to you: {mark}; to be sure who it is, ask them on another channel"
                " whether `p2pfruit id` shows them the same"
            )
            return [words.format(name=name, mark=mark)]
    return _alike(name, meeting)


def _alike(name: str, meeting: Meeting) -> list[str]:
    """Tell a player from one with a similar name who was met before."""
    if not meeting.like:
        return []
    words = _("{name} is not {known}: the names look alike")
    return [words.format(name=name, known=shown_names([meeting.like])[0])]


def _both(owner: bytes, mark: str) -> list[str]:
    return [
        _("  the one you know has {mark}").format(mark=fingerprint(owner)),
        _("  this one has         {mark}").format(mark=mark),
    ]


def spaced_code(code: str) -> str:
    """Return a code as people read it aloud: long ones in groups of four digits."""
    return " ".join(code[at : at + 4] for at in range(0, len(code), 4))


def code_lines(failures: int, renewed: Renewed | None) -> list[str]:
    """Say why there is a new code, or that a wrong one was typed."""
    if renewed is Renewed.USED:
        return [_("somebody came in with the code; the next one needs a new code")]
    if renewed is Renewed.GUESSED:
        words = _("too many wrong codes ({count} so far); the code is new, invitations still work")
        return [words.format(count=failures)]
    if failures:
        return [_("somebody typed a wrong code ({count} so far)").format(count=failures)]
    return []


# What people type to say yes or no, in either language.
YES_OR_NO = {
    **dict.fromkeys(("y", "yes", "o", "oui"), True),
    **dict.fromkeys(("n", "no", "non"), False),
}


def knock_question(name: str) -> str:
    return _("{name} wants to sit down: let in?").format(name=name)
