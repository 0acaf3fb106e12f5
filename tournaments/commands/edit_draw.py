"""A draw that is changed by hand: previewed with what that breaks, and kept with its reason."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Prefetch
from django.utils.translation import gettext as _

from people.refusals import Refused
from tournaments.commands.decision_recording import OpenDecision, command, expect_status
from tournaments.commands.draw import STAGE
from tournaments.commands.round_draws import begun_matches
from tournaments.facts.reasons import check_reason
from tournaments.formats import Constraints, Course, DrawSquad, Player, Sitting
from tournaments.formats.constraints import groups_of
from tournaments.formats.edits import EditEffect, Trouble, effect, swap_in_course
from tournaments.formats.fairness import Remark
from tournaments.models import DrawnRound, Match, Squad, SquadMember, Tournament
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.standings_inputs import inputs_now
from tournaments.settings import keep_apart_labels


@dataclass(frozen=True, slots=True)
class Editable:
    """What can be changed by hand now: the rounds of the stage that is on, counted through all stages.
    `teams`: those of the first stage, in the order of the draw.
    """

    course: StageHistory
    rounds: tuple[int, ...]
    teams: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class EditedMatch:
    """A match before and after, by the ids of its squads, side by side; `table` is where it is played. For a
    bye the table is None.
    """

    round: int
    table: int | None
    before: tuple[UUID, ...]
    after: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class ToldTrouble:
    """A `Trouble` with the ids of squads."""

    code: str
    rounds: tuple[int, ...]
    squads: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class EditPreview:
    """What two squads that change places would change: see `tournaments.formats.edits.EditEffect`."""

    editable: Editable
    rounds: tuple[int, ...]
    one: Squad
    other: Squad
    matches: tuple[EditedMatch, ...]
    broken: tuple[ToldTrouble, ...]
    mended: tuple[ToldTrouble, ...]
    remarks: tuple[tuple[Remark | None, Remark | None], ...]
    is_clean: bool


def editable(tournament: Tournament) -> Editable:
    """What can be changed now; `Refused` with why nothing can.

    The first draw until it is published. A round that is drawn later, and the first of a later stage, until a
    game of it has begun.
    """
    expect_status(tournament, Tournament.Status.DRAWN, Tournament.Status.PUBLISHED)
    now = inputs_now(tournament)
    course = now.courses[-1]
    refused = course.format.why_no_swap(course.progress)
    if refused is not None:
        raise Refused("nothing-to-swap", _(refused.template) % refused.values)
    last = course.progress.rounds[-1].plan.number
    if course.number == STAGE and last <= len(course.body["rounds"]):
        expect_status(tournament, Tournament.Status.DRAWN)
    # Before publication nothing can have begun.
    begun = begun_matches(course) if tournament.status == Tournament.Status.PUBLISHED else ()
    if any(match.id in begun for match in course.matches if match.round == last):
        raise Refused("round-begun", _("In this round games have begun; it stays as it was drawn."))
    first = 1 if course.format.swaps_within_teams else last
    before = course.rounds_before
    return Editable(course, tuple(range(before + first, before + last + 1)), now.stages.teams)


def preview_edit(tournament: Tournament, one: UUID, other: UUID, round_: int | None = None) -> EditPreview:
    """What changes if these squads (ids in the stage) change places; stores nothing.

    `round_` is counted through all stages. Without it they change in every round of a draw of
    mini-tournaments in which their team plays. In a format drawn round by round, they change in the last
    round.
    """
    here = editable(tournament)
    squads = Squad.objects.filter(stage=here.course.stage).select_related("team").in_bulk()
    if one not in squads or other not in squads:
        raise Refused("unknown-squad", _("This squad isn’t in the stage that is on."), status=422)
    if one == other:
        raise Refused("same-squad", _("Choose two different squads: this is one and the same."), status=422)
    pair = (squads[one], squads[other])
    if here.course.format.swaps_within_teams and pair[0].team_id != pair[1].team_id:
        raise Refused(
            "other-team",
            _(
                "In this format squads of one team change places: which teams meet at which table stays as "
                "it was drawn."
            ),
            status=422,
        )
    rows = _rows(tournament)
    rounds = _rounds(here, rows, pair, round_)
    matches = tuple(_matches(here, rows, rounds, one, other))
    found, who = _effect(tournament, here, rows, pair, rounds)
    return EditPreview(
        here,
        rounds,
        *pair,
        matches,
        tuple(_told(trouble, who) for trouble in found.broken),
        tuple(_told(trouble, who) for trouble in found.mended),
        found.remarks,
        found.is_clean,
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """The matches of all stages in order, with their sides, and who has a bye in which round, by stage."""

    matches: list[Match]
    byes: dict[tuple[UUID, int], list[UUID]]

    def drawn(self, stage: UUID, number: int) -> Iterator[tuple[int | None, tuple[UUID, ...]]]:
        """A round: each table with the squads there, then those that have a bye, each without a table."""
        for match in self.matches:
            if match.stage_id == stage and match.round == number:
                yield match.table.number, _sides(match)
        for bye in self.byes.get((stage, number), ()):
            yield None, (bye,)


def _rows(tournament: Tournament) -> _Rows:
    matches = (
        Match.objects.filter(stage__tournament=tournament)
        .select_related("table")
        .prefetch_related("sides", "match_games")
        .order_by("round", "wave", "table__number", "slot")
    )
    rounds = DrawnRound.objects.filter(stage__tournament=tournament)
    return _Rows(
        list(matches),
        {(each.stage_id, each.number): [UUID(squad) for squad in each.byes] for each in rounds},
    )


def _rounds(here: Editable, rows: _Rows, pair: tuple[Squad, Squad], asked: int | None) -> tuple[int, ...]:
    ids = {squad.pk for squad in pair}
    there = {
        number: {squad for _table, squads in rows.drawn(here.course.stage, number) for squad in squads}
        for number in here.rounds
    }
    playing = [number for number in here.rounds if ids <= there[number]]
    if asked is None and playing:
        return tuple(playing)
    if asked is not None and asked not in here.rounds:
        raise Refused(
            "round-stays",
            _("Round %(round)d can’t be changed by hand; these can: %(rounds)s.")
            % {"round": asked, "rounds": ", ".join(map(str, here.rounds))},
            status=422,
        )
    if asked is None or asked not in playing:
        raise Refused(
            "not-in-round", _("Only squads that are both drawn in that round can change places."), status=422
        )
    return (asked,)


def _matches(here: Editable, rows: _Rows, rounds: Sequence[int], one: UUID, other: UUID) -> list[EditedMatch]:
    instead = {one: other, other: one}
    return [
        EditedMatch(number, table, sides, tuple(instead.get(side, side) for side in sides))
        for number in rounds
        for table, sides in rows.drawn(here.course.stage, number)
        if not instead.keys().isdisjoint(sides)
    ]


def _sides(match: Match) -> tuple[UUID, ...]:
    return tuple(side.squad_id for side in sorted(match.sides.all(), key=lambda side: side.number))


def _effect(
    tournament: Tournament, here: Editable, rows: _Rows, pair: tuple[Squad, Squad], rounds: Sequence[int]
) -> tuple[EditEffect, Mapping[DrawSquad, UUID]]:
    """What it does over all stages, and whose ids the squads have that are spoken of."""
    members = Prefetch("members", SquadMember.objects.select_related("entry").order_by("position"))
    listed = list(Squad.objects.filter(stage__tournament=tournament).prefetch_related(members))
    teams = dict.fromkeys((*here.teams, *(squad.team_id for squad in listed)))
    by_team = here.course.format.swaps_within_teams
    numbers = {team: at for at, team in enumerate(teams, start=1)}
    drawn = {
        squad.pk: DrawSquad(
            numbers[squad.team_id],
            squad.number,
            tuple(member.entry.number for member in squad.members.all()) if by_team else (squad.number,),
        )
        for squad in listed
    }
    course = _course(rows, drawn)
    one, other = (drawn[squad.pk] for squad in pair)
    after = swap_in_course(course, rounds, one, other)
    own = {drawn[squad.pk]: squad.pk for squad in listed if squad.stage_id == here.course.stage}
    return effect(course, after, _constraints(here.course, drawn)), own


def _constraints(course: StageHistory, drawn: Mapping[UUID, DrawSquad]) -> Constraints:
    """Whom the draw keeps apart, by its fact or by the labels of squads."""
    kept = keep_apart_labels.of_fact(course.body)
    of_stage = {one.number: drawn[course.squad_id(one.number)] for one in course.progress.contestants}
    by_label = groups_of(
        (Player(of_stage[one.number].team, of_stage[one.number].number), one.labels)
        for one in course.progress.contestants
    )
    return Constraints((*kept.groups, *by_label), kept.strong)


def _course(rows: _Rows, drawn: Mapping[UUID, DrawSquad]) -> Course:
    steps: dict[tuple[int, int], int] = {}
    sittings = []
    for match in rows.matches:
        step = steps.setdefault((match.round, match.wave), len(steps) + 1)
        games = tuple(tuple(game.sides) for game in match.match_games.all())
        sides = tuple(drawn[side] for side in _sides(match))
        sittings.append(Sitting(match.round, step, match.table.number, sides, games))
    everybody = tuple(dict.fromkeys(drawn.values()))
    byes = [(number, drawn[squad]) for (_stage, number), squads in rows.byes.items() for squad in squads]
    return Course(everybody, tuple(sittings), tuple(byes))


def _told(trouble: Trouble, who: Mapping[DrawSquad, UUID]) -> ToldTrouble:
    return ToldTrouble(trouble.code, trouble.rounds, tuple(who[squad] for squad in trouble.who))


def _edit_sent(one: UUID, other: UUID, reason: str, round_: int | None = None) -> dict[str, Any]:
    return {"one": str(one), "other": str(other), "round": round_, "reason": reason}


@command(
    "draw_edited", Tournament.Status.DRAWN, Tournament.Status.PUBLISHED, locks_games=True, sent=_edit_sent
)
def edit_draw(
    decision: OpenDecision,
    tournament: Tournament,
    one: UUID,
    other: UUID,
    reason: str,
    round_: int | None = None,
) -> None:
    """Two squads (ids in the stage) change places, see `preview_edit`; the same again puts them back.

    It is told beside seed and method. A draw that is made anew is as it is drawn.
    """
    check_reason(reason)
    seen = preview_edit(tournament, one, other, round_)
    decision.record(
        {
            "stage": str(seen.editable.course.stage),
            "rounds": [number - seen.editable.course.rounds_before for number in seen.rounds],
            "one": {"team": str(seen.one.team_id), "squad": seen.one.number},
            "other": {"team": str(seen.other.team_id), "squad": seen.other.number},
            "reason": reason,
        }
    )
