"""The draw of a format that is drawn round by round: what a seed would draw now, and what was drawn."""

from datetime import datetime
from typing import Any

from desk.page import names
from desk.stage_squads import contestants, of_course
from desk.stages_shown import previewed_stage, shown_stage
from people.access import EventRequest
from tournaments.commands.draw import preview_draw
from tournaments.models import Stage, Tournament
from tournaments.projections.standings_inputs import inputs_now
from tournaments.settings.tournament import TournamentSettings


def previewed(request: EventRequest, tournament: Tournament, seed: str | None, kept: Stage | None) -> Any:
    """What a seed would draw, for a template; `kept` is the stage that is kept under this seed."""
    found = preview_draw(tournament, seed)
    book = names(request.event)
    bodies = [squad.body() for squad in found.squads]
    teams = {squad.team.pk: squad.team for squad in found.squads}
    who = contestants(bodies, teams, book)
    if found.stage is None:
        raise TypeError("a draw of mini-tournaments")
    first, *later = TournamentSettings.from_json(tournament.settings).stages()
    return {
        "stages": [previewed_stage(found.stage, 1, found.stage.contestants, who)],
        "method": found.stage.method,
        "start": found.day.start,
        "end": _end(found.day.start, found.day.end),
        "matches": found.day.matches,
        "is_all_at_once": first.choice.all_at_once,
        "has_more_stages": bool(later),
        "teams": [
            (team.team, sum(each.team == team.team for each in who.values()), _reserves(team.reserves, book))
            for team in found.field.teams
        ],
        "seeded": _seeded(found.stage.settings.options, who),
        "has_changed": kept is not None and bodies != _kept_squads(tournament),
    }


def _reserves(reserves: Any, book: Any) -> list[str]:
    return [book[entry.pk] for entry in reserves]


def _end(start: datetime, end: datetime) -> datetime | None:
    return None if end == start else end


def _seeded(options: Any, who: Any) -> list[Any]:
    """Those who are set by their entry numbers."""
    return [who[number] for number in range(1, min(options.get("seeded", 0), len(who)) + 1)]


def _kept_squads(tournament: Tournament) -> list[Any]:
    courses = inputs_now(tournament).courses
    return [dict(squad) for squad in courses[0].squads] if courses else []


def drawn(request: EventRequest, tournament: Tournament) -> Any:
    """All stages as they are drawn and played so far."""
    courses = inputs_now(tournament).courses
    teams = {team.pk: team for team in request.event.teams.all()}
    book = names(request.event)
    first = courses[0]
    who = of_course(first, teams, book)
    return {
        "stages": [shown_stage(course, of_course(course, teams, book)) for course in courses],
        "method": first.body["method"],
        "teams": [
            (team, sum(each.team == team for each in who.values()), [])
            for team in dict.fromkeys(each.team for each in who.values())
        ],
        "seeded": _seeded(first.body["options"], who),
        "has_changed": False,
        "is_drawn": True,
    }
