"""Exports and archives by program: every file there is, for whom, and an archive taken in."""

import csv
import io
import json
from typing import Any
from unittest.mock import patch

import pytest
from openpyxl import load_workbook
from rest_framework.test import APIClient

from ledger.models import Fact
from people.actors import Actor
from people.models import Event, Person
from tests.api.addresses import told
from tests.support import factories
from tests.support.archives import archived, everything, forgotten
from tests.support.clients import client_of_token
from tests.support.festival import Festival
from tournaments.commands import results
from tournaments.commands.set_up import change_settings
from tournaments.projections import standings
from tournaments.transfer.export.exported_tables import TABLES
from tournaments.transfer.export.files import NAMES

pytestmark = pytest.mark.django_db

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "csv-excel": "text/csv; charset=utf-8",
    "json": "application/json",
    "xlsx": XLSX,
    "zip": "application/zip",
}
NAMED = (factories.LAST_NAME, factories.FIRST_NAME, "Mulinacci", "Quartaelle", "noccioline")


@pytest.fixture
def played(festival: Festival) -> Festival:
    """Two results, and words of which only the desk knows."""
    Person.objects.update(family="Mulinacci", school_class="Quartaelle", note="allergia alle noccioline")
    for game in festival.games[:2]:
        results.enter_result(game, Actor.command(), seat=0)
    standings.compute(festival.tournament.pk)
    return festival


def path_of(festival: Festival) -> str:
    return f"/api/v1/events/{festival.event.pk}/exports/"


def taken(client: APIClient, path: str, **asked: str) -> bytes:
    """A file that is given."""
    answer: Any = client.get(path, asked, headers={"Accept": "text/csv"})
    assert (answer.status_code, answer.streaming) == (200, True)
    assert answer["Cache-Control"] == "private, no-store"
    if "format" in asked:
        assert answer["Content-Type"] == TYPES[asked["format"]]
    assert answer["Content-Disposition"].startswith('attachment; filename="')
    return b"".join(answer)


def code(answer: Any, status: int) -> str:
    """The code of a problem."""
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    return str(answer.json()["code"])


def test_exports_for_the_public_have_no_names(played: Festival, public: APIClient, phone: APIClient) -> None:
    for client in (public, phone):
        rows = client.get(path_of(played)).json()
        assert [(row["table"], row["formats"], row["names"]) for row in rows] == [
            (table, ["csv", "csv-excel", "json"], ["public"]) for table in TABLES
        ]
        for row in rows:
            for format_ in row["formats"]:
                text = taken(client, f"{path_of(played)}{row['table']}/", format=format_).decode()
                assert [word for word in NAMED if word in text] == []


def named(table: str) -> list[str]:
    """What of the words a table with full names holds: notes never."""
    return {"entries": list(NAMED[:4]), "matches": list(NAMED[:2]), "sides": list(NAMED[:2])}.get(table, [])


def test_exports_for_the_organizer_are_with_names_or_without(played: Festival, organizer: APIClient) -> None:
    reader = client_of_token(played.organizer, "read")
    rows = reader.get(path_of(played)).json()
    assert [row["table"] for row in rows] == list(NAMES)
    assert {tuple(row["names"]) for row in rows} == {("public", "full")}
    assert {row["table"]: row["formats"] for row in rows} == {
        **{table: ["csv", "csv-excel", "xlsx", "json"] for table in TABLES},
        "logs": ["zip"],
        "all": ["xlsx", "zip"],
    }
    for row in rows:
        for format_ in row["formats"]:
            for names in row["names"]:
                content = taken(reader, f"{path_of(played)}{row['table']}/", format=format_, names=names)
                if format_ not in ("xlsx", "zip"):
                    found = [word for word in NAMED if word in content.decode()]
                    assert found == (named(row["table"]) if names == "full" else [])
    games = json.loads(taken(organizer, f"{path_of(played)}matches/", format="json", names="full"))
    assert [game["progress"] for game in games].count("done") == 2
    assert games[0]["players_a"].startswith(f"{factories.FIRST_NAME} {factories.LAST_NAME}")
    entries = taken(organizer, f"{path_of(played)}entries/", format="csv-excel", names="full").decode(
        "utf-8-sig"
    )
    assert len(list(csv.reader(io.StringIO(entries), delimiter=";"))) == 7
    book = load_workbook(io.BytesIO(taken(organizer, f"{path_of(played)}all/")))
    assert book.sheetnames == ["iscritti", "partite", "lati", "classifica", "palio", "decisioni", "ricevute"]


def test_exported_json_has_values_of_one_type_and_games_ended_by_the_bell(
    played: Festival, organizer: APIClient
) -> None:
    change_settings(
        played.tournament,
        Actor.command(),
        {**played.tournament.settings, "bell": "point_each"},
        reason="organizer-decision",
    )
    results.enter_result(played.games[2], Actor.command(), reason="time")
    standings.compute(played.tournament.pk)

    types: dict[tuple[str, str], set[str]] = {}
    for table in TABLES:
        for row in json.loads(
            taken(organizer, f"{path_of(played)}{table}/", format="json", versions="every")
        ):
            for key, value in row.items():
                if value is not None:
                    types.setdefault((table, key), set()).add(type(value).__name__)
    games = json.loads(taken(organizer, f"{path_of(played)}matches/", format="json"))

    assert {key: found for key, found in types.items() if len(found) > 1} == {}
    assert types["standings", "placement_points"] == {"str"}
    assert {each["game_id"]: (each["ended"], each["is_shared"]) for each in games} == {
        str(game.game_id): ("result", False) if index < 2 else ("time", True) if index == 2 else ("", False)
        for index, game in enumerate(played.games)
    }


@pytest.mark.parametrize(
    "asked", [("entries", "csv", "full"), ("entries", "xlsx", "public"), ("all", "zip", "public")]
)
def test_export_of_the_organizer_s_is_refused_to_others(
    played: Festival, public: APIClient, phone: APIClient, asked: tuple[str, str, str]
) -> None:
    table, format_, names = asked
    query = {"format": format_, "names": names}
    path = f"{path_of(played)}{table}/"
    assert code(public.get(path, query), 401) == "not-authenticated"
    for client in (phone, client_of_token(factories.make_account())):
        assert code(client.get(path, query), 403) == "permission-denied"


@pytest.mark.parametrize(
    ("table", "query", "field"),
    [
        ("entries", {"format": "pdf"}, "format"),
        ("entries", {"format": "zip"}, "format"),
        ("all", {"format": "csv"}, "format"),
        ("logs", {"format": "xlsx"}, "format"),
        ("entries", {"names": "some"}, "names"),
        ("entries", {"form": "csv"}, "form"),
    ],
)
def test_export_of_an_unknown_format_names_the_field(
    festival: Festival, organizer: APIClient, table: str, query: dict[str, str], field: str
) -> None:
    answer = organizer.get(f"{path_of(festival)}{table}/", query)
    assert code(answer, 422) == "invalid-input"
    assert [each["field"] for each in answer.json()["problems"]] == [field]


def test_export_of_an_unknown_table_is_not_found(festival: Festival, organizer: APIClient) -> None:
    assert code(organizer.get(f"{path_of(festival)}prizes/", {"format": "csv"}), 404) == "not-found"


def test_exported_decisions_for_the_public_leave_out_an_unpublished_draw(
    festival: Festival, public: APIClient, organizer: APIClient
) -> None:
    secret = factories.drawn_tournament(festival.event, name="Segreto", published=False)
    path = f"{path_of(festival)}decisions/?format=csv&names="

    assert str(secret.pk) in told(organizer.get(f"{path}full"))
    assert str(secret.pk) not in told(public.get(f"{path}public"))
    assert str(festival.tournament.pk) in told(public.get(f"{path}public"))


def test_archive_has_names_only_if_they_are_asked_for(played: Festival, organizer: APIClient) -> None:
    path = f"/api/v1/events/{played.event.pk}/archive/"
    for query, with_people, ending in (
        ("", False, "-archive-without-names.zip"),
        ("?people=true", True, "-archive.zip"),
    ):
        answer: Any = organizer.get(path + query)
        assert answer["Content-Type"] == "application/zip"
        assert answer["Content-Disposition"] == f'attachment; filename="{played.event.slug}{ending}"'
        content = b"".join(answer)
        assert content == archived(played.event, with_people=with_people)
    text = told(organizer.get(f"{path}?people=true"))

    assert [word for word in NAMED if word in text] == list(NAMED[:4])
    assert [word for word in NAMED if word in told(organizer.get(path))] == []
    assert code(organizer.get(f"{path}?people=some"), 422) == "invalid-input"


def send(client: APIClient, archive: bytes, query: str = "") -> Any:
    return client.post(f"/api/v1/archives/{query}", archive, content_type="application/zip")


def test_archive_is_imported_once_by_its_new_organizer(played: Festival) -> None:
    Event.objects.update(is_published=False)
    event_id = str(played.event.pk)
    archive = archived(played.event)
    client = client_of_token(factories.make_account())
    # Who doesn't read the event isn't told of it.
    before = everything()
    assert code(send(client, archive), 409) == "event-here"
    assert everything() == before
    forgotten(played.event)
    made = send(client, archive, "?slug=palio-ritrovato")
    assert made.status_code == 201, made.content
    assert (made.json()["id"], made.json()["slug"]) == (event_id, "palio-ritrovato")
    assert made.json()["is_published"] is False
    before = everything()
    again = send(client, archive)
    assert (again.status_code, again.json()) == (200, made.json())
    assert everything() == before
    path = f"/api/v1/events/{event_id}/"
    assert client.post(f"{path}verification/").json() == {"findings": []}
    assert APIClient().get(path).status_code == 404
    assert b"".join(client.get(f"{path}archive/?people=true")) == archived(
        Event.objects.get(), with_people=True
    )


def test_archive_that_can_not_be_imported_is_refused(played: Festival) -> None:
    archive = archived(played.event)
    factories.make_event(slug="altrove")
    forgotten(played.event)
    client = client_of_token(factories.make_account())
    before = everything()
    assert code(send(client, b"no zip"), 422) == "archive-unreadable"
    assert code(send(client, archive[:-100]), 422) == "archive-unreadable"
    assert code(send(client, b""), 400) == "no-archive"
    assert code(send(client, archive, "?slug=altrove"), 409) == "slug-taken"
    assert code(send(client, archive, "?slug=Palio"), 422) == "invalid-slug"
    assert code(send(client, archive, "?address=palio"), 422) == "invalid-input"
    assert code(client.post("/api/v1/archives/", {"file": "UEs="}), 415) == "unsupported-media-type"
    with patch("api.files.MOST_PACKED", len(archive) - 1):
        answer = send(client, archive)
        assert code(answer, 413) == "too-large"
        assert answer.json()["limit"] == len(archive) - 1
    assert everything() == before
    assert Fact.objects.count() == 0


def test_archive_of_another_state_of_the_event_is_refused(played: Festival, organizer: APIClient) -> None:
    archive = archived(played.event)
    assert send(organizer, archive).status_code == 200
    results.enter_result(played.games[2], Actor.command(), seat=0)
    before = everything()
    assert code(send(organizer, archive), 409) == "event-differs"
    assert everything() == before
