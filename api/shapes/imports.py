"""Shapes and bodies of imports: a file of entries, its preview and its result."""

import base64
import binascii
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Body, Choice, Id, Shape, Text, Truth, Whole
from people.entries import ImportResult
from people.input_problems import InputProblem
from people.input_sentences import sentence
from people.intake.delimited_text import MAX_COLUMNS
from people.intake.entry_fields import EntryField
from people.intake.full_names import NameOrder
from people.intake.rows import STATUSES
from people.intake.sheet_reading import EntrySheet


@extend_schema_field({"type": "string", "format": "byte", "minLength": 4})
class FileField(serializers.Field[bytes, str, str, Any]):
    """A file's bytes as base64: lists come in more encodings than JSON has."""

    default_error_messages = {"not-base64": _("This has to be a file's bytes as base64.")}

    def to_internal_value(self, data: Any) -> bytes:
        """The bytes; nothing outside base64's alphabet is skipped."""
        try:
            return base64.b64decode(data.encode("ascii"), validate=True)
        except (AttributeError, UnicodeEncodeError, binascii.Error):
            self.fail("not-base64")

    def to_representation(self, value: bytes) -> str:
        """The bytes as base64."""
        return base64.b64encode(value).decode("ascii")


HEADER_HELP = {
    EntryField.FULL_NAME: "Last and first name in one column.",
    EntryField.SECTION: "The second half of the class: `3` and `B`.",
    EntryField.CONSENT: "Consent to showing first name and initial.",
    EntryField.NUMBER: "The number in the team.",
}


class MappingBody(Body):
    """Headers of the columns that don't have a usual name."""

    def get_fields(self) -> dict[str, Any]:
        """One field for each detail of a person."""
        return {
            field.value: Text(required=False, max_length=200, help_text=HEADER_HELP.get(field))
            for field in EntryField
        }

    def to_internal_value(self, data: Any) -> dict[Any, Any]:
        """Headers by field."""
        return {EntryField(name): header for name, header in super().to_internal_value(data).items()}


class ColumnsBody(Body):
    """The number of each field's column, from 1. No other column is read."""

    def get_fields(self) -> dict[str, Any]:
        """One field for each detail of a person."""
        return {
            field.value: Whole(min_value=1, max_value=MAX_COLUMNS, required=False) for field in EntryField
        }

    def to_internal_value(self, data: Any) -> dict[Any, Any]:
        """Columns by field, counted from 0."""
        return {EntryField(name): number - 1 for name, number in super().to_internal_value(data).items()}


class ImportBody(Body):
    """A list of entries: an XLSX workbook, or CSV (commas, semicolons or tabs; UTF-8, UTF-16, Windows-1252,
    MacRoman or DOS code page 850).
    """

    file = FileField()
    mapping = MappingBody(default=dict)
    columns = ColumnsBody(
        required=False,
        help_text="The whole choice of columns by number, also where two have one header.",
    )
    sheet = Text(default="", max_length=200, allow_blank=True, help_text="A workbook’s sheet, by its name.")
    has_header = Truth(
        default=True, help_text="`false`: the first row is a person. Such a list needs `columns`."
    )
    with_notes = Truth(default=False, help_text="Notes are read only where somebody asks for them.")
    name_order = Choice(
        choices=[each.value for each in NameOrder],
        required=False,
        help_text="How full names in one column are split; without it that is guessed.",
    )
    team = Id(required=False, help_text="The team of all rows, for a list without a column for it.")


class ConfirmBody(ImportBody):
    """The same file with what its preview said."""

    digest = Text(max_length=64, help_text="The preview's: exactly this outcome is confirmed.")
    skip_bad = Truth(default=False, help_text="Leave rows with problems out, instead of entering nobody.")


class ImportProblemShape(Shape):
    """What is wrong, and where."""

    line = serializers.IntegerField(allow_null=True, help_text="The physical line, from 1.")
    column = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    detail = serializers.CharField()
    harmless = serializers.BooleanField(help_text="Only told; nothing has to be decided about it.")


class ImportRowShape(Shape):
    """A person who would be entered."""

    last_name = serializers.CharField()
    first_name = serializers.CharField()
    birth_date = serializers.DateField()
    team = serializers.UUIDField(source="team.id")
    family = serializers.CharField()
    school_class = serializers.CharField()
    is_strong = serializers.BooleanField()
    shows_name = serializers.BooleanField()
    number = serializers.IntegerField(allow_null=True, help_text="Null: the team's next one.")
    status = serializers.ChoiceField(list(STATUSES))


class ImportPreviewShape(Shape):
    """What a file would do."""

    digest = serializers.CharField()
    good = ImportRowShape(many=True)
    bad_rows = serializers.IntegerField()
    dropped_columns = serializers.ListField(child=serializers.CharField())
    notes_dropped = serializers.BooleanField()
    name_order = serializers.CharField(
        allow_null=True, help_text="How full names were split; null where they stand in two columns."
    )
    problems = ImportProblemShape(many=True)


class ImportResultShape(Shape):
    """What an import did."""

    entries = serializers.ListField(child=serializers.UUIDField(), help_text="In the order of the file.")
    left_out = serializers.IntegerField(help_text="Rows that had problems.")


def preview_row(preview: EntrySheet) -> dict[str, Any]:
    """A preview as an answer."""
    return {
        "digest": preview.digest,
        "good": preview.good,
        "bad_rows": len(preview.bad),
        "dropped_columns": preview.columns.dropped,
        "notes_dropped": preview.notes_dropped,
        "name_order": preview.name_order,
        "problems": import_problems(preview.problems),
    }


def import_problems(problems: tuple[InputProblem, ...]) -> list[dict[str, Any]]:
    """Problems of a file as an answer."""
    return [
        {
            "line": problem.line,
            "column": problem.column,
            "code": problem.code.value.replace("_", "-"),
            "detail": sentence(problem),
            "harmless": problem.harmless,
        }
        for problem in problems
    ]


def result_row(result: ImportResult) -> dict[str, Any]:
    """An import's result as an answer."""
    return {"entries": [entry.pk for entry in result.entries], "left_out": result.left_out}
