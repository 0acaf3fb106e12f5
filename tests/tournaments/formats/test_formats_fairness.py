"""The fairness report: what it counts is what is there, for a whole draw and for rounds that were played."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.support.draw_fields import draw_teams, even_field
from tests.support.run.long import examples
from tournaments.formats import Constraints, Course, DrawField, Player, Settings, fairness, kept
from tournaments.formats.fairness import EntryFairness, TeamFairness
from tournaments.formats.format import (
    Contestant,
    PairingOutcome,
    PlayedRound,
    RoundPairing,
    RoundPlan,
    StageProgress,
)
from tournaments.formats.meetings import Rematch, TeamMeetings
from tournaments.formats.round_robin.format import RoundRobin
from tournaments.formats.table_layout import progress_as_draw
from tournaments.formats.tables.format import PlannedTables


@st.composite
def courses(draw: st.DrawFn) -> tuple[str, DrawField, Settings]:
    key = draw(st.sampled_from(["duel", "triangle"]))
    teams, squads, squad_size = draw(st.integers(3, 8)), draw(st.integers(1, 5)), draw(st.integers(1, 3))
    chosen = Settings(squad_size, draw(st.integers(1, 8)), draw(st.none() | st.integers(1, 5)))
    return key, even_field(teams, squads * squad_size), chosen


@examples(60)
@given(courses())
def test_fairness_report_s_figures_are_those_of_a_plain_count(case: tuple[str, DrawField, Settings]) -> None:
    key, field, chosen = case
    drawn = draw_teams(key, field, chosen, "x")
    report = fairness(Course.of_draw(drawn))
    met: Counter[tuple[Player, Player]] = Counter()
    for match in drawn.matches():
        for left, right in combinations(match.sides, 2):
            for one in left.players():
                for other in right.players():
                    met[min(one, other), max(one, other)] += 1
    assert {(each.one, each.other): each.matches for each in report.rematches} == {
        pair: times for pair, times in met.items() if times > 1
    }
    waves = [wave for each in drawn.rounds for wave in each.waves]
    assert [entry.player for entry in report.entries] == sorted(field.players())
    for entry in report.entries:
        seen = [
            (step, match, index)
            for step, wave in enumerate(waves)
            for match in wave.matches
            for index, side in enumerate(match.sides)
            if entry.player in set(side.players())
        ]
        tables = [match.table for _, match, _ in seen]
        assert entry == EntryFairness(
            player=entry.player,
            matches=len(seen),
            games=sum(index in game for _, match, index in seen for game in match.games),
            first_seats=sum(game[0] == index for _, match, index in seen for game in match.games),
            deals=None,
            byes=len(drawn.rounds) - len(seen),
            rests=tuple(after[0] - before[0] - 1 for before, after in pairwise(seen)),
            tables=tuple(sorted(set(tables))),
            table_changes=sum(before != after for before, after in pairwise(tables)),
        )
    # Each game has one first seat, and each game two sides.
    games = sum(len(match.games) for match in drawn.matches())
    assert sum(team.first_seats for team in report.teams) == games
    assert sum(team.games for team in report.teams) == 2 * games
    for remark in report.remarks:
        assert remark.english == remark.template % dict(remark.values)


def test_fairness_report_of_three_teams_of_nine_on_six_tables() -> None:
    """Three teams of nine, four rounds on six tables: even in everything but rest and the tables."""
    drawn = draw_teams("triangle", even_field(3, 9), Settings(rounds=4, tables=6), "palio")
    report = fairness(Course.of_draw(drawn))

    assert report.teams == tuple(TeamFairness(team, 36, 72, 36) for team in (1, 2, 3))
    assert report.team_meetings == (TeamMeetings(1, 2, 4), TeamMeetings(1, 3, 4), TeamMeetings(2, 3, 4))
    assert report.rematches == ()
    assert [(remark.code, remark.english, remark.is_even) for remark in report.remarks] == [
        ("games", "Games of each entry: 8.", True),
        ("no_rematch", "Nobody meets the same opponent twice.", True),
        ("team_meetings", "Rounds in which two teams meet: 4, for every two.", True),
        ("first_seats", "Games in which the own side has the first seat: 4, for each entry.", True),
        ("dealers_cut", "Who deals is cut at the table; the draw doesn't say.", True),
        ("byes", "Rounds that each entry sits out: 0.", True),
        ("rest", "Waves between two matches of an entry: from 0 to 2.", False),
        ("tables", "Tables: 6; changes of table of an entry: at most 3.", True),
    ]


def test_fairness_report_tells_what_is_uneven() -> None:
    """Four teams of two in one squad, five rounds of three: one team plays less, and pairs meet again."""
    drawn = draw_teams("triangle", even_field(4, 2), Settings(squad_size=2, rounds=5), "x")
    report = fairness(Course.of_draw(drawn))
    sentences = {remark.code: (remark.english, remark.is_even) for remark in report.remarks}

    assert sentences["games"] == ("Games of each entry: from 6 to 8.", False)
    assert sentences["rematches"] == (
        "Pairs of opponents that meet more than once: 24, at most 3 times.",
        False,
    )
    assert sentences["team_meetings"] == ("Rounds in which two teams meet: from 2 to 3.", True)
    assert sentences["byes"] == ("Rounds that each entry sits out: from 1 to 2.", True)


def test_fairness_report_counts_who_dealt_where_it_is_known() -> None:
    drawn = draw_teams("duel", even_field(2, 1), Settings(rounds=1), "x")
    report = fairness(Course.of_draw(drawn), dealt=[Player(1, 1), Player(2, 1), Player(1, 1)])
    assert [entry.deals for entry in report.entries] == [2, 1]
    assert [remark.english for remark in report.remarks if remark.code == "deals"] == [
        "Games in which an entry dealt first: from 1 to 2."
    ]


def test_fairness_report_tells_constraints_with_what_is_unavoidable() -> None:
    constraints = Constraints(((Player(1, 1), Player(2, 2)),), (Player(1, 2), Player(2, 1)))
    drawn = draw_teams("duel", even_field(2, 2, constraints), Settings(rounds=1), "x")
    report = fairness(Course.of_draw(drawn), constraints_kept=kept(drawn, constraints))
    assert [remark.english for remark in report.remarks[-2:]] == [
        "No two of one group sit at one table.",
        "No two strong entries sit at one table.",
    ]
    twice = draw_teams("duel", even_field(2, 2, constraints), Settings(rounds=2), "x")
    report = fairness(Course.of_draw(twice), constraints_kept=kept(twice, constraints))
    assert [(remark.english, remark.is_even) for remark in report.remarks[-2:]] == [
        ("Pairs of one group at one table: 1; unavoidable are at least 1.", True),
        ("Pairs of strong entries at one table: 1; unavoidable are at least 1.", True),
    ]


def test_fairness_report_counts_rounds_drawn_one_after_another_alike() -> None:
    """Three contestants: 1 meets 2, then 3 without a game, then 2 again, and each round somebody waits."""
    won = PairingOutcome((Fraction(1), Fraction(0)), 1)
    walkover = PairingOutcome((Fraction(1), Fraction(0)), 1, walkover=True)

    def played(number: int, sides: tuple[int, int], bye: int, outcome: PairingOutcome | None) -> PlayedRound:
        plan = RoundPlan(
            number, "Round %(number)d", (("number", number),), (RoundPairing("a", sides),), byes=(bye,)
        )
        return PlayedRound(plan, (outcome,))

    progress = StageProgress(
        tuple(Contestant(number, team=number) for number in (1, 2, 3)),
        (played(1, (1, 2), 3, won), played(2, (1, 3), 2, walkover), played(3, (2, 1), 3, None)),
    )
    report = fairness(Course.of_draw(progress_as_draw(RoundRobin(), progress)))

    assert report.rematches == (Rematch(Player(1, 1), Player(2, 2), 2),)
    assert [
        (entry.player, entry.matches, entry.first_seats, entry.byes, entry.rests) for entry in report.entries
    ] == [
        (Player(1, 1), 2, 1, 0, (0,)),
        (Player(2, 2), 2, 1, 1, (0,)),
        (Player(3, 3), 0, 0, 2, ()),
    ]


def test_fairness_course_has_more_waves_on_fewer_tables() -> None:
    plan = RoundPlan(
        1, "", (), (RoundPairing("a", (1, 2)), RoundPairing("b", (3, 4)), RoundPairing("c", (5, 6)))
    )
    progress = StageProgress(
        tuple(Contestant(number, number) for number in range(1, 7)), (PlayedRound(plan, (None,) * 3),)
    )
    course = Course.of_draw(progress_as_draw(RoundRobin(), progress, tables=2))
    assert [(sitting.wave, sitting.table) for sitting in course.sittings] == [(1, 1), (1, 2), (2, 1)]


def test_fairness_report_tells_who_sits_at_smaller_tables_of_two_sizes() -> None:
    def remarks(contestants: int) -> dict[str, str]:
        form = PlannedTables(seats=4, rounds=3)
        field = tuple(Contestant(number, number) for number in range(1, contestants + 1))
        rounds = form.coming_rounds(StageProgress(field), "palio")
        progress = StageProgress(
            field, tuple(PlayedRound(plan, (None,) * len(plan.pairings)) for plan in rounds)
        )
        found = fairness(Course.of_draw(progress_as_draw(form, progress))).remarks
        return {remark.code: remark.english for remark in found}

    assert remarks(7)["smaller_tables"] == "Rounds of each at a smaller table: from 1 to 3."
    assert "smaller_tables" not in remarks(8)
