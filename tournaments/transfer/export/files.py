"""The files that a reader may take: a table in a form, everything as a workbook, everything as a zip."""

from collections.abc import Iterator
from typing import IO

from people.display_names import Reader, Viewer
from people.models import Event
from tournaments.transfer.export.csv_and_json import TYPES, Form, csv_lines, json_lines, write_zip
from tournaments.transfer.export.exported_tables import TABLES, Export

LOGS = "logs"
ALL = "all"
NAMES = (*TABLES, LOGS, ALL)
ZIP = "zip"
WHOLE_FORMS = {ALL: (Form.XLSX.value, ZIP), LOGS: (ZIP,)}
TABLE_FORMS = tuple(form.value for form in Form)


def forms_of(name: str) -> tuple[str, ...]:
    """The forms in which a table, the logs or all can be taken; the first is meant if none is said."""
    return WHOLE_FORMS.get(name, TABLE_FORMS)


def is_streamed(form: str) -> bool:
    """Whether it is written while it is read; anything else is made whole before its first byte is there."""
    return form not in (Form.XLSX, ZIP)


def type_and_ending(form: str) -> tuple[str, str]:
    """The media type of a form, and how the names of its files end."""
    return ("application/zip", ZIP) if form == ZIP else TYPES[Form(form)]


def write_whole(target: IO[bytes], export: Export, name: str, form: str) -> None:
    """A workbook of one table or of all. Or a zip of all tables as CSV and JSON with the logs, or of the logs
    alone.
    """
    if form == ZIP:
        write_zip(target, _files(export, name))
        return
    # Only here: a start without it is shorter.
    from tournaments.transfer.export.xlsx import write_xlsx

    write_xlsx(target, export.tables() if name == ALL else [export.table(name)])


def parts(export: Export, name: str, form: Form) -> Iterator[bytes]:
    """A table as CSV or JSON, as it is read; KeyError for a table that there isn't."""
    table = export.table(name)
    return json_lines(table) if form is Form.JSON else csv_lines(table, form)


def _files(export: Export, name: str) -> Iterator[tuple[str, Iterator[bytes] | list[bytes]]]:
    if name == ALL:
        for table in export.tables():
            yield f"{table.name}.csv", csv_lines(table)
            yield f"{table.name}.json", json_lines(table)
    for path, lines in export.log_files():
        yield f"logs/{path}", lines


def file_name(event: Event, viewer: Viewer, name: str, ending: str) -> str:
    """What a file is called: those without names say so."""
    whose = "" if viewer.reader is Reader.DESK else "-public"
    return f"{event.slug}{'' if name == ALL else f'-{name}'}{whose}.{ending}"
