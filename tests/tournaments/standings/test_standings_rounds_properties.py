"""What holds for any rounds, results and metrics: the order explains itself and depends on nothing else."""

from dataclasses import replace
from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.support.run.long import examples
from tests.tournaments.standings.any_rounds import POINTS, Event, events
from tournaments.standings import (
    METRICS,
    Adjustment,
    Bye,
    CountedResult,
    MatchResult,
    Rounds,
    Row,
    Rules,
    TiePolicy,
    rank,
)

KEYS = st.lists(st.sampled_from([key for key in METRICS if key != "lots"]), unique=True, max_size=5).map(
    tuple
)
LAST = st.sampled_from([(), ("lots",)])


def table(rows: list[Row[int]]) -> dict[int, tuple[object, ...]]:
    """What is said of each team."""
    return {
        row.team: (row.place, set(row.tied_with), row.values, row.placement_points, row.unresolved)
        for row in rows
    }


@examples(60)
@given(events(), KEYS, LAST, st.sampled_from(TiePolicy), st.randoms(use_true_random=False))
def test_ranking_of_rounds_does_not_depend_on_the_order_of_arrival(
    event: Event, keys: tuple[str, ...], last: tuple[str, ...], ties: TiePolicy, random: Random
) -> None:
    teams, rounds, results, adjustments = event
    rules = Rules(keys + last, ties=ties)
    shuffled = replace(
        rounds,
        matches=tuple(random.sample(rounds.matches, len(rounds.matches))),
        byes=tuple(random.sample(rounds.byes, len(rounds.byes))),
    )
    mixed = random.sample(results, len(results))

    assert rank(teams, mixed, rules, adjustments[::-1], rounds=shuffled) == rank(
        teams, results, rules, adjustments, rounds=rounds
    )


@examples(60)
@given(events(), KEYS, st.sampled_from(TiePolicy))
def test_ranking_of_rounds_orders_two_teams_with_a_reason_or_openly_ties(
    event: Event, keys: tuple[str, ...], ties: TiePolicy
) -> None:
    teams, rounds, results, adjustments = event
    rows = rank(teams, results, Rules(keys, ties=ties), adjustments, rounds=rounds)
    assert sorted(row.team for row in rows) == sorted(teams)
    for row in rows:
        assert row.place == 1 + sum(other.place < row.place for other in rows)
        assert set(row.tied_with) == {each.team for each in rows if each.place == row.place} - {row.team}
        reason = row.decided_by
        assert (reason is None) == all(other.place <= row.place for other in rows)
        if reason is not None:
            metric = METRICS[reason.metric]
            assert (reason.value > reason.next_value) == metric.highest_first
            if not metric.relative:
                assert row.value(reason.metric) == reason.value


@examples(60)
@given(events(), KEYS, LAST)
def test_ranking_of_rounds_keeps_what_is_decided_under_a_later_metric(
    event: Event, keys: tuple[str, ...], last: tuple[str, ...]
) -> None:
    teams, rounds, results, adjustments = event
    for more in range(len(keys)):
        before = rank(teams, results, Rules(keys[:more]), adjustments, rounds=rounds)
        after = rank(teams, results, Rules(keys[: more + 1] + last), adjustments, rounds=rounds)
        place = {row.team: row.place for row in after}
        reasons = {row.team: row.decided_by for row in after}
        for row in before:
            assert row.place <= place[row.team] <= row.place + len(row.tied_with)
            last_of_group = max((row.team, *row.tied_with), key=lambda team: place[team])
            assert reasons[last_of_group] == row.decided_by


@examples(60)
@given(events(), KEYS, st.randoms(use_true_random=False))
def test_ranking_of_rounds_does_not_depend_on_names(
    event: Event, keys: tuple[str, ...], random: Random
) -> None:
    teams, rounds, results, adjustments = event
    names = dict(zip(teams, random.sample("abcdefg", len(teams)), strict=True))
    renamed = Rounds(
        tuple(
            MatchResult(
                each.match,
                each.round,
                (names[each.sides[0]], names[each.sides[1]]),
                each.points,
                each.walkover,
                each.games,
            )
            for each in rounds.matches
        ),
        tuple(Bye(names[bye.team], bye.round, bye.points, bye.requested, bye.games) for bye in rounds.byes),
    )
    games = [
        CountedResult(
            each.game,
            each.match,
            tuple(names[side] for side in each.sides),
            None if each.winner is None else names[each.winner],
            each.closed,
            each.card_points,
            each.penalties,
        )
        for each in results
    ]
    decided = [Adjustment(names[each.team], each.points, each.code) for each in adjustments]

    plain = rank(teams, results, Rules(keys), adjustments, rounds=rounds)
    other = rank([names[team] for team in teams], games, Rules(keys), decided, rounds=renamed)

    assert [(row.team, row.place, row.values) for row in other] == [
        (names[row.team], row.place, row.values) for row in plain
    ]


@examples(60)
@given(events(), KEYS, st.data())
def test_ranking_of_rounds_after_a_correction_is_as_if_entered_right(
    event: Event, keys: tuple[str, ...], data: st.DataObject
) -> None:
    """What was wrong leaves no trace: no memory of a computation reaches the next."""
    teams, rounds, results, adjustments = event
    right = rank(teams, results, Rules(keys), adjustments, rounds=rounds)
    wrong = [
        replace(each, points=points, walkover=False)
        for each, points in ((each, data.draw(POINTS)) for each in rounds.matches)
    ]
    rank(teams, results, Rules(keys), adjustments, rounds=replace(rounds, matches=tuple(wrong)))

    corrected = replace(
        rounds,
        matches=tuple(
            replace(each, points=entered.points, walkover=entered.walkover)
            for each, entered in zip(wrong, rounds.matches, strict=True)
        ),
    )

    assert rank(teams, results, Rules(keys), adjustments, rounds=corrected) == right


@examples(60)
@given(events())
def test_buchholz_adds_up(event: Event) -> None:
    """Where everybody plays everything, each team's points come up once for each of its matches."""
    teams, rounds, _results, _adjustments = event
    played = replace(
        rounds,
        matches=tuple(
            replace(each, points=each.points or (Fraction(1), Fraction(0)), walkover=False)
            for each in rounds.matches
        ),
        predetermined=True,
        byes=(),
    )
    rows = {row.team: row for row in rank(teams, [], Rules(("points", "buchholz")), rounds=played)}
    met = {team: [match for match in played.matches if team in match.sides] for team in teams}
    for team, row in rows.items():
        others = [side for match in met[team] for side in match.sides if side != team]
        sat_out = played.last - len(met[team])
        dummy = min(row.value("points") or Fraction(0), Fraction(played.last, 2))
        assert row.value("buchholz") == sat_out * dummy + sum(
            (rows[other].value("points") or Fraction(0) for other in others), Fraction(0)
        )
