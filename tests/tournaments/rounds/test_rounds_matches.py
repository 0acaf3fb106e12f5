"""How matches end: longer ones, level ones, forfeits, pairs, two squads of one team."""

from fractions import Fraction
from typing import Any

import pytest

from people.refusals import Refused
from tests.support.factories import drawn_tournament, make_entries, make_event, make_team
from tests.support.rounds_play import (
    ACTOR,
    game_in,
    names,
    open_games,
    play_out,
    published,
    squad_named,
    told,
    tournament_matches,
    turn_around,
    views,
)
from tournaments.commands.close import close_tournament
from tournaments.commands.results import correct, enter_result
from tournaments.commands.squad_changes import remove_squad
from tournaments.models import MatchGame, Squad, Tournament
from tournaments.projections import outlooks
from tournaments.queries.match_views import MatchProgress
from tournaments.tasks import compute_standings
from tournaments.verification.verify import verify

# What formats promise hangs on no database: the other files of this folder run on both.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def bell(tournament: Tournament) -> None:
    """The bell ends what is open, with nobody ahead."""
    for game in open_games(tournament):
        enter_result(game, ACTOR, reason="time")
    compute_standings(str(tournament.pk))


def ends_in_order(tournament: Tournament) -> None:
    """It can be closed, and nothing is wrong."""
    close_tournament(tournament, ACTOR)
    assert [str(wrong) for wrong in verify(tournament.event)] == []


@pytest.mark.parametrize("rule", ["no_point", "point_each"])
@pytest.mark.parametrize(
    "match",
    [
        {"length": "one_game", "games": 1},
        {"length": "best_of", "games": 3},
        {"length": "first_to", "games": 2},
    ],
    ids=str,
)
def test_knockout_match_that_is_level_has_another_game_until_somebody_wins(
    match: dict[str, Any], rule: str
) -> None:
    tournament = published(2, 1, format="single_elimination", match=match, bell=rule)
    (before,) = views(tournament)
    for _ in range(len(before.games) + 2):
        bell(tournament)
    (level,) = views(tournament)
    assert (len(level.games), level.progress) == (len(before.games) + 3, MatchProgress.PLAYING)
    first_seats = [game.sides[0] for game in level.games]
    assert first_seats == [number % 2 for number in range(len(first_seats))]
    play_out(tournament, "Ugo")
    assert views(tournament)[0].progress is MatchProgress.DONE
    ends_in_order(tournament)


@pytest.mark.parametrize(("rule", "points"), [("no_point", "0"), ("point_each", "1/2")])
def test_swiss_match_that_is_level_stays_level(rule: str, points: str) -> None:
    tournament = published(4, 1, format="swiss", bell=rule, metrics=["points"])
    bell(tournament)
    rows = told(tournament)["rows"]
    assert [row[4] for row in rows] == [[["points", points]]] * 4
    bell(tournament)
    ends_in_order(tournament)


def test_semi_final_that_is_open_again_leaves_the_final_until_that_begins() -> None:
    """One won a semi-final by 2 to 0; by a correction it stands 1 to 1, and then the other wins it."""
    tournament = published(
        4, 1, format="single_elimination", match={"length": "best_of", "games": 3}, options={"played_for": 4}
    )
    (first, second), (third, fourth) = (
        [(side.team.number, side.squad) for side in match.sides]
        for match in sorted(views(tournament), key=lambda match: match.slot)
    )
    play_out(tournament, said={"W1.1": first, "W1.2": third}, most=4)
    compute_standings(str(tournament.pk))
    before = places(tournament)

    semi = MatchGame.objects.filter(match__slot="W1.1", game__is_over=True)
    turn_around(semi.get(number=2))
    compute_standings(str(tournament.pk))
    open_again, foreseen = places(tournament), outlooks.compute(tournament.pk)
    squads = {str(squad): name for squad, name in names(tournament).items()}
    last = MatchGame.objects.get(match__slot="W1.1", number=3)
    enter_result(last, ACTOR, seat=last.sides.index(1))
    compute_standings(str(tournament.pk))
    compute_standings(str(tournament.pk))
    lost = places(tournament)
    enter_result(game_in(tournament, "W2.1"), ACTOR, seat=0)
    compute_standings(str(tournament.pk))
    begun = places(tournament)

    assert before == {first: 1, third: 1, second: 3, fourth: 3}
    assert open_again == {first: 1, second: 1, third: 1, fourth: 3}
    assert foreseen is not None
    assert {squads[each["team"]]: each["places"] for each in foreseen.teams} == {
        first: [1, 2, 3, 4],
        second: [1, 2, 3, 4],
        third: [1, 2],
        fourth: [3, 4],
    }
    assert lost == {second: 1, third: 1, first: 3, fourth: 3}
    assert {one for one, place in begun.items() if place == 1} == {first, third}
    assert [str(wrong) for wrong in verify(tournament.event)] == []


def places(tournament: Tournament) -> dict[Any, int]:
    """The place of each squad."""
    return {row[0]: row[1] for row in told(tournament)["rows"]}


def test_game_that_a_correction_makes_needless_does_not_count() -> None:
    best_of_three = {"length": "best_of", "games": 3}
    right, wrong = (published(2, 1, format="single_elimination", match=best_of_three) for _ in range(2))
    for _ in range(2):
        enter_result(open_games(right)[0], ACTOR, seat=winner(right, (1, 1)))
        compute_standings(str(right.pk))
    for name in ((1, 1), (2, 1), (1, 1)):
        enter_result(open_games(wrong)[0], ACTOR, seat=winner(wrong, name))
        compute_standings(str(wrong.pk))
    turn_around(second_game(wrong))
    assert told(wrong)["rows"] == told(right)["rows"]
    assert told(wrong)["counted"] == told(right)["counted"]
    ends_in_order(wrong)


def winner(tournament: Tournament, name: tuple[int, int]) -> int:
    """The seat of a squad in the next game."""
    (game,) = open_games(tournament)
    known = names(tournament)
    sides = {side.number: known[side.squad_id] for side in game.match.sides.all()}
    return [sides[side] for side in game.sides].index(name)


def second_game(tournament: Tournament) -> Any:
    """The second game of the only match."""
    return game_in(tournament, views(tournament)[0].slot).match.match_games.get(number=2)


@pytest.mark.parametrize("reason", ["forfeit", "abandoned"])
def test_forfeit_is_won_by_who_was_there(reason: str) -> None:
    tournament = published(4, 1, format="single_elimination", options={"played_for": 2})
    for game in open_games(tournament):
        enter_result(game, ACTOR, seat=1, reason=reason)
    compute_standings(str(tournament.pk))
    assert len(views(tournament)) == 3
    play_out(tournament)
    ends_in_order(tournament)


def test_abandoned_match_is_a_meeting_to_buchholz() -> None:
    """Of the two who met in it one wins its second match, and the other one counts that point."""
    tournament = published(4, 1, format="swiss", options={"rounds": 2}, metrics=["points", "buchholz"])
    abandoned, other = open_games(tournament)
    enter_result(abandoned, ACTOR, reason="abandoned")
    enter_result(other, ACTOR, seat=0)
    compute_standings(str(tournament.pk))
    one, two = abandoned.match.sides.order_by("number").values_list("squad", flat=True)
    for game in open_games(tournament):
        squads = list(game.match.sides.order_by("number").values_list("squad", flat=True))
        wins = one if one in squads else next(squad for squad in squads if squad != two)
        enter_result(game, ACTOR, seat=game.sides.index(squads.index(wins)))
    compute_standings(str(tournament.pk))

    version = tournament.standings_versions.order_by("-number")[0]
    found = {
        row.squad_id: {name: Fraction(value or 0) for name, value in row.metrics}
        for row in version.rows.all()
    }

    assert (found[one]["points"], found[two]["points"]) == (Fraction(1), Fraction(0))
    (met_by_two,) = (
        side.squad_id
        for match in tournament_matches(tournament).filter(round=2, sides__squad=two)
        for side in match.sides.exclude(squad=two)
    )
    assert found[two]["buchholz"] == found[one]["points"] + found[met_by_two]["points"]


@pytest.mark.parametrize("format_", ["round_robin", "swiss", "single_elimination"])
def test_pairs_sit_in_turns_and_reserves_wait(format_: str) -> None:
    tournament = published(3, 5, format=format_, squad_size=2)
    assert Squad.objects.filter(stage__tournament=tournament).count() == 6
    for match in views(tournament):
        for game in match.games:
            seats = game_in(tournament, match.slot).game.seats.order_by("number")
            entries = [match.sides[side].entries for side in game.sides]
            assert [seat.entry for seat in seats] == [
                entry.pk for pair in zip(*entries, strict=True) for entry in pair
            ]
    # The third seat is the second player's of the side that sits first.
    third = open_games(tournament)[0]
    enter_result(third, ACTOR, seat=2)
    compute_standings(str(tournament.pk))
    played = next(match for match in views(tournament) if match.id == third.match_id)
    assert played.games[0].winning_side == third.sides[0]
    play_out(tournament, "Vera")
    ends_in_order(tournament)


def test_squads_per_team_limit_who_plays_and_teams_may_be_unequal() -> None:
    tournament = published(3, 4, format="round_robin", squads_per_team=1)
    assert sorted(names(tournament).values()) == [(1, 1), (2, 1), (3, 1)]
    event = make_event()
    for entries in (3, 1, 3):
        make_entries(make_team(event), entries)
    unequal = drawn_tournament(event, format="swiss")
    compute_standings(str(unequal.pk))
    assert sorted(names(unequal).values()) == [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (3, 2), (3, 3)]
    play_out(unequal, "Zita")
    ends_in_order(unequal)


def test_match_within_a_team_takes_its_winner_by_seat() -> None:
    tournament = published(1, 2, format="single_elimination")
    (game,) = open_games(tournament)
    team = tournament.event.teams.get().pk
    with pytest.raises(Refused) as refused:
        enter_result(game, ACTOR, team=team)
    assert refused.value.code == "seat-needed"
    enter_result(game, ACTOR, seat=1)
    compute_standings(str(tournament.pk))
    by_team = {"type": "game_closed", "reason": "result", "winner": None, "team": str(team)}
    with pytest.raises(Refused) as refused:
        correct(game, ACTOR, 2, [by_team], "wrong-winner")
    assert refused.value.code == "seat-needed"
    first = told(tournament)["rows"][0][0]
    turn_around(game)
    assert told(tournament)["rows"][0][0] != first
    remove_squad(tournament, ACTOR, squad_named(tournament, first), "withdrawn")
    compute_standings(str(tournament.pk))
    ends_in_order(tournament)
