"""Entries that are exported and read in again are the same, as CSV and XLSX, in both languages."""

import io
from datetime import date, datetime
from typing import Any

import pytest
from django.utils import translation
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from openpyxl import load_workbook

from people.actors import Actor
from people.display_names import Reader, Viewer
from people.entries import confirm_import, preview_import
from people.intake.cell_text import clean, fold, mark
from people.intake.columns import field_of
from people.intake.encodings import strange_letters
from people.intake.entry_fields import EntryField
from people.intake.rows import STATUSES, person_key
from people.models import Entry, Event, Person
from tests.support import factories
from tests.support.run.long import examples
from tournaments.transfer.export.csv_and_json import FORMULA, Form
from tournaments.transfer.export.exported_tables import Export
from tournaments.transfer.export.files import parts, write_whole

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


def cleaned(texts: Any) -> Any:
    """Texts as they are stored: no others come from a form or a list."""
    return texts.map(clean)


LETTERS = st.one_of(
    st.characters(min_codepoint=0x20, max_codepoint=0x7E),
    st.characters(categories=["Ll", "Lo"], max_codepoint=0x24F, exclude_characters="ƒ"),
)
NAMES = cleaned(
    st.one_of(
        st.text(LETTERS, min_size=1, max_size=15),
        st.builds(lambda start, rest: f"{start}{rest}", st.sampled_from([*"=+-@'", "'="]), st.text(LETTERS)),
    )
).filter(lambda name: any(c.isalpha() for c in name) and not strange_letters(name) and len(name) <= 60)
WORDS = (
    st.text(LETTERS, max_size=12)
    .map(mark)
    .filter(lambda word: fold(word) not in ("si", "yes", "true", "vero", "no"))
)
PEOPLE = st.lists(
    st.fixed_dictionaries(
        {
            "team": st.integers(0, 2),
            "last_name": NAMES,
            "first_name": NAMES,
            "birth_date": st.dates(date(2012, 9, 6), date(2019, 9, 5)),
            "shows_name": st.booleans(),
            "is_strong": st.booleans(),
            "family": WORDS,
            "school_class": WORDS,
            "status": st.sampled_from(Entry.Status.values),
            "skipped": st.integers(0, 3),
        }
    ),
    max_size=6,
    unique_by=lambda each: person_key(each["last_name"], each["first_name"], each["birth_date"]),
)
KEPT = (
    *("team__name", "number", "status", "person__last_name", "person__first_name", "person__birth_date"),
    *("person__shows_name", "person__is_strong", "person__family", "person__school_class"),
)


def entries_of(event: Event) -> list[tuple[Any, ...]]:
    """All that is exported of the entries of an event."""
    return list(Entry.objects.filter(team__event=event).order_by("team__number", "number").values_list(*KEPT))


def exported(event: Event, form: Form) -> bytes:
    """The file of the entries, for the desk."""
    export = Export(event, Viewer(Reader.DESK, event))
    if form is not Form.XLSX:
        return b"".join(parts(export, "entries", form))
    target = io.BytesIO()
    write_whole(target, export, "entries", Form.XLSX)
    return target.getvalue()


def event_with(people: list[dict[str, Any]]) -> Event:
    """An event with three teams and these people."""
    event = factories.make_event()
    teams = [factories.make_team(event) for _ in range(3)]
    highest = [0, 0, 0]
    for each in people:
        place = each["team"]
        highest[place] += 1 + each["skipped"]
        known = {name: value for name, value in each.items() if name not in ("team", "status", "skipped")}
        person = Person.objects.create(event=event, **known)
        Entry.objects.create(team=teams[place], person=person, number=highest[place], status=each["status"])
    return event


def read_again(event: Event, data: bytes) -> Event:
    """Another event with the same teams, into which a file was taken."""
    other = factories.make_event()
    for _ in event.teams.all():
        factories.make_team(other)
    preview = preview_import(other, data)
    assert preview.problems == ()
    confirm_import(other, data, ACTOR, expected_digest=preview.digest)
    return other


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("form", [Form.CSV, Form.EXCEL_CSV, Form.XLSX])
@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(people=PEOPLE)
def test_entries_exported_and_read_in_again_are_equal(
    form: Form, language: str, people: list[dict[str, Any]]
) -> None:
    event = event_with(people)
    with translation.override(language):
        data = exported(event, form)
    if not people:
        return
    for other in ("it", "en"):
        with translation.override(other):
            assert entries_of(read_again(event, data)) == entries_of(event)


@pytest.mark.parametrize("language", ["it", "en"])
def test_export_headings_of_persons_are_known_to_the_reader_and_no_others(language: str) -> None:
    with translation.override(language):
        table = Export(event_with([]), Viewer(Reader.DESK, factories.make_event())).table("entries")
    known = {
        column: field.value
        for column, heading in zip(table.columns, table.headings, strict=True)
        if (field := field_of(heading)) is not None
    }
    assert known == {
        "team": "team", "number": "number", "status": "status", "last_name": "last_name",
        "first_name": "first_name", "birth_date": "birth_date", "consent": EntryField.CONSENT.value,
        "family": "family", "school_class": "school_class", "is_strong": "is_strong",
    }  # fmt: skip


@pytest.mark.parametrize("language", ["it", "en"])
def test_export_words_for_states_are_known_to_the_reader(language: str) -> None:
    with translation.override(language):
        for status in Entry.Status:
            assert fold(str(status.label)) in STATUSES[status.value]


def test_export_of_entries_keeps_formulas_as_text_and_days_as_days() -> None:
    person = {
        "team": 0, "last_name": "=HYPERLINK(1)", "first_name": "'=Ada", "birth_date": date(2015, 5, 3),
        "shows_name": True, "is_strong": False, "family": "@x", "school_class": "3 B", "status": "absent",
        "skipped": 4,
    }  # fmt: skip
    event = event_with([person])
    with translation.override("it"):
        book = load_workbook(io.BytesIO(exported(event, Form.XLSX)))
        excel = exported(event, Form.EXCEL_CSV).decode("utf-8-sig")
    (sheet,) = book.worksheets
    assert sheet.title == "iscritti"
    heading, row = sheet.iter_rows()
    cells: dict[str, Any] = {str(head.value): cell for head, cell in zip(heading, row, strict=True)}
    assert (cells["Cognome"].value, cells["Cognome"].data_type) == ("=HYPERLINK(1)", "s")
    assert cells["Data di nascita"].value.date() == date(2015, 5, 3)
    assert cells["Data di nascita"].is_date
    assert (cells["Consenso a mostrare il nome"].value, cells["Numero nella contrada"].value) == (True, 5)
    assert isinstance(cells["Iscritto alle"].value, datetime)
    assert cells["Stato dell’iscrizione"].value == "assente"
    assert ";'=HYPERLINK(1);''=Ada;03/05/2015;" in excel
    assert not any(cell.startswith(FORMULA) for line in excel.splitlines() for cell in line.split(";"))


def test_import_points_out_a_number_that_is_given_already() -> None:
    event = event_with([])
    factories.make_entry(event.teams.get(number=1), 1)
    text = (
        b"Cognome;Nome;Data di nascita;Contrada;Numero nella contrada\n"
        b"A;B;03/05/2015;Superiore;1\nC;D;03/05/2015;Superiore;7\nE;F;03/05/2015;Superiore;7\n"
        b"G;H;03/05/2015;Superiore;zero\nI;L;03/05/2015;Superiore;\n"
    )
    preview = preview_import(event, text)
    assert [(each.line, each.code.value) for each in preview.problems] == [
        (2, "number_taken"), (4, "number_taken"), (5, "not_a_number"),
    ]  # fmt: skip
    confirm_import(event, text, ACTOR, expected_digest=preview.digest, skip_bad=True)
    assert [entry[1] for entry in entries_of(event)] == [1, 7, 8]
