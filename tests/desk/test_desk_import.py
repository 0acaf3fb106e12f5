"""Taking in a list at the desk: preview, columns by hand, confirmation, and what happens meanwhile."""

from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook

from people.models import Entry, Event, Person
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address, errors, open_page, send
from tests.support.page_reading import Element, read

pytestmark = pytest.mark.django_db

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture
def event(db: None) -> Event:
    """The event that the sample lists are for."""
    made = factories.make_event(
        factories.make_account("segreteria"), starts_on=date(2022, 9, 17), ends_on=date(2022, 9, 17)
    )
    for name in ("Superiore", "Centro", "Inferiore"):
        factories.make_team(made, name=name)
    return made


@pytest.fixture
def client(event: Event) -> Client:
    """The browser of its organizer."""
    organizer = event.organizers.get().account
    return browser_of(organizer)


def upload(client: Client, event: Event, name: str, status: int = 200, **options: Any) -> Any:
    """Send a sample list for its preview."""
    file = SimpleUploadedFile(name, (DATA / name).read_bytes())
    return send(client, address("import", event.slug), {"file": file, **options}, status)


def confirm(client: Client, event: Event, preview: Any, what: str, status: int = 302) -> Any:
    """Confirm a preview."""
    fields = {"sealed": preview.context["sealed"], "confirm": what}
    return send(client, address("import", event.slug), fields, status)


def lines(page: Element) -> dict[str, str]:
    """What is said of each line."""
    rows = [row for body in page.all("tbody") for row in body.all("tr")]
    return {row.one("th").text: row.all("td")[-1].text for row in rows}


def test_imported_list_with_errors_is_shown_row_by_row(client: Client, event: Event) -> None:
    preview = upload(client, event, "iscritti-inferiore-con-errori.csv")
    said = lines(read(preview))

    assert [line for line, text in said.items() if text == "good"] == [str(n) for n in range(2, 11)]
    assert said["11"] == "Cognome : The same person is on line 4 already (same names and date of birth)."
    assert said["16"] == "Contrada : There is no team “Inferiroe”; did you mean Inferiore?"
    assert said["18"] == "The line is empty and was passed over."
    assert said["19"] == "5 : “in più” stands beyond the last column; expected 4 cells."
    assert not Person.objects.exists()


def test_import_names_where_other_ages_can_be_set(client: Client, event: Event) -> None:
    rows = "Cognome;Nome;Data di nascita;Contrada\nRossi;Ada;{day};Centro\n"
    told = {
        day: read(send(client, address("import", event.slug), {"pasted": rows.format(day=day)}, 200))
        for day in ("01/03/1980", "01/03/2012")
    }
    assert ["Are other ages meant?" in page.text for page in told.values()] == [True, False]
    assert lines(told["01/03/1980"])["2"] == (
        "Data di nascita : “01/03/1980” makes 42 years of age on the event's day (17/09/2022); "
        "the event's settings allow 7 to 14."
    )


def test_import_stores_good_rows_alone_when_that_is_chosen(client: Client, event: Event) -> None:
    preview = upload(client, event, "iscritti-inferiore-con-errori.csv")
    confirm(client, event, preview, "good")
    assert Entry.objects.filter(team__name="Inferiore").count() == 9


def test_import_of_all_rows_is_refused_if_one_is_bad(client: Client, event: Event) -> None:
    preview = upload(client, event, "iscritti-inferiore-con-errori.csv")
    confirm(client, event, preview, "all", status=409)
    assert not Person.objects.exists()


def test_import_tells_encoding_delimiter_and_columns(client: Client, event: Event) -> None:
    page = read(upload(client, event, "iscritti-superiore.csv"))
    facts = [each.text for each in page.one("dl.facts").all("dd")]

    assert facts[0] == "iscritti-superiore.csv · Windows-1252 · divided by semicolons"
    assert "date of birth ← “Data di nascita”" in facts[1]
    assert facts[-1] == "there is a column for them; it isn’t read"


def test_import_takes_notes_only_when_asked_for(client: Client, event: Event) -> None:
    confirm(client, event, upload(client, event, "entries-centro.csv"), "good")
    assert set(Person.objects.values_list("note", flat=True)) == {""}
    Person.objects.all().delete()
    Entry.objects.all().delete()
    confirm(client, event, upload(client, event, "entries-centro.csv", with_notes="on"), "good")
    assert "allergia\nfrutta secca" in set(Person.objects.values_list("note", flat=True))


@pytest.mark.parametrize(
    ("more", "cell", "told"),
    [("", "", "none"), (";note", ";allergia", "taken in, for the desk only")],
)
def test_import_preview_says_whether_the_list_has_notes(
    client: Client, event: Event, more: str, cell: str, told: str
) -> None:
    text = f"cognome;nome;data di nascita;contrada{more}\nNava;Eva;05/03/2015;Centro{cell}"

    preview = read(send(client, address("import", event.slug), {"pasted": text, "with_notes": "on"}, 200))

    assert preview.one("dl.facts").all("dd")[-1].text == told
    assert ("Note" in [each.text for each in preview.all("th")]) == bool(more)


def test_import_confirmed_twice_stores_once(client: Client, event: Event) -> None:
    preview = upload(client, event, "entries-centro.csv")
    confirm(client, event, preview, "good")

    entered = Entry.objects.count()
    confirm(client, event, preview, "good")

    assert Entry.objects.count() == entered > 0


def test_import_that_would_do_something_else_meanwhile_is_shown_again(client: Client, event: Event) -> None:
    preview = upload(client, event, "entries-centro.csv")
    factories.make_entry(
        event.teams.get(name="Centro"),
        first_name="Samuele",
        last_name="Riva",
        birth_date=date(2015, 1, 6),
    )
    answer = confirm(client, event, preview, "good", status=409)
    assert "would do something else than you saw" in read(answer).one(".notice-warning").text
    assert Entry.objects.count() == 1
    confirm(client, event, answer, "good")
    assert Entry.objects.count() > 1


def test_import_columns_are_chosen_by_hand(client: Client, event: Event) -> None:
    text = "Chi;Come;Quando;Contrada\nRossi;Ada;03/05/2012;Centro"
    path = address("import", event.slug)
    unreadable = send(client, path, {"pasted": text}, 422)
    assert read(unreadable).has(".notice-error")
    assert [column.guessed for column in unreadable.context["columns"]] == [None, None, None, "team"]
    twice = {"sealed": unreadable.context["sealed"], "column-0": "team", "column-3": "team"}
    assert "both seem to hold the team" in read(send(client, path, twice, 422)).one(".notice-error").text
    fields = ("last_name", "first_name", "birth_date", "team")
    chosen = {f"column-{place}": field for place, field in enumerate(fields)}
    preview = send(client, path, {"sealed": unreadable.context["sealed"], **chosen}, 200)
    confirm(client, event, preview, "all")
    person = Person.objects.get()
    assert (person.last_name, person.first_name) == ("Rossi", "Ada")


def test_import_reads_the_sheet_of_a_workbook_that_is_chosen(client: Client, event: Event) -> None:
    head = ["Cognome", "Nome", "Nato il", "Contrada", "Telefono"]
    book = Workbook()
    for row in (head, ["Rossi", "Ada", date(2012, 5, 3), "Centro", 333]):
        book.worksheets[0].append(row)
    for row in (["Nava", "Elia", date(2013, 7, 13), "Centro"], ["Riva", "Ivo", "1/2/2014", "Superiore"]):
        (book["Altri"] if "Altri" in book else book.create_sheet("Altri")).append(row)
    buffer = BytesIO()
    book.save(buffer)
    path = address("import", event.slug)
    preview = send(client, path, {"file": SimpleUploadedFile("Iscritti.xlsx", buffer.getvalue())}, 200)
    facts = [each.text for each in read(preview).one("dl.facts").all("dd")]
    assert (facts[0], facts[2]) == ("Iscritti.xlsx · sheet “Sheet”", "Telefono")
    other = send(
        client, path, {"sealed": preview.context["sealed"], "sheet": "Altri", "no_header": "on"}, 422
    )
    assert other.context["columns"][0].samples == ("Nava", "Riva")
    fields = ("last_name", "first_name", "birth_date", "team")
    chosen = {f"column-{place}": field for place, field in enumerate(fields)}
    sealed = {"sealed": other.context["sealed"], "sheet": "Altri", "no_header": "on"}
    preview = send(client, path, sealed | chosen, 200)
    confirm(client, event, preview, "all")
    assert set(Person.objects.values_list("last_name", flat=True)) == {"Nava", "Riva"}


def test_import_for_one_team_needs_no_team_column(client: Client, event: Event) -> None:
    text = "Cognome;Nome;Nato il\nRossi;Ada;03/05/2012"
    team = event.teams.get(name="Centro")
    preview = send(client, address("import", event.slug), {"pasted": text, "team": team.pk}, 200)
    confirm(client, event, preview, "all")

    assert Entry.objects.get().team == team


def test_import_without_a_file_or_rows_is_refused(client: Client, event: Event) -> None:
    answer = send(client, address("import", event.slug), {}, 422)
    assert "Choose a file, or paste the rows below." in errors(read(answer))


@pytest.mark.parametrize("sealed", ["", "nonsense", "a:b:c"])
def test_import_of_a_tampered_list_is_refused(client: Client, event: Event, sealed: str) -> None:
    answer = send(client, address("import", event.slug), {"sealed": sealed, "confirm": "all"}, 422)
    assert read(answer).has(".notice-warning")
    assert not Person.objects.exists()


def test_import_of_a_list_sealed_for_another_event_is_refused(client: Client, event: Event) -> None:
    preview = upload(client, event, "entries-centro.csv")
    other = factories.make_event(event.organizers.get().account)
    factories.make_team(other)
    fields = {"sealed": preview.context["sealed"], "confirm": "good"}
    send(client, address("import", other.slug), fields, 422)

    assert not Person.objects.exists()


def test_import_asks_for_teams_first(client: Client, event: Event) -> None:
    event.teams.all().delete()
    page = open_page(client, address("import", event.slug))
    assert page.one(".empty").one("h2").text == "First the teams"


def test_import_shows_families_and_classes_where_the_list_has_them(client: Client, event: Event) -> None:
    head = "Cognome;Nome;Nato il;Contrada;Famiglia;Classe;Sezione;Forte"
    rows = ["Nava;Ginevra;13/07/2013;Centro;Nava;3;B;x", "", "Nava;Elia;13/07/2014;Centro;sì;;;", "Riva;Ivo"]
    pasted = {"pasted": "\n".join([head, *rows])}
    preview = send(client, address("import", event.slug), pasted, 200)
    page = read(preview)
    cells = [[cell.text for cell in row.all("td")[4:-1]] for row in page.one("tbody").all("tr")]
    assert cells == [["Nava", "3", "B", "x"], ["", "", "", ""], ["sì", "", "", ""], ["", "", "", ""]]
    assert "“sì” doesn't say which family" in lines(page)["4"]
    confirm(client, event, preview, "good")
    person = Person.objects.get()
    assert (person.family, person.school_class, person.is_strong) == ("Nava", "3 B", True)
    assert "family Nava class 3 B strong" in open_page(client, address("entries", event.slug)).text


def names_on_line_two(preview: Any) -> list[str]:
    """Last and first name on the second line of a preview."""
    (row,) = [each for each in read(preview).all("tr") if each.attributes.get("id") == "line-2"]
    return [cell.text for cell in row.all("td")[:2]]


def test_import_splits_full_names_and_reads_them_the_other_way_round(client: Client, event: Event) -> None:
    text = "Nominativo;Nato il;Contrada\nNava Yuki;13/07/2012;Centro\nDe Luca Kim;13/07/2012;Centro\n"
    preview = send(client, address("import", event.slug), {"pasted": text}, 200)
    assert "surname first" in read(preview).one("form.notice").text
    assert names_on_line_two(preview) == ["Nava “Nava Yuki”", "Yuki"]

    fields = {"sealed": preview.context["sealed"], "order": "name_first"}
    turned = send(client, address("import", event.slug), fields, 200)

    assert names_on_line_two(turned) == ["Yuki “Nava Yuki”", "Nava"]
    again = {"sealed": turned.context["sealed"], "order": "surname_first"}
    confirm(client, event, send(client, address("import", event.slug), again, 200), "all")
    assert {(each.last_name, each.first_name) for each in Person.objects.all()} == {
        ("Nava", "Yuki"),
        ("De Luca", "Kim"),
    }


def test_import_tells_mac_roman_and_stops_a_row_with_broken_letters(client: Client, event: Event) -> None:
    text = "Cognome;Nome;Nato il;Contrada\nNava;Nicolò;13/07/2012;Centro\nRiva;ChloÃ©;13/07/2012;Centro\n"
    file = SimpleUploadedFile("lista.csv", text.replace("Ã©", "é").encode("mac_roman"))
    page = read(send(client, address("import", event.slug), {"file": file}, 200))
    assert "MacRoman" in page.one("dl.facts").text
    broken = read(send(client, address("import", event.slug), {"pasted": text}, 200))
    assert lines(broken)["2"] == "good"
    assert "characters that no name has (Ã©)" in lines(broken)["3"]


def test_import_of_a_pdf_is_refused_as_a_pdf(client: Client, event: Event) -> None:
    file = SimpleUploadedFile("iscritti.csv", b"%PDF-1.7\n\x00")
    page = read(send(client, address("import", event.slug), {"file": file}, 422))
    assert "The file is a PDF" in page.one("div.notice-error").text
