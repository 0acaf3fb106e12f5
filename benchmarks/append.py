"""One log event through the API: what it costs in a short and in a long log, for a phone and for a program.

Django's test client calls the whole service in this process (middleware, access, engine, ledger, commit); no
socket is between them. Exits with 1 if one event costs more than 10 queries (one more when its caller is
noted as seen, once a minute), or not the same in both logs.
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
    return services.run_on_databases([chosen] if chosen else list(services.DATABASES), "append")


if __name__ == "__main__":
    sys.exit(main())
