"""Reading a whole file: `read_sheet` for its rows, `look_at` for what its columns could be."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from dataclasses import field as dataclass_field
from itertools import islice
from typing import TypedDict
from uuid import UUID

from people.input_problems import BadInputError, Code, InputProblem
from people.intake.cell_text import clean, shown
from people.intake.columns import REQUIRED, Columns, chosen_columns, count_known, find_columns, guess, letter
from people.intake.delimited_text import MAX_BYTES, Record, SheetSource, header_of, read_text
from people.intake.entry_fields import EntryField
from people.intake.full_names import NameOrder, guess_order, split_name
from people.intake.rows import Accepted, EntryRow, IntakeRules, PersonKey, RowCheck, TeamName
from people.intake.workbook import is_workbook, read_workbook

SAMPLES = 3


class ReadChoices(TypedDict, total=False):
    """What the organizer may choose of how a file is read, but for its team: see `Options`."""

    mapping: Mapping[EntryField, str]
    with_notes: bool
    columns: Mapping[EntryField, int] | None
    sheet: str
    has_header: bool
    name_order: NameOrder | None


@dataclass(frozen=True, slots=True)
class Options:
    """What the organizer chose.

    `mapping` names columns by their headers (field to header). The other fields are found by their usual
    names. `columns` is the whole choice instead: each field's column by its place from 0. No other column is
    then read. `team` is the team of all rows for a list that has no column for it. `sheet` names a workbook's
    sheet. A list may have no header: then its first row is a person, and `columns` is needed. `name_order`
    says how a column of full names is split; without it that is guessed.
    """

    mapping: Mapping[EntryField, str] = dataclass_field(default_factory=dict)
    with_notes: bool = False
    team: TeamName | None = None
    columns: Mapping[EntryField, int] | None = None
    sheet: str = ""
    has_header: bool = True
    name_order: NameOrder | None = None


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """One column of a file for choosing: its header, the first values in it, and what it seems to be."""

    place: int
    name: str
    samples: tuple[str, ...] = dataclass_field(repr=False)
    guessed: EntryField | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """What a file looks like before anybody says what its columns are."""

    columns: tuple[SheetColumn, ...]
    source: SheetSource = dataclass_field(repr=False)


@dataclass(frozen=True, slots=True)
class EntrySheet:
    """A file as read: all rows in its order, and lines about which only something is to be said.

    It is what an import would do, with nothing stored; `digest` confirms exactly this outcome and no other.
    `name_order` is how full names were split; None where they stand in two columns.
    """

    columns: Columns
    source: SheetSource = dataclass_field(repr=False)
    rows: tuple[EntryRow, ...]
    remarks: tuple[InputProblem, ...]
    notes_dropped: bool
    name_order: NameOrder | None = None

    @property
    def good(self) -> tuple[Accepted, ...]:
        """The persons that can be entered, in the order of the file."""
        return tuple(row.accepted for row in self.rows if row.accepted is not None)

    @property
    def bad(self) -> tuple[EntryRow, ...]:
        """The rows that can't be."""
        return tuple(row for row in self.rows if row.accepted is None)

    @property
    def problems(self) -> tuple[InputProblem, ...]:
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


def read_sheet(data: bytes, rules: IntakeRules, options: Options) -> EntrySheet:
    """Read and check a file of entries. Columns that belong to no field, and notes unless asked for, are
    not read.

    Raises `BadInputError` with one problem when the file as a whole can't be read, and nothing else whatever
    the bytes are.
    """
    source = _source(data, options)
    start = _first(source)
    header = header_of(source.records[start])
    if options.columns is not None:
        names = header if options.has_header else [letter(place) for place in range(len(header))]
        columns = chosen_columns(names, options.columns, _required(options))
    else:
        columns = find_columns(header, options.mapping, _required(options))
    wanted = {
        field: place
        for field, place in columns.places.items()
        if field is not EntryField.NOTE or options.with_notes
    }
    order = _name_order(source.records[start + options.has_header :], columns, options)
    rows: list[EntryRow] = []
    remarks: list[InputProblem] = []
    first_lines: dict[PersonKey, int] = {}
    numbers: set[tuple[UUID, int]] = set()
    for record in source.records[start + options.has_header :]:
        if record.is_blank:
            remarks.append(InputProblem(Code.EMPTY_LINE, record.line))
            continue
        row = _read_row(record, columns, wanted, rules, options, first_lines, numbers, order)
        rows.append(row)
        if row.accepted is not None:
            first_lines[row.accepted.key] = record.line
            if row.accepted.number is not None:
                numbers.add((row.accepted.team.id, row.accepted.number))
    notes_dropped = EntryField.NOTE in columns.places and not options.with_notes
    return EntrySheet(columns, source, tuple(rows), tuple(remarks), notes_dropped, order)


def look_at(data: bytes, options: Options) -> Outline:
    """The columns of a file with their first values, for choosing them by hand.

    What is in a column of notes isn't shown unless notes are asked for. Raises `BadInputError` for a file
    that can't be read at all.
    """
    source = _source(data, options)
    start = _first(source)
    header = header_of(source.records[start])
    guessed = {place: field for field, place in guess(header).items()} if options.has_header else {}
    rows = source.records[start + options.has_header :]
    columns = []
    for place, name in enumerate(header):
        field = guessed.get(place)
        is_note = field is EntryField.NOTE and not options.with_notes
        values = (
            shown(row.cells[place]) for row in rows if place < len(row.cells) and row.cells[place].strip()
        )
        samples = () if is_note else tuple(islice(values, SAMPLES))
        told = shown(clean(name)) if options.has_header else ""
        columns.append(SheetColumn(place, told or letter(place), samples, field))
    return Outline(tuple(columns), source)


def _source(data: bytes, options: Options) -> SheetSource:
    def known(names: Iterable[str]) -> int:
        return count_known(names, options.mapping)

    if not data.strip():
        raise BadInputError.of(Code.FILE_EMPTY)
    if len(data) > MAX_BYTES:
        raise BadInputError.of(Code.FILE_TOO_BIG, limit=MAX_BYTES // 1024 // 1024)
    return read_workbook(data, options.sheet, known) if is_workbook(data) else read_text(data, known)


def _first(source: SheetSource) -> int:
    """The place of the first record that holds something."""
    start = next((place for place, record in enumerate(source.records) if not record.is_blank), None)
    if start is None:
        raise BadInputError.of(Code.FILE_EMPTY)
    return start


def _name_order(records: Sequence[Record], columns: Columns, options: Options) -> NameOrder | None:
    place = columns.places.get(EntryField.FULL_NAME)
    if place is None or options.name_order is not None:
        return None if place is None else options.name_order
    names = (record.cells[place] for record in records if place < len(record.cells))
    return guess_order(names, columns.names[place] if options.has_header else "")


def _required(options: Options) -> Sequence[EntryField]:
    return [field for field in REQUIRED if field is not EntryField.TEAM or options.team is None]


def _read_row(
    record: Record,
    columns: Columns,
    wanted: Mapping[EntryField, int],
    rules: IntakeRules,
    options: Options,
    first_lines: Mapping[PersonKey, int],
    numbers: Collection[tuple[UUID, int]],
    order: NameOrder | None,
) -> EntryRow:
    cells = {field: record.cells[place] for field, place in wanted.items() if place < len(record.cells)}
    names = {field: columns.name(field) for field in wanted}
    if order is not None:
        # What is wrong with either half is told at the column that holds both.
        full_name = cells.get(EntryField.FULL_NAME, "")
        cells[EntryField.LAST_NAME], cells[EntryField.FIRST_NAME] = split_name(full_name, order)
        names |= dict.fromkeys(
            (EntryField.LAST_NAME, EntryField.FIRST_NAME), columns.name(EntryField.FULL_NAME)
        )
    team = None if EntryField.TEAM in wanted else options.team
    row = RowCheck(rules, record.line, names).check(
        cells, team=team, first_lines=first_lines, numbers=numbers
    )
    width = len(columns.names)
    extra = [(place, cell) for place, cell in enumerate(record.cells) if place >= width and cell.strip()]
    if not extra:
        return row
    place, cell = extra[0]
    problem = InputProblem(Code.EXTRA_COLUMN, record.line, str(place + 1), shown(cell), {"width": width})
    return replace(row, accepted=None, problems=(*row.problems, problem))
