"""Draws of first stages: who takes part, what a seed gives, and a draw that is kept.

The field of a first stage is its squads, in the order of their seeding or drawn by lot.
"""

import secrets
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from people.models import Entry, Event, Team
from people.refusals import Refused
from tournaments.facts import stages
from tournaments.formats import (
    CannotDraw,
    Constraints,
    ConstraintsKept,
    DrawField,
    DrawForecast,
    DrawInputs,
    DrawnRounds,
    DrawSquad,
    Settings,
    as_draw,
    equalize,
    get_format,
    kept,
    preview,
)
from tournaments.formats.constraints import UNCONSTRAINED
from tournaments.formats.edits import ContestantSwap, write_squads
from tournaments.formats.format import Contestant, RoundPlan
from tournaments.formats.stages.model import plan_stages
from tournaments.models import Tournament
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.drawing import DrawnStage, cannot_draw, draw_stage
from tournaments.settings import keep_apart_labels
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
        drawn, keep_apart_labels.constraints_of([team.playing for team in drawn], settings.keep_apart)
    )


def inputs_of(field: TournamentField, settings: TournamentSettings, seed: str) -> DrawInputs:
    """All that decides a new draw; raises `Refused("cannot-draw")`."""
    chosen = Settings(squad_size=settings.squad_size, rounds=settings.rounds, tables=settings.tables)
    try:
        return DrawInputs(get_format(settings.format), field.pure(), chosen, seed)
    except CannotDraw as error:
        raise cannot_draw(error) from error


@dataclass(frozen=True, slots=True)
class SquadOf:
    """A squad that takes part: its team, its number in it, its entries in the order in which they sit."""

    team: Team
    number: int
    entries: tuple[Entry, ...]
    labels: tuple[int, ...] = ()

    def body(self) -> dict[str, Any]:
        """As a fact holds it."""
        return {
            "team": str(self.team.pk),
            "number": self.number,
            "entries": [str(entry.pk) for entry in self.entries],
            "labels": list(self.labels),
            "since": 1,
        }


@dataclass(frozen=True, slots=True)
class StageField:
    """The squads, a contestant's number being the place here from 1, and the teams with their reserves.

    `inputs` decided the squads where they were drawn by lot.
    """

    squads: tuple[SquadOf, ...]
    by_team: TournamentField
    inputs: DrawInputs | None = None

    def contestants(self) -> tuple[Contestant, ...]:
        """As the formats know them."""
        return stages.contestants_of([squad.body() for squad in self.squads])

    def drawn_squads(self) -> dict[int, DrawSquad]:
        """The squads by contestant number as draws know them; teams are numbered as in `by_team`."""
        numbers = {team.team.pk: at for at, team in enumerate(self.by_team.teams, start=1)}
        return {
            at: DrawSquad(
                numbers[squad.team.pk], squad.number, tuple(entry.number for entry in squad.entries)
            )
            for at, squad in enumerate(self.squads, start=1)
        }


def kept_field(tournament: Tournament, stage: StageHistory) -> StageField:
    """The squads of a stage as the fact of its draw has them, and those that came later; two queries.

    Reserves aren't in it.
    """
    teams = tournament.event.teams.in_bulk()
    drawn_at_first = stage.body["squads"]
    bodies = [*drawn_at_first, *stage.squads[len(drawn_at_first) :]]
    wanted = [entry for squad in bodies for entry in squad["entries"]]
    entries = Entry.objects.filter(team__in=teams).select_related("person").in_bulk(map(UUID, wanted))
    squads = tuple(
        SquadOf(
            teams[UUID(squad["team"])],
            squad["number"],
            tuple(entries[UUID(entry)] for entry in squad["entries"]),
        )
        for squad in bodies
    )
    playing: dict[Team, list[Entry]] = {}
    for squad in squads:
        playing.setdefault(squad.team, []).extend(squad.entries)
    drawn = tuple(DrawnTeam(team, tuple(own), ()) for team, own in playing.items())
    return StageField(squads, TournamentField(drawn, keep_apart_labels.of_fact(stage.body)))


def _drawn_by_lot(tournament: Tournament, settings: TournamentSettings, seed: str) -> StageField:
    """Squads of teams of equal size, which the seed puts together; two queries."""
    field = field_of(tournament, settings)
    inputs = inputs_of(field, settings, seed)
    try:
        drawn = inputs.squads()
    except CannotDraw as error:
        raise cannot_draw(error) from error
    squads = tuple(
        SquadOf(team.team, squad.number, tuple(team.entry(number) for number in squad.entries))
        for team, own in zip(field.teams, drawn, strict=True)
        for squad in own
    )
    return StageField(squads, field, inputs)


def _by_numbers(tournament: Tournament, settings: TournamentSettings) -> StageField:
    """The squads of all teams that have one; two queries.

    Each team's entries are cut into squads in the order of their numbers. So whoever enters them decides who
    plays together and who is seeded. What is left over waits as reserves. First come all teams' first squads,
    then their second ones. Raises `Refused("cannot-draw")` where fewer than two would play.
    """
    entries = entered_by_team(tournament)
    known = keep_apart_labels.labels(
        [entry for own in entries.values() for entry in own], settings.keep_apart
    )
    size, most = settings.squad_size, settings.squads_per_team
    squads: list[SquadOf] = []
    drawn: list[DrawnTeam] = []
    for team, own in entries.items():
        count = min(len(own) // size, most or len(own))
        squads += [_squad(team, at + 1, own[at * size : (at + 1) * size], known) for at in range(count)]
        if count:
            drawn.append(DrawnTeam(team, tuple(own[: count * size]), tuple(own[count * size :])))
    if len(squads) < 2:
        raise Refused(
            "cannot-draw",
            _("Squads that can play: %(squads)d; at least two are needed.") % {"squads": len(squads)},
            status=422,
            why="contestants",
        )
    squads.sort(key=lambda squad: (squad.number, squad.team.number))
    return StageField(tuple(squads), TournamentField(tuple(drawn)))


def _squad(
    team: Team, number: int, entries: Sequence[Entry], labels: Mapping[UUID, frozenset[int]]
) -> SquadOf:
    """A squad has in common with others what any of its entries has."""
    found = frozenset[int]().union(*(labels.get(entry.pk, frozenset()) for entry in entries))
    return SquadOf(team, number, tuple(entries), tuple(sorted(found)))


@dataclass(frozen=True, slots=True)
class PreviewedDraw:
    """What a seed would give, or gave to a draw that is kept.

    `inputs` repeat a draw of mini-tournaments. `squads` are the contestants, `stage` all of what is drawn. A
    kept draw has no `stage`, and no `inputs` if it can't be repeated by now. `swaps`: how a kept one was
    changed by hand.
    """

    seed: str
    field: TournamentField
    draw: DrawnRounds
    day: DrawForecast
    inputs: DrawInputs | None = None
    squads: tuple[SquadOf, ...] = ()
    stage: DrawnStage | None = None
    swaps: tuple[str, ...] = ()

    @property
    def rounds(self) -> tuple[RoundPlan, ...]:
        """The rounds as the format planned them; none of a draw that is kept."""
        return () if self.stage is None else self.stage.rounds

    def command(self) -> str:
        """The command line that repeats a draw of mini-tournaments anywhere; empty for another one."""
        if self.inputs is None:
            return ""
        return " ".join([self.inputs.command(), *(f"--swap {shlex.quote(swap)}" for swap in self.swaps)])

    def kept(self) -> ConstraintsKept:
        """How far the draw keeps apart who should be."""
        return kept(self.draw, self.field.constraints)


def new_seed() -> str:
    """A fresh seed that can be read aloud: twelve hexadecimal digits in groups of four."""
    digits = secrets.token_hex(6)
    return "-".join(digits[start : start + 4] for start in range(0, 12, 4))


def preview_draw(tournament: Tournament, seed: str | None = None) -> PreviewedDraw:
    """Who meets whom, the hours, who waits and who meets whom twice; raises `Refused("cannot-draw")`."""
    settings = TournamentSettings.from_json(tournament.settings)
    chosen = new_seed() if seed is None else seed
    field, drawn = draw_first_stage(tournament, settings, chosen)
    draw = drawn.draw(field.drawn_squads(), settings.tables)
    day = day_of(draw, settings, tournament.event)
    return PreviewedDraw(chosen, field.by_team, draw, day, field.inputs, field.squads, drawn)


def draw_first_stage(
    tournament: Tournament, settings: TournamentSettings, seed: str
) -> tuple[StageField, DrawnStage]:
    """Who takes part, and what a seed draws; raises `Refused("cannot-draw")`."""
    ranks_teams = settings.choice.ranks_teams
    field = _drawn_by_lot(tournament, settings, seed) if ranks_teams else _by_numbers(tournament, settings)
    contestants = field.contestants()
    stages = settings.stages()
    try:
        plan_stages([stage.planned() for stage in stages], len(contestants))
    except CannotDraw as error:
        raise cannot_draw(error) from error
    method = None if field.inputs is None else field.inputs.form.method
    return field, draw_stage(stages[0], contestants, seed, method)


def kept_draw(tournament: Tournament, stage: StageHistory) -> PreviewedDraw:
    """The draw of a first stage that was drawn at once, as it is kept.

    It has what was changed by hand and the squads that came later, whoever was entered or withdrawn since.
    """
    settings = TournamentSettings.from_json(tournament.settings)
    field = kept_field(tournament, stage)
    plans = [each.plan for each in stage.progress.rounds]
    draw = as_draw(
        stage.format,
        stage.body["method"],
        stage.seed,
        stage.progress.contestants,
        field.drawn_squads(),
        plans,
        stage.kind,
        stages.tables_of(stage.body),
    )
    day = day_of(draw, settings, tournament.event)
    made = PreviewedDraw(stage.seed, field.by_team, draw, day, squads=field.squads)
    if not stage.choice.ranks_teams:
        return made
    size = stage.body["squad_size"]
    inputs = DrawInputs(
        get_format(stage.choice.key),
        field.by_team.pure(),
        Settings(squad_size=size, rounds=len(plans), tables=stages.tables_of(stage.body)),
        stage.seed,
        stage.body["method"],
    )
    numbers = {(str(squad.team.pk), squad.number): at for at, squad in enumerate(field.squads, start=1)}
    by_hand = []
    for edit in tournament.stages.get(pk=stage.stage).edits:
        one, other = (numbers[edit[side]["team"], edit[side]["squad"]] for side in ("one", "other"))
        by_hand.append((edit["rounds"], ContestantSwap(one, other)))
    try:
        repeated = inputs.draw((number, swap) for rounds, swap in by_hand for number in rounds)
    except CannotDraw:
        # Entries have other numbers since.
        return made
    if (repeated.squads, repeated.rounds) != (draw.squads, draw.rounds):
        return made
    swaps = tuple(write_squads(rounds, swap, field.drawn_squads()) for rounds, swap in by_hand)
    return replace(made, draw=repeated, inputs=inputs, swaps=swaps)


def day_of(draw: DrawnRounds, settings: TournamentSettings, event: Event) -> DrawForecast:
    """The hours of a draw on the event's first day, as UTC (so that minutes add up when clocks change)."""
    local_start = datetime.combine(event.starts_on, time.fromisoformat(settings.starts_at))
    try:
        return preview(
            draw,
            minutes_per_game=settings.minutes_per_game,
            minutes_between=settings.minutes_between,
            start=local_start.replace(tzinfo=ZoneInfo(event.time_zone)).astimezone(UTC),
        )
    except CannotDraw as error:
        raise cannot_draw(error) from error
