"""Columns of a file, matched with fields."""

import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from people.input_problems import BadInputError, Code
from people.intake.cell_text import clean, shown
from people.intake.entry_fields import EntryField

REQUIRED = (EntryField.LAST_NAME, EntryField.FIRST_NAME, EntryField.BIRTH_DATE, EntryField.TEAM)

_HEADERS = tomllib.loads(Path(__file__).with_name("headers.toml").read_text("utf-8"))
_NAMES = {EntryField(field): frozenset(names) for field, names in _HEADERS.items()}

# Headers that mean a first name beside a column of last names, and the whole name without one.
_AMBIGUOUS = frozenset({"nome", "name"})


@dataclass(frozen=True, slots=True)
class Columns:
    """The header of a file: names as they stand there, where each field is, and what is left out."""

    names: tuple[str, ...]
    places: Mapping[EntryField, int]

    @property
    def dropped(self) -> tuple[str, ...]:
        """The columns that belong to no field, and are not read."""
        taken = set(self.places.values())
        return tuple(name for place, name in enumerate(self.names) if place not in taken and name)

    def name(self, field: EntryField) -> str:
        """The header of a field's column, or the field's own name if no column holds it."""
        return self.names[self.places[field]] if field in self.places else field.value


def normal(name: str) -> str:
    """A header without case, accents or punctuation: `Nato/a il:` and `nato_a il` are the same."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(c for c in decomposed if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in letters).split())


def field_of(name: str) -> EntryField | None:
    """The field that a header usually means, in Italian or English."""
    return next((field for field, names in _NAMES.items() if normal(name) in names), None)


def count_known(names: Iterable[str], mapping: Mapping[EntryField, str]) -> int:
    """How many of these headers are known, by their usual meaning or because the caller named them."""
    named = {normal(name) for name in mapping.values()}
    return sum(1 for name in names if normal(name) in named or field_of(name) is not None)


def find_columns(
    header: Sequence[str], mapping: Mapping[EntryField, str], required: Sequence[EntryField] = REQUIRED
) -> Columns:
    """Where each field is: as the caller's mapping (field to header) says, the other fields by their usual
    names.

    Raises `BadInputError` for columns that mean the same field, and for a mapping that names a column that
    isn't there. Raises it, too, for missing columns: one problem lists all of them, with those found.
    """
    names = tuple(shown(clean(name)) for name in header)
    places: dict[EntryField, list[int]] = {}
    for field, wanted in mapping.items():
        places[field] = [place for place, name in enumerate(names) if normal(name) == normal(wanted)]
        if not places[field]:
            raise BadInputError.of(Code.COLUMN_UNKNOWN, shown(wanted), found=_found(names))
    taken = {place for found in places.values() for place in found}
    for place, name in enumerate(names):
        field_meant = field_of(name)
        if field_meant is not None and field_meant not in mapping and place not in taken:
            places.setdefault(field_meant, []).append(place)
    for field, found in places.items():
        if len(found) > 1:
            twice = tuple(names[place] for place in found)
            raise BadInputError.of(Code.COLUMN_TWICE, twice[1], field=field.value, columns=twice)
    chosen = {field: found[0] for field, found in places.items()}
    _check_places(chosen, names)
    if not mapping.keys() & {EntryField.FIRST_NAME, EntryField.LAST_NAME}:
        chosen = _with_full_name(names, chosen)
    _expect_all(chosen, required, names)
    return Columns(names, chosen)


def chosen_columns(
    header: Sequence[str], places: Mapping[EntryField, int], required: Sequence[EntryField] = REQUIRED
) -> Columns:
    """The columns that somebody chose by hand, each by its place from 0, and no other.

    Raises `BadInputError` as `find_columns` does.
    """
    names = tuple(shown(clean(name)) or letter(place) for place, name in enumerate(header))
    _check_places(places, names)
    _expect_all(places, required, names)
    return Columns(names, dict(places))


def _check_places(places: Mapping[EntryField, int], names: Sequence[str]) -> None:
    """Raise `BadInputError` for a column that isn't there, and for one that two fields share."""
    owners: dict[int, EntryField] = {}
    for field, place in places.items():
        if not 0 <= place < len(names):
            raise BadInputError.of(Code.COLUMN_UNKNOWN, str(place + 1), found=_found(names))
        other = owners.setdefault(place, field)
        if other is not field:
            raise BadInputError.of(Code.COLUMN_SHARED, names[place], fields=(other.value, field.value))


def _with_full_name(names: Sequence[str], places: Mapping[EntryField, int]) -> dict[EntryField, int]:
    """The same places; a lone column “Name” is one of full names, and one beside the two names isn't read."""
    found = dict(places)
    first = found.get(EntryField.FIRST_NAME)
    if first is not None and EntryField.LAST_NAME not in found and EntryField.FULL_NAME not in found:
        if normal(names[first]) in _AMBIGUOUS:
            found[EntryField.FULL_NAME] = found.pop(EntryField.FIRST_NAME)
    elif EntryField.FIRST_NAME in found and EntryField.LAST_NAME in found:
        found.pop(EntryField.FULL_NAME, None)
    return found


def _expect_all(
    places: Mapping[EntryField, int], required: Sequence[EntryField], names: Sequence[str]
) -> None:
    """Raise `BadInputError` for required fields without a column; a full name alone stands for both."""
    halves = (EntryField.LAST_NAME, EntryField.FIRST_NAME)
    if EntryField.FULL_NAME in places:
        half = next((field for field in halves if field in places), None)
        if half is not None:
            fields = (EntryField.FULL_NAME.value, half.value)
            raise BadInputError.of(Code.NAMES_TWICE, names[places[half]], fields=fields)
        required = [field for field in required if field not in halves]
    missing = tuple(field.value for field in required if field not in places)
    if missing:
        raise BadInputError.of(Code.COLUMNS_MISSING, missing=missing, found=_found(names))


def guess(header: Sequence[str]) -> Mapping[EntryField, int]:
    """Which column is which field by its usual name, the first where two would do."""
    places: dict[EntryField, int] = {}
    for place, name in enumerate(header):
        field_meant = field_of(clean(name))
        if field_meant is not None:
            places.setdefault(field_meant, place)
    return _with_full_name(header, places)


def letter(place: int) -> str:
    """What spreadsheets call a column, from 0: A, B, … Z, AA."""
    name = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def _found(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name)
