"""Between the rows of people and the pure formats: the field that goes into a draw, and the fact that comes
out.

A `draw_made` fact holds all of a draw:

    {"stage": id, "number": 1, "format": …, "method": …, "seed": …, "plan": …,
     "teams": [{"team": id, "entries": [ids by drawn squad order], "reserves": [ids]}, …],
     "squad_size": 1,
     "apart": [[[team index, entry number], …], …], "strong": [[team index, entry number], …],
     "matches": [{"round": 1, "wave": 1, "table": 1,
                  "sides": [[team index, squad number], …], "games": [[first side, second side], …]}, …]}

`apart` has the groups that the draw kept apart, and nothing of why they are groups (see
`tournaments.settings.keep_apart`): the draw can be repeated when people were corrected or erased.

Squads, matches and games are named by ids that follow from the stage's id and their place in the draw, so
that building them again from the fact gives the same ids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from django.utils.translation import gettext as _

from ledger import read
from people.models import Entry, Team
from tournaments.formats import (
    CannotDraw,
    Constraints,
    DrawField,
    DrawInputs,
    DrawnRounds,
    Settings,
    equalize,
    get_format,
)
from tournaments.formats.constraints import UNCONSTRAINED
from tournaments.formats.edits import SquadSwap, swap_squads
from tournaments.models import Stage, Tournament
from tournaments.refusals import Refused
from tournaments.settings import keep_apart
from tournaments.settings.tournament import TournamentSettings


@dataclass(frozen=True, slots=True)
class DrawnTeam:
    """A team with its entries by their number: who plays, and who waits as a reserve."""

    team: Team
    playing: tuple[Entry, ...]
    reserves: tuple[Entry, ...]

    def entry(self, number: int) -> Entry:
        """The playing entry of that number."""
        return next(entry for entry in self.playing if entry.number == number)


@dataclass(frozen=True, slots=True)
class TournamentField:
    """Who takes part, in the order of the teams' numbers: a draw's team 1 is the first here. And who is to
    be kept apart, by numbers alone.
    """

    teams: tuple[DrawnTeam, ...]
    constraints: Constraints = UNCONSTRAINED

    def pure(self) -> DrawField:
        """The field as the formats know it: numbers alone."""
        rosters = tuple(tuple(entry.number for entry in team.playing) for team in self.teams)
        return DrawField(rosters, self.constraints)


def field_of(tournament: Tournament, settings: TournamentSettings) -> TournamentField:
    """Equal numbers of each team's entries, the latest entered waiting as reserves; two queries.

    Raises `Refused("cannot-draw")`.
    """
    teams = list(tournament.event.teams.order_by("number"))
    entries: dict[UUID, list[Entry]] = {team.pk: [] for team in teams}
    entered = Entry.objects.filter(team__event=tournament.event, status=Entry.Status.ENTERED)
    for entry in entered.select_related("person").order_by("number"):
        entries[entry.team_id].append(entry)
    try:
        equal = equalize([len(entries[team.pk]) for team in teams], settings.squad_size)
    except CannotDraw as error:
        if error.code != "too_few_entries":
            raise cannot_draw(error) from error
        # People know teams by their names, not by their numbers.
        name = teams[int(error.values["team"]) - 1].name
        told = _("Entries of “%(name)s”: %(given)d; needed for a squad: %(squad_size)d.")
        raise Refused(
            "cannot-draw", told % {"name": name, **error.values}, status=422, why=error.code, **error.values
        ) from error
    drawn = tuple(
        DrawnTeam(team, tuple(entries[team.pk][: equal.playing]), tuple(entries[team.pk][equal.playing :]))
        for team in teams
    )
    return TournamentField(
        drawn, keep_apart.constraints_of([team.playing for team in drawn], settings.keep_apart)
    )


def inputs_of(field: TournamentField, settings: TournamentSettings, seed: str) -> DrawInputs:
    """All that decides the draw; raises `Refused("cannot-draw")` for a format that isn't there."""
    chosen = Settings(squad_size=settings.squad_size, rounds=settings.rounds, tables=settings.tables)
    try:
        return DrawInputs(get_format(settings.format), field.pure(), chosen, seed)
    except CannotDraw as error:
        raise cannot_draw(error) from error


def make(inputs: DrawInputs) -> DrawnRounds:
    """The pure draw; raises `Refused("cannot-draw")`."""
    try:
        return inputs.draw()
    except CannotDraw as error:
        raise cannot_draw(error) from error


@dataclass(frozen=True, slots=True)
class KeptDraw:
    """A draw that is kept: who is in it, what decided it, the draw that this gives, and whether it is the
    same, match by match. `swaps` changed it by hand afterwards, and `draw` is what they made of it.
    """

    field: TournamentField
    inputs: DrawInputs
    drawn: DrawnRounds
    is_repeated: bool
    swaps: tuple[SquadSwap, ...]
    draw: DrawnRounds


def kept_draw(stage: Stage) -> KeptDraw:
    """What decided the draw of a stage, from its fact and the numbers of its entries; three queries.

    Who was withdrawn since is still in it, and what it kept apart stays, whatever is known of people by now.
    """
    body = _made(stage)
    teams = Team.objects.in_bulk([UUID(team["team"]) for team in body["teams"]])
    entries = Entry.objects.filter(team__in=teams).select_related("person").in_bulk()
    field = TournamentField(
        tuple(
            DrawnTeam(
                teams[UUID(team["team"])],
                tuple(entries[UUID(entry)] for entry in team["entries"]),
                tuple(entries[UUID(entry)] for entry in team["reserves"]),
            )
            for team in body["teams"]
        ),
        keep_apart.of_fact(body),
    )
    matches = body["matches"]
    in_waves = any(match["wave"] > 1 for match in matches)
    settings = Settings(
        squad_size=body["squad_size"],
        rounds=max(match["round"] for match in matches),
        tables=max(match["table"] for match in matches) if in_waves else None,
    )
    inputs = DrawInputs(get_format(body["format"]), field.pure(), settings, body["seed"], body["method"])
    draw = inputs.draw()
    again = fact_body(stage.pk, stage.number, field, draw, settings.squad_size)
    swaps = _swaps(stage, draw)
    edited = draw
    for swap in swaps:
        edited = swap_squads(edited, swap)
    return KeptDraw(field, inputs, draw, again == {key: body[key] for key in again}, swaps, edited)


def _swaps(stage: Stage, draw: DrawnRounds) -> tuple[SquadSwap, ...]:
    """How the stage was changed by hand, in the numbers of its draw."""
    squads = {
        str(squad_id(stage.pk, index, squad.number)): squad
        for index, own in enumerate(draw.squads)
        for squad in own
    }
    return tuple(
        SquadSwap(
            tuple(edit["rounds"]),
            squads[edit["one"]["id"]].team,
            squads[edit["one"]["id"]].number,
            squads[edit["other"]["id"]].number,
        )
        for edit in stage.edits
    )


def kept_apart(stage: Stage) -> Constraints:
    """What the draw of a stage kept apart, from its fact; one query."""
    return keep_apart.of_fact(_made(stage))


def teams_of(stage: Stage) -> list[UUID]:
    """The teams of a draw of mini-tournaments, team 1 first; one query."""
    return [UUID(team["team"]) for team in _made(stage)["teams"]]


def _made(stage: Stage) -> dict[str, Any]:
    """The body of the fact that made the draw of a stage."""
    facts = read.facts(stage.tournament_id)
    made = (fact.body for fact in reversed(facts) if fact.type == "draw_made")
    return next(each for each in made if each["stage"] == str(stage.pk))


def cannot_draw(error: CannotDraw) -> Refused:
    """A format's refusal in the words of this floor."""
    return Refused(
        "cannot-draw", _(error.template) % error.values, status=422, why=error.code, **error.values
    )


def fact_body(
    stage: UUID, number: int, field: TournamentField, draw: DrawnRounds, squad_size: int
) -> dict[str, Any]:
    """The body of the `draw_made` fact."""
    teams = [
        {
            "team": str(team.team.pk),
            "entries": [str(team.entry(entry).pk) for squad in squads for entry in squad.entries],
            "reserves": [str(entry.pk) for entry in team.reserves],
        }
        for team, squads in zip(field.teams, draw.squads, strict=True)
    ]
    matches = [
        {
            "round": each.number,
            "wave": wave.number,
            "table": match.table,
            "sides": [[side.team - 1, side.number] for side in match.sides],
            "games": [list(game) for game in match.games],
        }
        for each in draw.rounds
        for wave in each.waves
        for match in wave.matches
    ]
    return {
        "stage": str(stage),
        "number": number,
        "format": draw.format,
        "method": draw.method,
        "seed": draw.seed,
        "plan": draw.plan,
        "squad_size": squad_size,
        **keep_apart.to_fact(field.constraints),
        "teams": teams,
        "matches": matches,
    }


def squad_id(stage: UUID, team_index: int, number: int) -> UUID:
    """The id of a squad of this stage."""
    return uuid5(stage, f"squad/{team_index}/{number}")


def match_id(stage: UUID, place: int) -> UUID:
    """The id of the stage's match at this place of the draw, from 1."""
    return uuid5(stage, f"match/{place}")


def squad_entries(team: dict[str, Any], squad_size: int, number: int) -> Sequence[str]:
    """The entries of a drawn team's squad, from the fact."""
    entries: list[str] = team["entries"]
    return entries[(number - 1) * squad_size : number * squad_size]
