"""The public standings page under load, beside a bare Django view in the same setup and run.

Two gunicorn servers (2 processes × 4 threads, settings of the full mode), one with the service on a private
PostgreSQL, one with a view that answers with the same bytes from memory; 20 connections that are kept open.
The load comes from `wrk` if it is installed, else from two Python processes.
"""

import sys

from benchmarks import services


def main() -> int:
    """Measure on a private PostgreSQL; 1 if an answer was wrong or queries grow with teams."""
    services.arguments(__doc__).parse_args()
    return services.run_on_databases(["postgresql"], "standings_page")


if __name__ == "__main__":
    sys.exit(main())
