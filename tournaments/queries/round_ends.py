"""Places at the end of each round, for the page of the day."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tournaments.facts import earlier
from tournaments.formats.catalogue import PLACED
from tournaments.models import MatchGame, StandingsVersion, Tournament
from tournaments.projections.round_ends import RoundEnds, Stood, decisions_until, outcomes_until
from tournaments.projections.standings_inputs import as_entered, inputs


@dataclass(frozen=True, slots=True)
class PlayedRounds:
    """The rounds that are over in a version of the standings, and the round of every game; `basis` stands for
    all that the places at their ends follow from.
    """

    ends: RoundEnds
    rounds: Mapping[UUID, int]
    basis: Hashable


@dataclass(frozen=True, slots=True)
class PlacesAtEnd:
    """The places at the end of a round."""

    round: int
    at: datetime
    standings: tuple[Stood, ...]


def has_chart(version: StandingsVersion, stage_format: str) -> bool:
    """Whether places of two moments can be compared; in groups and where the format itself says who is where
    they never are.
    """
    ends = RoundEnds.from_json(version.round_ends)
    is_compared = stage_format not in PLACED and not version.groups
    return is_compared and ends.complete + (not ends.is_at_end) > 1


def rounds_played(version: StandingsVersion) -> PlayedRounds:
    """Which rounds are over; one query."""
    games = MatchGame.objects.filter(match__stage__tournament=version.tournament_id)
    rows = list(
        games.order_by("game_id").values_list("game_id", "match__round", "game__version", "match__version")
    )
    ends = RoundEnds.from_json(version.round_ends)
    read = tuple(row for row in rows if row[1] <= ends.complete)
    return PlayedRounds(
        ends,
        {game: round_ for game, round_, *_ in rows},
        (version.tournament_id, ends.ends[: ends.complete], read),
    )


def places_at_ends(tournament: Tournament, played: PlayedRounds) -> tuple[PlacesAtEnd, ...]:
    """The places at the end of each of these rounds, but of those in which groups were played; three
    queries.
    """
    entered, decisions = as_entered(tournament), earlier.decisions(tournament.pk)
    found = []
    for number, end in enumerate(played.ends.ends[: played.ends.complete], start=1):
        outcomes = outcomes_until(entered.outcomes, played.rounds, number)
        then = inputs(decisions_until(decisions, number, end), outcomes, entered.confirmed)
        if then.groups():
            continue
        teams = then.team_of()
        stood = tuple(Stood(row.team, teams[row.team], row.place, bool(row.tied_with)) for row in then.rank())
        found.append(PlacesAtEnd(number, end.at, stood))
    return tuple(found)
