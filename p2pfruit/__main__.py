"""The start of the program: python -m p2pfruit, and the command p2pfruit.

Nothing else is loaded yet, so that Ctrl-C has an effect from the first moment, and no traceback.
"""

import signal
import sys


def main() -> int:
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # it is ignored in the background
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from p2pfruit.cli.main import main as run

    signal.signal(signal.SIGINT, before)
    return run()


if __name__ == "__main__":
    sys.exit(main())
