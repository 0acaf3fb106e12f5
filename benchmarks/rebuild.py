"""100,000 facts of an event: how long building all rows again takes, and verifying everything.

The facts are six tournaments' games, written down card by card by bots, with a version of the standings
after each game. The yardstick is the same logs replayed without a row: what no rebuilding can do without.
Exits with 1 if rebuilding takes more than 10 s, gives other rows, or verification finds anything.
"""

import sys

from benchmarks import services


def main() -> int:
    """Measure on SQLite and on a private PostgreSQL."""
    parser = services.arguments(__doc__)
    parser.add_argument(
        "--database", choices=services.DATABASES, help="measure on this one alone (default: on both)"
    )
    chosen = parser.parse_args().database
    return services.run_on_databases([chosen] if chosen else list(services.DATABASES), "rebuild", 1200)


if __name__ == "__main__":
    sys.exit(main())
