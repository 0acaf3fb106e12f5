"""Rounds at tables, from the draw to the certificates: through commands, pages, papers and the archive."""

import io
import json
import random
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from people.models import Event
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.factories import SEED
from tests.support.page_reading import read
from tests.support.pdf_text import text_of
from tests.support.rounds_play import ACTOR, play_tables, views
from tournaments.commands.close import close_tournament
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.set_up import create_tournament
from tournaments.models import Tournament
from tournaments.projections import outlooks
from tournaments.projections.rebuild import rebuild
from tournaments.projections.rounds import outlook
from tournaments.tasks import compute_standings
from tournaments.transfer.archive.export import export_event
from tournaments.transfer.archive.intake import take_in
from tournaments.verification import verify
from tournaments.verification.row_snapshots import picture

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def answer(client: Client, path: str) -> bytes:
    """What an address answers."""
    response: Any = client.get(path)
    assert response.status_code == 200, path
    return bytes(response.getvalue())


def text(client: Client, path: str) -> str:
    """What a page says."""
    response: Any = client.get(path)
    assert response.status_code == 200, path
    return read(response).text


def set_up(settings: dict[str, Any]) -> tuple[Event, Client, Tournament]:
    """An event of 24 entries in six teams, its organizer's browser, and the tournament, not drawn yet."""
    account = factories.make_account()
    event = factories.make_event(account)
    factories.make_field(event, 6, 4)
    return event, browser_of(account), create_tournament(event, ACTOR, "Torneo", settings)


def draw(tournament: Tournament) -> None:
    """Drawn and published."""
    make_draw(tournament, ACTOR, SEED)
    publish_draw(tournament, ACTOR)
    compute_standings(str(tournament.pk))


@pytest.mark.parametrize("key", ["tables", "tables_by_standing"])
def test_tables_of_24_from_the_draw_to_the_certificates(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # What may still come is worked out twice: by the service and by who verifies it.
    monkeypatch.setattr(outlook, "MOST_SAMPLES", 20)
    event, desk, tournament = set_up({"format": key, "options": {"scale": "5-2-1-0"}})
    public = Client(headers={"accept-encoding": "identity"})
    at_desk = f"/en/desk/events/{event.slug}/"
    of_tournament, here = f"{at_desk}tournaments/torneo/", f"/en/{event.slug}/torneo/"
    with translation.override("en"):
        preview = text(desk, f"{of_tournament}draw/?seed={SEED}")
        draw(tournament)
        sheets = text_of(answer(desk, f"{of_tournament}score-sheets.pdf?round=1"))
        drawn = text_of(answer(public, f"{here}draw.pdf"))
        play_tables(tournament, random.Random(key), 8)
        outlooks.compute(tournament.pk)
        pages = {
            name: text(public, path)
            for name, path in {
                "round": f"{here}matches/round/1/",
                "match": f"{here}matches/{views(tournament)[0].id}/",
                "standings": here,
                "projector": f"{here}projector/",
                "open": f"{here}open/",
                "rules": f"{here}rules/",
                "team": f"/en/{event.slug}/teams/1/",
            }.items()
        }
        play_tables(tournament, random.Random(key))
        tournament.refresh_from_db()
        close_tournament(tournament, ACTOR)
        compute_standings(str(tournament.pk))
        final = text_of(answer(public, f"{here}standings.pdf"))
        asked = f"{at_desk}print/certificates.pdf?of=torneo&whose=players&size=a4"
        certificates = text_of(answer(desk, asked))

    # Planned rounds can be counted before they are drawn: nobody meets twice.
    assert ("Who meets whom twice Nobody." in preview) == (key == "tables")
    assert sheets.count("posto") >= 24
    assert drawn.count(" – ") >= 6 * 3
    assert "the places at a full table give 5–2–1–0 points" in pages["standings"]
    assert "head on points" in pages["standings"]
    first = tournament.standings_versions.latest("number").rows.get(position=1)
    assert first.team.name in final
    assert certificates.count("Torneo") == 24
    assert list(verify.verify(event)) == []


def test_tables_in_exported_files_and_in_the_archive() -> None:
    event, desk, tournament = set_up({"format": "tables", "options": {"rounds": 2}})
    draw(tournament)
    play_tables(tournament, random.Random(3))
    kept = picture(tournament)

    asked = "table=matches&form=json&names=full&versions=newest"
    table = answer(desk, f"/en/desk/events/{event.slug}/export/file/?{asked}")
    archive = io.BytesIO()
    export_event(event, archive, with_people=True)
    there = take_in(archive, ACTOR)
    rebuild(event)

    assert {len(row["places"].split("; ")) for row in json.loads(table)} == {4}
    assert (there.event, there.is_new) == (event, False)
    assert picture(tournament) == kept
