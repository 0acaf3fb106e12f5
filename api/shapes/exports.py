"""Files to take: which there are, and how one is asked for."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.fields import Choice, Shape, Text
from tournaments.transfer.export.csv_and_json import Form
from tournaments.transfer.export.exported_tables import TABLES
from tournaments.transfer.export.files import ALL, LOGS, NAMES, ZIP, forms_of, is_streamed

FULL, PUBLIC = "full", "public"
NEWEST, EVERY = "newest", "every"
FORMATS: dict[str, str] = {
    "csv": Form.CSV,
    "csv-excel": Form.EXCEL_CSV,
    "xlsx": Form.XLSX,
    "json": Form.JSON,
    "zip": ZIP,
}
"""What a format is called here, and the form that it is."""
ABOUT = {LOGS: _("the game logs"), ALL: _("everything at once")}
WORDS = {form: word for word, form in FORMATS.items()}


class ExportShape(Shape):
    """Something to take."""

    table = serializers.CharField(help_text="How it is called in its address.")
    about = serializers.CharField(help_text="What is in it, in the reader's language.")
    formats = serializers.ListField(
        child=serializers.CharField(), help_text="Those that the caller may take; the first if none is said."
    )
    names = serializers.ListField(
        child=serializers.CharField(), help_text="Those that the caller may take; the first if none is said."
    )


class ExportQuery(serializers.Serializer[Any]):
    """In which form, for whose eyes."""

    format = Choice(
        choices=[(word, word) for word in FORMATS],
        required=False,
        help_text="`csv` (RFC 4180), `csv-excel` (as a spreadsheet in Italy opens it) or `json`; for the "
        "organizer `xlsx` too. `all` is there as `xlsx` and `zip`, `logs` as `zip`.",
    )
    names = Choice(
        choices=[(word, word) for word in (PUBLIC, FULL)],
        default=PUBLIC,
        help_text="`public`: as everybody may see them; `full`: for the event's organizer.",
    )
    versions = Choice(
        choices=[(word, word) for word in (NEWEST, EVERY)],
        default=NEWEST,
        help_text="Of `standings` and `palio`: the newest version, or every one of the day.",
    )


class ArchiveQuery(serializers.Serializer[Any]):
    """With whom."""

    people = serializers.BooleanField(
        default=False, help_text="With the names of players and referees; notes are in no archive."
    )


class ArchiveInQuery(serializers.Serializer[Any]):
    """Where to."""

    slug = Text(
        required=False,
        max_length=60,
        help_text="Another address than its own: small letters, digits and hyphens.",
    )


def formats_for(name: str, *, is_organizer: bool) -> list[str]:
    """The formats in which a caller may take what has this name. What has to be made whole before it can be
    sent keeps a process busy: that isn't for everybody.
    """
    return [WORDS[form] for form in forms_of(name) if is_organizer or is_streamed(form)]


def export_rows(*, is_organizer: bool) -> list[dict[str, Any]]:
    """What there is to take for a caller."""
    rows = [
        {
            "table": name,
            "about": {**TABLES, **ABOUT}[name],
            "formats": formats_for(name, is_organizer=is_organizer),
            "names": [PUBLIC, FULL] if is_organizer else [PUBLIC],
        }
        for name in NAMES
    ]
    return [row for row in rows if row["formats"]]
