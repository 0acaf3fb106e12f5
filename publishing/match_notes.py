"""Notes of a match in words: who had to be paired up or down, who meets again."""

from django.utils.translation import gettext

from publishing.match_display import PublicSide
from tournaments.formats.swiss.notes import NOTES
from tournaments.models import Tournament
from tournaments.projections.standings_inputs import courses_now
from tournaments.queries.matches import MatchView


def notes(tournament: Tournament, match: MatchView, sides: tuple[PublicSide, ...]) -> list[str]:
    """The notes of a Swiss match, a sentence each, with the names that may be shown; two queries, none for
    another format.
    """
    if match.drawn_in is None or match.drawn_in.format != "swiss":
        return []
    for course in courses_now(tournament):
        for played in course.matches:
            if played.id == match.id:
                called = dict(zip(played.pairing.sides, (side.players for side in sides), strict=True))
                return [
                    gettext(NOTES[code]) % {"contestant": called[number]}
                    for code, number in played.pairing.notes
                ]
    return []
