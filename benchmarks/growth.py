"""What an entry, a result and a page cost with 1, 10 and 100 times the data, on SQLite and on PostgreSQL.

Two ways to grow: other events of the same size in the same database (`database`), and other tournaments of
the same size in the same event (`event`). The same event and the same tournament are asked in turns in copies
of the database, as it was at each size; so a busy moment of the machine meets all of them alike. Exits with 1
if what should cost the same takes more queries in the larger database.
"""

import os
import sys

from benchmarks import services

WAYS = ("database", "event")
MOST = 100


def main() -> int:
    """Measure each way on each database; 1 if one failed."""
    parser = services.arguments(__doc__)
    parser.add_argument(
        "--database", choices=services.DATABASES, help="measure on this one alone (default: on both)"
    )
    parser.add_argument("--way", choices=WAYS, help="grow this way alone (default: both)")
    parser.add_argument("--most", type=int, default=MOST, help=f"times the data (default: {MOST})")
    chosen = parser.parse_args()
    os.environ["BENCHMARK_MOST"] = str(chosen.most)
    statuses = []
    for way in [chosen.way] if chosen.way else WAYS:
        os.environ["BENCHMARK_WAY"] = way
        kinds = [chosen.database] if chosen.database else list(services.DATABASES)
        statuses.append(services.run_on_databases(kinds, "growth", 3600))
    return int(any(statuses))


if __name__ == "__main__":
    sys.exit(main())
