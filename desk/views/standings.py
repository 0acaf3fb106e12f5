"""The standings at the desk: every value, lots, points by decision, closing, receipts, verification."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from desk.consequences import of_adjustment
from desk.forms.tournaments import AdjustForm, PlayOffForm, ReasonForm
from desk.page import client_id, done, expected_version, find_tournament, organizer, page
from ledger.models import Receipt
from people.access import EventRequest
from people.models import Team
from tournaments import check, reading, standing
from tournaments.actions.adjust import adjust_points
from tournaments.actions.close import close_tournament, reopen_tournament
from tournaments.actions.ties import PlayOff, decide_play_off, draw_lots, play_offs
from tournaments.models import Standing, StandingsVersion, Tournament
from tournaments.outlooks import outlook_table
from tournaments.prospects import lines
from tournaments.reading import StandingsTable
from tournaments.standings import METRICS, TiePolicy

PUBLIC = (Tournament.Status.PUBLISHED, Tournament.Status.CLOSED)
MOST_FINDINGS = 50


@dataclass(frozen=True, slots=True)
class Row:
    """A team's row: a value for each metric, and what puts it above the next."""

    standing: Standing
    values: tuple[str, ...]
    decided_by: str
    movement: int | None


@organizer
def standings(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """The standings as of now."""
    return _page(request, find_tournament(request, tournament_slug))


def _page(request: EventRequest, tournament: Tournament, **more: Any) -> HttpResponse:
    is_public = tournament.status in PUBLIC
    version = standing.compute(tournament.pk) if is_public else None
    table = reading.standings_table(tournament) if version else None
    outlook = outlook_table(tournament) if version else None
    context = {
        "tournament": tournament,
        "is_public": is_public,
        "version": version,
        "metrics": [_(METRICS[key].name) for key in tournament.settings["metrics"]],
        "rows": _rows(table) if table else [],
        "receipts": list(Receipt.objects.filter(scope=request.event.pk).order_by("-number")[:10]),
        "adjust_form": AdjustForm(request.event),
        "reason_form": ReasonForm(),
        "outlook": outlook,
        "outlook_lines": lines(outlook, {}) if outlook else [],
        "open_games": version.games_total - version.games_played if version else 0,
        "by_play_off": tournament.settings["tie_policy"] == TiePolicy.PLAY_OFF,
        "play_off_forms": _play_off_forms(tournament, version),
        "here": tournament.slug,
    }
    return page(request, "desk/standings.html", context | more, 422 if "wrong" in more else 200)


def _rows(table: StandingsTable) -> list[Row]:
    return [
        Row(
            row,
            tuple("–" if value is None else value for _key, value in row.metrics),
            _(METRICS[row.decided_by["metric"]].name) if row.decided_by else "",
            table.movement.get(row.team_id),
        )
        for row in table.rows
    ]


@organizer
@require_POST
def lots(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Draw lots among the teams of every tie that matters."""
    tournament = find_tournament(request, tournament_slug)
    draw_lots(
        tournament, request.actor, expected_version=expected_version(request), client_id=client_id(request)
    )
    return done(request, _("The lots are drawn and recorded."), "standings", tournament.slug)


def _play_off_forms(tournament: Tournament, version: StandingsVersion | None) -> list[PlayOffForm]:
    """A form for each tie that a play-off can break, once all games are played; those still open first."""
    if (
        version is None
        or tournament.status != Tournament.Status.PUBLISHED
        or version.games_played < version.games_total
    ):
        return []
    ties = play_offs(tournament)
    teams = {team.pk: team for team in tournament.event.teams.all()} if ties else {}
    return [
        PlayOffForm([teams[team] for team in tie.teams], tie.order) for tie in sorted(ties, key=_is_decided)
    ]


def _is_decided(tie: PlayOff) -> bool:
    return tie.order is not None


@organizer
@require_POST
def play_off(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Enter how a play-off among those who are level came out, or correct it."""
    tournament = find_tournament(request, tournament_slug)
    teams = [team for team in request.event.teams.all() if f"place_{team.pk}" in request.POST]
    before = [team.pk for team in teams] if "reason" in request.POST else None
    form = PlayOffForm(teams, before, request.POST)
    if not form.is_valid():
        return _page(request, tournament, wrong_play_off=form, wrong=True)
    decide_play_off(
        tournament,
        request.actor,
        [form.order_given()],
        form.cleaned_data.get("reason"),
        expected_version=expected_version(request),
        client_id=client_id(request),
    )
    return done(request, _("The play-off is recorded."), "standings", tournament.slug)


@organizer
@require_POST
def adjust(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Give a team points, or take them; first what it would change, then for good."""
    tournament = find_tournament(request, tournament_slug)
    form = AdjustForm(request.event, request.POST)
    if not form.is_valid():
        return _page(request, tournament, adjust_form=form, wrong=True)
    team: Team = form.cleaned_data["team"]
    if "confirm" not in request.POST:
        change = of_adjustment(tournament, team, form.cleaned_data["points"], form.cleaned_data["reason"])
        return _page(request, tournament, adjust_form=form, adjusting=team, consequences=change)
    adjust_points(
        tournament,
        request.actor,
        team,
        form.cleaned_data["points"],
        form.cleaned_data["reason"],
        expected_version=expected_version(request),
        client_id=client_id(request),
    )
    told = {"team": team.name, "points": f"{form.cleaned_data['points']:+d}"}
    return done(request, _("%(team)s: %(points)s points.") % told, "standings", tournament.slug)


@organizer
@require_POST
def close(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Close the tournament: its standings are final, and a receipt seals everything."""
    tournament = find_tournament(request, tournament_slug)
    close_tournament(
        tournament, request.actor, expected_version=expected_version(request), client_id=client_id(request)
    )
    return done(
        request, _("The tournament is closed; its standings are final."), "standings", tournament.slug
    )


@organizer
@require_POST
def reopen(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Let results be corrected again."""
    tournament = find_tournament(request, tournament_slug)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _page(request, tournament, reason_form=form, wrong=True)
    reopen_tournament(
        tournament,
        request.actor,
        form.cleaned_data["reason"],
        expected_version=expected_version(request),
        client_id=client_id(request),
    )
    return done(request, _("The tournament is open again."), "standings", tournament.slug)


@organizer
@require_POST
def verify(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Compare everything that is stored of the event with its facts; changes nothing."""
    tournament = find_tournament(request, tournament_slug)
    findings = [str(finding) for finding in check.verify(request.event)]
    return _page(
        request,
        tournament,
        verified=True,
        findings=findings[:MOST_FINDINGS],
        more_findings=max(0, len(findings) - MOST_FINDINGS),
    )
