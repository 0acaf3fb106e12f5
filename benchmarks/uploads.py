"""Files that somebody sends: processor time and memory of reading valid ones and of refusing hostile ones.

Each file is read by a process of its own that has done nothing else, on Linux. Exits with 1 if a hostile file
is taken, a valid one is refused, or a refusal costs more than 100 MB of memory or 3 s of processor.
"""

import sys

from benchmarks import services


def main() -> int:
    """Measure on SQLite."""
    services.arguments(__doc__).parse_args()
    return services.run_on_databases(["sqlite"], "uploads", 1200)


if __name__ == "__main__":
    sys.exit(main())
