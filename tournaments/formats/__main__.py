"""`python -m tournaments.formats`: see `tournaments.formats.command`."""

import sys

from tournaments.formats.command import main

if __name__ == "__main__":
    sys.exit(main())
