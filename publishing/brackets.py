"""The brackets of a tournament as the public sees them: live, with the names that may be shown."""

from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext

from people.display_names import NameBook, Viewer, squad_name
from people.models import Team
from publishing.subjects import PageSubject
from rendering.components.bracket_view import BracketSideShown, Piece, pieces
from tournaments.formats.elimination.display_sections import sections
from tournaments.formats.elimination.format import bracket_of
from tournaments.formats.elimination.tree import Bracket
from tournaments.models import Tournament
from tournaments.projections.removed_squads import why_left
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.standings_inputs import courses_now


@dataclass(frozen=True, slots=True)
class ShownBracket:
    """The bracket of a stage: its name, its pieces, and who has a bye in its first round.

    `has_due` says whether results that were corrected would have brought others together than were drawn.
    """

    name: str
    pieces: tuple[Piece, ...]
    byes: tuple[str, ...]
    has_due: bool


def brackets(subject: PageSubject) -> list[ShownBracket]:
    """Those that are drawn, the last stage first; four queries. None before the draw is published."""
    if not subject.is_shown:
        return []
    found = [
        (course, bracket_of(course.format, course.progress, course.seed))
        for course in courses_now(subject.tournament)
    ]
    with_bracket = [(course, bracket) for course, bracket in found if bracket is not None]
    if not with_bracket:
        return []
    squads = [squad for course, _bracket in with_bracket for squad in course.squads]
    entries = [UUID(entry) for squad in squads for entry in squad["entries"]]
    names = NameBook(Viewer.public(subject.event), entries)
    teams = {str(team.pk): team for team in subject.event.teams.all()}
    return [_shown(subject, course, bracket, names, teams) for course, bracket in reversed(with_bracket)]


def _shown(
    subject: PageSubject, course: StageHistory, bracket: Bracket, names: NameBook, teams: dict[str, Team]
) -> ShownBracket:
    who = {
        number: BracketSideShown(
            squad_name(teams[squad["team"]], [names[UUID(entry)] for entry in squad["entries"]]),
            teams[squad["team"]],
            why_left(course.left.get(number, "")),
        )
        for number, squad in enumerate(course.squads, start=1)
    }
    links = {
        match.pairing.slot: reverse(
            "publishing:match", args=[subject.event.slug, subject.tournament.slug, match.id]
        )
        for match in course.matches
    }
    return ShownBracket(
        name=gettext(course.choice.name),
        pieces=pieces(
            sections(bracket),
            who,
            links,
            course.scores(),
            is_closed=subject.tournament.status == Tournament.Status.CLOSED,
        ),
        byes=tuple(who[number].name for number in bracket.byes),
        has_due=any(match.due for each in bracket.rounds for match in each.matches),
    )
