"""Fields of a draw between squads of teams."""

from tournaments.formats import Constraints, DrawField


def even_field(teams: int, entries: int, constraints: Constraints | None = None) -> DrawField:
    """`teams` teams with the entries 1 to `entries` each."""
    rosters = tuple(tuple(range(1, entries + 1)) for _ in range(teams))
    return DrawField(rosters, constraints or Constraints())
