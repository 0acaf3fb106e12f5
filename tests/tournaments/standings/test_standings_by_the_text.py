"""Metrics of matches beside a slow second reading of the regulations, for any rounds."""

from fractions import Fraction

from hypothesis import given

from tests.support.run.long import examples
from tests.tournaments.standings.any_rounds import Event, events, round_robins
from tests.tournaments.standings.by_the_text import Text
from tournaments.standings import Rounds, Rules, rank

OF_OPPONENTS = ("buchholz", "average_buchholz", "sonneborn_berger_cut_1")


def values(teams: tuple[int, ...], rounds: Rounds[int], metric: str) -> dict[int, Fraction | None]:
    return {row.team: row.value(metric) for row in rank(teams, [], Rules((metric,)), rounds=rounds)}


@examples(200)
@given(events())
def test_metrics_of_a_swiss_are_what_the_text_says(event: Event) -> None:
    teams, rounds, _, _ = event

    found = {metric: values(teams, rounds, metric) for metric in OF_OPPONENTS}

    assert found == {
        metric: {team: getattr(Text(rounds), metric)(team) for team in teams} for metric in found
    }


@examples(200)
@given(round_robins())
def test_koya_is_what_the_text_says(event: tuple[tuple[int, ...], Rounds[int]]) -> None:
    teams, rounds = event

    assert values(teams, rounds, "koya") == {team: Text(rounds).koya(team) for team in teams}


@examples(200)
@given(round_robins())
def test_sonneborn_berger_cut_leaves_out_no_free_round_of_a_round_robin(
    event: tuple[tuple[int, ...], Rounds[int]],
) -> None:
    """By the text, of the decided matches alone."""
    teams, rounds = event
    decided = [match for match in rounds.matches if match.points is not None]
    points = {
        team: sum(
            (m.points[m.sides.index(team)] for m in decided if m.points and team in m.sides), Fraction(0)
        )
        for team in teams
    }
    expected = {}
    for team in teams:
        met = [
            (points[m.sides[1 - m.sides.index(team)]], m.points[m.sides.index(team)])
            for m in decided
            if m.points and team in m.sides
        ]
        products = [score * own for score, own in sorted(met, key=lambda each: (each[0], each[0] * each[1]))]
        expected[team] = sum(products[1:], Fraction(0))

    assert values(teams, rounds, "sonneborn_berger_cut_1") == expected


@examples(200)
@given(events())
def test_games_won_and_lost_add_up(event: Event) -> None:
    """Each game of a decided match is won by one side and lost by the other; a bye's has no loser."""
    teams, rounds, _, _ = event
    decided = [match for match in rounds.matches if match.points is not None]

    won, difference = (values(teams, rounds, key) for key in ("games_won", "games_difference"))

    assert won == {
        team: sum(m.games[m.sides.index(team)] for m in decided if team in m.sides)
        + sum(bye.games for bye in rounds.byes if bye.team == team)
        for team in teams
    }
    assert sum(each or 0 for each in difference.values()) == sum(bye.games for bye in rounds.byes)
    assert {team: (won[team] or 0) - (difference[team] or 0) for team in teams} == {
        team: sum(m.games[1 - m.sides.index(team)] for m in decided if team in m.sides) for team in teams
    }
