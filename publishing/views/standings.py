"""The standings: who is ahead and why, now or as of an earlier moment, and the order in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from people.moment_parsing import BadMomentError, moment_asked
from publishing.counted_matches import inputs_at_tables, meetings, sat_out, tables_played
from publishing.errors import NO_MOMENT, error_response
from publishing.page_cache import shared
from publishing.responses import tournament_page
from publishing.standings_rows import RowNames, groups, rows, squads_in, steps
from publishing.subjects import PageSubject, shows_tournament
from rendering.text.numbers import spoken
from tournaments.facts.reasons import REASONS
from tournaments.formats.catalogue import FORMATS
from tournaments.formats.points import POINTS
from tournaments.models import StandingsVersion
from tournaments.projections.round_end_places import has_chart
from tournaments.queries.order_reasons import knockout_ends
from tournaments.queries.outlook import decided
from tournaments.queries.standings import StandingsTable, standings_table
from tournaments.settings.bell import BELL_RULES
from tournaments.settings.stage import may_need_fewer
from tournaments.standings import METRICS, TIE_POLICIES


@dataclass(frozen=True, slots=True)
class OrderChange:
    """The order decided anew while the tournament ran: when, why, and what each setting was and is now."""

    at: datetime
    reason: str
    lines: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Order:
    """The metrics with their explanations, what a match gives in each stage, what tied ones get, and the
    changes, oldest first.
    """

    metrics: tuple[tuple[str, str], ...]
    points: tuple[str, ...]
    ties: str
    changes: tuple[OrderChange, ...]


def order(rules: Mapping[str, Any], settings: Mapping[str, Any]) -> Order | None:
    """The words for what a version of the standings keeps, and what the tournament's settings say of points;
    None where it keeps nothing.
    """
    if not rules:
        return None
    return Order(
        tuple((gettext(METRICS[key].name), gettext(METRICS[key].explanation)) for key in rules["metrics"]),
        tuple(_points(settings)),
        gettext(TIE_POLICIES[rules["tie_policy"]].explanation),
        tuple(
            OrderChange(
                datetime.fromisoformat(change["at"]),
                str(REASONS[change["reason"]]),
                tuple(
                    (_names()[name], _told(name, change["before"][name]), _told(name, after))
                    for name, after in change["after"].items()
                ),
            )
            for change in rules["changes"]
        ),
    )


def _points(settings: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each stage in which a match, or a place at a table, gives points."""
    for stage in (settings, *(settings.get("later") or ())):
        choice = FORMATS[stage["format"]]
        chosen = choice.build(choice.complete(stage.get("options") or {}))
        if chosen.place_points:
            told = gettext(
                "%(format)s: the places at a full table give %(points)s points; who shares places has their "
                "mean. A smaller table gives as much on average, and so does a round without a table."
            )
            scale = "–".join(spoken(str(each)) for each in chosen.place_points)
            yield told % {"format": gettext(choice.name), "points": scale}
        if not choice.sets_points:
            continue
        gives = chosen.points
        words = {"win": _in_words(gives.win), "draw": _in_words(gives.draw), "loss": _in_words(gives.loss)}
        told = gettext("%(format)s: a win gives %(win)s, a draw %(draw)s, a loss %(loss)s.")
        sentence = told % {"format": gettext(choice.name), **words}
        if choice.grants_byes:
            bye, asked, missed = map(_in_words, chosen.unplayed_points)
            more = gettext(
                "A bye gives %(bye)s, one that was asked for %(asked)s, a round before one came %(missed)s."
            )
            sentence = f"{sentence} {more % {'bye': bye, 'asked': asked, 'missed': missed}}"
        yield sentence


def _in_words(points: Fraction) -> str:
    return POINTS[str(points)]


def _names() -> dict[str, str]:
    return {
        "metrics": gettext("What decides the order"),
        "tie_policy": gettext("Who is still level"),
        "scale": gettext("What places are worth"),
        "bell": gettext("Still level when the bell rings"),
    }


def _told(name: str, value: Any) -> str:
    match name:
        case "metrics":
            return ", ".join(gettext(METRICS[key].name) for key in value)
        case "tie_policy":
            return gettext(TIE_POLICIES[value].name)
        case "scale":
            return ", ".join(map(str, value))
        case _:
            return str(BELL_RULES[value])


@shows_tournament
def standings(request: HttpRequest, subject: PageSubject) -> HttpResponse:
    """The standings; five queries at most, six of a Swiss, eight of a bracket. A reader who has them
    already costs one.
    """
    asked = request.GET.get("at")
    at: datetime | None = None
    if asked:
        try:
            at = moment_asked(asked, subject.event)
        except BadMomentError:
            return error_response(request, NO_MOMENT)
    stamp = standings_stamp(subject)
    return tournament_page(request, subject, "standings", stamp, lambda: _context(subject, at))


def standings_stamp(subject: PageSubject) -> str:
    """What the page stands on: its version, and whether the first place is sure."""
    return f"{subject.stamp} {subject.first_is_decided}"


def _context(subject: PageSubject, at: datetime | None) -> dict[str, Any]:
    tournament = subject.tournament
    key = ("standings", tournament.pk, at)
    table = shared(key, lambda: standings_table(tournament, at)) if subject.is_shown else None
    context: dict[str, Any] = {"at": at, "clock": subject.clock if at is None else None}
    if table is None:
        return context
    names = names_in(subject, table)
    version = table.version
    against = shared(("meetings", version.pk), lambda: meetings(version, table.rows, names.short))
    at_tables = shared(("at tables", version.pk), lambda: inputs_at_tables(version))
    tables = tables_played(at_tables, version, names.short)
    resting = shared(("sat out", version.pk), lambda: sat_out(version, at_tables))
    ends = shared(("knockout ends", version.pk), lambda: knockout_ends(version, subject.stage_format))
    lines = rows(table, names, subject.stage_format, against, resting, ends, tables)
    in_groups = groups(table, lines, names, tournament.settings, subject.stage)
    return context | {
        "version": version,
        "may_need_fewer": may_need_fewer(
            tournament.settings, subject.stage, version.games_total - version.games_played
        ),
        "has_day": has_chart(version, subject.stage_format),
        # While groups are played there is nothing to be said across them.
        "rows": lines if table.version.is_final or not in_groups else [],
        "groups": in_groups,
        "steps": steps(table, names),
        "order": order(version.order, tournament.settings),
        # That of a past moment; of final standings the one that their sheet has; else the newest.
        "receipt": version.receipt
        if at is not None
        else (version.receipt if version.is_final else "") or subject.receipt,
        "is_open": _is_open(version),
        "decided": _decided(subject, table, names) if at is None else "",
    }


def _is_open(version: StandingsVersion) -> bool:
    """Whether a place can still change."""
    is_over = version.is_all_drawn and version.games_played == version.games_total
    return not version.is_final and (not is_over or version.has_open_ties or bool(version.outdated))


def _decided(subject: PageSubject, table: StandingsTable, names: RowNames) -> str:
    """The line that says that the first place can't change any more; empty while it can, or is final.

    The table may have come after the subject was read: of another version an outlook says nothing.
    """
    if not subject.first_is_decided or subject.outlook != table.version.number or table.version.outdated:
        return ""
    if not 0 < table.version.games_played < table.version.games_total:
        return ""
    return decided([names.long[row.contestant_id] for row in table.rows if row.place == 1])


def names_in(subject: PageSubject, table: StandingsTable) -> RowNames:
    """What those in a table are called; one query where squads are ranked."""
    return RowNames.of(table.rows, squads_in(subject.event, [table]))
