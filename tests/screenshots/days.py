"""Events in which stands what the sample palio doesn't show: other formats, ties, a palio of several games.

Each is left where there is most to see; `shown` says what is to be looked at. It is run inside the service's
settings (see `stage`).
"""

import random
from collections.abc import Iterator
from datetime import timedelta
from time import sleep
from typing import Any
from uuid import uuid4

from django.urls import reverse
from django.utils import timezone, translation

from people.actors import Actor
from people.check_in import arrive
from people.entries import mark_absent
from people.event_days import today
from people.models import Account, Entry, Event
from tests.support import factories
from tests.support.computed_tournaments import play as play_by_strength
from tests.support.groups_and_knockout import GROUPS, by_number
from tests.support.palio_days import make_day
from tests.support.phone_pages import State
from tests.support.rounds_play import open_games, play, play_tables
from tournaments.commands import confirm, results, timetable_work
from tournaments.commands.next_stage import start_next_stage
from tournaments.commands.round_draws import draw_next_round
from tournaments.commands.squad_changes import remove_squad, request_bye
from tournaments.commands.substitute import substitute
from tournaments.models import Match, Squad, TimetableWork, Tournament
from tournaments.projections import overall, standings
from tournaments.tasks import compute_standings

COMMAND = Actor.command()
TEAMS: tuple[dict[str, str], ...] = (
    {"name": "Superiore", "color_one": "#1f5c8b", "color_two": "#f4e8c8", "division": "per_bend"},
    {
        "name": "Contrada di San Bartolomeo al Castello",
        "short_name": "S.Bartolomeo",
        "color_one": "#8c2131",
        "color_two": "#f2c94c",
        "division": "per_pale",
    },
    {"name": "Inferiore", "color_one": "#2f6b3a", "color_two": "#f7f3e8", "division": "chevron"},
    {"name": "Fonte", "color_one": "#4a3b78", "color_two": "#e8e2f4", "division": "quartered"},
)
PATIENCE = timedelta(seconds=60)
"""A timetable is worked out by then, on a busy machine too."""


def shown(username: str) -> list[State]:
    """The names and addresses of pages worth looking at, in events that this organizer has from now on."""
    account = Account.objects.get(username=username)
    with translation.override("it"):
        return [*played(account), *_timetable(account)]


def played(account: Account) -> Iterator[State]:
    """All but timetables, which a worker works out."""
    yield from _rounds(account)
    yield from _stages(account)
    yield from _knockout(account)
    yield from _tables(account)
    yield from _rounds_at_tables(account)
    yield from _removed(account)
    yield from _replaced(account)
    yield from _ties(account)
    yield from _confirmed(account)
    yield from _palio(account)


def _event(account: Account, name: str, teams: int = 4, entries: int = 2) -> Event:
    event = factories.make_event(account, name=name, slug=name.lower().replace(" ", "-"))
    event.starts_on = event.ends_on = today(event)
    event.save()
    for looks in TEAMS[:teams]:
        banner: dict[str, Any] = {"short_name": looks["name"], **looks}
        factories.make_entries(factories.make_team(event, **banner), entries)
    return event


def _of(tournament: Tournament, part: str, *pages: str) -> Iterator[State]:
    """Pages of a tournament by the names of their addresses."""
    for page in pages:
        slugs = (tournament.event.slug, tournament.slug)
        yield State(f"{part}-{page.replace(':', '-')}", reverse(page, args=slugs))


def _rounds(account: Account) -> Iterator[State]:
    """Swiss: the first round played to its end, the next drawn and begun."""
    for name in ("over", "begun"):
        event = _event(account, f"Torneo svizzero {name}")
        tournament = factories.drawn_tournament(event, format="swiss", draws_itself=False)
        play(tournament, random.Random(1), most=len(open_games(tournament)))
        yield from _of(tournament, f"swiss-{name}", "desk:rounds")
    draw_next_round(tournament, COMMAND)
    play(tournament, random.Random(1), most=1)
    yield from _of(tournament, "swiss", "desk:squads", "desk:standings", "publishing:standings")
    yield from _of(tournament, "swiss", "publishing:matches", "publishing:day", "publishing:outlook")


def _removed(account: Account) -> Iterator[State]:
    """Swiss with three points for a win: the leader is disqualified, another squad sits a round out."""
    event = _event(account, "Tre punti a vittoria")
    options = {"win": "3", "draw": "1", "loss": "0", "bye": "1"}
    tournament = factories.drawn_tournament(event, format="swiss", draws_itself=False, options=options)
    play(tournament, random.Random(4), most=len(open_games(tournament)))
    newest = tournament.standings_versions.latest("number")
    squads = Squad.objects.filter(stage__tournament=tournament)
    leader = squads.filter(standings__version=newest).order_by("standings__place", "pk")[0]
    request_bye(tournament, COMMAND, squads.exclude(pk=leader.pk).order_by("pk")[0], 2)
    yield State("squad-gone", reverse("desk:squad-gone", args=[event.slug, tournament.slug, leader.pk]))
    draw_next_round(tournament, COMMAND)
    remove_squad(tournament, COMMAND, leader, "disqualified")
    compute_standings(str(tournament.pk))
    pages = ("desk:squads", "desk:standings", "desk:tournament-settings")
    yield from _of(tournament, "removed", *pages, "publishing:standings", "publishing:matches")


def _replaced(account: Account) -> Iterator[State]:
    """An absent child was replaced, and is here after all."""
    event = _event(account, "Arrivata dopo", 3, 2)
    tournament = factories.drawn_tournament(event, entries=2)
    team = event.teams.order_by("number")[0]
    reserve, out = factories.make_entry(team, 3, first_name="Riserva"), team.entries.get(number=1)
    squad = Squad.objects.get(stage__tournament=tournament, members__entry=out)
    mark_absent(out, COMMAND)
    substitute(tournament, COMMAND, squad, out, reserve, "no-show")
    arrive(out, COMMAND)
    yield State("replaced-check-in", reverse("desk:check-in", args=[event.slug]))
    yield State("replaced-entry-back", reverse("desk:entry-back", args=[event.slug, out.pk]))


def _stages(account: Account) -> Iterator[State]:
    """Groups into a knockout, before the second stage and in it."""
    event = _event(account, "Gironi")
    tournament = factories.drawn_tournament(event, **GROUPS)
    by_number(tournament)
    yield from _of(tournament, "groups", "desk:next-stage", "publishing:standings")
    event = _event(account, "Gironi e finale")
    tournament = factories.drawn_tournament(event, **GROUPS)
    by_number(tournament)
    start_next_stage(tournament, COMMAND, factories.SEED)
    compute_standings(str(tournament.pk))
    play(tournament, random.Random(2), most=1)
    yield from _of(tournament, "final", "publishing:standings", "publishing:bracket", "desk:tournament")


def _knockout(account: Account) -> Iterator[State]:
    event = _event(account, "Doppia eliminazione")
    tournament = factories.drawn_tournament(event, format="double_elimination")
    play(tournament, random.Random(3), most=7)
    yield from _of(tournament, "double", "publishing:bracket", "publishing:standings", "desk:draw")


def _tables(account: Account) -> Iterator[State]:
    event = _event(account, "Chi arriva a sessanta")
    tournament = factories.drawn_tournament(
        event, ruleset="house", format="table_elimination", options={"seats": 4, "target": 60}
    )
    yield from _of(
        tournament, "reach", "publishing:standings", "publishing:matches", "desk:tournament-settings"
    )


def _rounds_at_tables(account: Account) -> Iterator[State]:
    """The first of the rounds planned in advance is over, the second has begun, and somebody has left."""
    event = _event(account, "A tavoli di quattro")
    tournament = factories.drawn_tournament(event, format="tables")
    play_tables(tournament, random.Random(1), most=3)
    remove_squad(tournament, COMMAND, Squad.objects.filter(stage__tournament=tournament)[0], "withdrawn")
    compute_standings(str(tournament.pk))
    pages = ("publishing:standings", "publishing:matches", "desk:draw", "desk:tournament-settings")
    yield from _of(tournament, "at-tables", *pages, "desk:squads", "desk:standings", "desk:plan-anew")
    yield State("at-tables-team", reverse("publishing:team", args=[event.slug, 2]))
    match = Match.objects.filter(stage__tournament=tournament).order_by("round", "table__number")[0]
    yield State("at-tables-match", reverse("publishing:match", args=[event.slug, tournament.slug, match.pk]))
    game = factories.games_of(tournament)[0].game_id
    yield State("at-tables-game", reverse("publishing:game", args=[event.slug, tournament.slug, game]))
    yield State("at-tables-desk-match", reverse("desk:match", args=[event.slug, match.pk]))


def _ties(account: Account) -> Iterator[State]:
    """All are level at the end: one is to be decided by lots, one by a play-off."""
    for policy in ("lots", "play_off"):
        event = _event(account, f"Spareggio {policy.replace('_', ' ')}", 3, 1)
        tournament = factories.drawn_tournament(event, entries=1, tie_policy=policy)
        for game in factories.games_of(tournament):
            results.enter_result(game, COMMAND, seat=0)
        standings.compute(tournament.pk)
        yield from _of(tournament, policy.replace("_", "-"), "desk:standings", "publishing:standings")


def _confirmed(account: Account) -> Iterator[State]:
    """Results wait for who confirms them; one is disputed."""
    event = _event(account, "Confermati", 3)
    tournament = factories.drawn_tournament(event, confirmation="second_person")
    phones = [Actor.of_pairing(factories.make_pairing(event)[0]) for _ in range(2)]
    for game in factories.games_of(tournament)[:3]:
        results.enter_result(game, phones[0], seat=0)
        game.refresh_from_db()
    confirm.dispute(game, phones[1], "wrong-winner", expected_version=game.game.version, client_id=uuid4())
    compute_standings(str(tournament.pk))
    slug = event.slug
    yield State("confirmed-board", reverse("desk:board", args=[slug]))
    yield State("confirmed-match", reverse("desk:match", args=[slug, game.match_id]))
    yield from _of(tournament, "confirmed", "desk:paper-now", "publishing:standings", "publishing:matches")


def _palio(account: Account) -> Iterator[State]:
    """Two tournaments and a sack race: one game is closed, one is entered, one is open."""
    day = make_day(account)
    for team, looks in zip(day.teams, TEAMS, strict=False):
        for name in ("color_one", "color_two", "division"):
            setattr(team, name, looks[name])
        team.save()
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    overall.compute(day.palio.pk)
    day.run("Centro", "Inferiore", "Superiore")
    overall.compute(day.palio.pk)
    play_by_strength(day.dice, ("Inferiore", "Superiore", "Centro"))
    slug = day.event.slug
    for page in ("palio", "palio-set-up"):
        yield State(page, reverse(f"desk:{page}", args=[slug]))
    yield State("palio-placements", reverse("desk:palio-placements", args=[slug, day.race]))
    for page in ("palio", "palio-day"):
        yield State(f"public-{page}", reverse(f"publishing:{page}", args=[slug]))
    yield State("projector-palio", reverse("publishing:palio-screen", args=[slug, 1]))
    root = day.cards.standings_versions.exclude(receipt="").latest("number").receipt
    yield State("receipt", reverse("publishing:receipt", args=[slug, root]))


def _timetable(account: Account) -> Iterator[State]:
    """A timetable that was worked out, one that can't fit, and what is about to change."""
    for name, hours in (("found", "14:00-20:00"), ("impossible", "14:00-15:00")):
        event = _event(account, f"Orario {name}", 3, 4)
        # Nothing is placed before now: tomorrow all hours are free.
        event.starts_on = event.ends_on = today(event) + timedelta(days=1)
        event.save()
        factories.make_referee(event, first_name="Libera")
        tournament = factories.drawn_tournament(event, tables=2, rounds=2)
        begins, _, ends = hours.partition("-")
        timetable_work.ask(
            event, Actor.of_account(account), {"days": [{"day": 1, "begins": begins, "ends": ends}]}
        )
        until = timezone.now() + PATIENCE
        while TimetableWork.objects.filter(event=event, status__in=timetable_work.ON).exists():
            if timezone.now() > until:
                raise TimeoutError("The timetable isn't worked out.")
            sleep(0.2)
        yield State(f"timetable-{name}", reverse("desk:timetable-work", args=[event.slug]))
    match = Match.objects.filter(stage__tournament=tournament).order_by("round", "wave", "table__number")[0]
    place = reverse("desk:match-place", args=[event.slug, match.pk])
    yield State("timetable-place", place)
    yield State("timetable-conflict", f"{place}?begins=14:35&table=1")
    delay = reverse("desk:timetable-delay", args=[event.slug])
    day = event.starts_on.isoformat()
    yield State("timetable-delay", f"{delay}?minutes=10&table=1&day={day}&begins=15:00")
    entry = Entry.objects.filter(team__event=event).order_by("team__number", "number")[0]
    yield State("entry-out", reverse("desk:entry-out", args=[event.slug, entry.pk]))
