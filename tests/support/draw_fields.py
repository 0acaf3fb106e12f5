"""Fields of teams, and draws of them."""

from tournaments.formats import Constraints, DrawField, DrawInputs, DrawnRounds, Settings, get_format


def even_field(teams: int, entries: int, constraints: Constraints | None = None) -> DrawField:
    """`teams` teams with the entries 1 to `entries` each."""
    rosters = tuple(tuple(range(1, entries + 1)) for _ in range(teams))
    return DrawField(rosters, constraints or Constraints())


def draw_teams(
    key: str, field: DrawField, settings: Settings, seed: str, method: str | None = None
) -> DrawnRounds:
    """The draw of a format of mini-tournaments."""
    return DrawInputs(get_format(key), field, settings, seed, method).draw()
