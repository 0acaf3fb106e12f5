"""`python -m games.engine`: see `games.engine.command`."""

import sys

from games.engine.command import main

if __name__ == "__main__":
    sys.exit(main())
