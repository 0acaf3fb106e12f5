"""Archives for tests: events that were played, archived, forgotten and put in."""

import io
from typing import Any

from django.apps import apps
from django.db import connection
from django.utils import timezone

from games.engine import Ruleset, print_log
from games.engine.bots import play_random_game
from ledger.models import Fact, Receipt, Stream, Tombstone
from ledger.triggers import lifted_triggers
from people.actors import Actor
from people.models import Announcement, Event, Person
from tests.support import factories
from tests.support.zips import unpacked
from tournaments.commands import results
from tournaments.commands.adjust import adjust_points
from tournaments.commands.delete_event import delete_event
from tournaments.commands.palio_other_games import enter_placements
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.models import Clock, Place, Timetable
from tournaments.projections import overall, standings
from tournaments.projections.drawn_rows import apply_places
from tournaments.transfer.archive import container
from tournaments.transfer.archive.export import export_event
from tournaments.transfer.archive.intake import take_in

ACTOR = Actor.command()


NOTE = "allergia alle noccioline"


def played() -> Event:
    """A palio of a tournament half played, corrected, and a sack race, with a referee's phone."""
    event = factories.make_event(factories.make_account(), slug="palio-antico")
    tournament = factories.drawn_tournament(event)
    Person.objects.filter(event=event).update(note=NOTE, family="Mulinacci")
    phone = Actor.of_pairing(factories.make_pairing(event)[0])
    games = factories.games_of(tournament)
    log = print_log(play_random_game(Ruleset.from_json("palio"), 2, seed=1, table=True))
    assert results.upload_log(games[0], phone, log).refusal is None
    for game in games[1:4]:
        results.enter_result(game, phone, seat=0)
        standings.compute(tournament.pk)
    right = {"type": "game_closed", "reason": "result", "winner": 1}
    results.correct(games[1], phone, 2, [right], "wrong-winner")
    adjust_points(tournament, ACTOR, event.teams.get(number=1), 1, "organizer-decision")
    cards, race = {"kind": "tournament", "id": str(tournament.pk)}, {"kind": "other", "name": "Corsa"}
    palio = set_up_palio(event, ACTOR, {"disciplines": [cards, race]})
    places = [(team.pk, team.number) for team in event.teams.all()]
    enter_placements(palio, ACTOR, palio.other_games.get().pk, places)
    overall.compute(palio.pk)
    Timetable.objects.create(event=event, version=1, settings={"breaks": []}, changed_at=timezone.now())
    Place.objects.create(
        match_id=games[0].match_id,
        tournament=tournament,
        begins_at=timezone.now(),
        minutes=25,
        table=games[0].match.table,
        referee=event.referees.get(),
        changed_at=timezone.now(),
    )
    apply_places(tournament)
    # It was never started, paused or rung.
    Clock.objects.create(tournament=tournament, round=1, wave=1, length=600)
    Announcement.objects.create(event=event, texts={"it": "La coppa a Ortensia"}, shown_until=timezone.now())
    return event


def archived(event: Event, *, with_people: bool = True) -> bytes:
    """The event's archive."""
    target = io.BytesIO()
    export_event(event, target, with_people=with_people)
    return target.getvalue()


def files_of(archive: bytes) -> dict[str, bytes]:
    """The files of an archive, without its manifest."""
    return {name: content for name, content in unpacked(archive).items() if name != container.MANIFEST}


def forgotten(event: Event) -> None:
    """Everything of an event gone without a trace, as on another machine."""
    with lifted_triggers(connection):
        Fact.objects.filter(stream__scope=event.pk).delete()
    Stream.objects.filter(scope=event.pk).delete()
    delete_event(event)
    Receipt.objects.filter(scope=event.pk).delete()
    Tombstone.objects.all().delete()


def put_in(archive: bytes, **how: Any) -> Any:
    """Take it in."""
    return take_in(io.BytesIO(archive), ACTOR, **how)


def everything() -> dict[str, int]:
    """How many rows of each model there are."""
    return {model._meta.label: model._default_manager.count() for model in apps.get_models()}
