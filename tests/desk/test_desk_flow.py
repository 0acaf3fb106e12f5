"""A whole palio from the desk alone: every form opened, filled in and sent as a browser would."""

import pytest
from django.test import Client

from people.actors import Actor
from people.models import Entry, Event
from tests.desk.palio import Palio
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address, fields_of, fill, form_to, open_page, send
from tournaments.commands import results
from tournaments.models import MatchGame, Tournament

pytestmark = pytest.mark.django_db

ROWS = "Cognome;Nome;Data di nascita;Contrada\n" + "\n".join(
    f"Rossi;Ada{number};03/05/{year};{team}"
    for number, (year, team) in enumerate(
        (year, team) for team in ("Alta", "Media", "Bassa") for year in (2014, 2015)
    )
)


def next_step(client: Client, slug: str) -> str:
    """What the overview offers next."""
    page = open_page(client, address("event", slug))
    steps = [step for step in page.one("ol.way").all("li") if "is-next" in step.classes]
    return steps[0].one("a.button").text if steps else ""


def test_palio_is_run_from_the_desk_from_set_up_to_closing() -> None:
    client = browser_of(factories.make_account())
    assert open_page(client, address("home")).one(".empty").one("h2").text == "No event yet"

    made = fill(client, address("event-new"), name="Palio della Torre", starts_on="2026-09-05")
    event = Event.objects.get()
    slug = event.slug
    assert made["Location"] == address("event", slug)
    assert not event.is_published
    assert next_step(client, slug) == "Add the teams"

    for name in ("Contrada Alta", "Contrada Media", "Contrada Bassa"):
        fill(client, address("teams", slug), name=name)
    assert [team.short_name for team in event.teams.all()] == ["Alta", "Media", "Bassa"]
    assert next_step(client, slug) == "Enter the players"

    preview = fill(client, address("import", slug), status=200, pasted=ROWS)
    sealed = preview.context["sealed"]
    assert not Entry.objects.exists()
    send(client, address("import", slug), {"sealed": sealed, "confirm": "all"})
    assert Entry.objects.count() == 6
    assert next_step(client, slug) == "Add the referees"

    fill(client, address("referees", slug), action=address("referees", slug), first_name="Ivo")
    assert next_step(client, slug) == "Set up the tournament"

    fill(client, address("tournament-new", slug), name="Carte", tables="2", rounds="2")
    tournament = Tournament.objects.get()
    draw = address("draw", slug, tournament.slug)
    assert next_step(client, slug) == "Preview the draw"

    previewed = client.get(client.get(draw)["Location"])
    seed = previewed.context["seed"]
    keep = address("draw-make", slug, tournament.slug)
    fill(client, f"{draw}?seed={seed}", action=keep)
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.DRAWN
    assert tournament.stages.get().seed == seed
    assert next_step(client, slug) == "Publish the draw"

    fill(client, draw, action=address("draw-publish", slug, tournament.slug))
    fill(client, address("event", slug), action=address("event-publish", slug))
    assert Event.objects.get().is_published
    assert next_step(client, slug) == "To the board"

    for game in factories.games_of(tournament):
        enter_winner(client, slug, game)
    assert next_step(client, slug) == "Close the tournament"

    standings = address("standings", slug, tournament.slug)
    close = address("close", slug, tournament.slug)
    if tournament.standings_versions.filter(has_open_ties=True).exists():
        fill(client, standings, action=address("lots", slug, tournament.slug))
    fill(client, standings, action=close)
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.CLOSED
    assert next_step(client, slug) == ""
    page = open_page(client, standings)
    assert len(page.one("ol.receipts").all("li")) > 0

    verified = send(client, address("verify", slug, tournament.slug), {}, status=200)
    assert verified.context["findings"] == []

    fill(client, standings, action=address("reopen", slug, tournament.slug), reason="late-information")
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.PUBLISHED


def test_next_step_asks_for_no_referees_once_all_is_played(palio: Palio, desk: Client) -> None:
    palio.event.is_published = True
    palio.event.save()
    assert next_step(desk, palio.event.slug) == "Add the referees"
    for game in palio.games:
        results.enter_result(game, Actor.command(), seat=0)
    assert next_step(desk, palio.event.slug) == "Close the tournament"


def enter_winner(client: Client, slug: str, game: MatchGame) -> None:
    """Enter that the team of lower number has won."""
    page = open_page(client, address("match", slug, game.match_id))
    result = address("result", slug, game.game_id)
    teams = list(game.game.seats.order_by("number").values_list("team", flat=True))
    winner = min(game.match.stage.tournament.event.teams.filter(pk__in=teams), key=lambda team: team.number)
    seat = str(teams.index(winner.pk))
    send(client, result, fields_of(form_to(page, result)) | {"winner": seat})
    game.game.refresh_from_db()
    assert game.game.winner_team == winner.pk
