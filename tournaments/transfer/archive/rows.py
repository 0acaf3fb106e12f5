"""Rows of an archive: which there are, how each is written and read.

Every model of the service is in `KEPT`, or named by a test with why it stays behind.
"""

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, NoReturn
from uuid import UUID

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import QuerySet
from django.utils.duration import duration_iso_string
from django.utils.translation import gettext as _

from people.intake.cell_text import has_odd_characters
from people.models import Event
from people.moment_parsing import has_year
from tournaments.transfer.archive.container import BadArchiveError


@dataclass(frozen=True, slots=True)
class KeptModel:
    """A model of which an event's rows are in the archive.

    `event` is the lookup of the event's id from it. Fields in `without` stay behind; who takes the archive in
    gives them other values, or their defaults. `personal` fields are empty in an archive without people; a
    model that `is_personal` isn't in it at all. `late` fields may be empty or missing: earlier versions had
    none.
    """

    model: str
    event: str
    without: frozenset[str] = frozenset()
    personal: Mapping[str, Any] | None = None
    is_personal: bool = False
    late: frozenset[str] = frozenset()

    @property
    def file(self) -> str:
        """Where its rows are."""
        return f"rows/{self.model.lower()}.jsonl"

    @property
    def of(self) -> type[models.Model]:
        """The model."""
        return apps.get_model(self.model)

    def fields(self) -> list[Any]:
        """Those that are in the archive."""
        return [field for field in self.of._meta.concrete_fields if field.name not in self.without]

    def rows(self, event: Event) -> QuerySet[Any]:
        """The event's, by id."""
        return self.of._default_manager.filter(**{self.event: event.pk}).order_by("pk")


KEPT = (
    # Who takes it in decides whether it is public; a PIN is of one day and one installation.
    KeptModel("people.Event", "pk", frozenset({"is_published", "day_pin", "created_at"})),
    KeptModel("people.Team", "event"),
    # Notes are in no archive.
    KeptModel("people.Person", "event", frozenset({"note"}), is_personal=True),
    KeptModel("people.Entry", "team__event", frozenset({"code_hash"}), personal={"person": None}),
    KeptModel("people.Referee", "event", personal={"first_name": "", "last_name": ""}),
    # Facts name phones; none of them gets in anywhere else.
    KeptModel(
        "people.Pairing",
        "event",
        frozenset(
            {
                *("secret_hash", "asked_from", "admitted_by_account", "revoked_at"),
                *("last_seen_at", "table_number", "queue"),
            }
        ),
    ),
    # Somebody may have written a name.
    KeptModel("people.Announcement", "event", is_personal=True),
    # Cards are printed anew: their codes are of one installation.
    KeptModel("tournaments.Table", "event", frozenset({"code"})),
    KeptModel("tournaments.Tournament", "event", frozenset({"settings", "status", "version"})),
    KeptModel("tournaments.Clock", "tournament__event"),
    KeptModel("tournaments.Timetable", "event"),
    KeptModel("tournaments.Place", "tournament__event"),
    KeptModel("tournaments.Palio", "event", frozenset({"rules", "teams", "version"})),
    KeptModel("tournaments.OtherGame", "palio__event"),
    # Which moments there were; what stood then is computed again from the facts up to their heads.
    KeptModel(
        "tournaments.StandingsVersion",
        "tournament__event",
        frozenset(
            {
                *("games_played", "games_total", "is_all_drawn", "groups", "order", "rounds_played"),
                *("round_ends", "has_open_ties", "outdated", "annulled", "is_final"),
            }
        ),
        late=frozenset({"seal"}),
    ),
    KeptModel(
        "tournaments.OverallVersion",
        "palio__event",
        frozenset({"decided", "total", "has_open_ties", "is_final"}),
        late=frozenset({"seal"}),
    ),
)
"""In the order in which they are stored: what a row refers to comes before it."""

_MOST = 1_000_000_000
"""What counts may be: calendars have room above it for what is added to them."""


def line(row: Mapping[str, Any]) -> bytes:
    """One row as a line: JSON with its keys in order."""
    return json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def written(kept: KeptModel, row: models.Model, *, with_people: bool) -> dict[str, Any]:
    """A row as plain values by field."""
    values = {field.name: plain(field.value_from_object(row)) for field in kept.fields()}
    if not with_people:
        values |= kept.personal or {}
    return values


def plain(value: Any) -> Any:
    """A value as JSON has it; times to the microsecond."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return duration_iso_string(value)
    if isinstance(value, UUID):
        return str(value)
    return value


def objects(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file's lines; BadArchiveError for anything else."""
    for each in filter(None, lines):
        try:
            found = _decode(each.decode())
        except (ValueError, RecursionError) as error:
            raise BadArchiveError(_("a line in it can’t be read")) from error
        if not isinstance(found, dict):
            raise BadArchiveError(_("a line in it isn’t a JSON object"))
        # Only written so, or as bytes that aren't UTF-8.
        if b"\\u" in each and not _can_be_kept(found):
            raise BadArchiveError(_("it has a text that no database keeps"))
        yield found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that says nothing twice: whoever reads another of the two values reads something else."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def _refuse_constant(name: str) -> NoReturn:
    """NaN and infinities are no JSON, although Python reads them."""
    raise ValueError(name)


# Made once: `json.loads` makes another for each line that it is told how to read.
_decode = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse_constant).decode


def _can_be_kept(value: Any) -> bool:
    """Whether no text in it has the null character or half of a surrogate pair."""
    text = json.dumps(value, ensure_ascii=False)
    return "\\u0000" not in text.replace("\\\\", "") and not any(
        "\ud800" <= character <= "\udfff" for character in text
    )


def loaded(
    kept: KeptModel, rows: Iterable[Mapping[str, Any]], known: Mapping[str, Container[Any]]
) -> Iterator[Any]:
    """Rows of a model to be stored, each checked by its own fields.

    Raises BadArchiveError with the first that isn't fit.

    What a row refers to has to be among `known` (ids by model), if rows of that model are kept.
    """
    fields = {field.name: field for field in kept.fields()}
    # Of JSON an empty list is as good as any other; what it says shows when all is built.
    unasked = {
        field.name for field in fields.values() if field.is_relation or isinstance(field, models.JSONField)
    }
    for values in rows:
        if values.keys() - fields.keys():
            raise BadArchiveError(f"{kept.model}: " + _("fields that aren’t known"))
        given: dict[str, Any] = {}
        for name, value in values.items():
            field = fields[name]
            try:
                given[field.attname] = _read(field, value)
            except (ValidationError, ValueError, TypeError, OverflowError) as error:
                raise BadArchiveError(f"{kept.model}: {name}") from error
            _check_reference(kept, field, given[field.attname], known)
        if kept.of._meta.pk is None or given.get(kept.of._meta.pk.attname) is None:
            raise BadArchiveError(f"{kept.model}: " + _("a row without its id"))
        row = kept.of(**given)
        free = {name for name in (*(kept.personal or ()), *kept.late) if not values.get(name)}
        # `clean_fields` also refuses nothing where only forms ask for something.
        free |= {name for name in values if values[name] is None}
        try:
            row.clean_fields(exclude=free | unasked | kept.without)
        except ValidationError as error:
            raise BadArchiveError(f"{kept.model}: {', '.join(sorted(error.message_dict))}") from error
        yield row


def _read(field: Any, value: Any) -> Any:
    """The value of a field."""
    if field.is_relation:
        return None if value is None else field.target_field.to_python(_text(value))
    if value is None:
        if not field.null:
            raise ValueError("nothing there")
        return None
    if isinstance(field, models.JSONField):
        if not isinstance(value, dict):
            raise ValueError("no object")  # one kind of error for all that doesn't fit
        field.run_validators(value)
        return value
    # Django reads "true", 1.5 and True as numbers, too.
    if isinstance(field, models.BooleanField | models.IntegerField):
        if type(value) is not (bool if isinstance(field, models.BooleanField) else int):
            raise ValueError("another kind of value")
        if abs(value) > _MOST:
            raise ValueError("more than anybody counts to")
        return value
    found = field.to_python(_text(value))
    if isinstance(found, datetime) and found.tzinfo is None:
        raise ValueError("a time without its zone")
    if isinstance(found, date) and not has_year(found):
        raise ValueError("a year that isn't taken")
    return found


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("no text")  # as above
    # All texts of rows are of one line.
    if has_odd_characters(value) or value != "".join(value.replace("\t", "\n").splitlines()):
        raise ValueError("odd characters")
    return value


def _check_reference(kept: KeptModel, field: Any, value: Any, known: Mapping[str, Container[Any]]) -> None:
    if not field.is_relation:
        return
    if value is None and not field.null:
        raise BadArchiveError(f"{kept.model}: " + _("%(field)s is missing") % {"field": field.name})
    label = field.related_model._meta.label
    if value is not None and label != kept.model and label in known and value not in known[label]:
        raise BadArchiveError(f"{kept.model}: " + _("%(field)s isn’t in the archive") % {"field": field.name})
