"""Rounds and standings of formats that are drawn round by round, through the whole service.

A Swiss of 100 before its last round and a knockout of 256 before its second: what drawing the next round and
computing the standings after one more result cost. Exits with 1 if either asks more queries of many
contestants than of few.
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
    kinds = [chosen] if chosen else list(services.DATABASES)
    return services.run_on_databases(kinds, "rounds", services.SECONDS * len(kinds))


if __name__ == "__main__":
    sys.exit(main())
