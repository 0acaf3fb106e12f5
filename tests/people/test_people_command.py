"""`import_entries`, and the sentences that it and the pages say."""

from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from people.input_problems import Code, InputProblem, Param
from people.input_sentences import full_sentence, place, sentence
from people.intake.entry_fields import EntryField
from people.models import Entry, Person
from tests.people.support import DATA, INFERIORE, festival, found, read
from tests.support.workbooks import NAVA, workbook

FILES = [
    DATA / name
    for name in ("iscritti-superiore.csv", "entries-centro.csv", "iscritti-inferiore-con-errori.csv")
]


def run(slug: str, *arguments: str | Path) -> tuple[str, int]:
    """What the command says, and its exit status."""
    out = StringIO()
    with translation.override("en"):
        try:
            call_command("import_entries", slug, *map(str, arguments), stdout=out, no_color=True)
        except CommandError as error:
            return out.getvalue(), error.returncode
    return out.getvalue(), 0


@pytest.mark.django_db
def test_import_entries_enters_good_files_with_status_zero() -> None:
    event, _, _ = festival()
    said, status = run(event.slug, *FILES[:2])

    assert status == 0
    assert "      2  ok   Superiore: Nava, Ginevra, 2015-07-13\n" in said
    assert "  Good rows: 14; bad rows: 0.\n  Entered: 14; left out: 0.\n" in said
    assert "  Good rows: 12; bad rows: 0.\n  Entered: 12; left out: 0.\n" in said
    assert Entry.objects.count() == 26


@pytest.mark.django_db
def test_import_entries_refuses_bad_rows_without_skip_bad() -> None:
    event, _, _ = festival()
    said, status = run(event.slug, FILES[2])
    assert (status, Entry.objects.count()) == (1, 0)
    assert said.count("  BAD  ") == 8
    assert "line 16, column “Contrada”: There is no team “Inferiroe”; did you mean Inferiore?" in said
    said, status = run(event.slug, FILES[2], "--skip-bad")
    assert (status, Entry.objects.count()) == (1, 9)
    assert "Entered: 9; left out: 8." in said


@pytest.mark.django_db
def test_import_entries_dry_run_enters_nothing() -> None:
    event, _, _ = festival()
    said, status = run(event.slug, FILES[0], "--dry-run")
    assert (status, Entry.objects.count()) == (0, 0)
    assert "Dry run" in said


@pytest.mark.django_db
def test_import_entries_names_unreadable_files_and_enters_others(tmp_path: Path) -> None:
    event, _, _ = festival()
    (tmp_path / "list.csv").write_bytes(b"Cognome;Contrada\nNava;Centro\n")
    said, status = run(event.slug, tmp_path / "none.csv", tmp_path / "list.csv", FILES[0])
    assert (status, Entry.objects.count()) == (1, 14)
    assert "No such file" in said
    assert (
        "Columns are missing: first name, date of birth. "
        "The first line has these headers: “Cognome”, “Contrada”." in said
    )
    with pytest.raises(CommandError, match=rf"^There is no event “altrove”; there are: {event.slug}\.$"):
        call_command("import_entries", "altrove", str(FILES[0]))


@pytest.mark.django_db
def test_import_entries_reads_the_named_sheet_and_columns(tmp_path: Path) -> None:
    event, teams, _ = festival()
    path = tmp_path / "iscritti.xlsx"
    people: list[list[Any]] = [["Chi", "Nome", "Nato il", "Squadra di", "Note"]]
    people += [["Nava", "Ginevra", date(2013, 7, 13), "Superiore", "noci"]]
    path.write_bytes(workbook(["Palio", "2022"], Iscritti=people, Altro=[["niente"]]))
    said, status = run(event.slug, path)
    assert (status, Entry.objects.count()) == (1, 0)
    assert "Columns are missing" in said
    named = ["--sheet", "Iscritti", "--column", "last_name=Chi", "--column", "team=Squadra di"]
    said, status = run(event.slug, path, *named)
    assert (status, said.count("Notes aren't read without --with-notes.")) == (0, 1)
    assert "Superiore: Nava, Ginevra, 2013-07-13" in said
    assert list(Entry.objects.values_list("team", "person__last_name", "person__note")) == [
        (teams["Superiore"].pk, "Nava", "")
    ]
    Entry.objects.all().delete()
    Person.objects.all().delete()
    said, status = run(event.slug, path, *named, "--with-notes")
    assert (status, Person.objects.get().note) == (0, "noci")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--sheet", "Nessuno"], "The file has no sheet “Nessuno”; its sheets are: “Sheet”, “Altro”."),
        (["--column", "last_name=Cognomme"], "Cognomme"),
        (["--column", "shoe_size=Numero"], "expected FIELD=HEADER"),
        (["--column", "last_name"], "expected FIELD=HEADER"),
    ],
)
def test_import_entries_refuses_unknown_sheets_and_columns(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    event, _, _ = festival()
    path = tmp_path / "iscritti.xlsx"
    path.write_bytes(workbook(["Cognome", "Nome", "Nato il", "Contrada"], NAVA, Altro=[["niente"]]))
    out = StringIO()

    with translation.override("en"), pytest.raises(CommandError) as error:
        call_command("import_entries", event.slug, str(path), *arguments, stdout=out, no_color=True)

    assert said in out.getvalue() + str(error.value)
    assert Entry.objects.count() == 0


PARAMS: dict[str, Param] = {
    "limit": 2, "missing": ("last_name",), "found": ("A",), "columns": ("A", "B"), "field": "team",
    "fields": ("team", "note"), "width": 4, "age": 3, "min": 7, "max": 14, "day": "2022-09-17",
    "suggestion": "", "teams": ("Centro",), "other_line": 4, "entered_as": "Centro 7",
    "hours": 24, "letters": "˜", "team": "Centro",
    "starts_on": "2022-09-17", "ends_on": "2022-09-16", "choices": ("a", "b"),
}  # fmt: skip


@pytest.mark.parametrize("code", list(Code))
def test_every_intake_problem_has_a_sentence_in_both_languages(code: Code) -> None:
    problem = InputProblem(code, 3, "Nome", "x", PARAMS)
    for language in ("it", "en"):
        with translation.override(language):
            said = sentence(problem)
            assert said.strip()
            assert "%(" not in said
            assert full_sentence(problem) == f"{place(problem)}: {said}"


def test_intake_problems_of_the_sample_with_errors_in_sentences() -> None:
    with translation.override("en"):
        said = [full_sentence(problem) for problem in read(INFERIORE).problems]
    assert said == [
        "line 11, column “Cognome”: The same person is on line 4 already (same names and date of birth).",
        "line 12, column “Nato il”: “03/05/2004” makes 18 years of age on the event's day (17/09/2022); "
        "the event's settings allow 7 to 14.",
        "line 13, column “Nato il”: “11/11/2019” makes 2 years of age on the event's day (17/09/2022); "
        "the event's settings allow 7 to 14.",
        "line 14, column “Nato il”: The date of birth is missing.",
        "line 15, column “Nato il”: “31/02/2012” is a day that doesn't exist; expected day/month/year.",
        "line 16, column “Contrada”: There is no team “Inferiroe”; did you mean Inferiore?",
        "line 17, column “Nato il”: “5/6/11” has a year of two digits; expected four, "
        "for example 05/03/2012.",
        "line 18: The line is empty and was passed over.",
        "line 19, column “5”: “in più” stands beyond the last column; expected 4 cells.",
    ]


def test_intake_sentence_shows_percent_signs_as_they_are() -> None:
    sheet = read("Cognome;Nome;Nato il;Contrada\n100%s;%(x)s;%d;%\n")
    assert found(sheet) == [(2, "Nato il", "date_unreadable"), (2, "Contrada", "team_unknown")]
    with translation.override("en"):
        assert "“%d” isn't a date" in sentence(sheet.problems[0])


def test_intake_problem_of_a_form_names_its_field() -> None:
    with translation.override("en"):
        problem = InputProblem(Code.MISSING, column=EntryField.LAST_NAME.value, params={"field": "last_name"})
        assert full_sentence(problem) == "last name: The last name is missing."
