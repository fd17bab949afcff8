"""Reads the arguments of commands that use the network: where to listen, what to tell others."""

import argparse
import socket
from collections.abc import Sequence

from p2pfruit.exits import USAGE, Refusal, say
from p2pfruit.language import text as _
from p2pfruit.net import pasted
from p2pfruit.net.addresses import Address, BadAddress, Kind
from p2pfruit.net.dialling import CannotDial, Proxy
from p2pfruit.net.invitations import Invitation
from p2pfruit.seat.whereabouts import Network
from p2pfruit.ui.terminal import at_terminal

LOOPBACK = "127.0.0.1"


def read_addresses(texts: Sequence[str], port: int | None = None) -> tuple[Address, ...]:
    """Parse addresses; `port` is the port of those that name none."""
    try:
        return tuple(Address.parse(text, port) for text in texts)
    except BadAddress as error:
        hint = _("write it as 192.0.2.7:24977, [2001:db8::7]:24977 or name:24977")
        raise Refusal(str(error), hint=hint, code=USAGE) from None


def check_proxy(proxy: str | None) -> str | None:
    if proxy is not None:
        try:
            Proxy.parse(proxy)
        except CannotDial as error:
            raise Refusal(error.why, hint=error.hint, code=USAGE) from None
    return proxy


def read_invitation(arguments: argparse.Namespace, *, watching: bool) -> Invitation:
    """Return the invitation that was given, in whatever text it stands, or ask for it."""
    if arguments.invitation:
        text = pasted.read_argument(" ".join(arguments.invitation))
    elif at_terminal():
        say(_("paste the invitation that the host sent you, and press Enter"))
        text = _asked()
    else:
        message = _("an invitation is missing, and there is no terminal to ask for it")
        hint = _("give it after the command; @FILE reads it from a file, - from stdin")
        raise Refusal(message, hint=hint, code=USAGE)
    invitation, remark = pasted.chosen(text, watching=watching)
    if remark:
        say(remark)
    return invitation


def _asked() -> str:
    try:
        return pasted.ask("> ")
    except EOFError:
        return ""


def network_of_guest(arguments: argparse.Namespace, hosts: Sequence[Address]) -> Network:
    """Return the network of a guest.

    The guest listens on the address from which it connects to the host, so that the host can
    connect back.
    """
    binds = read_addresses(arguments.bind, 0)
    proxy = check_proxy(arguments.proxy)
    if not binds and proxy is None and (own := _source_to(hosts)) is not None:
        binds = (Address(own, 0),)
    advertised = tuple(map(str, read_addresses(arguments.advertise)))
    return Network(binds=binds, advertised=advertised, proxy=proxy)


def _source_to(hosts: Sequence[Address]) -> str | None:
    """Return our own address as one of the hosts sees it.

    Connecting a datagram socket sends nothing.
    """
    for host in hosts:
        if host.kind in (Kind.NAME, Kind.ONION, Kind.ANY):
            continue
        family = socket.AF_INET6 if ":" in host.host else socket.AF_INET
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((host.host, host.port))
                return str(probe.getsockname()[0])
        except OSError:
            continue
    return None
