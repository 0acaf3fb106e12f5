"""Reading a whole file: the one function that the rest of the service calls."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace

from people.intake.columns import REQUIRED, Columns, count_known, find_columns
from people.intake.files import Record, decode, header_of, read_records
from people.intake.problems import Code, Field, Problem, RefusedError
from people.intake.rows import Accepted, PersonKey, Row, RowCheck, Rules, TeamName
from people.intake.text import shown


@dataclass(frozen=True, slots=True)
class Options:
    """What the organizer chose: columns by hand (field to header), whether notes are kept, and the team of
    all rows for a list that has no column for it."""

    mapping: Mapping[Field, str]
    with_notes: bool = False
    team: TeamName | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file as read: all rows in its order, and lines about which only something is to be said."""

    columns: Columns
    delimiter: str
    rows: tuple[Row, ...]
    remarks: tuple[Problem, ...]
    notes_dropped: bool

    @property
    def good(self) -> tuple[Accepted, ...]:
        """The persons that can be entered, in the order of the file."""
        return tuple(row.accepted for row in self.rows if row.accepted is not None)

    @property
    def bad(self) -> tuple[Row, ...]:
        """The rows that can't be."""
        return tuple(row for row in self.rows if row.accepted is None)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that is to be said, in the order of lines."""
        found = [*self.remarks, *(problem for row in self.rows for problem in row.problems)]
        return tuple(sorted(found, key=lambda problem: problem.line or 0))

    @property
    def digest(self) -> str:
        """SHA-256 over what would be entered and what would not: equal for the same outcome only."""
        outcome = [
            (row.line, [problem.code for problem in row.problems], row.accepted and astuple(row.accepted))
            for row in self.rows
        ]
        return hashlib.sha256(json.dumps(outcome, default=str).encode()).hexdigest()


def read_sheet(data: bytes, rules: Rules, options: Options) -> Sheet:
    """Read and check a file of entries. Columns that belong to no field, and notes unless asked for, are
    not read.

    Raises `RefusedError` with one problem when the file as a whole can't be read, and nothing else whatever
    the bytes are.
    """
    delimiter, records = read_records(decode(data), lambda names: count_known(names, options.mapping))
    start = next((place for place, record in enumerate(records) if not record.is_blank), None)
    if start is None:
        raise RefusedError(Problem(Code.FILE_EMPTY))
    columns = find_columns(header_of(records[start]), options.mapping, _required(options))
    wanted = _wanted(columns, options)
    rows: list[Row] = []
    remarks: list[Problem] = []
    first_lines: dict[PersonKey, int] = {}
    for record in records[start + 1 :]:
        if record.is_blank:
            remarks.append(Problem(Code.EMPTY_LINE, record.line))
            continue
        row = _read_row(record, columns, wanted, rules, options, first_lines)
        rows.append(row)
        if row.accepted is not None:
            first_lines[row.accepted.key] = record.line
    notes_dropped = Field.NOTE in columns.places and not options.with_notes
    return Sheet(columns, delimiter, tuple(rows), tuple(remarks), notes_dropped)


def _required(options: Options) -> Sequence[Field]:
    return [field for field in REQUIRED if field is not Field.TEAM or options.team is None]


def _wanted(columns: Columns, options: Options) -> Mapping[Field, int]:
    return {
        field: place
        for field, place in columns.places.items()
        if field is not Field.NOTE or options.with_notes
    }


def _read_row(
    record: Record,
    columns: Columns,
    wanted: Mapping[Field, int],
    rules: Rules,
    options: Options,
    first_lines: Mapping[PersonKey, int],
) -> Row:
    cells = {field: record.cells[place] for field, place in wanted.items() if place < len(record.cells)}
    names = {field: columns.name(field) for field in wanted}
    team = None if Field.TEAM in wanted else options.team
    row = RowCheck(rules, record.line, names).check(cells, team=team, first_lines=first_lines)
    width = len(columns.names)
    extra = [(place, cell) for place, cell in enumerate(record.cells) if place >= width and cell.strip()]
    if not extra:
        return row
    place, cell = extra[0]
    problem = Problem(Code.EXTRA_COLUMN, record.line, str(place + 1), shown(cell), {"width": width})
    return replace(row, accepted=None, problems=(*row.problems, problem))
