"""The files that a reader may take: a table in a form, everything as a workbook, everything as a zip."""

from collections.abc import Iterator
from typing import IO

from people.models import Event
from people.naming import Reader, Viewer
from tournaments.export.sheets import Form, csv_lines, json_lines, write_xlsx, write_zip
from tournaments.export.tables import TABLES, Export

LOGS = "logs"
ALL = "all"
NAMES = (*TABLES, LOGS, ALL)
ZIP = "zip"


def parts(export: Export, name: str, form: Form) -> Iterator[bytes]:
    """A table as CSV or JSON, as it is read; KeyError for a table that there isn't."""
    table = export.table(name)
    return json_lines(table) if form is Form.JSON else csv_lines(table, form)


def workbook(target: IO[bytes], export: Export, name: str = ALL) -> None:
    """A workbook of one table or of all."""
    write_xlsx(target, export.tables() if name == ALL else [export.table(name)])


def zipped(target: IO[bytes], export: Export, name: str = ALL) -> None:
    """All tables as CSV and JSON and the logs, or the logs alone."""
    write_zip(target, _files(export, name))


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
