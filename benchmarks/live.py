"""What it costs to tell an open page that nothing has changed, beside a bare Django view's 304.

Two gunicorn servers (2 processes × 4 threads, settings of the full mode), one with the service on a private
PostgreSQL, one with a view that answers from memory; one request at a time, over kept connections, in turns.
"""

import sys

from benchmarks import services


def main() -> int:
    """Measure on a private PostgreSQL; 1 if an answer was wrong or costs more queries than it may."""
    services.arguments(__doc__).parse_args()
    return services.run_on_databases(["postgresql"], "live")


if __name__ == "__main__":
    sys.exit(main())
