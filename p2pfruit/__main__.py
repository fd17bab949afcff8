"""python -m p2pfruit"""

import sys

from p2pfruit.cli import main

sys.exit(main())
