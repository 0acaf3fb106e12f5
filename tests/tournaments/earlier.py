"""Data that earlier versions of the service have stored, and their answers: `data/earlier/`.

`python -m tests.tournaments.earlier` asks today's code for the answers that are recorded in
`…-answers.json.xz`. It prints each address whose answer has changed, with the first line that differs, and
stores the new answers. To accept a change that is on purpose (words, looks, a new field in the API):

1. Run it and read what it prints. Each difference is one that you wanted; mend the code otherwise, and
   restore the file with `git checkout`.
2. Run `tests/tournaments/test_earlier_versions.py` with `--long`.
3. Commit the new answers together with the change, and say in the message which answers changed.

The standings in the API are protected: if a recorded value of one has changed or is missing, the command
prints where, stores nothing and ends with 1. A field that is new is accepted, and another `movement`: it
compares places, and is none. Whoever has seen a place or a score at a festival sees the same after an update.
"""

import json
import lzma
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from django.core.management import call_command
from django.db import connection
from django.test import Client

EARLIER = Path(__file__).parents[1] / "data" / "earlier"
FESTIVAL = "2026-11-25-effc080"
"""An event with tournaments of every format, and the answers that are recorded of it."""

# Of the installation or of the edition that answers, not of the event.
_NAMED_FILE = re.compile(r"(/static/[\w./-]+?)\.[0-9a-f]{12}(\.\w+)")
_MARK = re.compile(r'( data-mark="|\bnonce=")[^"]*"')

_STANDINGS = re.compile(r"/api/v1/.*/standings/(versions/)?")


@dataclass(frozen=True)
class Answers:
    """The answers at one moment by address: JSON is parsed, anything else is text."""

    now: datetime
    by_address: dict[str, Any]


def unpack_database(name: str, folder: Path) -> Path:
    """Write the database of an earlier version to a file."""
    path = folder / "tendone.sqlite3"
    path.write_bytes(lzma.decompress((EARLIER / f"{name}.sqlite3.xz").read_bytes()))
    return path


@contextmanager
def upgraded(path: Path) -> Iterator[None]:
    """Have the service's connection lead to this file, brought up to date."""
    before = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = str(path)
    try:
        call_command("migrate", interactive=False, verbosity=0)
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before


def rebuild_rows() -> None:
    """Compute all rows of the event from its facts. The outlooks that are there stay: that takes long."""
    from people.models import Event
    from tournaments.models import Outlook
    from tournaments.projections import outlooks
    from tournaments.projections.rebuild import rebuild

    there = list(Outlook.objects.all())
    rebuild(Event.objects.get())
    Outlook.objects.bulk_create(there)
    for tournament in outlooks.pending():
        outlooks.compute(tournament)


def read_answers(name: str) -> Answers:
    """The recorded answers of an earlier version."""
    recorded = json.loads(lzma.decompress((EARLIER / f"{name}-answers.json.xz").read_bytes()))
    return Answers(datetime.fromisoformat(recorded["now"]), recorded["by_address"])


def write_answers(name: str, answers: Answers) -> None:
    """Record answers."""
    text = json.dumps({"now": answers.now.isoformat(), "by_address": answers.by_address}, ensure_ascii=False)
    packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
    (EARLIER / f"{name}-answers.json.xz").write_bytes(packed)


def request_answers(addresses: Iterable[str], secret: str) -> dict[str, Any]:
    """Today's answers by address: the API to a program with this token, anything else to anybody."""
    return {address: _request(address, secret) for address in addresses}


def _request(address: str, secret: str) -> Any:
    headers = {"accept-encoding": "identity", "accept-language": "en"}
    if address.startswith("/api/"):
        headers["authorization"] = f"Bearer {secret}"
    response = Client(headers=headers).get(address)
    text = response.getvalue().decode()
    if response.status_code != 200:
        return f"{response.status_code}: {text}"
    if response["Content-Type"].startswith("application/json"):
        return json.loads(text)
    return _MARK.sub(r'\1"', _NAMED_FILE.sub(r"\1\2", text))


def list_differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The addresses whose answers differ, each with the first line of both that does."""
    return [
        "\n".join([address, *_first_difference(before.get(address), after.get(address))])
        for address in sorted(before.keys() | after.keys())
        if before.get(address) != after.get(address)
    ]


def _first_difference(*answers: Any) -> list[str]:
    texts = [
        each if isinstance(each, str) else json.dumps(each, indent=1, sort_keys=True) for each in answers
    ]
    lines = zip_longest(*(text.splitlines() for text in texts), fillvalue="")
    return next(([f"- {before}", f"+ {after}"] for before, after in lines if before != after), [])


def is_standings(address: str) -> bool:
    """Whether the address is of standings, or of their versions, in the API."""
    return _STANDINGS.fullmatch(address) is not None


def list_changed_standings(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Where a value in the standings has changed or is missing. Fields that are new aren't named."""
    return [
        change
        for address in sorted(before)
        if is_standings(address)
        for change in _changed_values(address, before[address], after.get(address))
    ]


def _changed_values(where: str, before: Any, after: Any) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name, value in before.items():
            if name == "movement":
                continue
            yield from _changed_values(f"{where} {name}", value, after.get(name, "(missing)"))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _changed_values(f"{where} {place}", one, other)
    elif before != after:
        yield f"{where}: {before} -> {after}"


@contextmanager
def at(now: datetime) -> Iterator[None]:
    """Have the service's clock stand still at this moment."""
    with mock.patch("django.utils.timezone.now", return_value=now):
        yield


def _renew() -> int:
    """Record today's answers, unless standings have changed. Returns the exit code."""
    from people.models import Account
    from tests.support import factories

    before = read_answers(FESTIVAL)
    with TemporaryDirectory() as folder, upgraded(unpack_database(FESTIVAL, Path(folder))), at(before.now):
        rebuild_rows()
        after = request_answers(before.by_address, factories.make_token(Account.objects.get())[1])
    changed = list_changed_standings(before.by_address, after)
    if changed:
        sys.stdout.write("\n".join(["Standings have changed, nothing is stored:", *changed, ""]))
        return 1
    differences = list_differences(before.by_address, after)
    sys.stdout.write("\n".join([*differences, f"Answers that differ: {len(differences)}.", ""]))
    if differences:
        write_answers(FESTIVAL, Answers(before.now, after))
    return 0


if __name__ == "__main__":
    import django
    from django.test.utils import setup_test_environment

    from tests.support.run import environment

    environment.prepare()
    django.setup()
    setup_test_environment()
    sys.exit(_renew())
