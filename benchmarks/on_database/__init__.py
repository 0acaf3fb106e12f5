"""What is measured on a database: modules that `benchmarks.services` runs in processes of their own."""

import os

import django
from django.core.management import call_command

from benchmarks.services import DATABASES, MARK, end_well_when_told

if os.environ.get(MARK) not in DATABASES:
    raise SystemExit("This part is run by a script: see docs/development/benchmarks.md.")
end_well_when_told()
django.setup()
call_command("migrate", verbosity=0)

DATABASE = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[os.environ[MARK]]
"""The database of this process, as tables name it."""
