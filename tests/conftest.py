"""Before any test: the environment that settings are read from, then Django, then the shared fixtures.

`pytest` runs on SQLite, `TEST_DATABASE=postgresql pytest` on a PostgreSQL of its own, `script/test` on both.
On SQLite everything runs but what is marked `postgresql`. On PostgreSQL what touches the database runs again,
but what is marked `sqlite` and what drives a browser (mark a test `postgresql` to drive one there). The whole
`script/test` runs what the API does on PostgreSQL alone, pages and what is asked of every address in turn on
SQLite alone: the acceptance tests open all of them on both.
What takes minutes, or only confirms in breadth what a quick test shows, is marked `long` and runs only with
`--long`; without it, properties are asked of one example in four (see `tests.services.long`).
"""

import django
from django.conf import settings

from tests.services import environment

environment.prepare()
django.setup()
# A good password hash takes its time, and tests sign in often.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

pytest_plugins = ["tests.services.fixtures", "tests.services.garbage", "tests.services.long"]
