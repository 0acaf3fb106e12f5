"""A game, told event by event."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse

from games.logbook import stored_events
from ledger import read
from people.moment_parsing import BadMomentError, moment_asked
from people.number_parsing import whole_number
from publishing.errors import NO_MOMENT, error_response
from publishing.live_marks import live
from publishing.match_display import match_once, shown
from publishing.replays import Replay, is_by_result, replay
from publishing.responses import tournament_page
from publishing.subjects import PageSubject, shows_tournament
from publishing.timetable import names_of
from tournaments.models import MatchGame
from tournaments.queries.match_views import MatchProgress


@shows_tournament
def game(request: HttpRequest, subject: PageSubject, game_id: UUID) -> HttpResponse:
    """The table after `?step=N` events, or as it stood `?at=` a moment (else the last), and a sentence for
    each.

    A game of which only the result was entered has neither.
    """
    match_ids = MatchGame.objects.filter(game=game_id, match__stage__tournament=subject.tournament)
    match_id = match_ids.values_list("match_id", flat=True).first() if subject.is_shown else None
    if match_id is None:
        raise Http404
    fresh = live("match", match_id)
    asked = request.GET.get("at")
    if asked:
        try:
            moment = moment_asked(asked, subject.event)
        except BadMomentError:
            return error_response(request, NO_MOMENT)
        step: str | None = str(read.sequence_at(game_id, moment))
    else:
        step = request.GET.get("step")
    stamp = f"{subject.base} {fresh['mark']} {step}"
    return tournament_page(
        request, subject, "game", stamp, lambda: {**_context(subject, match_id, game_id, step), **fresh}
    )


def _context(subject: PageSubject, match_id: UUID, game_id: UUID, step: str | None) -> dict[str, Any]:
    found = match_once(match_id)
    if found is None:
        raise Http404
    entries = [entry.pk for side in found.sides for entry in side.entries]
    names = names_of(subject.event, entries)
    match = shown(found, names)
    log = stored_events(game_id)
    shown_game = next(each for each in match.games if each.view.id == game_id)
    has_cards = bool(log) and not is_by_result(log)
    context: dict[str, Any] = {
        "match": match,
        "game": shown_game,
        "is_by_result": shown_game.view.progress is MatchProgress.DONE and not has_cards,
    }
    if has_cards:
        name_of = {str(entry): names[entry] for entry in entries}
        teams = {str(side.team.pk): side.team for side in match.sides}
        context |= _position(replay(log, name_of, teams), step)
    return context


def _position(told: Replay, asked: str | None) -> dict[str, Any]:
    last = len(told.steps)
    number = last if asked is None else _step(asked, last)
    moment = told.moments[number]
    has_totals = moment.ruleset.counts_points and number > 0
    turning = [step.number for step in told.steps if step.is_turning and not step.is_voided]
    return {
        "steps": told.steps,
        "step": told.steps[number - 1] if number else None,
        "number": number,
        "turning_marks": [round(1000 * place / last) for place in turning],
        "last": last,
        "is_lost": told.is_lost,
        "moment": moment,
        "seats": told.seats(number),
        "named_color": told.named_color(number),
        "turning_before": next((place for place in reversed(turning) if place < number), None),
        "turning_after": next((place for place in turning if place > number), None),
        "totals": list(zip(told.names, moment.scores, strict=True)) if has_totals else [],
    }


def _step(asked: str, last: int) -> int:
    """A number from 0 (before the first event) to the last; Http404 for anything else."""
    number = whole_number(asked, last)
    if number is None:
        raise Http404
    return number
