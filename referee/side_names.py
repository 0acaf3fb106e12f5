"""Names of the sides of a match on a phone."""

from people.display_names import NameBook, Viewer
from tournaments.queries.match_views import MatchView


def side_names(match: MatchView, viewer: Viewer) -> list[str]:
    """The sides by their teams. At a table of many anybody of a team may sit: there, and where teams wouldn't
    tell them apart, they are by the players. One query then.
    """
    teams = {side.team.pk for side in match.sides}
    if len(teams) == len(match.sides) and not match.ranks_sides:
        return [side.team.short_name for side in match.sides]
    entries = [[entry.pk for entry in side.entries] for side in match.sides]
    everybody = [each for side in entries for each in side]
    names = iter(NameBook(viewer, everybody).at_table(everybody))
    return [", ".join(next(names) for _ in side) for side in entries]
