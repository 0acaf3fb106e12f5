"""Games of somebody who was removed: open ones given to the others or struck, walkovers taken back.

A game that is set aside stays as it is.
"""

from collections.abc import Callable
from uuid import UUID

from django.db.models import QuerySet

from games.models import WAITING
from people.actors import Actor
from tournaments.commands.confirm import confirm_decided
from tournaments.commands.decision_recording import decide
from tournaments.commands.further_games import add_game
from tournaments.commands.results import correct, enter_result
from tournaments.commands.round_draws import begun_matches
from tournaments.facts import stages
from tournaments.formats.match_lengths import GameEnd
from tournaments.models import MatchGame, Squad, Tournament
from tournaments.projections.counted_ends import winning_side
from tournaments.projections.rounds.course import Key, PlayedMatch, StageHistory
from tournaments.projections.rounds.ranking import annulled_of
from tournaments.projections.standings_inputs import courses_as_entered

FORFEIT = "forfeit"
NO_SHOW = "no-show"


def end_open_matches(tournament: Tournament, actor: Actor, key: Key, reason: str) -> None:
    """End what a removed squad has still to play in the stage that is on, where two meet.

    Its opponents win it; if they are gone, too, or no result counts against a side of it, it is struck:
    nobody wins. What was struck by an earlier decision is given to the opponents if results count now. Who
    didn't turn up (`reason`) has won nothing by walkover against those who are gone. All of it counts at
    once.
    """
    course = courses_as_entered(tournament)[-1]
    number = course.number_of(key)
    if number is None or not course.choice.is_played or course.choice.adds_points:
        return
    annulled = annulled_of(course)
    squad = course.squad_id(number)
    absent = {course.squad_id(one) for one in course.progress.gone | annulled}
    given: set[UUID] = set()
    if number not in annulled:
        given |= give_struck_games(struck_games(squad), actor, squad, lambda other: other.pk in absent)
    if reason == NO_SHOW:
        given |= strike_walkovers(actor, squad, lambda other: other.pk in absent)
    if given:
        course = _without_vacated(tournament, actor, courses_as_entered(tournament)[-1])
    for match in course.matches:
        sides = set(match.pairing.sides)
        if number in sides and match.state.outcome is None:
            struck = bool(annulled & sides) or sides <= course.progress.gone
            given |= _end(tournament, course, match, number, actor, struck=struck)
    confirm_decided(tournament, actor, given)


def _without_vacated(tournament: Tournament, actor: Actor, course: StageHistory) -> StageHistory:
    """The stage without matches of a bracket that haven't begun and to which a side doesn't come any more.

    The other matches of their rounds stay at their tables.
    """
    begun = begun_matches(course)
    at = {match.pairing.slot: match for match in course.matches}
    plans = course.format.without_vacated(
        course.progress, {slot for slot, match in at.items() if match.id in begun}
    )
    if not plans:
        return course
    rounds = []
    for plan in plans:
        body = stages.round_body(plan, course.kind, None)
        for each in body["matches"]:
            each["wave"], each["table"] = at[each["slot"]].wave, at[each["slot"]].table
        rounds.append(body)
    body = {"stage": str(course.stage), "rounds": rounds, "reason": "late-information"}
    decide(tournament, "rounds_redrawn", body, actor)
    return courses_as_entered(tournament)[-1]


def _end(
    tournament: Tournament, course: StageHistory, match: PlayedMatch, by: int, actor: Actor, *, struck: bool
) -> set[UUID]:
    """Enter the open games of a match as won by the other side, or by nobody, as many as end it.

    After games that nobody won these may be more than were planned. Returns the games.
    """
    sides, kind = match.pairing.sides, course.kind
    ends = [game.end for game in match.games if game.end is not None]
    filled = kind.struck(sides, ends) if struck else kind.conceded(sides, ends, by)
    rest: list[GameEnd] = list(filled[len(ends) :])
    open_ = [game.number for game in match.games if game.end is None][: len(rest)]
    last = len(match.games)
    added = list(range(last + 1, last + 1 + len(rest) - len(open_)))
    for number in added:
        add_game(tournament, course, match, number)
    followed = MatchGame.objects.filter(game__fault__isnull=True)
    games = followed.select_related("match", "game").in_bulk(
        [stages.game_id(match.id, number) for number in (*open_, *added)], field_name="game_id"
    )
    for number, end in zip((*open_, *added), rest, strict=True):
        seat = None if end.winner is None else kind.seats(sides, number).index(end.winner)
        game = games.get(stages.game_id(match.id, number))
        if game is not None:
            enter_result(game, actor, seat=seat, reason=FORFEIT)
    return set(games)


def struck_games(squad: UUID) -> QuerySet[MatchGame]:
    """The games of a squad that were forfeited and that nobody has won, in the order of play."""
    return _forfeited(squad).filter(game__winner_seat=None, game__winner_team=None)


def give_struck_games(
    games: QuerySet[MatchGame], actor: Actor, squad: UUID, is_absent: Callable[[Squad], bool]
) -> set[UUID]:
    """Give games that nobody has won to the one other side of them, unless that is absent, too; returns
    which.
    """
    given = set()
    for game in games:
        sides = {side.number: side.squad for side in game.match.sides.all()}
        playing = [sides[number] for number in game.sides]
        others = [seat for seat, each in enumerate(playing) if each.pk != squad]
        if len(others) != len(playing) - 1 or len(others) != 1 or is_absent(playing[others[0]]):
            continue
        right = {"type": "game_closed", "reason": FORFEIT, "winner": others[0]}
        correct(game, actor, game.game.version, [right], "organizer-decision")
        given.add(game.game_id)
    return given


def strike_walkovers(actor: Actor, squad: UUID, is_absent: Callable[[Squad], bool]) -> set[UUID]:
    """Let nobody have won the walkovers of a squad that didn't turn up; returns which games.

    Only games of two are looked at whose other side is absent, too. A walkover stays if the squad has played
    since, in the same round or a later one: then it was there.
    """
    walkovers = [game for game in _forfeited(squad) if _is_won_alone(game, squad, is_absent)]
    played = _of_squad(squad).exclude(game__closed_by=FORFEIT).exclude(game__phase=WAITING)
    struck = set()
    for game in walkovers:
        since = game.game.changed_at
        if played.filter(match__round__gte=game.match.round, game__changed_at__gt=since).exists():
            continue
        right = {"type": "game_closed", "reason": FORFEIT, "winner": None}
        correct(game, actor, game.game.version, [right], "organizer-decision")
        struck.add(game.game_id)
    return struck


def _is_won_alone(game: MatchGame, squad: UUID, is_absent: Callable[[Squad], bool]) -> bool:
    """Whether a squad has won a game of two, and the other side is absent."""
    sides = {side.number: side.squad for side in game.match.sides.all()}
    playing = [sides[number] for number in game.sides]
    teams = [each.team_id for each in playing]
    won = winning_side(range(len(playing)), teams, game.game.winner_seat, game.game.winner_team)
    if won is None or len(playing) != 2:
        return False
    return playing[won].pk == squad and is_absent(playing[1 - won])


def _forfeited(squad: UUID) -> QuerySet[MatchGame]:
    return _of_squad(squad).filter(game__closed_by=FORFEIT, game__fault__isnull=True)


def _of_squad(squad: UUID) -> QuerySet[MatchGame]:
    """The games of a squad's matches, in the order of play."""
    return (
        MatchGame.objects.filter(match__sides__squad=squad)
        .select_related("match", "game")
        .prefetch_related("match__sides__squad__members__entry")
        .order_by("match__round", "match__wave", "number")
    )
