"""Commands: enter a result, single log events, a whole log, a correction, a forfeit.

All of it is log events; who may do it is for the pages and the API to ask. Each function is one transaction.
Refused with `Refused` unless the tournament's draw is published, the tournament is open, and the match isn't
decided without the game. What is stored already and only sent again is answered as it was then.
"""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _

from games import corrections
from games.engine import ImpossibleStateError, Refusal, Ruleset, event_to_json, parse_event, parse_log
from games.engine.events import EventVoided
from games.engine.places import are_places, only_first
from games.logbook import OpenGame, WritableGame, Written, rise_for
from games.models import Game
from games.outcome import NO_POINTS, NOT_FOLLOWED, Figures, Outcome
from ledger import outbox
from people.actors import Actor
from people.models import Team
from people.refusals import Refused
from tournaments.commands.decision_recording import new_decision
from tournaments.commands.table_absences import absent_seats, enter_without
from tournaments.facts import log_names, matches, outbox_topics
from tournaments.formats.table_result import ResultKind
from tournaments.models import Match, MatchGame, Tournament
from tournaments.projections.counted_ends import closing_of
from tournaments.queries.confirmation import is_organizer
from tournaments.queries.matches import is_decided_by_confirmed, is_needed
from tournaments.settings.confirmation import NOBODY, confirmation_rule
from tournaments.settings.stage import stage_format, stage_kind

logger = logging.getLogger(__name__)

MOST_POINTS = 99_999
"""The most that a seat's points in one game can be said to be."""

# A client's id for a log event, and the event as it sent it.
Sent = tuple[UUID | None, object]


@contextmanager
def locked(match_game: MatchGame) -> Iterator[OpenGame]:
    """The game, locked until the end of the transaction that this begins; Http404 if it is gone meanwhile.

    Where the engine can't follow the game it is refused as `not_followed`, and nothing is stored.
    """
    with _following(match_game), transaction.atomic():
        try:
            game = OpenGame(match_game.game_id)
        except Game.DoesNotExist as error:
            raise Http404 from error
        yield game


@contextmanager
def _following(match_game: MatchGame) -> Iterator[None]:
    try:
        yield
    except ImpossibleStateError as fault:
        logger.exception("Game %s can't be followed at line %s.", match_game.game_id, fault.line)
        raise not_followed() from fault


def not_followed() -> Refused:
    """The refusal of whatever the engine can't follow in a game: a fault of the service, not of who asks."""
    return Refused(
        "game-not-followed",
        _(
            "The service can’t follow this game any further: that is a fault of its own, and nothing of this "
            "was stored. What counted before still counts. Go on playing, note the result on paper and tell "
            "the organizer."
        ),
    )


def expect_open(game: OpenGame) -> None:
    """Raise `Refused` unless results may be entered.

    The tournament's status is read after the lock is held: who closes a tournament locks its games first.
    """
    status = Tournament.objects.values_list("status", flat=True).get(
        stages__matches__match_games__game=game.row.pk
    )
    if status == Tournament.Status.CLOSED:
        raise Refused("tournament-closed", _("The tournament is closed; the organizer can reopen it."))
    if status != Tournament.Status.PUBLISHED:
        raise Refused("draw-not-published", _("Results are entered once the draw is published."))


def _expect_desk(match_game: MatchGame, game: OpenGame, actor: Actor) -> None:
    """Raise `Refused` for whoever isn't an organizer, where these entered the result from paper."""
    if game.row.is_from_paper and not is_organizer(actor, match_game.match.stage.tournament.event):
        raise Refused(
            "result-from-paper",
            _("The desk has entered this result from paper: it alone can change it or take it back."),
        )


def _expect_needed(match_game: MatchGame, game: OpenGame) -> None:
    """Raise `Refused` where the match is decided without this game, which isn't over.

    The match is locked, after its game and until the end of the transaction. Of two of its games that end at
    the same time, whoever comes second sees the first.
    """
    kind = stage_kind(match_game.match.stage)
    if game.row.is_over or not kind.may_go_without(match_game.number):
        return
    list(Match.objects.select_for_update(no_key=True).filter(pk=match_game.match_id).values_list("pk"))
    if is_needed(match_game):
        return
    told = _("This match is decided already, so game %(number)d doesn’t count.")
    if not is_decided_by_confirmed(match_game):
        told = _(
            "The results entered decide this match once they are confirmed: then game %(number)d doesn’t "
            "count."
        )
    raise Refused("match-decided", told % {"number": match_game.number})


def takes_entries(match_game: MatchGame) -> bool:
    """Whether something may be entered in the game as its match and its tournament stand, by whoever may."""
    if match_game.match.stage.tournament.status != Tournament.Status.PUBLISHED:
        return False
    may_be_decided = stage_kind(match_game.match.stage).may_go_without(match_game.number)
    return match_game.game.is_over or not may_be_decided or is_needed(match_game)


def write_log(
    match_game: MatchGame,
    actor: Actor,
    batch: Sequence[Sent],
    *,
    expected_version: int | None = None,
    whole_batch: bool = False,
) -> Written:
    """Append a phone's ordered batch: the accepted prefix is stored, the first refusal is told."""
    with locked(match_game) as game:
        rise_for(event for _id, event in batch)
        _expect_seat(match_game, (event for _id, event in batch))
        refusal: Refusal | None = None
        try:
            taken = log_names.take_in(game, actor, batch)
        except Refusal as error:
            # The batch as far as it can be stored.
            taken, refusal = log_names.take_in(game, actor, batch[: (error.line or 1) - 1]), error
        if not game.has_stored(taken):
            expect_open(game)
            _expect_desk(match_game, game, actor)
            _expect_needed(match_game, game)
        before = game.row.version
        written = game.write(
            taken, expected_version=expected_version, whole_batch=whole_batch, unreadable=refusal
        )
        if game.row.version != before:
            _expect_end(match_game, Outcome.of_row(game.row))
        _unconfirm(game, before, written)
        if not written.accepted:
            # Looking for what is stored has opened a stream; a refused first entry leaves not even that.
            transaction.set_rollback(True)
        return written


def _expect_seat(match_game: MatchGame, events: Iterable[object]) -> None:
    """Refuse a winner by team alone where sides of one team meet: whose point it is couldn't be told.

    `events` are log events as they were sent.
    """
    closings = [
        event for event in events if isinstance(event, Mapping) and event.get("type") == "game_closed"
    ]
    if all(event.get("team") is None or event.get("winner") is not None for event in closings):
        return
    sides = match_game.match.sides.filter(number__in=match_game.sides)
    teams = list(sides.values_list("squad__team", flat=True))
    if len(set(teams)) < len(teams):
        raise Refused(
            "seat-needed",
            _("Both sides are of one team, so say who has won by the seat."),
            status=422,
        )


def _expect_end(match_game: MatchGame, outcome: Outcome) -> None:
    """Refuse an end that leaves unknown what the format takes from a game: a winner, points, or places. So is
    one that ranks who didn't play to the end.

    Whoever wrote it, by whatever command: without them the round would never be complete.
    """
    if not outcome.is_over:
        return
    if not closing_of(outcome.closed_by, has_winner=False, is_shared=False).is_played:
        if outcome.figures is not None and outcome.figures.places is not None:
            told = _("A game that was forfeited or abandoned has no places: leave them out.")
            raise Refused("places-unplayed", told, status=422)
        return
    kind = stage_format(match_game.match.stage).result_kind
    is_won = outcome.seat is not None or outcome.team is not None
    if kind is ResultKind.WINNER and outcome.closed_by == "result" and not is_won:
        raise Refused("winner-needed", _("Here the winner decides: say who has won."), status=422)
    if kind is ResultKind.POINTS and outcome.points is None:
        raise Refused(
            "points-needed", _("Here the points decide: write those of everybody at the table."), status=422
        )
    if kind is ResultKind.PLACES and outcome.places is None:
        raise Refused(
            "places-needed", _("Here the places decide: write that of everybody at the table."), status=422
        )


def enter_result(
    match_game: MatchGame,
    actor: Actor,
    *,
    seat: int | None = None,
    team: UUID | None = None,
    reason: str = "result",
    points: Mapping[int, int] | None = None,
    places: Mapping[int, int] | None = None,
    absent: Collection[int] | None = None,
    at: str | None = None,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Written:
    """Close a game with its winner: the seat, or only the team.

    Of a game that is set aside an organizer enters it in the place of what can't be followed.
    `reason` is `game_closed`'s: `result`, `forfeit` (won by who was there), `time` (by the bell rule, or
    nobody) or `abandoned`. `points` are the totals of all seats, see `check_points`; `places` rank all
    seats, see `check_places`. Places, or points where places decide, say by themselves who has won. `absent`
    are the sides, from 0, who weren't at the table: they share the last place, and have no points. None
    leaves what was noted of them.
    """
    away = absent_seats(match_game, absent or ())
    if points is not None:
        points = dict.fromkeys(away, 0) | dict(points)
        check_points(match_game.game, points)
    is_named = seat is not None or team is not None
    if points is not None and places is None and not is_named and reason in ("result", "time"):
        places = _places_by_points(match_game, points, away)
    if places is not None:
        check_places(places, len(match_game.game.seats.all()))
        seat = seat if is_named else only_first(places)
    event: dict[str, Any] = {"type": "game_closed", "reason": reason, "winner": seat}
    if points is not None:
        event["scores"] = {str(number): total for number, total in sorted(points.items())}
    if places is not None:
        event["places"] = {str(number): place for number, place in sorted(places.items())}
    if team is not None:
        event["team"] = str(team)
    if at is not None:
        event["at"] = at
    sent = (client_id, event)

    def enter() -> Written:
        written = None
        if match_game.game.is_set_aside and is_organizer(actor, match_game.match.stage.tournament.event):
            written = _enter_from_paper(match_game, actor, sent, expected_version)
        return written or write_log(
            match_game, actor, [sent], expected_version=expected_version, whole_batch=True
        )

    return enter_without(match_game, actor, absent, [event], enter)


def _enter_from_paper(
    match_game: MatchGame, actor: Actor, sent: Sent, expected_version: int | None
) -> Written | None:
    """Close an open game that is set aside; None for any other.

    The lines that the engine can't follow are taken out, and stay in the log. The result counts at once, also
    where results are confirmed.
    """
    tournament = match_game.match.stage.tournament
    with locked(match_game) as game:
        if not game.row.is_set_aside or game.row.is_over:
            return None
        expect_open(game)
        _expect_needed(match_game, game)
        _expect_seat(match_game, [sent[1]])
        rise_for([sent[1]])
        try:
            (entry,) = log_names.take_in(game, actor, [sent])
            void = EventVoided(2, NOT_FOLLOWED, by=str(actor.id) if actor.id else None)
            written = corrections.close_from_paper(game, entry, void, expected_version=expected_version)
        except Refusal as refusal:
            return Written(game.row.version, 0, refusal, game.state())
        _expect_end(match_game, Outcome.of_row(game.row))
        if confirmation_rule(tournament.settings) != NOBODY:
            said = {"game": str(match_game.game_id), "version": game.row.version}
            fact = new_decision(matches.CONFIRMED, said, actor, None, None)
            matches.add(match_game.match_id, tournament.event_id, [fact])
        return written


def counts_points(game: Game) -> bool:
    """Whether the points of a game's seats are counted, by its rule set."""
    return Ruleset.from_json(game.ruleset).scoring != NO_POINTS


def check_points(game: Game, points: Mapping[Any, Any]) -> None:
    """Raise `Refused` unless these can be the points of a game's seats, said with its result. That is a whole
    number from 0 of each seat, where the rule set counts points at all. Keys are seats, as numbers or texts.

    Of some seats alone they would say nothing: whoever has none has 0, which isn't the same as unknown.
    """
    check_seat_points(Ruleset.from_json(game.ruleset), [seat.number for seat in game.seats.all()], points)


def check_seat_points(ruleset: Ruleset, seats: Iterable[int], points: Mapping[Any, Any]) -> None:
    """`check_points`, of a game with this rule set and these seats."""
    if ruleset.scoring == NO_POINTS:
        raise Refused("points-not-counted", _("By the rules of this game nobody counts points."), status=422)
    if {str(seat) for seat in points} != {str(seat) for seat in seats}:
        told = _("Write the points of everybody at the table, 0 for who has none.")
        raise Refused("points-incomplete", told, status=422)
    if not all(type(total) is int and 0 <= total <= MOST_POINTS for total in points.values()):
        told = _("Points are whole numbers from 0 to %(most)d.") % {"most": MOST_POINTS}
        raise Refused("points-wrong", told, status=422)


def check_places(places: Mapping[Any, Any], seats: int) -> None:
    """Raise `Refused` unless these can be the places of so many seats.

    Each seat has one. They count from 1 and skip after ties. Keys are seats, as numbers or texts.
    """
    ranked = [place for place in places.values() if type(place) is int]
    if (
        {str(seat) for seat in places} == {str(seat) for seat in range(seats)}
        and are_places(ranked)
        and len(ranked) == seats
    ):
        return
    told = _(
        "Give everybody at the table a place from 1 on. Who shares a place has the same number, and the next "
        "one is left out: 1, 1, 3."
    )
    raise Refused("malformed", told, status=422)


def _places_by_points(
    match_game: MatchGame, points: Mapping[int, int], absent: Collection[int]
) -> dict[int, int] | None:
    """The places that points give where places decide; None elsewhere. Seats that are absent come last."""
    if stage_format(match_game.match.stage).result_kind is not ResultKind.PLACES:
        return None
    came = {seat: total for seat, total in points.items() if seat not in absent}
    found = places_by_points(Ruleset.from_json(match_game.game.ruleset), came)
    return found | dict.fromkeys(absent, 1 + len(found))


def places_of_seats(by_side: Mapping[int, int], seats: int) -> dict[int, int]:
    """The places of all seats where those of the sides are known: the seats of a side share one."""
    sides = len(by_side)
    each = seats // sides
    return {seat: 1 + each * (by_side[seat % sides] - 1) for seat in range(seats)}


def places_by_points(ruleset: Ruleset, points: Mapping[int, int]) -> dict[int, int]:
    """The places that these points of seats give, in the direction of the rule set."""
    seats = sorted(points)
    figures = Figures((), ruleset.scoring, tuple(points[seat] for seat in seats))
    return dict(zip(seats, figures.ranking or (), strict=True))


def upload_log(match_game: MatchGame, actor: Actor, text: str | bytes) -> Written:
    """Store a whole log of a game that wasn't begun: all of it or nothing. Raises `Refusal` for what can't
    be read.
    """
    return write_log(match_game, actor, batch_of(text), expected_version=0, whole_batch=True)


def batch_of(text: str | bytes) -> list[Sent]:
    """The events of a log in the log format, as a batch without clients' ids; raises `Refusal`."""
    return [(None, event_to_json(event)) for event in parse_log(text)]


def preview_correction(
    match_game: MatchGame, actor: Actor, line: int, replacement: Sequence[object], reason: str
) -> corrections.CorrectionPlan:
    """What a correction would do; stores nothing. Raises `Refusal`."""
    with locked(match_game) as game:
        return _plan(match_game, game, actor, line, replacement, reason)


def correct(
    match_game: MatchGame,
    actor: Actor,
    line: int,
    replacement: Sequence[object],
    reason: str,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Written:
    """“Line k was wrong”: void from the end back to it, enter the right events, append again what is still
    legal.

    Atomic. Sent again with the same client id and content, it is the same correction. Raises `Refusal`,
    `ConflictError` and `ClientIdReusedError`.
    """
    sent: dict[str, Any] = {"line": line, "replacement": list(replacement), "reason": reason}
    log_names.check_storable(sent)
    with locked(match_game) as game:
        rise_for(replacement)
        again = corrections.done_before(game, client_id, sent)
        if again is not None:
            return again
        plan, before = _plan(match_game, game, actor, line, replacement, reason), game.row.version
        written = corrections.apply(
            game, plan, expected_version=expected_version, client_id=client_id, sent=sent
        )
        _unconfirm(game, before, written)
        return written


def _plan(
    match_game: MatchGame,
    game: OpenGame,
    actor: Actor,
    line: int,
    replacement: Sequence[object],
    reason: str,
) -> corrections.CorrectionPlan:
    """What a correction would do, where the tournament, the match and the format allow it."""
    expect_open(game)
    _expect_desk(match_game, game, actor)
    _expect_needed(match_game, game)
    _expect_seat(match_game, replacement)
    plan = plan_correction(game, actor, line, replacement, reason)
    _expect_end(match_game, plan.after)
    return plan


def _unconfirm(game: OpenGame, before: int, written: Written) -> None:
    """Announce a result that is the same after a correction, but was confirmed before it: it waits anew."""
    group, version = game.row.group, game.row.version
    if group is None or version == before or written.outcome_changed or not game.row.is_over:
        return
    if MatchGame.objects.filter(game=game.row.pk, confirmed_version=before).exists():
        outbox.announce(outbox_topics.STANDINGS, group, game.row.pk, version)


def plan_correction(
    game: WritableGame,
    actor: Actor,
    line: int,
    replacement: Sequence[object],
    reason: str,
    teams: Iterable[Team] | None = None,
) -> corrections.CorrectionPlan:
    """What a correction of a game would do, whatever its tournament says to that. Raises `Refusal`; `teams`
    are those at the table, where they aren't to be read.
    """
    void = {"type": "event_voided", "line": line, "reason": reason}
    (said,) = log_names.take_in(game, actor, [(None, void)], teams)
    right = log_names.take_in(game, actor, [(None, event) for event in replacement], teams)
    written = parse_event(said.event)
    assert isinstance(written, EventVoided)  # noqa: S101  # it is written two lines above; for the type checker
    return corrections.plan(game, [entry.event for entry in right], written)
