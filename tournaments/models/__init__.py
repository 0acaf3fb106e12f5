"""Rows of tournaments, a file for each subject: projections of facts, and reference rows.

Reference rows are `Table` with `OldCode`, `Clock`, `Call`, `Timetable` with `Place`, and `OtherGame`.
`TimetableChange` has what the places were before a change, `TimetableWork` a timetable that is being worked
out. All others are projections, though a tournament's name and slug stand in its row alone.
"""

from tournaments.models.calls import Call
from tournaments.models.clocks import Clock
from tournaments.models.matches import Match, MatchGame, MatchSide, Squad, SquadMember
from tournaments.models.outlooks import Outlook
from tournaments.models.palio import (
    OtherGame,
    OtherPlacing,
    OverallStanding,
    OverallVersion,
    Palio,
    PlayedJoker,
)
from tournaments.models.standings import Standing, StandingsVersion
from tournaments.models.tables import OldCode, Table
from tournaments.models.timetables import Place, Timetable, TimetableChange, TimetableWork
from tournaments.models.tournaments import DrawnRound, Stage, Tournament

__all__ = [
    "Call",
    "Clock",
    "DrawnRound",
    "Match",
    "MatchGame",
    "MatchSide",
    "OldCode",
    "OtherGame",
    "OtherPlacing",
    "Outlook",
    "OverallStanding",
    "OverallVersion",
    "Palio",
    "Place",
    "PlayedJoker",
    "Squad",
    "SquadMember",
    "Stage",
    "Standing",
    "StandingsVersion",
    "Table",
    "Timetable",
    "TimetableChange",
    "TimetableWork",
    "Tournament",
]
