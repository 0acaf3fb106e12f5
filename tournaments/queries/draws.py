"""Draws of mini-tournaments between the rows of people and the pure formats: the field that goes in, and a
draw that is kept, repeated.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from people.models import Entry, Team
from tournaments.facts import earlier, stages
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
from tournaments.projections.rounds.drawing import cannot_draw
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


def entered_by_team(tournament: Tournament) -> dict[Team, list[Entry]]:
    """The event's teams by number, each with who is entered for it, by number; two queries."""
    found: dict[Team, list[Entry]] = {team: [] for team in tournament.event.teams.order_by("number")}
    entered = Entry.objects.filter(team__event=tournament.event, status=Entry.Status.ENTERED)
    for entry in entered.select_related("team", "person").order_by("number"):
        found[entry.team].append(entry)
    return found


def field_of(tournament: Tournament, settings: TournamentSettings) -> TournamentField:
    """Equal numbers of each team's entries, the latest entered waiting as reserves; two queries.

    Raises `Refused("cannot-draw")`.
    """
    entries = entered_by_team(tournament)
    try:
        equal = equalize([len(own) for own in entries.values()], settings.squad_size)
    except CannotDraw as error:
        refused = cannot_draw(error)
        if error.code == "too_few_entries":
            # People know teams by their names, not by their numbers.
            name = list(entries)[int(error.values["team"]) - 1].name
            told = _("Entries of “%(name)s”: %(given)d; needed for a squad: %(squad_size)d.")
            refused.sentence = told % {"name": name, **error.values}
        raise refused from error
    drawn = tuple(
        DrawnTeam(team, tuple(own[: equal.playing]), tuple(own[equal.playing :]))
        for team, own in entries.items()
    )
    return TournamentField(
        drawn, keep_apart.constraints_of([team.playing for team in drawn], settings.keep_apart)
    )


def inputs_of(field: TournamentField, settings: TournamentSettings, seed: str) -> DrawInputs:
    """All that decides a new draw; raises `Refused("cannot-draw")`."""
    chosen = Settings(squad_size=settings.squad_size, rounds=settings.rounds, tables=settings.tables)
    try:
        return DrawInputs(get_format(settings.format), field.pure(), chosen, seed)
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
    entered: dict[UUID, list[UUID]] = {}
    for squad in body["squads"]:
        entered.setdefault(UUID(squad["team"]), []).extend(map(UUID, squad["entries"]))
    teams = Team.objects.in_bulk(entered)
    entries = Entry.objects.filter(team__in=teams).select_related("person").in_bulk()
    reserves = [entries[UUID(entry)] for entry in body["reserves"]]
    field = TournamentField(
        tuple(
            DrawnTeam(
                teams[team],
                tuple(entries[entry] for entry in own),
                tuple(entry for entry in reserves if entry.team_id == team),
            )
            for team, own in entered.items()
        ),
        keep_apart.of_fact(body),
    )
    settings = Settings(
        squad_size=body["squad_size"], rounds=len(body["rounds"]), tables=stages.tables_of(body)
    )
    inputs = DrawInputs(get_format(body["format"]), field.pure(), settings, body["seed"], body["method"])
    draw = inputs.draw()
    swaps = _swaps(stage, list(entered))
    edited = draw
    for swap in swaps:
        edited = swap_squads(edited, swap)
    return KeptDraw(field, inputs, draw, _is_repeated(body, field, draw), swaps, edited)


def _is_repeated(body: dict[str, Any], field: TournamentField, draw: DrawnRounds) -> bool:
    """Whether a draw is that of a fact, squad by squad and match by match."""
    squads = [
        (str(team.team.pk), squad.number, [str(team.entry(entry).pk) for entry in squad.entries])
        for team, own in zip(field.teams, draw.squads, strict=True)
        for squad in own
    ]
    drawn = [
        (each.number, wave.number, match.table, [(side.team, side.number) for side in match.sides])
        for each in draw.rounds
        for wave in each.waves
        for match in wave.matches
    ]
    numbers = {str(team.team.pk): at for at, team in enumerate(field.teams, start=1)}
    sides = [(numbers[squad["team"]], squad["number"]) for squad in body["squads"]]
    kept = [
        (each["number"], match["wave"], match["table"], [sides[side - 1] for side in match["sides"]])
        for each in body["rounds"]
        for match in each["matches"]
    ]
    return drawn == kept and squads == [
        (squad["team"], squad["number"], squad["entries"]) for squad in body["squads"]
    ]


def _swaps(stage: Stage, teams: list[UUID]) -> tuple[SquadSwap, ...]:
    """How the stage was changed by hand, in the numbers of its draw."""
    return tuple(
        SquadSwap(
            tuple(edit["rounds"]),
            teams.index(UUID(edit["one"]["team"])) + 1,
            edit["one"]["squad"],
            edit["other"]["squad"],
        )
        for edit in stage.edits
    )


def _made(stage: Stage) -> dict[str, Any]:
    """The body of the fact that made the draw of a stage."""
    facts = earlier.decisions(stage.tournament_id)
    made = (fact.body for fact in reversed(facts) if fact.type == "stage_drawn")
    return next(each for each in made if each["stage"] == str(stage.pk))
