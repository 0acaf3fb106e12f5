"""Preparation of the embedded service: database up to date, first data, its addresses."""

import json
import secrets
from dataclasses import asdict, dataclass
from io import StringIO
from pathlib import Path

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.urls import reverse

from ledger import needed_code_version
from people.models import Event

ORGANIZER = "organizer"


@dataclass(frozen=True)
class Paths:
    """Where the pages are, without scheme and host; `referee` is None as long as there is no table."""

    public: str
    desk: str
    referee: str | None = None


@dataclass(frozen=True)
class Start:
    """What to tell whoever started the service; `password` is there only if it was made just now."""

    paths: Paths
    account: str
    password: str | None


def migrate() -> None:
    """Bring the tables up to date; the second start after an update finishes it."""
    call_command("migrate", interactive=False, verbosity=0)
    needed_code_version.rise_if_served_before()


def collect_files() -> None:
    """Name our own static files by their content and compress them, so that phones load each once."""
    libraries = ["admin", "drf_spectacular_sidecar", "rest_framework"]
    call_command("collectstatic", interactive=False, verbosity=0, clear=True, ignore_patterns=libraries)


def fill(kept: Path, *, sample: bool) -> Start:
    """Fill a new database, with the sample palio if `sample`; leave one that holds something as it is.

    The paths are kept in the file `kept`, so that the next start can name them; the password never is.
    """
    if sample and not Event.objects.exists():
        output = StringIO()
        call_command("demo", json=True, stdout=output)
        made = json.loads(output.getvalue())
        paths = Paths(made["public"], made["desk"], made["referee"])
        kept.write_text(json.dumps(asdict(paths)))
        return Start(paths, made["account"], made.get("password"))
    account, password = organizer()
    if kept.exists():
        return Start(Paths(**json.loads(kept.read_text())), account, password)
    return Start(Paths(reverse("publishing:home"), reverse("desk:home")), account, password)


def organizer() -> tuple[str, str | None]:
    """The name of the organizer's account; made with a fresh password, the second value, if there is no
    account.
    """
    accounts = get_user_model()
    first = accounts.objects.order_by("date_joined").values_list("username", flat=True).first()
    if first is not None:
        return str(first), None
    password = secrets.token_urlsafe(9)
    accounts.objects.create_superuser(ORGANIZER, password=password)
    return ORGANIZER, password
