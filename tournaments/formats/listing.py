"""A draw and its fairness as lines of text, by numbers alone: what the command lines print."""

from collections.abc import Iterator

from .constraints import ConstraintsKept
from .fairness import Fairness
from .model import DrawnRounds, Player


def draw_lines(draw: DrawnRounds) -> Iterator[str]:
    """Method and seed, then each match with its sides: team, a colon, its entries."""
    yield f"method {draw.method}, seed {draw.seed}, plan {draw.plan}"
    for each in draw.rounds:
        for wave in each.waves:
            for match in wave.matches:
                sides = "  ".join(
                    f"{side.team}:{'+'.join(str(entry) for entry in side.entries)}" for side in match.sides
                )
                yield f"round {each.number} wave {wave.number} table {match.table}: {sides}"


def report_lines(report: Fairness, kept: ConstraintsKept | None = None) -> Iterator[str]:
    """The remarks (`=` even, `!` not), who sits together against a constraint, each team, each entry."""
    for remark in report.remarks:
        yield f"{'=' if remark.is_even else '!'} {remark.english}"
    for together in kept.together if kept else ():
        name = f"group {together.group}" if together.group else "strong"
        yield f"match {together.match}: {name}: {'  '.join(map(_player, together.players))}"
    for team in report.teams:
        met = "  ".join(
            f"{meeting.other if meeting.one == team.team else meeting.one}:{meeting.rounds}"
            for meeting in report.team_meetings
            if team.team in (meeting.one, meeting.other)
        )
        yield (
            f"team {team.team}: {team.matches} matches, {team.games} games, {team.first_seats} first seats; "
            f"rounds with team {met}"
        )
    for entry in report.entries:
        rests = " ".join(map(str, entry.rests)) or "-"
        tables = " ".join(map(str, entry.tables)) or "-"
        yield (
            f"entry {_player(entry.player)}: {entry.matches} matches, {entry.games} games, "
            f"{entry.first_seats} first seats, sits out {entry.byes}, rests {rests}, tables {tables}"
        )


def _player(player: Player) -> str:
    return f"{player.team}/{player.entry}"
