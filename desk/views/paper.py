"""A round of paper slips, typed in by keyboard and sent in one go."""

from collections.abc import Sequence
from dataclasses import asdict, replace

from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desk.ending_input import ShownEnding
from desk.page import id_in, names, number_in, organizer, page, sentences
from desk.result_sheets import PrintedSlip, SlipSheet, counted
from games.outcome import Outcome
from ledger.errors import ClientIdReusedError, ConflictError
from people.access import EventRequest
from people.refusals import Refused
from tournaments.commands import results
from tournaments.models import Match, Tournament
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.matches import rounds
from tournaments.queries.round_names import round_names


@organizer
def paper(request: EventRequest, tournament: Tournament, number: int | None = None) -> HttpResponseBase:
    """One row a game; each is stored by itself, and what can't be is told at its row. The round that is on
    if none is asked for, the last one once all are played.
    """
    numbers = list(
        Match.objects.filter(stage__tournament=tournament)
        .order_by("round")
        .values_list("round", flat=True)
        .distinct()
    )
    if number is None and numbers:
        drawn = rounds(tournament)
        number = next((each.number for each in drawn if each.progress is not MatchProgress.DONE), numbers[-1])
    # What was typed for a round that is gone is told on its own page.
    if number is None or (number not in numbers and request.method != "POST"):
        raise Http404
    called = round_names(tournament, [*numbers, number])
    sheet = SlipSheet(tournament, number, names(request.event))
    slips, lost, status = sheet.slips, [], 200
    if request.method == "POST":
        slips, lost = [_stored(request, sheet, slip) for slip in sheet.slips], sheet.lost(request.POST)
        wrong = sum(bool(slip.wrong) for slip in slips) + len(lost)
        if not wrong:
            if number not in numbers:
                raise Http404
            messages.success(request, counted(slips))
            return redirect("desk:paper", request.event.slug, tournament.slug, number)
        status = 422
        messages.warning(request, _told(slips, wrong))
    context = {
        "tournament": tournament,
        "number": number,
        "numbers": numbers,
        "title": called[number],
        "rounds": [(each, called[each]) for each in numbers],
        "slips": slips,
        "lost": lost,
        "ranks_sides": any(slip.ranks_sides for slip in slips),
        "has_points": any(slip.seats for slip in slips),
        "has_waves": len({slip.match.wave for slip in slips}) > 1,
        "left": sum(not slip.is_locked for slip in slips),
        "is_open": tournament.status == Tournament.Status.PUBLISHED,
        "here": "board",
    }
    return page(request, "desk/paper.html", context, status)


def _told(slips: Sequence[PrintedSlip], wrong: int) -> str:
    """How many rows are stored, and how many aren't."""
    refused = ngettext(
        "%(count)d row isn’t stored: look at it below.",
        "%(count)d rows aren’t stored: look at them below.",
        wrong,
    ) % {"count": wrong}
    stored = counted(slips) if any(slip.is_new for slip in slips) else _("Nothing was stored.")
    return f"{stored} {refused}"


def _stored(request: EventRequest, sheet: SlipSheet, slip: PrintedSlip) -> PrintedSlip:
    """The row after what was typed in it has been stored, or with what was wrong."""
    filled = slip.filled_in(request.POST)
    if filled.is_empty:
        return slip
    ending = sheet.read(filled)
    if isinstance(ending, str):
        return replace(filled, wrong=ending)
    game_id = slip.game.game_id
    try:
        written = results.enter_result(
            slip.game,
            request.actor,
            **asdict(ending),
            expected_version=number_in(request, f"version-{game_id}"),
            client_id=id_in(request, f"id-{game_id}"),
        )
    except (ConflictError, ClientIdReusedError) as refusal:
        return _overtaken(sheet, filled, ending, refusal)
    except Refused as refusal:
        return replace(filled, wrong=str(refusal))
    if written.refusal is not None:
        return _overtaken(sheet, filled, ending, written.refusal)
    return replace(_again(sheet, slip), is_new=True)


def _overtaken(sheet: SlipSheet, slip: PrintedSlip, ending: ShownEnding, refusal: Exception) -> PrintedSlip:
    """A row that somebody else was faster with: fine if that says the same, else told with what is there."""
    now = _again(sheet, slip)
    if not now.is_locked:
        return replace(now, wrong=" ".join(sentences(refusal)))
    if _agrees(sheet, now, ending):
        return now
    return replace(now, wrong=_("Something else is there already. Nothing of this row was stored."))


def _agrees(sheet: SlipSheet, slip: PrintedSlip, ending: ShownEnding) -> bool:
    """Whether a result that is there is the one that was typed."""
    row = slip.game.game
    if ending.points is not None:
        there = Outcome.of_row(row).points
        if there is None or list(there) != [points for _seat, points in sorted(ending.points.items())]:
            return False
    if ending.places is not None:
        return Outcome.of_row(row).places == tuple(place for _seat, place in sorted(ending.places.items()))
    if ending.seat is None and ending.team is None:
        return row.winner_team is None and row.closed_by == ending.reason
    if row.winner_seat is not None and ending.seat is not None:
        return bool(row.winner_seat == ending.seat)
    seats = sheet.seats.get(row.pk, [])
    team = ending.team or next((seat.team for seat in seats if seat.number == ending.seat), None)
    return bool(row.winner_team == team)


def _again(sheet: SlipSheet, slip: PrintedSlip) -> PrintedSlip:
    """The row as its game is now."""
    row = slip.game.game
    row.refresh_from_db()
    return replace(slip, outcome=sheet.outcome(slip.game) if row.is_over else "")
