"""Three ways through the code: a phone's batch, a draw, a cold page. How many modules, functions and calls.

Only the project's own code counts, without its tests. The first request of each kind is left out: it loads
modules and fills what is kept for the life of a process. No figure here is a failure.
"""

import sys

from benchmarks import services


def main() -> int:
    """Walk on SQLite, once each."""
    services.arguments(__doc__).parse_args()
    return services.run_on_databases(["sqlite"], "walks")


if __name__ == "__main__":
    sys.exit(main())
