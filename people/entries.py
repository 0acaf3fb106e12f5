"""Entering people for an event: by file with a preview, by hand, and what happens to an entry afterwards.

A file and a form are checked by the same rules (`people.intake.rows`). Nothing here asks who may do it: the
pages, the API and the command line do, by `people.access`.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Required, TypedDict, Unpack
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from people import audit
from people.actors import Actor
from people.input_problems import BadInputError, Code
from people.intake.entry_fields import EntryField
from people.intake.rows import Accepted, IntakeRules, PersonKey, RowCheck, TeamName, person_key
from people.intake.sheet_reading import EntrySheet, Options, ReadChoices, read_sheet
from people.models import Entry, Event, Person, Team
from people.refusals import Refused


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did: the new entries in the order of the file, and how many rows were left out."""

    entries: tuple[Entry, ...]
    left_out: int


class PreviewChangedError(Refused):
    """The import would no longer do what its preview said (somebody else entered people, or settings
    changed).

    Nothing was stored; `preview` says what would be done now.
    """

    def __init__(self, preview: EntrySheet) -> None:
        told = _("The file would no longer do what its preview said. Preview it again.")
        super().__init__("preview-changed", told, digest=preview.digest)
        self.preview = preview


class BadRowsError(Refused):
    """The file has bad rows, and nobody decided to leave them out. Nothing was stored."""

    def __init__(self, preview: EntrySheet) -> None:
        told = _("Some rows have problems, and nobody decided to leave them out (`skip_bad`).")
        super().__init__("bad-rows", told)
        self.preview = preview


class PersonDetails(TypedDict, total=False):
    """What is known of a person, named as the cells of a list are; what isn't given is empty."""

    last_name: Required[str]
    first_name: Required[str]
    birth_date: Required[date | str]
    note: str
    shows_name: bool
    family: str
    school_class: str
    is_strong: bool


def preview_import(
    event: Event, data: bytes, *, team: Team | None = None, **choices: Unpack[ReadChoices]
) -> EntrySheet:
    """Read and check a file, storing nothing; two queries whatever its size.

    What can be chosen is told in `people.intake.sheet_reading.Options`; `team` is the team of all rows in a
    list without a column for it. Raises `BadInputError` when the file as a whole can't be read.
    """
    if team is not None:
        _check_team(team, event)
    options = Options(team=_team_name(team) if team else None, **choices)
    return read_sheet(data, rules_of(event), options)


@transaction.atomic
def confirm_import(
    event: Event,
    data: bytes,
    actor: Actor,
    *,
    expected_digest: str,
    skip_bad: bool = False,
    team: Team | None = None,
    **choices: Unpack[ReadChoices],
) -> ImportResult:
    """Enter the good rows of a file that was previewed, all or none of them.

    Rows have the number that they name; the others follow each team's highest in the order of the file.
    Raises `BadInputError` as the preview does. Raises `PreviewChangedError` if the outcome isn't the
    previewed one any more (as when the same file is confirmed twice). Raises `BadRowsError` if there are bad
    rows and `skip_bad` isn't set.
    """
    lock_event(event)
    preview = preview_import(event, data, team=team, **choices)
    if preview.digest != expected_digest:
        raise PreviewChangedError(preview)
    if preview.bad and not skip_bad:
        raise BadRowsError(preview)
    entries = _enter(event, preview.good, actor)
    return ImportResult(tuple(entries), left_out=len(preview.bad))


@transaction.atomic
def enter_by_hand(event: Event, actor: Actor, *, team: Team, **details: Unpack[PersonDetails]) -> Entry:
    """Enter one person. Raises `BadInputError` with everything that is wrong, by the rules of the import."""
    lock_event(event)
    (entry,) = _enter(event, [_checked(event, team, rules_of(event), details)], actor)
    return entry


@transaction.atomic
def correct_person(entry: Entry, actor: Actor, **details: Unpack[PersonDetails]) -> None:
    """Change what is known of a person, checked as a new one would be; nothing if the person was erased."""
    event = entry.team.event
    lock_event(event)
    person = entry.person
    if person is None:
        return
    try:
        person.refresh_from_db()
    except Person.DoesNotExist:
        # Erased while the form was open.
        return
    row = _checked(event, entry.team, rules_of(event, but=person.pk), details)
    audit.change(person, actor, event.pk, _known_of(row))


def withdraw(entry: Entry, actor: Actor) -> None:
    """Take an entry out before it is drawn; its number isn't given again. Doing it twice is doing it once."""
    _set(entry, actor, status=Entry.Status.WITHDRAWN)


def mark_absent(entry: Entry, actor: Actor) -> None:
    """The child didn't turn up: it isn't drawn, and its slip's code opens nothing. Twice is once."""
    _set(entry, actor, status=Entry.Status.ABSENT, checked_in_at=None, code_hash=None)


def reinstate(entry: Entry, actor: Actor) -> None:
    """Let a withdrawn or missing entry take part again, with its number."""
    _set(entry, actor, status=Entry.Status.ENTERED)


@transaction.atomic
def move(entry: Entry, team: Team, actor: Actor) -> None:
    """Put an entry into another team of the event, with that team's next number.

    For mistakes before the draw: whoever calls this knows whether the entry sits in a squad, and refuses
    then.
    """
    event = entry.team.event
    _check_team(team, event)
    if team.pk == entry.team_id:
        return
    lock_event(event)
    number = _highest_numbers(event)[team.pk] + 1
    audit.change(entry, actor, event.pk, {"team": team, "number": number})


def lock_event(event: Event) -> None:
    """Make the other writers of this event's people wait until the transaction ends.

    Rows that refer to the event can still be added meanwhile. SQLite locks at the transaction's beginning.
    """
    Event.objects.select_for_update(no_key=True).only("pk").get(pk=event.pk)


def rules_of(event: Event, *, but: UUID | None = None) -> IntakeRules:
    """What rows of this event are checked against, without the person `but`; two queries."""
    entries = Entry.objects.filter(team__event=event).values_list(
        "team", "team__short_name", "number", "person",
        "person__last_name", "person__first_name", "person__birth_date",
    )  # fmt: skip
    known: dict[PersonKey, str] = {}
    numbers: defaultdict[UUID, set[int]] = defaultdict(set)
    for team_id, short_name, number, person, last_name, first_name, birth_date in entries:
        numbers[team_id].add(number)
        if person is not None and person != but:
            known[person_key(last_name, first_name, birth_date)] = f"{short_name} {number}"
    teams = tuple(_team_name(team) for team in event.teams.all())
    taken = {team_id: frozenset(given) for team_id, given in numbers.items()}
    return IntakeRules(event.starts_on, event.min_age, event.max_age, teams, known, taken)


def _team_name(team: Team) -> TeamName:
    return TeamName(team.pk, team.name, team.short_name)


def _check_team(team: Team, event: Event) -> None:
    if team.event_id != event.pk:
        raise BadInputError.of(Code.OF_ANOTHER_EVENT, EntryField.TEAM.value)


def _checked(event: Event, team: Team, rules: IntakeRules, details: PersonDetails) -> Accepted:
    _check_team(team, event)
    cells = {EntryField(name): _cell(value) for name, value in details.items()}
    row = RowCheck(rules).check(cells, team=_team_name(team))
    if row.accepted is None:
        raise BadInputError(*row.problems)
    return row.accepted


def _cell(value: object) -> str:
    """A detail as a list would have it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _known_of(row: Accepted) -> dict[str, Any]:
    """What a person's row holds of a good row."""
    return {name: getattr(row, name) for name in PersonDetails.__annotations__}


def _enter(event: Event, rows: Sequence[Accepted], actor: Actor) -> list[Entry]:
    """Store persons, entries and audit trail under the event's lock, in a few statements for any number."""
    persons: list[Person] = []
    entries: list[Entry] = []
    highest = _highest_numbers(event)
    for row in rows:
        highest[row.team.id] = max(highest[row.team.id], row.number or 0)
    for row in rows:
        number = row.number
        if number is None:
            highest[row.team.id] += 1
            number = highest[row.team.id]
        person = Person(event=event, **_known_of(row))
        persons.append(person)
        entries.append(Entry(team_id=row.team.id, person=person, number=number, status=row.status))
    if not entries:
        return []
    Person.objects.bulk_create(persons)
    Entry.objects.bulk_create(entries)
    audit.keep(audit.created(row, actor, event.pk) for row in (*persons, *entries))
    return entries


def _highest_numbers(event: Event) -> defaultdict[UUID, int]:
    numbers = Entry.objects.filter(team__event=event).values_list("team").annotate(Max("number")).order_by()
    return defaultdict(int, dict(numbers))


@transaction.atomic
def _set(entry: Entry, actor: Actor, **values: Any) -> None:
    audit.change(entry, actor, entry.team.event_id, values)
