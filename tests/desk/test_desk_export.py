"""Export and archive at the desk: every file there is, for whom, and an archive taken in."""

import csv
import io
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db.models import Model
from django.test import Client
from django.utils import translation
from openpyxl import load_workbook

from games.engine import Ruleset, parse_log, print_log, replay
from games.engine.bots import play_random_game
from ledger.models import Fact
from people.actors import Actor
from people.display_names import Reader, Viewer
from people.models import Event, Person
from tests.desk.palio import Palio
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address, open_page
from tests.support.page_reading import read
from tests.support.zips import unpacked
from tournaments.commands import results
from tournaments.models import Standing
from tournaments.projections import standings
from tournaments.standings import METRICS
from tournaments.transfer.export.exported_tables import TABLES, VERSIONED, Export
from tournaments.transfer.export.files import NAMES

pytestmark = pytest.mark.django_db

CANARY = ("Zampognari", "Ortensia", "Mulinacci", "Quartaelle", "noccioline", "Fischietti")


@pytest.fixture
def played(palio: Palio) -> Palio:
    """A game played card by card, one half played, one entered as a result."""
    Person.objects.update(family="Mulinacci", school_class="Quartaelle", note="allergia alle noccioline")
    phone = Actor.of_pairing(factories.make_pairing(palio.event)[0])
    log = print_log(play_random_game(Ruleset.from_json("palio"), 2, seed=1, table=True))
    assert results.upload_log(palio.games[0], phone, log).refusal is None
    begun = "\n".join(log.splitlines()[:9])
    results.write_log(palio.games[1], phone, results.batch_of(begun))
    results.enter_result(palio.games[2], phone, seat=0)
    standings.compute(palio.tournament.pk)
    return palio


def taken(palio: Palio, desk: Client, table: str, form: str, names: str = "full", status: int = 200) -> bytes:
    """A file of the desk."""
    asked = {"table": table, "form": form, "names": names}
    response: Any = desk.get(address("export-file", palio.event.slug), asked)
    assert response.status_code == status
    if status == 200:
        assert "attachment" in response["Content-Disposition"]
        assert ("-public." in response["Content-Disposition"]) == (names == "public")
        assert response["Cache-Control"] == "private, no-store"
    return b"".join(response) if response.streaming else bytes(response.content)


def texts_of(content: bytes) -> dict[str, str]:
    """The files of a zip as text."""
    return {name: text.decode() for name, text in unpacked(content).items()}


def in_cells(content: bytes) -> str:
    """All that stands in a workbook."""
    book = load_workbook(io.BytesIO(content))
    return " ".join(str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row)


def test_export_tables_hold_what_is_stored(played: Palio, desk: Client) -> None:
    entries = list(csv.DictReader(io.StringIO(taken(played, desk, "entries", "csv").decode(), newline="")))
    assert [(each["Team"], each["Number in the team"], each["Last name"]) for each in entries] == [
        (team.name, str(number), f"Zampognari{number}") for team in played.teams for number in (1, 2)
    ]
    games = json.loads(taken(played, desk, "matches", "json"))
    assert len(games) == len(played.games)
    by_id = {each["game_id"]: each for each in games}
    third = by_id[str(played.games[2].game_id)]
    assert (third["progress"], third["winner_side"], third["ended"]) == ("done", 1, "result")
    assert third["players_a"].startswith("Ortensia Zampognari")
    facts = json.loads(taken(played, desk, "decisions", "json"))
    assert len(facts) == Fact.objects.filter(stream__kind__in=["tournament", "match"]).count()
    assert {each["hash"] for each in facts} <= set(Fact.objects.values_list("hash", flat=True))


def test_exported_standings_are_the_newest_unless_every_version_is_asked(played: Palio, desk: Client) -> None:
    results.enter_result(played.games[3], Actor.command(), seat=0)
    standings.compute(played.tournament.pk)
    stored = Standing.objects.order_by("version__number", "position")
    numbers = stored.values_list("version__number", "place")
    newest = played.tournament.standings_versions.order_by("-number")[0].number
    assert newest > 1

    path, asked = address("export-file", played.event.slug), {"table": "standings", "form": "json"}
    every: Any = desk.get(path, {**asked, "names": "full", "versions": "every"})
    rows = json.loads(taken(played, desk, "standings", "json"))

    assert [(row["version"], row["place"]) for row in json.loads(b"".join(every))] == list(numbers)
    assert [(row["version"], row["place"]) for row in rows] == list(numbers.filter(version__number=newest))


def test_exported_standings_have_a_column_of_numbers_for_each_metric(played: Palio, desk: Client) -> None:
    last = list(Standing.objects.order_by("-version__number", "position")[:3])
    rows = json.loads(taken(played, desk, "standings", "json"))
    for row, stored in zip(rows, last, strict=True):
        for metric, value in stored.metrics:
            assert row[f"metric_{metric}"] == value
    book = load_workbook(io.BytesIO(taken(played, desk, "standings", "xlsx")))
    head, *body = book["standings"].iter_rows(values_only=True)

    assert [type(row[head.index("Points")]) for row in body] == [int] * 3


@pytest.mark.parametrize("language", ["it", "en"])
def test_export_columns_of_a_table_have_different_headings(played: Palio, language: str) -> None:
    """The standings may have every metric."""
    heads: dict[str, tuple[str, ...]] = {}
    with translation.override(language):
        for reader in (Reader.DESK, Reader.PUBLIC):
            export = Export(played.event, Viewer(reader, played.event))
            for table in export.tables():
                heads[f"{table.name} {reader}"] = table.head
        every = [str(translation.gettext(metric.name)) for metric in METRICS.values()]
    heads["every metric"] = tuple(dict.fromkeys((*heads[f"standings {Reader.DESK}"], *every)))
    known = len(set(heads[f"standings {Reader.DESK}"]) & set(every))

    assert {name: head for name, head in heads.items() if len(set(head)) < len(head)} == {}
    assert known == len(Standing.objects.filter(position=1).latest("version__number").metrics)


def test_exported_workbook_speaks_the_language_of_its_reader(played: Palio, desk: Client) -> None:
    with translation.override("it"):
        book = load_workbook(io.BytesIO(taken(played, desk, "all", "xlsx")))
    games, decisions = in_columns(book["partite"]), in_columns(book["decisioni"])

    assert book.sheetnames == ["iscritti", "partite", "lati", "classifica", "palio", "decisioni", "ricevute"]
    assert set(games["Avanzamento"]) == {"finita", "in gioco", "in attesa"}
    assert set(games["Com’è finita"]) == {"giocata fino in fondo", "risultato", None}
    assert set(decisions["Tipo di registro"]) == {"torneo"}
    assert decisions["Tipo"] == ["Impostazioni decise", "Sorteggio fatto", "Sorteggio pubblicato"]


def in_columns(sheet: Any) -> dict[str, list[Any]]:
    """What stands under each heading of a sheet."""
    head, *body = sheet.iter_rows(values_only=True)
    return {name: [row[at] for row in body] for at, name in enumerate(head)}


def test_export_of_all_has_every_table_and_logs_that_replay(played: Palio, desk: Client) -> None:
    book = load_workbook(io.BytesIO(taken(played, desk, "all", "xlsx")))
    assert book.sheetnames == list(TABLES)
    files = texts_of(taken(played, desk, "all", "zip"))
    assert {name for name in files if "/" not in name} == {
        f"{table}.{ending}" for table in TABLES for ending in ("csv", "json")
    }
    logs = {name: text for name, text in files.items() if name.startswith("logs/")}
    assert len(logs) == 3
    assert texts_of(taken(played, desk, "logs", "zip")) == logs
    for text in logs.values():
        replay(parse_log(text))
        assert "Zampognari" in text


def test_public_export_holds_no_name_nor_a_game_that_goes_on(played: Palio, desk: Client) -> None:
    told = in_cells(taken(played, desk, "all", "xlsx", "public"))
    files = texts_of(taken(played, desk, "all", "zip", "public"))
    told += " ".join(files.values())
    for table in TABLES:
        told += taken(played, desk, table, "csv", "public").decode()
        told += taken(played, desk, table, "json", "public").decode()

    assert [word for word in CANARY if word in told] == []
    assert len([name for name in files if name.startswith("logs/")]) == 2
    # Who was kept apart from whom stands in the draw's fact.
    assert "apart" not in told


def test_twin_finds_the_names_in_the_desk_s_export_but_never_a_note(played: Palio, desk: Client) -> None:
    told = in_cells(taken(played, desk, "all", "xlsx"))
    assert [word for word in CANARY if word in told] == ["Zampognari", "Ortensia", "Mulinacci", "Quartaelle"]


def test_public_export_shows_who_consented_as_the_event_is_set(played: Palio, desk: Client) -> None:
    Event.objects.update(names_shown="initial")
    Person.objects.update(shows_name=True)
    rows = json.loads(taken(played, desk, "entries", "json", "public"))

    assert {row["shown_as"] for row in rows} == {"Ortensia Z."}
    assert set(rows[0]) == {"team_number", "team", "number", "shown_as"}


@pytest.mark.parametrize(
    ("table", "form"),
    [("all", "csv"), ("logs", "xlsx"), ("entries", "zip"), ("nothing", "csv"), ("all", "pdf")],
)
def test_export_in_a_form_that_does_not_exist_is_refused(
    palio: Palio, desk: Client, table: str, form: str
) -> None:
    assert b"there in this form" in taken(palio, desk, table, form, status=422)


def test_export_of_an_empty_event_has_empty_files(palio: Palio) -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    empty = Palio(organizer, event, [], palio.tournament)
    desk = browser_of(organizer)
    for name in NAMES:
        taken(empty, desk, name, "zip" if name in ("all", "logs") else "csv")

    assert json.loads(taken(empty, desk, "matches", "json")) == []


def test_archive_is_written_and_said_to_be_here_when_taken_in(played: Palio, desk: Client) -> None:
    for people, word in (("", "without-names"), ("?people=yes", "archive.zip")):
        response: Any = desk.get(address("archive", played.event.slug) + people)
        content = b"".join(response)
        assert word in response["Content-Disposition"]
        assert ("Zampognari" in " ".join(texts_of(content).values())) == bool(people)
        sent = {"file": SimpleUploadedFile("palio.zip", content), "slug": ""}
        answer = desk.post(address("archive-in"), sent, follow=True)
        assert "is here already, just as it is" in read(answer).one(".messages").text


@pytest.mark.parametrize("content", [b"no zip", b"PK\x05\x06" + b"\0" * 18])
def test_archive_page_refuses_a_file_that_is_no_archive(palio: Palio, desk: Client, content: bytes) -> None:
    before = count()
    answer = desk.post(address("archive-in"), {"file": SimpleUploadedFile("x.zip", content)})

    assert answer.status_code == 422
    assert "an archive of an event" in read(answer).one("div.notice").text
    assert count() == before


def count() -> list[int]:
    """How many events and facts there are."""
    models: list[type[Model]] = [Event, Fact]
    return [model._default_manager.count() for model in models]


def test_export_page_leads_to_each_file(played: Palio, desk: Client) -> None:
    page = open_page(desk, address("export", played.event.slug))
    links = {
        link.attributes["href"]
        for link in page.one("main").all("a")
        if "/export/" in link.attributes["href"].removesuffix("/export/")
    }
    assert len(links) == 4 + 6 * len(TABLES) + 2 * len(VERSIONED) + 2
    for link in links:
        response: Any = desk.get(link)
        assert response.status_code == 200
        assert response.streaming
        assert b"".join(response)


def test_export_command_writes_what_the_desk_gives(played: Palio, desk: Client, tmp_path: Any) -> None:
    for name, options in (
        ("a.csv", ["--table=entries", "--names"]),
        ("b.json", ["--table=matches"]),
        ("c.zip", []),
    ):
        call_command("export", played.event.slug, str(tmp_path / name), *options)

    assert (tmp_path / "a.csv").read_bytes() == taken(played, desk, "entries", "csv")
    assert (tmp_path / "b.json").read_bytes() == taken(played, desk, "matches", "json", "public")
    assert (tmp_path / "c.zip").read_bytes() == taken(played, desk, "all", "zip", "public")
    assert (tmp_path / "a.csv").stat().st_mode & 0o077 == 0
