"""Command: add the games and draw the rounds that follow by themselves once results are in."""

from uuid import UUID

from django.db import transaction

from ledger import outbox
from people.actors import Actor
from people.refusals import Refused
from tournaments.commands.decision_recording import decide
from tournaments.commands.further_games import add_missing_games
from tournaments.commands.next_stage import is_stage_changed
from tournaments.commands.round_draws import held_matches
from tournaments.facts import outbox_topics
from tournaments.facts.locks import lock, lock_games
from tournaments.models import Tournament
from tournaments.projections.rounds import draw_comparison
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.drawing import next_body, next_rounds
from tournaments.projections.standings_inputs import StandingsInputs, inputs_now


@transaction.atomic
def advance(tournament_id: UUID) -> None:
    """Add a further game to a match that is level, and draw the next round.

    The next round comes only if the tournament's setting `draws_itself` says so. Nor may a correction have
    changed what was drawn last: that is for the organizer to decide first.

    Nothing happens unless it is due. What is due is settled with what came of it, so that whoever comes
    second finds nothing more to do.
    """
    tournament = Tournament.objects.filter(pk=tournament_id).order_by().first()
    if tournament is None:
        return
    tournament = lock(tournament)
    taken = outbox.take(outbox_topics.ADVANCE, tournament_id)
    if taken and tournament.status == Tournament.Status.PUBLISHED and tournament.follows_results:
        lock_games(tournament.pk)
        _follow_results(tournament)
    outbox.settle(taken)


def _follow_results(tournament: Tournament) -> None:
    inputs = inputs_now(tournament)
    course = inputs.courses[-1]
    add_missing_games(tournament, course)
    if not inputs.settings.draws_itself or course.is_ended or _waits_for_a_decision(inputs, course):
        return
    try:
        plans = next_rounds(course)
    except Refused:
        return
    if plans:
        body = next_body(course, plans, inputs.settings.tables)
        decide(tournament, "round_drawn", body, Actor.service())


def _waits_for_a_decision(inputs: StandingsInputs, course: StageHistory) -> bool:
    """Whether a correction has changed what was drawn last, or what could still be drawn anew.

    Who draws the next round by hand has decided that what was begun stays: from there it goes on by itself.
    """
    last = len(course.progress.rounds)
    if last == 1 and is_stage_changed(inputs):
        return True
    changed = draw_comparison.changed_rounds(course, held_matches(course))
    return any(each.moves or each.number == last for each in changed)
