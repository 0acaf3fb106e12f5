"""Reasons in one line why a team stands ahead of the next.

The order itself, and what decided it, come from `tournaments.standings`; here it is only put into words.
Standings keep only the place that a bracket gives: by what match it came about ("Won the final", "Out in the
quarter-finals") is worked out when it is shown, from what that version of the standings has read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext, pgettext

from rendering.text.numbers import spoken_apart
from tournaments.facts import earlier
from tournaments.formats.catalogue import BRACKETS, PLACED
from tournaments.formats.elimination import titles
from tournaments.formats.elimination.format import last_matches_of
from tournaments.formats.elimination.places import LastMatch
from tournaments.formats.errors import gettext_noop
from tournaments.models import Standing, StandingsVersion
from tournaments.projections.rebuild import inputs_of
from tournaments.projections.removed_squads import is_ranked_last, removed
from tournaments.projections.rounds.draw_comparison import as_due
from tournaments.projections.rounds.ranking import squad_ids
from tournaments.projections.standings_inputs import StandingsInputs, as_entered, inputs
from tournaments.queries.standings import StandingsTable
from tournaments.standings import METRICS


@dataclass(frozen=True, slots=True)
class KnockoutEnd:
    """The last match of a squad in the bracket that is on, and who the other was there.

    Of a squad that didn't come into it: the stage (from 1) that was its last.
    """

    match: LastMatch | None
    other: UUID | None = None
    stage: int = 0


_OF_PLACES: Final = {
    titles.FINAL.template: (gettext_noop("Won the final"), gettext_noop("Lost the final to %(name)s")),
    titles.THIRD.template: (
        gettext_noop("Won the match for third place"),
        gettext_noop("Lost the match for third place to %(name)s"),
    ),
    titles.FIFTH.template: (
        gettext_noop("Won the match for fifth place"),
        gettext_noop("Lost the match for fifth place to %(name)s"),
    ),
    titles.SEVENTH.template: (
        gettext_noop("Won the match for seventh place"),
        gettext_noop("Lost the match for seventh place to %(name)s"),
    ),
}
_OUT: Final = {
    titles.knockout_round(4).template: gettext_noop("Out in the semi-finals"),
    titles.knockout_round(8).template: gettext_noop("Out in the quarter-finals"),
    titles.knockout_round(16).template: gettext_noop("Out in the round of 16"),
    titles.knockout_round(32).template: gettext_noop("Out in the round of 32"),
    titles.knockout_round(64).template: gettext_noop("Out in the round of 64"),
    titles.knockout_round(128).template: gettext_noop("Out in the round of 128"),
    titles.knockout_round(256).template: gettext_noop("Out in the round of %(left)d"),
    titles.losers_round(1).template: gettext_noop("Out in the losers’ bracket, round %(number)d"),
}


def knockout_ends(version: StandingsVersion, stage_format: str) -> dict[UUID, KnockoutEnd]:
    """How it ended for each squad that has a place, by its id.

    Two queries, more where results have come since the version. None where nothing is played, or the stage
    that is on (of this format) isn't a bracket.
    """
    if stage_format not in BRACKETS or not version.games_played:
        return {}
    read_in = inputs_of_version(version)
    *before, course = read_in.courses
    ids = squad_ids(read_in.courses)
    ends = {
        ids[earlier.key(number)]: KnockoutEnd(None, stage=earlier.number)
        for earlier in before
        for number in range(1, len(earlier.squads) + 1)
    }
    for number in range(1, len(course.squads) + 1):
        ends.pop(ids[course.key(number)], None)
    last = last_matches_of(course.format, as_due(course).progress)
    return ends | {
        ids[course.key(number)]: KnockoutEnd(
            match, None if match.other is None else ids[course.key(match.other)]
        )
        for number, match in last.items()
    }


def inputs_of_version(version: StandingsVersion) -> StandingsInputs:
    """What a version has read. A game that isn't over counts as before, whatever was written in it since.

    Two queries, more where results have come since.
    """
    tournament = version.tournament
    entered = as_entered(tournament)
    moved = {UUID(stream) for stream, _head in entered.heads.items() ^ version.heads.items()}
    for stream in moved - {tournament.pk}:
        if stream not in entered.outcomes or entered.outcomes[stream].is_over:
            # Logs have to be replayed to that moment.
            (read_in,) = inputs_of(tournament, [version])
            return read_in
    decisions = earlier.decisions(tournament.pk, until=version.heads[str(tournament.pk)])
    return inputs(decisions, entered.outcomes, entered.confirmed)


def knockout_text(end: KnockoutEnd | None, names: Mapping[str, str]) -> str:
    """It in words; `names` are short names by id. Empty where there is nothing to be said."""
    if end is None:
        return ""
    if end.match is None:
        return gettext("Out in stage %(number)d") % {"number": end.stage}
    if end.match.is_passed_over:
        return _passed_over(end.match, names[str(end.other)])
    title = end.match.title
    template = titles.FINAL.template if title == titles.DECIDING_FINAL else title.template
    if template in _OF_PLACES:
        won, lost = _OF_PLACES[template]
        if not end.match.is_won and end.other is None:
            return ""
        said = gettext(won) if end.match.is_won else gettext(lost) % {"name": names[str(end.other)]}
        return gettext("%(what)s, by walkover") % {"what": said} if end.match.is_walkover else said
    if end.match.is_won or template not in _OUT:
        return ""
    return gettext(_OUT[template]) % dict(title.values)


def _passed_over(match: LastMatch, name: str) -> str:
    """Why somebody is out who has won their match by a correction; `name` is who went on."""
    out = _OUT.get(match.title.template)
    if out is None:
        return gettext("%(name)s went on before a correction") % {"name": name}
    what = gettext(out) % dict(match.title.values)
    return gettext("%(what)s: %(name)s went on before a correction") % {"what": what, "name": name}


@dataclass(frozen=True, slots=True)
class ShownTie:
    """Whom a team shares its place with (short names), and what has still to decide among them: `lots`,
    `play_off`, or nothing.
    """

    others: Sequence[str]
    awaits: str = ""


def reason(
    decided_by: Mapping[str, Any] | None,
    names: Mapping[str, str],
    tie: ShownTie | None = None,
    gone: Sequence[str] = (),
) -> str:
    """The line under a team's name; empty for the last one.

    `decided_by` is a standing's: metric, value, next_value, among (team ids as text), and `missing` where
    games among these are missing; `names` are the teams' short names by id. `gone` are the short names of
    those who come next only because they were removed, whom no metric puts there.
    """
    ahead = _ahead(decided_by, names) if decided_by is not None else ""
    if gone:
        ahead = gettext("Ahead of %(names)s: removed, and last") % {"names": _together(gone)}
    return ahead if tie is None else level(tie, ahead)


def level(tie: ShownTie, ahead: str) -> str:
    """The line of a team that shares its place; `ahead` is what puts all of them before the next."""
    words = {"names": _together(tie.others)}
    if tie.awaits == "play_off":
        line = gettext("Level with %(names)s: a play-off will decide") % words
    elif tie.awaits:
        line = gettext("Level with %(names)s: lots will be drawn") % words
    else:
        line = gettext("Level with %(names)s") % words
    if not ahead:
        return line
    return gettext("%(why)s; %(ahead)s") % {"why": line, "ahead": ahead[:1].lower() + ahead[1:]}


def _ahead(decided_by: Mapping[str, Any], names: Mapping[str, str]) -> str:
    among = [names[team] for team in decided_by["among"]]
    value, following = spoken_apart(decided_by["value"], decided_by["next_value"])
    return _sentence(decided_by, among) % {
        "value": value,
        "next": following,
        "names": _together(among),
        "count": len(among),
    }


def _sentence(decided_by: Mapping[str, Any], among: Sequence[str]) -> str:
    """The metric's own; the direct match among more than two says among whom, and what is missing of it."""
    metric = decided_by["metric"]
    if decided_by.get("missing"):
        return gettext(
            "Ahead by the direct match, whatever the missing games give: %(value)s to at most %(next)s"
        )
    if metric not in _AMONG_THEMSELVES or len(among) == 2:
        return gettext(METRICS[metric].ahead)
    if len(among) <= _NAMED:
        return gettext("Ahead in the games among %(names)s: %(value)s to %(next)s")
    return gettext("Ahead in the games among the %(count)d who were level: %(value)s to %(next)s")


_BY_FORMAT: Final = "stage_place"

_AMONG_THEMSELVES: Final = {"direct_match", "direct_match_once"}

_NAMED = 3
"""More teams than these are counted, not named: the line has to stay one."""


def _together(names: Sequence[str]) -> str:
    """Names in a row; where they are many, how many they are."""
    if len(names) > _NAMED:
        return pgettext("teams", "%(count)d others") % {"count": len(names)}
    if len(names) < 2:
        return "".join(names)
    return gettext("%(first)s and %(last)s") % {"first": ", ".join(names[:-1]), "last": names[-1]}


def reasons_of(
    table: StandingsTable,
    names: Mapping[str, str],
    stage_format: str = "",
    ends: Mapping[UUID, KnockoutEnd] | None = None,
) -> dict[UUID, str]:
    """Why each row of the standings is ahead of the next, with whom it is level, or that it was removed; by
    who stands in it. Before the first game everybody is level, and nothing has to be
    explained.

    `names` are short names by id, `stage_format` is the format of the stage that is on, where rounds are
    drawn. Where a bracket gives the places, `ends` say how it ended for whom.
    """
    in_knockout = still_in(table, stage_format)
    return {
        row.contestant_id: removed(
            row.removal,
            ""
            if row.contestant_id in in_knockout
            else _reason(row, table, names, knockout_text((ends or {}).get(row.contestant_id), names)),
        )
        for row in table.rows
    }


def still_in(table: StandingsTable, stage_format: str) -> set[UUID]:
    """Who shares the first place for no other reason than that the knockout runs."""
    version = table.version
    if stage_format not in PLACED or version.is_final or version.groups or not version.games_total:
        return set()
    return {
        row.contestant_id
        for row in table.rows
        if row.place == 1 and row.is_tied and row.metrics and row.metrics[0][0] == _BY_FORMAT
    }


def _reason(row: Standing, table: StandingsTable, names: Mapping[str, str], end: str) -> str:
    version = table.version
    # Places that are entered by hand have no games.
    if not version.games_played and (version.games_total or not version.is_all_drawn):
        return ""
    decided_by = row.decided_by
    if decided_by is not None and decided_by["metric"] != _BY_FORMAT:
        ahead = _ahead(decided_by, names)
    elif end or decided_by is not None:
        # The place itself says how far one came, and `end` by what match.
        ahead = end
    else:
        gone = [
            names[str(other.contestant_id)]
            for other in table.rows
            if other.place > row.place and is_ranked_last(other.removal)
        ]
        ahead = reason(None, names, gone=gone)
    if not row.is_tied:
        return ahead if row.placement_points else gettext("Waits for a decision in another group")
    others = [names[other] for other in _tied_with(row, table)]
    return level(ShownTie(others, "" if row.placement_points else _awaited(row)), ahead)


def _tied_with(row: Standing, table: StandingsTable) -> list[str]:
    """Who shares its place, by id; while a decision in its group is awaited, who waits for it there."""
    own = str(row.contestant_id)
    in_groups = {
        each["squad"]: (group["name"], each) for group in table.version.groups for each in group["rows"]
    }
    group, in_group = in_groups.get(own, ("", {"is_tied": False}))
    return [
        other
        for each in table.rows
        if each.is_tied and each.place == row.place and (other := str(each.contestant_id)) != own
        if row.placement_points or not in_group["is_tied"] or in_groups[other][0] == group
    ]


def _awaited(row: Standing) -> str:
    """What has to decide first; of the two the play-off is asked before lots."""
    return "play_off" if "play_off" in dict(row.metrics) else "lots"
