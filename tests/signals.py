"""Signals for the programs that tests start."""

import signal


def heed_signals() -> None:
    """Give a program that is about to start the signals of a program in the foreground.

    A run in the background (`nohup make test &`) ignores these, and what is ignored is inherited:
    Ctrl-C would end none of the programs that wait for it.
    """
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
