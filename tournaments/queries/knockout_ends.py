"""The end of each squad's knockout in a few words: "Won the final", "Out in the quarter-finals".

The standings keep only the place that the bracket gives. By what match it came about is worked out when it is
shown, from what that version of the standings has read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.utils.translation import gettext

from tournaments.facts import earlier
from tournaments.formats.catalogue import BRACKETS
from tournaments.formats.elimination import titles
from tournaments.formats.elimination.format import last_matches_of
from tournaments.formats.elimination.places import LastMatch
from tournaments.formats.errors import gettext_noop
from tournaments.models import StandingsVersion
from tournaments.projections.rebuild import inputs_of
from tournaments.projections.rounds.ranking import squad_ids
from tournaments.projections.rounds.redraw import as_due
from tournaments.projections.standings_inputs import StandingsInputs, as_entered, inputs


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
    read_in = _read_by(version)
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


def _read_by(version: StandingsVersion) -> StandingsInputs:
    """What a version has read. A game that isn't over counts as before, whatever was written in it since."""
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
