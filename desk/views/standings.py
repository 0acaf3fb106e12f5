"""The standings at the desk: every value, lots, points by decision, closing, receipts, verification."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from desk.forms.placements import PlayOffForm
from desk.forms.tournaments import AdjustForm, ReasonForm
from desk.page import caller, done, names, organizer, organizer_post, page
from desk.stage_squads import RankedContestant, ranked_in
from desk.standings_impact import of_adjustment, of_play_off
from ledger.models import Receipt
from people.access import EventRequest
from rendering.text.numbers import spoken
from tournaments.commands.adjust import adjust_points, adjustments
from tournaments.commands.close import close_tournament, reopen_tournament
from tournaments.commands.ties import check_play_off, decide_play_off, draw_lots, play_offs
from tournaments.facts.reasons import REASONS
from tournaments.models import Squad, StandingsVersion, Tournament
from tournaments.projections import standings as standing
from tournaments.queries.confirmation import to_check
from tournaments.queries.order_reasons import knockout_ends, reasons_of
from tournaments.queries.outlook import condition, outlook_rows, outlook_table
from tournaments.queries.standings import StandingsTable, standings_table
from tournaments.settings.stage import may_need_fewer
from tournaments.standings import METRICS, TiePolicy
from tournaments.verification import verify as check

MOST_FINDINGS = 50


def _page(request: EventRequest, tournament: Tournament, **more: Any) -> HttpResponse:
    """The standings as of now."""
    is_public = tournament.status in Tournament.PUBLIC
    version = standing.compute(tournament.pk) if is_public else None
    table = standings_table(tournament) if version else None
    outlook = outlook_table(tournament) if table else None
    if table is None or (outlook is not None and outlook.version.pk != table.version.pk):
        # Beside newer standings it would say what isn't so any more.
        outlook = None
    ranked = ranked_in(tournament, names(request.event))
    squads = {pk: each.name for pk, each in ranked.items() if each.names}
    stage, stage_format = _stage_on(tournament)
    open_games = version.games_total - version.games_played if version else 0
    context = {
        "tournament": tournament,
        "is_public": is_public,
        "version": version,
        "metrics": _metrics(tournament, table),
        "rows": _rows(table, ranked, stage_format) if table else [],
        "groups": _groups(version, ranked) if version else [],
        "receipts": list(Receipt.objects.filter(scope=request.event.pk).order_by("-number")[:10]),
        "adjust_form": AdjustForm(_adjustable(ranked, table)),
        "adjusted": _adjusted(tournament, ranked),
        "reason_form": ReasonForm(),
        "outlook": outlook,
        "outlook_lines": outlook_rows(outlook, squads) if outlook else [],
        "outlook_condition": condition(outlook) if outlook else "",
        "to_confirm": to_check(tournament).count(),
        "open_games": open_games,
        "may_need_fewer": may_need_fewer(tournament.settings, stage, open_games),
        "by_play_off": tournament.settings["tie_policy"] == TiePolicy.PLAY_OFF,
        "play_off_forms": _play_off_forms(tournament, version, ranked),
        "here": tournament.slug,
    }
    return page(request, "desk/standings.html", context | more, 422 if "wrong" in more else 200)


standings = organizer(_page)


def _adjustable(ranked: dict[UUID, RankedContestant], table: StandingsTable | None) -> list[RankedContestant]:
    """Who can be given points: the teams, or the squads that stand in the standings."""
    known = {row.contestant_id for row in table.rows} if table else set()
    return [each for each in ranked.values() if not each.players or each.pk in known]


def _adjusted(
    tournament: Tournament, ranked: dict[UUID, RankedContestant]
) -> list[tuple[RankedContestant, int, str, int]]:
    """The points by decision that hold and can be taken back: whose, how many, why, and their opposite."""
    if tournament.status != Tournament.Status.PUBLISHED:
        return []
    return [
        (ranked[each.team], int(each.points), str(REASONS[each.code]), int(-each.points))
        for each in adjustments(tournament)
    ]


def _metrics(tournament: Tournament, table: StandingsTable | None) -> list[str]:
    """What the columns are called; with several stages they begin with the place in the last one."""
    rows = table.rows if table else ()
    keys = [key for key, _value in rows[0].metrics] if rows else tournament.settings["metrics"]
    return [_(METRICS[key].name) for key in keys]


def _groups(version: StandingsVersion, ranked: dict[UUID, RankedContestant]) -> list[dict[str, Any]]:
    """The tables of the groups of the stage that is on, by their first metric; `missing` are the matches of a
    group that aren't decided.
    """
    return [
        {
            "name": group["name"],
            "metric": _(METRICS[group["rows"][0]["metrics"][0][0]].name) if group["rows"] else "",
            "rows": [
                (row["place"], row["is_tied"], ranked[UUID(row["squad"])], _value(row["metrics"][0][1]))
                for row in group["rows"]
            ],
            "missing": group["missing"],
        }
        for group in version.groups
    ]


def _value(value: str | None) -> str:
    return "–" if value is None else spoken(value)


def _stage_on(tournament: Tournament) -> tuple[int, str]:
    """The number and the format of the stage that is on, or of the first before the draw."""
    last = tournament.stages.order_by("-number").values_list("number", "format").first()
    return last or (1, str(tournament.settings["format"]))


def _rows(
    table: StandingsTable, ranked: dict[UUID, RankedContestant], stage_format: str
) -> list[dict[str, Any]]:
    """Whose each row is, a value for each metric, and in words why it stands where it does."""
    names = {str(row.contestant_id): ranked[row.contestant_id].short for row in table.rows}
    reasons = reasons_of(table, names, stage_format, knockout_ends(table.version, stage_format))
    return [
        {
            "standing": row,
            "ranked": ranked[row.contestant_id],
            "values": [_value(value) for _key, value in row.metrics],
            "reason": reasons[row.contestant_id],
        }
        for row in table.rows
    ]


@organizer_post
def lots(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Draw lots among the teams of every tie that matters."""
    draw_lots(tournament, caller(request))
    return done(request, _("The lots are drawn and recorded."), "standings", tournament.slug)


def _play_off_forms(
    tournament: Tournament, version: StandingsVersion | None, ranked: dict[UUID, RankedContestant]
) -> list[PlayOffForm]:
    """A form for each tie that a play-off can break, once all games are played; those still open first."""
    if (
        version is None
        or tournament.status != Tournament.Status.PUBLISHED
        or version.games_played < version.games_total
        or not version.is_all_drawn
    ):
        return []
    ties = sorted(play_offs(tournament), key=lambda tie: tie.order is not None)
    return [PlayOffForm([ranked[one] for one in tie.teams], tie.order) for tie in ties]


@organizer_post
def play_off(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Enter how a play-off among those who are level came out, or correct it; first what it would change."""
    ranked = ranked_in(tournament, names(request.event))
    teams = [each for pk, each in ranked.items() if f"place_{pk}" in request.POST]
    before = [each.pk for each in teams] if "reason" in request.POST else None
    form = PlayOffForm(teams, before, request.POST)
    if not form.is_valid():
        return _page(request, tournament, filled_play_off=form, wrong=True)
    order, reason = form.order_given(), form.reason
    if "confirm" not in request.POST:
        check_play_off(tournament, [order], reason)
        return _page(
            request,
            tournament,
            filled_play_off=form,
            playing_off=[ranked[one] for one in order],
            consequences=of_play_off(tournament, order, names(request.event)),
        )
    decide_play_off(tournament, caller(request), [order], reason)
    return done(request, _("The play-off is recorded."), "standings", tournament.slug)


@organizer_post
def adjust(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Give a team points, or take them; first what it would change, then for good."""
    ranked = ranked_in(tournament, names(request.event))
    form = AdjustForm(_adjustable(ranked, standings_table(tournament)), request.POST)
    if not form.is_valid():
        return _page(request, tournament, adjust_form=form, wrong=True)
    whose = form.whose()
    given = (form.cleaned_data["points"], form.cleaned_data["reason"])
    if "confirm" not in request.POST:
        change = of_adjustment(tournament, whose.pk, *given, names(request.event))
        return _page(
            request,
            tournament,
            adjust_form=form,
            adjusting=whose,
            adjusted_by=abs(given[0]),
            consequences=change,
        )
    squad = Squad.objects.select_related("stage").filter(pk=whose.pk).first() if whose.players else None
    adjust_points(tournament, caller(request), whose.team, *given, squad)
    told = ngettext("%(team)s: %(points)s point.", "%(team)s: %(points)s points.", abs(given[0]))
    words = told % {"team": whose.name, "points": f"{given[0]:+d}"}
    return done(request, words, "standings", tournament.slug)


@organizer_post
def close(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Close the tournament: its standings are final, and a receipt seals everything."""
    close_tournament(tournament, caller(request))
    return done(
        request, _("The tournament is closed; its standings are final."), "standings", tournament.slug
    )


@organizer_post
def reopen(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Let results be corrected again."""
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _page(request, tournament, reason_form=form, wrong=True)
    reopen_tournament(tournament, caller(request), form.cleaned_data["reason"])
    return done(request, _("The tournament is open again."), "standings", tournament.slug)


@organizer_post
def verify(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Compare everything that is stored of the event with its facts; changes nothing."""
    findings = [str(finding) for finding in check.verify(request.event)]
    return _page(
        request,
        tournament,
        verified=True,
        findings=findings[:MOST_FINDINGS],
        more_findings=max(0, len(findings) - MOST_FINDINGS),
    )
