"""Games that somebody who was removed has still to play: given to the others, or struck."""

from collections.abc import Callable
from uuid import UUID

from django.db.models import QuerySet

from people.actors import Actor
from tournaments.commands.confirm import confirm_decided
from tournaments.commands.play_on import add_game
from tournaments.commands.results import correct, enter_result
from tournaments.facts import stages
from tournaments.formats.match_kind import GameEnd
from tournaments.models import MatchGame, Squad, Tournament
from tournaments.projections.rounds.course import Key, PlayedMatch, StageHistory
from tournaments.projections.rounds.ranking import annulled_of
from tournaments.projections.standings_inputs import courses_as_entered

FORFEIT = "forfeit"


def end_open_matches(tournament: Tournament, actor: Actor, key: Key) -> None:
    """End what a removed squad has still to play in the stage that is on, where two meet.

    Its opponents win it; if no result counts against a side of it, it is struck: nobody wins. What was struck
    by an earlier decision is given to the opponents if results count now. All of it counts at once.
    """
    course = courses_as_entered(tournament)[-1]
    number = course.number_of(key)
    if number is None or not course.choice.is_played or course.choice.adds_points:
        return
    annulled = annulled_of(course)
    squad = course.squad_id(number)
    absent = {course.squad_id(one) for one in course.progress.gone | annulled}
    given = set()
    if number not in annulled:
        given = give_struck_games(struck_games(squad), actor, squad, lambda other: other.pk in absent)
        course = courses_as_entered(tournament)[-1] if given else course
    for match in course.matches:
        if number in match.pairing.sides and match.state.outcome is None:
            struck = bool(annulled & set(match.pairing.sides))
            given |= _end(tournament, course, match, number, actor, struck=struck)
    confirm_decided(tournament, actor, given)


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
    games = MatchGame.objects.select_related("match", "game").in_bulk(
        [stages.game_id(match.id, number) for number in (*open_, *added)], field_name="game_id"
    )
    for number, end in zip((*open_, *added), rest, strict=True):
        seat = None if end.winner is None else kind.seats(sides, number).index(end.winner)
        enter_result(games[stages.game_id(match.id, number)], actor, seat=seat, reason=FORFEIT)
    return set(games)


def struck_games(squad: UUID) -> QuerySet[MatchGame]:
    """The games of a squad that were forfeited and that nobody has won, in the order of play."""
    return (
        MatchGame.objects.filter(
            match__sides__squad=squad,
            game__closed_by=FORFEIT,
            game__winner_seat=None,
            game__winner_team=None,
        )
        .select_related("match", "game")
        .prefetch_related("match__sides__squad__members__entry")
        .order_by("match__round", "match__wave", "number")
    )


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
