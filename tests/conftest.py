"""Before any test: the environment that settings are read from, then Django, then the shared fixtures.

`pytest` runs on SQLite, `TEST_DATABASE=postgresql pytest` on a PostgreSQL of its own, `script/test` on both.
On SQLite everything runs but what is marked `postgresql`. On PostgreSQL what touches the database runs again,
but what is marked `sqlite` and what drives a browser (mark a test `postgresql` to drive one there).
"""

import django

from tests.services import environment

environment.prepare()
django.setup()

pytest_plugins = ["tests.services.fixtures"]
