"""What tests of people share: the sample files, the rules they were made for, and an event for them."""

import uuid
from datetime import date
from itertools import count
from pathlib import Path

from people.actors import Actor
from people.events import add_team, create_event
from people.intake.entry_fields import EntryField
from people.intake.rows import IntakeRules, TeamName
from people.intake.sheet_reading import EntrySheet, Options, read_sheet
from people.models import Account, Event, Team

DATA = Path(__file__).parent.parent / "data"
SUPERIORE = (DATA / "iscritti-superiore.csv").read_bytes()
CENTRO = (DATA / "entries-centro.csv").read_bytes()
INFERIORE = (DATA / "iscritti-inferiore-con-errori.csv").read_bytes()

DAY = date(2022, 9, 17)
CONTRADE = ("Superiore", "Centro", "Inferiore")
TEAMS = tuple(TeamName(uuid.uuid5(uuid.NAMESPACE_DNS, name), name, name[:3]) for name in CONTRADE)
RULES = IntakeRules(DAY, 7, 14, TEAMS)
HEADER = "Cognome;Nome;Nato il;Contrada"
PLAIN = Options({})

_serial = count(1)


def read(text: str | bytes, rules: IntakeRules = RULES, options: Options = PLAIN) -> EntrySheet:
    """A file read by the samples' rules."""
    return read_sheet(text if isinstance(text, bytes) else text.encode(), rules, options)


def read_row(*cells: str, header: str = HEADER, options: Options = PLAIN) -> EntrySheet:
    """A file of one row."""
    return read(f"{header}\n{';'.join(cells)}\n", options=options)


def found(sheet: EntrySheet) -> list[tuple[int | None, str, str]]:
    """Where which problems are."""
    return [(problem.line, problem.column, problem.code.value) for problem in sheet.problems]


def field_mapping(**headers: str) -> dict[EntryField, str]:
    """A mapping by the fields' names."""
    return {EntryField(name): header for name, header in headers.items()}


def new_account() -> Account:
    """Somebody with a password that can't be used."""
    return Account.objects.create(username=f"conto{next(_serial)}", password="!")


def festival(names_shown: str = "number") -> tuple[Event, dict[str, Team], Actor]:
    """The samples' event with its three contrade, and its organizer."""
    account = new_account()
    actor = Actor.of_account(account)
    event = create_event(account, "Palio dei rioni", DAY, names_shown=names_shown)
    return event, {name: add_team(event, actor, name) for name in CONTRADE}, actor
