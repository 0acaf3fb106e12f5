"""Who comes late, leaves or comes back while a tournament is drawn round by round."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.actors import Actor
from people.entries import lock_event
from people.models import Entry
from tournaments.actions.play_on import add_game
from tournaments.actions.rounds import begun_matches, course_of
from tournaments.decisions import check_reason, decide, expect_status, lock, lock_games, repeated
from tournaments.drawing import cannot_draw
from tournaments.formats import CannotDraw
from tournaments.formats.by_round import RoundPlan
from tournaments.formats.match_kind import GameEnd
from tournaments.models import MatchGame, Squad, Tournament
from tournaments.refusals import Refused
from tournaments.results import enter_result
from tournaments.rounds import facts
from tournaments.rounds.course import PlayedMatch, StageCourse
from tournaments.rounds.drawing import coming_rounds
from tournaments.settings import TournamentSettings

GONE_REASONS = {
    "withdrawn": gettext_lazy("withdrawn"),
    "no-show": gettext_lazy("didn’t turn up"),
    "disqualified": gettext_lazy("disqualified"),
}
"""Why a squad doesn't play on."""


@transaction.atomic
def remove_squad(
    tournament: Tournament,
    actor: Actor,
    squad: Squad,
    reason: str,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Tournament:
    """The squad plays no further: it isn't paired again, and what is drawn and open is won by its opponents.

    What it has played stands, unless the format says otherwise (`RoundRobin.annulled`). At a table of more
    than two the others play on without it.
    """
    tournament = lock(tournament)
    said = {"team": str(squad.team_id), "squad": squad.number, "reason": reason}
    if repeated(tournament, "squad_gone", client_id, said):
        return tournament
    expect_status(tournament, Tournament.Status.PUBLISHED)
    check_reason(reason, GONE_REASONS)
    lock_games(tournament)
    course = course_of(tournament)
    number = _number(course, squad)
    if number in course.progress.gone:
        raise Refused("gone-already", _("This squad doesn’t play any more already."))
    decide(tournament, "squad_gone", said, actor, expected_version=expected_version, client_id=client_id)
    if not course.choice.adds_points:
        for match in course.matches:
            if number in match.pairing.sides and match.state.outcome is None:
                _concede(tournament, course, match, number, actor)
    return tournament


def _concede(tournament: Tournament, course: StageCourse, match: PlayedMatch, by: int, actor: Actor) -> None:
    """Enter the open games of a match as won by the other side, as many as decide it.

    After games that nobody won these may be more than were planned.
    """
    ends = [game.end for game in match.games if game.end is not None]
    conceded = course.kind.conceded(match.pairing.sides, ends, by)
    rest: list[GameEnd] = list(conceded[len(ends) :])
    open_ = [game.number for game in match.games if game.end is None][: len(rest)]
    last = len(match.games)
    added = list(range(last + 1, last + 1 + len(rest) - len(open_)))
    for number in added:
        add_game(tournament, course, match, number)
    games = MatchGame.objects.select_related("match", "game").in_bulk(
        [facts.game_id(match.id, number) for number in (*open_, *added)], field_name="game_id"
    )
    for number, end in zip((*open_, *added), rest, strict=True):
        seat = None
        if end.winner is not None:
            seat = course.kind.seats(match.pairing.sides, number).index(end.winner)
        enter_result(games[facts.game_id(match.id, number)], actor, seat=seat, reason="forfeit")


@transaction.atomic
def bring_back_squad(
    tournament: Tournament,
    actor: Actor,
    squad: Squad,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Tournament:
    """The squad plays again from the next round on; games that were forfeited are corrected one by one."""
    tournament = lock(tournament)
    said = {"team": str(squad.team_id), "squad": squad.number}
    if repeated(tournament, "squad_back", client_id, said):
        return tournament
    expect_status(tournament, Tournament.Status.PUBLISHED)
    course = course_of(tournament)
    if _number(course, squad) not in course.progress.gone:
        raise Refused("not-gone", _("This squad hasn’t left."))
    decide(tournament, "squad_back", said, actor, expected_version=expected_version, client_id=client_id)
    return tournament


@transaction.atomic
def add_squad(
    tournament: Tournament,
    actor: Actor,
    entries: Sequence[Entry],
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Tournament:
    """Take in a squad that comes late, from the next round on.

    Where all rounds are drawn together, those that nobody has begun are drawn anew with it. Raises
    `Refused("cannot-draw")` where the format has no place for it any more.
    """
    tournament = lock(tournament)
    lock_event(tournament.event)
    said = {"entries": [str(entry.pk) for entry in entries]}
    if repeated(tournament, "squad_added", client_id, said):
        return tournament
    expect_status(tournament, Tournament.Status.PUBLISHED)
    lock_games(tournament)
    settings = TournamentSettings.from_json(tournament.settings)
    course = course_of(tournament)
    if course.number > 1:
        raise Refused("stage-over", _("The first stage is over; nobody can come into a later one."))
    _check_entries(tournament, course, entries, settings.squad_size)
    kept = _last_begun(course) if course.choice.all_at_once else len(course.progress.rounds)
    team = str(entries[0].team_id)
    body = {
        "team": team,
        "number": 1 + max((each["number"] for each in course.squads if each["team"] == team), default=0),
        "entries": said["entries"],
        "labels": [],
        "since": kept + 1,
    }
    plans = _drawn_with(course, body, kept)
    decide(
        tournament,
        "squad_added",
        {"stage": str(course.stage), "squad": body},
        actor,
        expected_version=expected_version,
        client_id=client_id,
        client_body=said,
    )
    if course.choice.all_at_once and plans:
        rounds = [facts.round_body(plan, course.kind, settings.tables) for plan in plans]
        decide(
            tournament,
            "rounds_redrawn",
            {"stage": str(course.stage), "rounds": rounds, "reason": "late-information"},
            actor,
        )
    return tournament


def _drawn_with(course: StageCourse, body: dict[str, Any], kept: int) -> list[RoundPlan]:
    """The rounds after the kept ones with one squad more; raises `Refused("cannot-draw")`."""
    contestants = facts.contestants_of([*course.squads, body])
    progress = replace(course.progress, contestants=contestants, rounds=course.progress.rounds[:kept])
    try:
        plans = list(coming_rounds(course.choice, course.format, progress, course.seed))
    except CannotDraw as error:
        if error.code == "results_missing":
            return []
        raise cannot_draw(error) from error
    if not plans:
        raise Refused("all-drawn", _("Nothing is left to draw in this stage."))
    return plans


def _last_begun(course: StageCourse) -> int:
    """The number of the last round in which anything was entered."""
    begun = begun_matches(course)
    return max((match.round for match in course.matches if match.id in begun), default=0)


def _check_entries(tournament: Tournament, course: StageCourse, entries: Sequence[Entry], size: int) -> None:
    playing = {entry for squad in course.squads for entry in squad["entries"]}
    fits = (
        len(entries) == size == len({entry.pk for entry in entries})
        and len({entry.team_id for entry in entries}) == 1
        and all(entry.team.event_id == tournament.event_id for entry in entries)
        and all(entry.status == Entry.Status.ENTERED for entry in entries)
    )
    if not fits or any(str(entry.pk) in playing for entry in entries):
        raise Refused(
            "wrong-entries",
            _("A squad is %(size)d entered players of one team who don’t play yet.") % {"size": size},
            status=422,
        )


def _number(course: StageCourse, squad: Squad) -> int:
    """A squad's number as a contestant of the stage."""
    key = (str(squad.team_id), squad.number)
    for number in range(1, len(course.squads) + 1):
        if course.key(number) == key:
            return number
    raise Refused("unknown-squad", _("This squad isn’t in the stage that is on."), status=422)
