"""Commands and previews: draw the rounds that follow from results, and draw them anew after a correction."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import WAITING, Game
from people.refusals import Refused
from tournaments.commands.decision_recording import OpenDecision, command
from tournaments.facts import stages
from tournaments.facts.reasons import check_reason
from tournaments.formats.format import RoundPlan
from tournaments.models import Tournament
from tournaments.projections.rounds import draw_comparison
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.drawing import next_body, next_rounds
from tournaments.projections.standings_inputs import inputs_now
from tournaments.settings.tournament import TournamentSettings


@dataclass(frozen=True, slots=True)
class PlannedNextRound:
    """What would be drawn now: the stage so far and the rounds; none if nothing is left to draw in it."""

    course: StageHistory
    plans: tuple[RoundPlan, ...]


def course_of(tournament: Tournament) -> StageHistory:
    """The last stage that was drawn, so far; `Refused("not-by-round")` without one."""
    courses = inputs_now(tournament).by_round
    if not courses:
        raise Refused("not-by-round", _("There is no stage that is drawn round by round."), status=404)
    return courses[-1]


def preview_next_round(tournament: Tournament, *, rematches: bool = False) -> PlannedNextRound:
    """What would be drawn now; with `rematches` second meetings are allowed for this round where there is no
    way without. Raises `Refused("cannot-draw")`, with the code why, where nothing can be.
    """
    course = course_of(tournament)
    return PlannedNextRound(course, tuple(next_rounds(course, rematches=rematches)))


# Who is entering a result finishes first: the round follows from it.
@command("round_drawn", Tournament.Status.PUBLISHED, locks_games=True)
def draw_next_round(decision: OpenDecision, tournament: Tournament, rematches: bool = False) -> None:
    """Draw what can be drawn now; refused while results are missing that it follows from.

    With `rematches` second meetings are allowed for this round where there is no way without.
    """
    course = course_of(tournament)
    plans = next_rounds(course, rematches=rematches)
    if not plans:
        raise Refused("all-drawn", _("Nothing is left to draw in this stage."))
    settings = TournamentSettings.from_json(tournament.settings)
    decision.record(next_body(course, plans, settings.tables))


def changed_rounds(tournament: Tournament) -> list[draw_comparison.ChangedRound]:
    """The drawn rounds that results, as they are now, would have drawn otherwise; none as long as all fit."""
    return [
        changed
        for course in inputs_now(tournament).courses[-1:]
        for changed in draw_comparison.changed_rounds(course, held_matches(course))
    ]


@command("rounds_redrawn", Tournament.Status.PUBLISHED, locks_games=True)
def redraw_rounds(decision: OpenDecision, tournament: Tournament, reason: str) -> None:
    """Draw anew what a correction has changed: pairs that haven't begun move, games that were begun stay."""
    check_reason(reason)
    course = course_of(tournament)
    changed = draw_comparison.changed_rounds(course, held_matches(course))
    if not any(each.moves for each in changed):
        raise Refused("nothing-moves", _("No pair that hasn't begun would be drawn otherwise."))
    settings = TournamentSettings.from_json(tournament.settings)
    rounds = [stages.round_body(each.becomes, course.kind, settings.tables) for each in changed if each.moves]
    decision.record({"stage": str(course.stage), "rounds": rounds, "reason": reason})


def begun_matches(course: StageHistory) -> frozenset[UUID]:
    """The matches in which anything was entered, also where all of it was taken back."""
    return _matches_of(course, Game.objects.filter(version__gt=0))


def held_matches(course: StageHistory) -> frozenset[UUID]:
    """The matches in which anything is entered that holds, so that they stay when others are drawn anew."""
    return _matches_of(course, Game.objects.exclude(phase=WAITING))


def _matches_of(course: StageHistory, games: QuerySet[Game]) -> frozenset[UUID]:
    matches = {game.id: match.id for match in course.matches for game in match.games}
    return frozenset(matches[game] for game in games.filter(pk__in=matches).values_list("pk", flat=True))
