"""Problems of a file, a row or a form: a stable code, where it is, and what was expected."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

from people.refusals import Refused

Param = str | int | tuple[str, ...]


class Code(StrEnum):
    """The kinds of problems. Programs rely on these words: they don't change."""

    # The whole file
    FILE_EMPTY = "file_empty"
    FILE_TOO_BIG = "file_too_big"
    FILE_TOO_MANY_ROWS = "file_too_many_rows"
    FILE_TOO_MANY_SHEETS = "file_too_many_sheets"
    FILE_TOO_MANY_CELLS = "file_too_many_cells"
    FILE_TOO_MANY_COLUMNS = "file_too_many_columns"
    FILE_UTF16 = "file_utf16"
    FILE_SPREADSHEET = "file_spreadsheet"
    FILE_OTHER_KIND = "file_other_kind"
    FILE_BROKEN = "file_broken"
    FILE_UNFOLDS = "file_unfolds"
    SHEET_UNKNOWN = "sheet_unknown"
    FILE_BINARY = "file_binary"
    QUOTE_NOT_CLOSED = "quote_not_closed"
    COLUMNS_MISSING = "columns_missing"
    COLUMN_TWICE = "column_twice"
    COLUMN_UNKNOWN = "column_unknown"
    COLUMN_SHARED = "column_shared"
    NAMES_TWICE = "names_twice"
    # One row
    EMPTY_LINE = "empty_line"
    EXTRA_COLUMN = "extra_column"
    MISSING = "missing"
    TOO_LONG = "too_long"
    ODD_CHARACTERS = "odd_characters"
    STRANGE_LETTERS = "strange_letters"
    NO_LETTERS = "no_letters"
    DATE_UNREADABLE = "date_unreadable"
    DATE_IMPOSSIBLE = "date_impossible"
    DATE_SHORT_YEAR = "date_short_year"
    BORN_AFTER_EVENT = "born_after_event"
    TOO_YOUNG = "too_young"
    TOO_OLD = "too_old"
    TEAM_UNKNOWN = "team_unknown"
    FAMILY_UNNAMED = "family_unnamed"
    NOT_YES_OR_NO = "not_yes_or_no"
    NOT_A_NUMBER = "not_a_number"
    NUMBER_TAKEN = "number_taken"
    STATUS_UNKNOWN = "status_unknown"
    TWICE_IN_FILE = "twice_in_file"
    ALREADY_ENTERED = "already_entered"
    # Events, teams, referees
    ENDS_BEFORE_START = "ends_before_start"
    AGES_OUT_OF_ORDER = "ages_out_of_order"
    OUT_OF_RANGE = "out_of_range"
    NOT_A_CHOICE = "not_a_choice"
    NOT_A_COLOR = "not_a_color"
    NAME_TAKEN = "name_taken"
    OF_ANOTHER_EVENT = "of_another_event"
    TEAM_IN_USE = "team_in_use"
    TEAM_COUNTED = "team_counted"
    # Announcements
    TIME_NOT_AHEAD = "time_not_ahead"
    TOO_MANY_ANNOUNCEMENTS = "too_many_announcements"


# Worth saying, but nothing that has to be decided about.
HARMLESS = frozenset({Code.EMPTY_LINE})


@dataclass(frozen=True, slots=True)
class InputProblem:
    """One thing that is wrong.

    `line` is the physical line in the file, from 1 (None outside files). `column` is the header as it stands
    in the file, or the number of a column that has no header. In a form it is the field's name. `value` is
    what was found, shortened for showing. `params` fill the sentence. Values are personal data, so they stay
    out of `repr` and of logs.
    """

    code: Code
    line: int | None = None
    column: str = field(default="", repr=False)
    value: str = field(default="", repr=False)
    params: Mapping[str, Param] = field(default_factory=dict, repr=False)

    @property
    def harmless(self) -> bool:
        """True for what is only reported."""
        return self.code in HARMLESS


class BadInputError(Refused):
    """Nothing was done, because of these problems. Its text names codes only, never what was found."""

    def __init__(self, *problems: InputProblem) -> None:
        codes = ", ".join(problem.code for problem in problems)
        super().__init__("invalid-input", codes, status=422)
        self.problems = problems

    @classmethod
    def of(cls, code: Code, column: str = "", **params: Param) -> Self:
        """The refusal for one problem, of a file or a form as a whole."""
        return cls(InputProblem(code, column=column, params=params))
