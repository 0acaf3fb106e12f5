"""Put what is to be looked at into a service's database: `python -m tests.screenshots.stage phone`.

A process of its own: settings are read once, and those of the service that is photographed say where its
data are.
"""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from tests.support.phone_pages import State

if TYPE_CHECKING:
    from tests.screenshots.service import Service


def stage(service: "Service", what: str) -> list[State]:
    """The states of a referee's `phone`, or of other `days`, made in this service's database."""
    environment = {**os.environ, "TENDONE_VAR": str(service.var), "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment.pop("DATABASE_URL", None)
    made = subprocess.run(
        [sys.executable, "-m", "tests.screenshots.stage", what, service.account],
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    return [State(**each) for each in json.loads(made.stdout)]


def main() -> None:
    """Print the states as JSON."""
    import django

    django.setup()
    from tests.screenshots.days import shown
    from tests.support.phone_states import states

    what, account = sys.argv[1:]
    made = states() if what == "phone" else shown(account)
    json.dump([asdict(each) for each in made], sys.stdout)


if __name__ == "__main__":
    main()
