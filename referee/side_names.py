"""What the sides of a match are called on a phone."""

from people.display_names import NameBook, Viewer
from tournaments.queries.match_views import MatchView


def side_names(match: MatchView, viewer: Viewer) -> list[str]:
    """The sides by their teams, or by the players where teams wouldn't tell them apart; one query then."""
    if len({side.team.pk for side in match.sides}) == len(match.sides):
        return [side.team.short_name for side in match.sides]
    names = NameBook(viewer, [entry.pk for side in match.sides for entry in side.entries])
    return [", ".join(names[entry.pk] for entry in side.entries) for side in match.sides]
