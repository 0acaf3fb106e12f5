"""A game's log, and putting a line of it right: first what that would change, then for good."""

from functools import partial
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _

from desk.ending_input import ABSENT
from desk.forms.game_log import LineForm
from desk.forms.tournaments import ReasonForm
from desk.game_log import LogEntry, LogSheet
from desk.game_outcome_text import now, outcome_sentence
from desk.page import client_id, done, expected_version, names, organizer, page, refused, sentences
from desk.standings_impact import of_outcome
from desk.views.match import read_ending
from games.engine import Refusal
from games.outcome import Outcome
from ledger.errors import ConflictError
from people.access import EventRequest
from people.models import Team
from people.refusals import Refused
from tournaments.commands import results
from tournaments.commands.confirm import settle_by_correction
from tournaments.commands.table_absences import enter_without, expect_absent, who_has_left
from tournaments.formats.table_result import ResultKind
from tournaments.models import MatchGame, Tournament
from tournaments.projections.counted_ends import places_by_side
from tournaments.queries.confirmation import check
from tournaments.queries.matches import match_view
from tournaments.queries.round_names import match_name
from tournaments.settings.confirmation import Check, confirmation_rule
from tournaments.settings.stage import stage_format

# What should stand in the place of a line: an end of the game, the same with other values, or nothing.
ENDING, SAME, NOTHING = "ending", "same", "nothing"


@organizer
def log(request: EventRequest, game: MatchGame) -> HttpResponse:
    """All lines, those that were taken out too."""
    sheet = _sheet(request, game)
    tournament = game.match.stage.tournament
    context = {
        "game": game,
        "where": match_name(game.match),
        "tournament": tournament,
        "lines": sheet.lines,
        "is_open": tournament.status == Tournament.Status.PUBLISHED,
        "outcome": outcome_sentence(Outcome.of_row(game.game), sheet.teams, game),
        "here": "board",
    }
    return page(request, "desk/log.html", context)


@organizer
def correct(request: EventRequest, game: MatchGame, line: int) -> HttpResponseBase:
    """Ask what is right, show what it would change, and store it when that is confirmed."""
    sheet = _sheet(request, game)
    found = sheet.line(line)
    if found is None:
        raise Http404
    if not found.can_change and "confirm" not in request.POST:
        fixed = Refusal(
            "void", "line {given} doesn't stand any more, or opens the game", given=line, line=line
        )
        return refused(request, fixed, now(game))
    asked = AskedCorrection(request, game, sheet, found)
    if request.method != "POST":
        return asked.page()
    replacement = asked.read()
    if replacement is None:
        return asked.page(status=422)
    reason: str = asked.reason.cleaned_data["reason"]
    if "confirm" not in request.POST:
        return _preview(request, asked, replacement, reason)
    # Who corrects what is disputed has settled it.
    is_settling = check(game, confirmation_rule(game.match.stage.tournament.settings)) is Check.DISPUTED
    try:
        enter_without(
            game,
            request.actor,
            asked.absent,
            replacement,
            partial(
                settle_by_correction if is_settling else results.correct,
                game,
                request.actor,
                line,
                replacement,
                reason,
                expected_version=expected_version(request),
                client_id=client_id(request),
            ),
        )
    except (ConflictError, Refusal) as refusal:
        return refused(request, refusal, now(game), sheet.player)
    return done(request, _("Corrected. The log keeps what stood there before."), "match", game.match_id)


class AskedCorrection:
    """The form of a correction: what should stand instead, and why."""

    def __init__(self, request: EventRequest, game: MatchGame, sheet: LogSheet, line: LogEntry) -> None:
        self.request = request
        self.game = game
        self.sheet = sheet
        self.line = line
        self.is_ending = line.event["type"] == "game_closed"
        data = request.POST if request.method == "POST" else None
        self.instead = request.POST.get("instead") or (ENDING if self.is_ending else SAME)
        self.values = (
            None if self.is_ending else LineForm(sheet, line.event, data if self.instead == SAME else None)
        )
        self.reason = ReasonForm(data, initial={"reason": ""})
        self.wrong = ""
        self.absent: frozenset[int] | None = None
        form = stage_format(game.match.stage)
        self._kind, self._plays_on_without = form.result_kind, form.plays_on_without

    def read(self) -> list[dict[str, Any]] | None:
        """The events that should stand instead; None if something is filled in badly."""
        replacement = self._replacement()
        return replacement if self.reason.is_valid() else None

    def _replacement(self) -> list[dict[str, Any]] | None:
        if self.instead == NOTHING:
            self.absent = who_has_left(self.game)
            return []
        if self.instead == ENDING:
            ending = read_ending(self.request, self.game)
            if isinstance(ending, str):
                self.wrong = ending
                return None
            self.absent = ending.absent
            return [dict(ending.event())]
        if self.values is None or not self.values.is_valid():
            return None
        return [self.values.changed()]

    def page(self, status: int = 200, refusals: list[str] | None = None) -> HttpResponse:
        """The form, with what was wrong in it."""
        context = {
            "asked": self,
            "where": match_name(self.game.match),
            "game": self.game,
            "line": self.line,
            "at_table": _sides_at(self.sheet, self.game),
            "counted": self._counted(),
            "adds_points": self._kind is ResultKind.POINTS,
            "can_miss": self._kind is ResultKind.POINTS and self._plays_on_without,
            "ranked": self._ranked(),
            "refusals": refusals or [],
            "tournament": self.game.match.stage.tournament,
            "here": "board",
        }
        return page(self.request, "desk/correct.html", context, status)

    def _ranked(self) -> list[tuple[int, Team, str, str]]:
        """The sides of a game that ranks them: number, team, players, and the place that was typed or stands
        there.
        """
        if self._kind is not ResultKind.PLACES:
            return []
        sides = _sides_at(self.sheet, self.game)
        stands = self.line.event.get("places") if self.is_ending else None
        by_seat = [stands[str(seat)] for seat in sorted(self.sheet.seats)] if stands else None
        places = dict(enumerate(map(str, places_by_side(by_seat, len(sides)) or ("",) * len(sides))))
        places |= dict.fromkeys(self._absent(), ABSENT[0])
        return [
            (number, team, players, self.request.POST.get(f"places-{number}", places[number]))
            for number, team, players in sides
        ]

    def _absent(self) -> list[int]:
        """The sides that weren't there, as the result counts."""
        match = match_view(self.game.match_id)
        return [at for at, side in enumerate(match.sides) if side.is_absent] if match else []

    def _counted(self) -> list[tuple[int, str, str]]:
        """Seats whose points the rules count: number, name, and what was typed in or stands there."""
        if not results.counts_points(self.game.game):
            return []
        stands = dict(self.line.event.get("scores", {})) if self.is_ending else {}
        if self._kind is ResultKind.POINTS:
            away, sides = self._absent(), len(self.game.sides)
            stands |= {str(seat): ABSENT[0] for seat in self.sheet.seats if seat % sides in away}
        return [
            (seat, name, self.request.POST.get(f"points-{seat}", str(stands.get(str(seat), ""))))
            for seat, (name, _team) in sorted(self.sheet.seats.items())
        ]


def _preview(
    request: EventRequest, asked: AskedCorrection, replacement: list[dict[str, Any]], reason: str
) -> HttpResponse:
    game, line, sheet = asked.game, asked.line, asked.sheet
    try:
        expect_absent(game, asked.absent, replacement)
        plan = results.preview_correction(game, request.actor, line.number, replacement, reason)
    except (Refusal, Refused) as refusal:
        return asked.page(422, sentences(refusal, sheet.player))
    tournament = game.match.stage.tournament
    context = {
        "asked": asked,
        "game": game,
        "line": line,
        "tournament": tournament,
        "plan": plan,
        "was": line.telling.happened.parts,
        "instead": [sheet.said(event) for event in replacement],
        "before": outcome_sentence(plan.before, sheet.teams, game),
        "after": outcome_sentence(plan.after, sheet.teams, game, asked.absent),
        # The lines that can't follow any more: number, what they say, why.
        "dropped": [
            (each.line, sheet.said(each.event), " ".join(sentences(each.refusal, sheet.player)))
            for each in plan.dropped
        ],
        "consequences": of_outcome(tournament, game.game_id, plan.after, names(request.event))
        if plan.before != plan.after
        else None,
        "again": [
            (name, value)
            for name, values in request.POST.lists()
            for value in values
            if name not in ("csrfmiddlewaretoken", "client_id", "expected_version")
        ],
        "here": "board",
    }
    return page(request, "desk/correct_preview.html", context)


def _sheet(request: EventRequest, game: MatchGame) -> LogSheet:
    seats = game.game.seats.values_list("entry", flat=True)
    return LogSheet(game, names(request.event, seats), request.event.teams.in_bulk())


def _sides_at(sheet: LogSheet, game: MatchGame) -> list[tuple[int, Any, str]]:
    """The sides of a game: the first seat of each, its team, its players."""
    count = len(game.sides)
    return [
        (
            first,
            sheet.seats[first][1],
            ", ".join(name for seat, (name, _team) in sorted(sheet.seats.items()) if seat % count == first),
        )
        for first in range(count)
    ]
