"""The arguments that several commands share. Other modules here read what was given for them.

They stand apart because a command is also loaded to show its help: that takes neither trio nor
cryptography, which the commands themselves load when they run.
"""

import argparse

from p2pfruit.language import text as _
from p2pfruit.levels import TYPED, level_of


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game", default="fruitoplay", metavar=_("NAME"), help=_("the game (default: fruitoplay)")
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar=_("NAME=VALUE"),
        help=_("a variant of the rules, from `p2pfruit games`; may be repeated"),
    )
    parser.add_argument(
        "--content",
        metavar=_("FILE"),
        help=_("a TOML file with the cards of your own box"),
    )


def add_invitation_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "invitation",
        nargs="*",
        metavar=_("INVITATION"),
        help=_(
            "the invitation that the host sent you, or the whole message around it;"
            " @FILE reads it from a file, - from stdin (default: you are asked for it)"
        ),
    )


def add_front_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--auto",
        type=level_of,
        choices=TYPED,
        metavar=_("LEVEL"),
        help=_("let a bot of this level play for you: easy, normal or hard"),
    )
    parser.add_argument(
        "--bot",
        metavar=_("COMMAND"),
        help=_("let your own program play, over its stdin and stdout"),
    )
    add_view_arguments(parser)
    parser.add_argument(
        "--plain",
        action="store_true",
        help=_("read your answers as lines from stdin, even from a pipe"),
    )


def add_view_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("print events as JSON, one per line"))
    parser.add_argument("--record", metavar=_("FILE"), help=_("also write the game file here"))
    parser.add_argument(
        "--verbose", action="store_true", help=_("report connection events on stderr")
    )


def add_tor_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tor",
        action="store_true",
        help=_(
            "connect over Tor; an invitation with nothing but an onion address does so by itself"
        ),
    )


def add_proxy_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--proxy", metavar="URL", help=_("connect through this proxy: socks5://host:port")
    )


def add_network_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bind",
        action="append",
        default=[],
        metavar=_("ADDRESS"),
        help=_("listen on this address of this computer; may be repeated"),
    )
    parser.add_argument(
        "--advertise",
        action="append",
        default=[],
        metavar=_("ADDRESS:PORT"),
        help=_("tell others to connect to this address, such as your router's; may be repeated"),
    )
    parser.add_argument(
        "--no-probes",
        action="store_true",
        help=_("call nobody back who asks for it with `p2pfruit doctor --probe`"),
    )
    add_proxy_argument(parser)
