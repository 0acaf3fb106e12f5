"""When the matches of a stored draw are played, by its settings."""

from collections.abc import Sequence
from datetime import datetime

from tournaments.actions.draw import day_of
from tournaments.formats import Draw, Match, Round, Squad, Wave
from tournaments.models import Tournament
from tournaments.reading import MatchView, RoundView, SideView
from tournaments.settings import TournamentSettings

Hours = dict[tuple[int, int], datetime]


def hours(tournament: Tournament, rounds: Sequence[RoundView]) -> Hours:
    """The beginning of each wave as (round, wave), worked out as the preview of the draw does it."""
    if not rounds:
        return {}
    settings = TournamentSettings.from_json(tournament.settings)
    day = day_of(_draw(settings.format, rounds), settings, tournament.event)
    return {(wave.round, wave.wave): wave.start for each in day.rounds for wave in each.waves}


def _draw(format: str, rounds: Sequence[RoundView]) -> Draw:
    """The stored rounds as a draw; its seed and method don't matter for the hours."""
    drawn = tuple(
        Round(each.number, tuple(Wave(wave.number, tuple(map(_match, wave.matches))) for wave in each.waves))
        for each in rounds
    )
    squads = {side for each in drawn for match in each.matches() for side in match.sides}
    teams = sorted({squad.team for squad in squads})
    by_team = tuple(
        tuple(sorted((squad for squad in squads if squad.team == team), key=lambda squad: squad.number))
        for team in teams
    )
    return Draw(format, "", "", "", by_team, drawn)


def _match(match: MatchView) -> Match:
    games = tuple(game.sides for game in match.games)
    return Match(0, match.table.number, tuple(map(_squad, match.sides)), games)


def _squad(side: SideView) -> Squad:
    return Squad(side.team.number, side.squad, tuple(entry.number for entry in side.entries))
