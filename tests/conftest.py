"""Before any test: the environment that settings are read from, then Django, then the shared fixtures.

`pytest` runs on SQLite, `TEST_DATABASE=postgresql pytest` on a PostgreSQL of its own, `script/test` on both:
which test belongs to which is in `tests.support.run.databases`.
What takes minutes, or only confirms in breadth what a quick test shows, is marked `long` and runs only with
`--long`; without it, properties are asked of one example in six (see `tests.support.run.long`).
"""

import django
from django.conf import settings

from tests.support.run import environment

environment.prepare()
django.setup()
# A good password hash takes its time, and tests sign in often.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

pytest_plugins = [
    f"tests.support.run.{name}"
    for name in ("databases", "workers", "missing", "fixtures", "garbage", "kinds", "long")
]
