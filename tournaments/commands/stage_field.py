"""Field of a first stage: squads, in the order of their seeding, or drawn by lot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from people.models import Entry, Team
from people.refusals import Refused
from tournaments.facts import draws, stages
from tournaments.facts.draws import DrawnTeam, TournamentField
from tournaments.formats import DrawInputs, DrawnRounds, DrawSquad
from tournaments.formats.format import Contestant
from tournaments.models import Tournament
from tournaments.settings import keep_apart
from tournaments.settings.tournament import TournamentSettings


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

    `inputs` decided the squads where they were drawn by lot, and `drawn` is what they give.
    """

    squads: tuple[SquadOf, ...]
    by_team: TournamentField
    inputs: DrawInputs | None = None
    drawn: DrawnRounds | None = None

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


def field_of(tournament: Tournament, settings: TournamentSettings, seed: str) -> StageField:
    """The squads that take part; two queries. Raises `Refused("cannot-draw")`."""
    if settings.choice.ranks_teams:
        return _drawn_by_lot(draws.field_of(tournament, settings), settings, seed)
    return _by_numbers(tournament, settings)


def kept_field(tournament: Tournament, body: Mapping[str, Any]) -> StageField:
    """The squads of a stage as the fact of its draw has them, the reserves aside; two queries."""
    teams = tournament.event.teams.in_bulk()
    wanted = [entry for squad in body["squads"] for entry in squad["entries"]]
    entries = Entry.objects.filter(team__in=teams).in_bulk(map(UUID, wanted))
    squads = tuple(
        SquadOf(
            teams[UUID(squad["team"])],
            squad["number"],
            tuple(entries[UUID(entry)] for entry in squad["entries"]),
        )
        for squad in body["squads"]
    )
    playing: dict[UUID, list[Entry]] = {}
    for squad in squads:
        playing.setdefault(squad.team.pk, []).extend(squad.entries)
    listed = sorted(playing, key=lambda team: teams[team].number)
    drawn = tuple(DrawnTeam(teams[team], tuple(playing[team]), ()) for team in listed)
    return StageField(squads, TournamentField(drawn))


def _drawn_by_lot(field: TournamentField, settings: TournamentSettings, seed: str) -> StageField:
    """Squads of teams of equal size, which the seed puts together."""
    inputs, drawn = draws.make(field, settings, seed)
    squads = tuple(
        SquadOf(team.team, squad.number, tuple(team.entry(number) for number in squad.entries))
        for team, own in zip(field.teams, drawn.squads, strict=True)
        for squad in own
    )
    return StageField(squads, field, inputs, drawn)


def _by_numbers(tournament: Tournament, settings: TournamentSettings) -> StageField:
    """The squads of all teams that have one.

    Each team's entries are cut into squads in the order of their numbers, so that whoever enters them decides
    who plays together and who is seeded; what is left over waits as reserves. First come all teams' first
    squads, then their second ones. Raises `Refused("cannot-draw")` where fewer than two would play.
    """
    entries = draws.entered_by_team(tournament)
    known = keep_apart.labels([entry for own in entries.values() for entry in own], settings.keep_apart)
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
