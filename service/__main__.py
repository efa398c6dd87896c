"""``tfhelp`` and ``python -m tfhelp.service``."""

import sys

from tfhelp.service.command_line import main

if __name__ == "__main__":
    sys.exit(main())
