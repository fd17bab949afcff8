"""Invitations in whatever people paste: a whole command, a quoted mail, a chat with greetings.

The text is folded like an invitation, and what frames it on a screen is left out. Each FRUIT and
each WATCH in it may begin an invitation, which ends where its check letters fit. Prose that begins
with either word fits by chance once in 33 million letters, and would have to be in the form of an
invitation as well.
"""

import re
import select
import sys

from p2pfruit import limits
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.language import text as _
from p2pfruit.net import invitations
from p2pfruit.net import limits as net_limits
from p2pfruit.net.invitations import CHECK, GROUP, LENGTH_LEAST, PREFIXES, BadInvitation, Invitation
from p2pfruit.text import base32
from p2pfruit.text.safe import shown_path

# Borders of boxes, bars of quotes, bullets, and the backslash of a broken command line.
_FRAMES = re.compile("[\u2500-\u259f|*\\\\\u2022\u00b7\u203a\u2039]")
_BEGIN = re.compile("|".join(base32.fold(name) for name in PREFIXES))
_BEGINS_PLAINLY = re.compile(f"({'|'.join(PREFIXES)})[-\u2010-\u2015\u2212]", re.IGNORECASE)


def found(text: str) -> list[Invitation]:
    """Return the different invitations in a text, in their order.

    Raises BadInvitation if there is none, with the reason for the one that was meant.
    """
    if len(text) > limits.INVITATION_SIZE_MOST:
        raise invitations.no_invitation()
    folded = base32.fold(_FRAMES.sub("", text))
    good: list[Invitation] = []
    bad: list[BadInvitation] = []
    for begin in _BEGIN.finditer(folded):
        letters = base32.letters_from(folded, begin.end())
        for length in base32.fitting_lengths(letters, CHECK, LENGTH_LEAST):
            try:
                good.append(invitations.parse(begin[0] + letters[:length]))
            except BadInvitation as error:
                bad.append(error)
    if good:
        return list(dict.fromkeys(good))
    if bad:  # the check letters fit: it is of another version
        raise bad[0]
    return [_only(text, folded)]


def _only(text: str, folded: str) -> Invitation:
    """Return the invitation that the whole text is: one without its first word, or none."""
    plainly = _BEGINS_PLAINLY.search(text)
    return invitations.parse(text[plainly.start() :] if plainly else folded)


def chosen(text: str, *, watching: bool) -> tuple[Invitation, str]:
    """Return the invitation of a text that fits what the player wants, and a remark about it.

    Raises Refusal if several fit; whichever is taken could be the wrong one.
    """
    every = found(text)
    fitting = [one for one in every if one.watching == watching] or every
    if len(fitting) > 1:
        message = _("there are {count} different invitations in this text").format(
            count=len(fitting)
        )
        listed = "; ".join(_described(one) for one in fitting)
        hint = _("choose one of them: {invitations}").format(invitations=listed)
        raise Refusal(message, hint=hint, code=USAGE)
    [one] = fitting
    if len(every) == 1:
        return one, ""
    remark = _("the text also has an invitation to watch; this is the one to play")
    if watching:
        remark = _("the text also has an invitation to play; this is the one to watch")
    return one, remark


def _described(invitation: Invitation) -> str:
    """Return the beginning of an invitation, and where it leads."""
    beginning = invitations.format(invitation)[: len(PREFIXES[0]) + 1 + GROUP]
    return _("{beginning}… (at {where})").format(
        beginning=beginning, where=", ".join(invitation.addresses)
    )


# Where the text comes from.


def read_argument(argument: str) -> str:
    """Return the text itself; for `@FILE` the content of the file, for `-` that of stdin."""
    if argument == "-":
        return _read_stdin()
    return _read_file(argument[1:]) if argument.startswith("@") else argument


def is_whole(text: str) -> bool:
    """Return True if nothing more needs to be read: the text has an invitation, or is too long."""
    try:
        found(text)
    except BadInvitation as error:
        return error.what == "version" or len(text) > limits.INVITATION_SIZE_MOST
    return True


def _read_stdin() -> str:
    """Read lines up to the end of an invitation: those that follow may be answers."""
    text = ""
    while sys.stdin is not None and not is_whole(text):
        line = sys.stdin.readline(limits.INVITATION_SIZE_MOST + 1)
        if not line:
            break
        text += line
    if not text.strip():
        hint = _("pass the invitation there, or use a file: @FILE")
        raise Refusal(_("there is no invitation on stdin"), hint=hint, code=USAGE)
    return text


def _read_file(path: str) -> str:
    try:
        with open(path, "rb") as file:
            # One byte too many is enough to see that the file is not an invitation.
            return file.read(limits.INVITATION_SIZE_MOST + 1).decode("utf-8-sig", "replace")
    except OSError as error:
        message = _("cannot read {path}: {why}").format(path=shown_path(path), why=error.strerror)
        raise Refusal(message, hint=_("use a file that contains an invitation: @FILE")) from None


def ask(prompt: str) -> str:
    """Ask the person at the terminal, until there is an invitation or an empty line.

    What was pasted may have several lines, empty ones among them. Those that follow the invitation
    are dropped.
    """
    text = line = input(prompt)
    while not is_whole(text) and (line.strip() or _more_waits()):
        line = input() if _more_waits() else input(_("the rest, or an empty line > "))
        text += "\n" + line
    while _more_waits():
        input()
    return text


def _more_waits() -> bool:
    """Return True if more was pasted: the lines of one paste come faster than a person types."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    ready, _writable, _broken = select.select([sys.stdin], [], [], net_limits.PASTE_S)
    return bool(ready)
