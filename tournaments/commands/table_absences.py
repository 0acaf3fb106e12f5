"""Absences at tables of many: noted when a result is entered, and when somebody leaves or is back."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game
from ledger import needed_code_version
from people.actors import Actor
from people.refusals import Refused
from tournaments.commands.decision_recording import decide
from tournaments.commands.round_draws import held_matches
from tournaments.facts.locks import lock
from tournaments.models import Match, MatchGame, Tournament
from tournaments.projections.rounds.course import Key
from tournaments.projections.standings_inputs import courses_as_entered
from tournaments.settings.stage import stage_format

T = TypeVar("T")

_KNOWS_ABSENCES = 5
"""The reading version from which on code knows absences, see `ledger.needed_code_version`."""


def rise_for_absences(tournament: Tournament) -> None:
    """Have the database need the code that knows absences, where a tournament can note some.

    To be called before the transaction that writes: it keeps all writers of streams waiting. Some of them may
    hold a lock for which that transaction would wait.
    """
    stage = tournament.stages.order_by("number").last()
    if stage is not None and stage_format(stage).plays_on_without:
        needed_code_version.rise(_KNOWS_ABSENCES)


def absent_seats(match_game: MatchGame, sides: Collection[int]) -> frozenset[int]:
    """The seats of a game at which these sides, from 0, sit."""
    numbers = range(len(match_game.game.seats.all()))
    return frozenset(seat for seat in numbers if seat % len(match_game.sides) in sides)


def enter_without(
    match_game: MatchGame,
    actor: Actor,
    absent: Collection[int] | None,
    events: Iterable[object],
    enter: Callable[[], T],
) -> T:
    """Enter or correct a result, and with it who of the sides of its match, from 0, wasn't at the table. With
    None what was noted before stays. `events` are the log events that `enter` writes, as they were sent.

    Returns what `enter` does. Raises `Refused` where a game isn't played on without who isn't there, and
    where an event says that somebody absent was there.
    """
    expect_absent(match_game, absent, events)
    if absent is None or frozenset(absent) == match_game.match.absent_sides():
        return enter()
    if absent:
        rise_for_absences(match_game.match.stage.tournament)
    with transaction.atomic():
        # Locked before the game, as by whoever removes a squad.
        tournament = lock(match_game.match.stage.tournament)
        versions = Game.objects.filter(pk=match_game.game_id).values_list("version", flat=True)
        before = versions.get()
        answer = enter()
        if versions.get() != before:
            _note_at_table(tournament, actor, match_game.match, absent)
        return answer


def expect_absent(match_game: MatchGame, absent: Collection[int] | None, events: Iterable[object]) -> None:
    """Raise `Refused` where a game isn't played on without who isn't there, and where the end of a game says
    that somebody was there who is named as absent.
    """
    if not absent:
        return
    if not stage_format(match_game.match.stage).plays_on_without:
        told = _("Here a game that somebody didn’t come to is a forfeit.")
        raise Refused("absent-elsewhere", told, status=422)
    for event in events:
        if isinstance(event, Mapping) and event.get("type") == "game_closed":
            _expect_absent_at_end(match_game, absent, event)


def _expect_absent_at_end(match_game: MatchGame, absent: Collection[int], event: Mapping[str, Any]) -> None:
    sides, seats = len(match_game.sides), len(match_game.game.seats.all())
    away = absent_seats(match_game, absent)
    # What the engine will find malformed says nothing here.
    places, scores = (
        found if isinstance(found, Mapping) else {} for found in map(event.get, ("places", "scores"))
    )
    told = ""
    if not set(absent) <= set(range(sides)):
        told = _("Who wasn’t there sits at this table: name its sides.")
    elif any(event.get("winner") == seat for seat in away):
        told = _("Who wasn’t there can’t have won.")
    elif event.get("reason") in ("result", "time") and len(absent) > sides - 2:
        told = _("Where fewer than two were there it is a forfeit, without places.")
    elif places and any(places.get(str(seat)) != 1 + seats - len(away) for seat in away):
        told = _("Who wasn’t there comes last: they share the place behind all who were.")
    elif any(scores.get(str(seat)) for seat in away):
        told = _("Who wasn’t there has no points.")
    if told:
        raise Refused("malformed", told, status=422)


def who_has_left(match_game: MatchGame) -> frozenset[int] | None:
    """Who isn't at the table of a game once its result is taken back: the sides that have left. None where a
    game isn't played on without who isn't there.
    """
    match = match_game.match
    if not stage_format(match.stage).plays_on_without:
        return None
    return frozenset(side.number for side in match.sides.all() if str(side.squad_id) in match.stage.left)


def _note_at_table(tournament: Tournament, actor: Actor, match: Match, absent: Collection[int]) -> None:
    stage = tournament.stages.get(pk=match.stage_id)
    for side in match.sides.select_related("squad").order_by("number"):
        before = {*stage.absent.get(str(side.squad_id), ())}
        rounds = before | {match.round} if side.number in absent else before - {match.round}
        if rounds != before:
            earlier = stage.rounds_before()
            key = str(side.squad.team_id), side.squad.number
            _note(tournament, actor, stage.pk, key, (number - earlier for number in rounds))


def note_open_tables(tournament: Tournament, actor: Actor, key: Key, *, is_there: bool) -> None:
    """A squad that was removed isn't at its tables of which nothing is entered yet; one that is back is."""
    course = courses_as_entered(tournament)[-1]
    number = course.number_of(key)
    if number is None or not course.format.plays_on_without:
        return
    held = held_matches(course)
    own = [match for match in course.matches if number in match.pairing.sides]
    stays = {match.round for match in own if number in match.absent and match.id in held}
    rounds = stays if is_there else stays | {match.round for match in own if match.id not in held}
    if rounds != {*course.squads[number - 1].get("absent", ())}:
        _note(tournament, actor, course.stage, key, rounds)


def _note(tournament: Tournament, actor: Actor, stage: UUID, key: Key, rounds: Iterable[int]) -> None:
    team, squad = key
    body = {"stage": str(stage), "team": team, "squad": squad, "rounds": sorted(rounds)}
    decide(tournament, "absence_noted", body, actor)
