"""python -m p2pfruit"""

import sys

from p2pfruit.cli.main import main

sys.exit(main())
