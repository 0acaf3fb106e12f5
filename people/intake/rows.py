"""Checking one person's row, from a file or from a form: the one place that says who can be entered."""

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from people.ages import age_on
from people.input_problems import Code, InputProblem, Param
from people.intake.cell_text import clean, clean_lines, fold, has_odd_characters, mark, shown
from people.intake.dates import NotADateError, read_date
from people.intake.encodings import strange_letters
from people.intake.entry_fields import EntryField
from people.number_parsing import whole_number

MAX_NAME = 60
MAX_NOTE = 1_000
MAX_MARK = 40

# As `fold` writes them, or as they are where that leaves nothing.
_YES = frozenset({"si", "s", "x", "yes", "y", "true", "vero", "1", "✓", "✔", "☑", "*"})
_NO = frozenset({"", "no", "n", "false", "falso", "0", "-", "–", "—", "/"})
# Lists answer "brothers and sisters?" by these, where a word was asked for.
_ONLY_YES = frozenset({"si", "yes", "true", "vero"})

STATUSES: Mapping[str, frozenset[str]] = {
    "entered": frozenset({"", "entered", "iscritto", "iscritta"}),
    "withdrawn": frozenset({"withdrawn", "ritirato", "ritirata"}),
    "absent": frozenset({"absent", "didntturnup", "assente"}),
}
"""The states of an entry by their codes, as `fold` writes the words for them in both languages."""
MAX_NUMBER = 9_999

PersonKey = tuple[str, str, date]


@dataclass(frozen=True, slots=True)
class TeamName:
    """A team that rows can name: its id and its two names."""

    id: UUID
    name: str
    short_name: str


@dataclass(frozen=True, slots=True)
class IntakeRules:
    """What rows are checked against: the day and ages of the event, its teams, and who is entered already.

    `known` says as whom (`Centro 7`) a person is entered, `numbers` which numbers each team has given.
    """

    day: date
    min_age: int
    max_age: int
    teams: tuple[TeamName, ...]
    known: Mapping[PersonKey, str] = field(default_factory=dict, repr=False)
    numbers: Mapping[UUID, frozenset[int]] = field(default_factory=dict, repr=False)

    def team_called(self, text: str) -> TeamName | None:
        """The team of this name or short name, whatever the case, accents and punctuation."""
        wanted = fold(text)
        by_name = (team for team in self.teams if fold(team.name) == wanted)
        by_short_name = (team for team in self.teams if fold(team.short_name) == wanted)
        return next(by_name, None) or next(by_short_name, None)

    def team_like(self, text: str) -> str:
        """The name of the team that a misspelt text comes close to, or an empty text."""
        names = {fold(team.name): team.name for team in self.teams}
        close = difflib.get_close_matches(fold(text)[:MAX_NAME], names, n=1)
        return names[close[0]] if close else ""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A person as a good row tells it; `note` is empty unless notes were asked for.

    `family` and `school_class` are words that several share, empty where there is none. `number` is None
    where the team's next one is meant; `status` is a code of `STATUSES`.
    """

    last_name: str = field(repr=False)
    first_name: str = field(repr=False)
    birth_date: date = field(repr=False)
    team: TeamName
    note: str = field(repr=False)
    family: str = field(default="", repr=False)
    school_class: str = field(default="", repr=False)
    is_strong: bool = field(default=False, repr=False)
    shows_name: bool = field(default=False, repr=False)
    number: int | None = None
    status: str = "entered"

    @property
    def key(self) -> PersonKey:
        """By what two rows are about the same person."""
        return person_key(self.last_name, self.first_name, self.birth_date)


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One row after checking: its cells as they are shown, and either the person or the problems."""

    line: int | None
    cells: Mapping[EntryField, str] = field(repr=False)
    accepted: Accepted | None
    problems: tuple[InputProblem, ...] = ()


def person_key(last_name: str, first_name: str, birth_date: date) -> PersonKey:
    """What two rows about one person have in common: both names as heard, and the day of birth."""
    return (fold(last_name), fold(first_name), birth_date)


class RowCheck:
    """Checks one row's cells, and collects what is wrong with them."""

    def __init__(
        self, rules: IntakeRules, line: int | None = None, columns: Mapping[EntryField, str] | None = None
    ) -> None:
        """`columns` are the headers that problems name; without a file, the fields' own names."""
        self.rules = rules
        self.line = line
        self.columns = columns or {}
        self.problems: list[InputProblem] = []

    def check(
        self,
        cells: Mapping[EntryField, str],
        *,
        team: TeamName | None = None,
        first_lines: Mapping[PersonKey, int] | None = None,
        numbers: Collection[tuple[UUID, int]] = (),
    ) -> EntryRow:
        """The row with all its problems.

        A `team` that is known already isn't looked for in the cells. `first_lines` says on which lines above
        good rows have whom, `numbers` which numbers of which teams they have.
        """
        last_name = self._name(EntryField.LAST_NAME, cells)
        first_name = self._name(EntryField.FIRST_NAME, cells)
        birth_date = self._birth_date(cells)
        team = team or self._team(cells)
        note = clean_lines(cells.get(EntryField.NOTE, ""))
        if len(note) > MAX_NOTE:
            self._add(Code.TOO_LONG, EntryField.NOTE, note, limit=MAX_NOTE)
        family = self._family(cells)
        school_class = self._school_class(cells)
        is_strong = self._is_yes(EntryField.STRONG, cells)
        shows_name = self._is_yes(EntryField.CONSENT, cells)
        number = self._number(cells, team, numbers)
        status = self._status(cells)
        if last_name and first_name and birth_date:
            self._once(person_key(last_name, first_name, birth_date), last_name, first_lines or {})
        accepted = None
        if not self.problems and birth_date and team:
            accepted = Accepted(
                last_name, first_name, birth_date, team, note, family, school_class, is_strong, shows_name,
                number, status,
            )  # fmt: skip
        cells_shown = {name: shown(text) for name, text in cells.items()}
        return EntryRow(self.line, cells_shown, accepted, tuple(self.problems))

    def _add(self, code: Code, field: EntryField, value: str = "", **params: Param) -> None:
        column = self.columns.get(field, field.value)
        self.problems.append(
            InputProblem(code, self.line, column, shown(value), {"field": field.value, **params})
        )

    def _name(self, field: EntryField, cells: Mapping[EntryField, str]) -> str:
        raw = cells.get(field, "")
        name = clean(raw)
        if not name:
            self._add(Code.MISSING, field)
        elif has_odd_characters(raw):
            self._add(Code.ODD_CHARACTERS, field, raw)
        elif strange := strange_letters(name):
            self._add(Code.STRANGE_LETTERS, field, raw, letters=strange)
        elif not any(c.isalpha() for c in name):
            self._add(Code.NO_LETTERS, field, raw)
        elif len(name) > MAX_NAME:
            self._add(Code.TOO_LONG, field, raw, limit=MAX_NAME)
        else:
            return name
        return ""

    def _birth_date(self, cells: Mapping[EntryField, str]) -> date | None:
        text = clean(cells.get(EntryField.BIRTH_DATE, ""))
        if not text:
            self._add(Code.MISSING, EntryField.BIRTH_DATE)
            return None
        try:
            birth_date = read_date(text)
        except NotADateError as refusal:
            self._add(refusal.code, EntryField.BIRTH_DATE, text)
            return None
        rules = self.rules
        age = age_on(birth_date, rules.day)
        limits: dict[str, Param] = {
            "age": age, "min": rules.min_age, "max": rules.max_age, "day": rules.day.isoformat(),
        }  # fmt: skip
        if birth_date > rules.day:
            self._add(Code.BORN_AFTER_EVENT, EntryField.BIRTH_DATE, text, **limits)
        elif age < rules.min_age:
            self._add(Code.TOO_YOUNG, EntryField.BIRTH_DATE, text, **limits)
        elif age > rules.max_age:
            self._add(Code.TOO_OLD, EntryField.BIRTH_DATE, text, **limits)
        return birth_date

    def _team(self, cells: Mapping[EntryField, str]) -> TeamName | None:
        text = clean(cells.get(EntryField.TEAM, ""))
        if not text:
            self._add(Code.MISSING, EntryField.TEAM)
            return None
        team = self.rules.team_called(text)
        if team is None:
            teams = tuple(each.name for each in self.rules.teams)
            self._add(
                Code.TEAM_UNKNOWN, EntryField.TEAM, text, suggestion=self.rules.team_like(text), teams=teams
            )
        return team

    def _family(self, cells: Mapping[EntryField, str]) -> str:
        family = self._mark(EntryField.FAMILY, cells)
        if fold(family) in _ONLY_YES:
            self._add(Code.FAMILY_UNNAMED, EntryField.FAMILY, family)
        return "" if fold(family) == "no" else family

    def _school_class(self, cells: Mapping[EntryField, str]) -> str:
        parts = [self._mark(field, cells) for field in (EntryField.SCHOOL_CLASS, EntryField.SECTION)]
        together = " ".join(filter(None, parts))
        if all(parts) and len(together) > MAX_MARK:
            self._add(Code.TOO_LONG, EntryField.SCHOOL_CLASS, together, limit=MAX_MARK)
        return together

    def _mark(self, field: EntryField, cells: Mapping[EntryField, str]) -> str:
        raw = cells.get(field, "")
        text = mark(raw)
        if has_odd_characters(raw):
            self._add(Code.ODD_CHARACTERS, field, raw)
        elif len(text) > MAX_MARK:
            self._add(Code.TOO_LONG, field, raw, limit=MAX_MARK)
        else:
            return text
        return ""

    def _is_yes(self, field: EntryField, cells: Mapping[EntryField, str]) -> bool:
        text = cells.get(field, "")
        said = fold(text) or clean(text)
        if said not in _YES | _NO:
            self._add(Code.NOT_YES_OR_NO, field, text)
        return said in _YES

    def _number(
        self, cells: Mapping[EntryField, str], team: TeamName | None, numbers: Collection[tuple[UUID, int]]
    ) -> int | None:
        text = clean(cells.get(EntryField.NUMBER, ""))
        if not text:
            return None
        number = whole_number(text, MAX_NUMBER)
        if not number:
            self._add(Code.NOT_A_NUMBER, EntryField.NUMBER, text, max=MAX_NUMBER)
            return None
        if team is not None:
            is_taken = number in self.rules.numbers.get(team.id, ()) or (team.id, number) in numbers
            if is_taken:
                self._add(Code.NUMBER_TAKEN, EntryField.NUMBER, text, team=team.name)
        return number

    def _status(self, cells: Mapping[EntryField, str]) -> str:
        text = cells.get(EntryField.STATUS, "")
        said = fold(text)
        found = next((status for status, words in STATUSES.items() if said in words), None)
        if found is None:
            self._add(Code.STATUS_UNKNOWN, EntryField.STATUS, text)
        return found or "entered"

    def _once(self, key: PersonKey, last_name: str, first_lines: Mapping[PersonKey, int]) -> None:
        if key in self.rules.known:
            self._add(Code.ALREADY_ENTERED, EntryField.LAST_NAME, last_name, entered_as=self.rules.known[key])
        elif key in first_lines:
            self._add(Code.TWICE_IN_FILE, EntryField.LAST_NAME, last_name, other_line=first_lines[key])
