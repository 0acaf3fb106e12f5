"""Published tables recomputed exactly: what organizers know from elsewhere is what they get here."""

from fractions import Fraction

import pytest

from tests.tournaments.standings.published import exercise, games, sat_out, table
from tournaments.standings import Row, Rules, rank

ROUND_ROBIN = {"score": "points", "SB": "sonneborn_berger", "WON": "wins", "KS50": "koya"}
SWISS = {"score": "points", "BH_C1": "buchholz_cut_1", "BH": "buchholz", "SB": "sonneborn_berger"}


@pytest.mark.parametrize(
    ("event", "columns", "predetermined"), [("uzchesscup", ROUND_ROBIN, True), ("rapid2024w", SWISS, False)]
)
def test_published_figures_are_recomputed_exactly(
    event: str, columns: dict[str, str], predetermined: bool
) -> None:
    published = table(f"{event}_tiebreaks.csv")
    rounds = games(f"{event}_games.csv", predetermined=predetermined)
    rows = rank([line["fide_id"] for line in published], [], Rules(tuple(columns.values())), rounds=rounds)
    values = {row.team: tuple(row.value(metric) for metric in columns.values()) for row in rows}

    assert values == {
        line["fide_id"]: tuple(Fraction(line[column]) for column in columns) for line in published
    }


def test_published_round_robin_is_ordered_by_direct_encounter() -> None:
    published = table("uzchesscup_tiebreaks.csv")
    rounds = games("uzchesscup_games.csv", predetermined=True)
    teams = [line["fide_id"] for line in published]
    rows = rank(teams, [], Rules(("points", "direct_match")), rounds=rounds)
    first = {score: min(row.place for row in rows if row.value("points") == score) for score in _scores(rows)}
    ranks = {row.team: row.place - first[row.value("points")] + 1 for row in rows}
    tied = [score for score in _scores(rows) if _scores(rows).count(score) > 1]

    assert {row.team: ranks[row.team] if row.value("points") in tied else 0 for row in rows} == {
        line["fide_id"]: int(Fraction(line["DE_rank_in_tied_group"])) for line in published
    }


def _scores(rows: list[Row[str]]) -> list[Fraction | None]:
    return [row.value("points") for row in rows]


def test_published_swiss_is_in_the_order_of_its_tie_breaks() -> None:
    published = table("rapid2024w_tiebreaks.csv")
    rounds = games("rapid2024w_games.csv")
    teams = sorted(line["fide_id"] for line in published)

    rows = rank(teams, [], Rules(("points", "buchholz_cut_1", "buchholz")), rounds=rounds)
    by_published = sorted(
        teams,
        key=lambda team: next(
            [-Fraction(line[column]) for column in ("score", "BH_C1", "BH")]
            for line in published
            if line["fide_id"] == team
        ),
    )

    assert [row.team for row in rows] == by_published
    assert rows[1].decided_by is not None
    assert (rows[1].decided_by.metric, rows[1].decided_by.value) == ("buchholz_cut_1", Fraction(75))


# The regulations of 2023 let a dummy end with the player's own points; those of March 2026 cap it.
CAPPED: dict[tuple[str, str], Fraction | int] = {
    # A bye of half a point: own 3½ points, no more than 5 rounds × ½ = 2½. So 1 less, and ½ × 1 less.
    ("4", "buchholz"): -1,
    ("4", "sonneborn_berger"): Fraction(-1, 2),
    # A bye of a point: own 3 points, no more than 2½. So 1 × ½ less.
    ("6", "sonneborn_berger"): Fraction(-1, 2),
    # A forfeit won against 9, who ended with 1½: own 2½ points, no more than those. So 1 less, and 1 × 1.
    ("11", "buchholz"): -1,
    ("11", "buchholz_cut_1"): -1,
    ("11", "sonneborn_berger"): -1,
}


def test_published_exercises_count_rounds_that_were_not_played_alike() -> None:
    teams = [line["player"] for line in table("fide_exercise_rounds.csv")]
    metrics = ("points", "buchholz", "buchholz_cut_1", "sonneborn_berger")
    rows = {row.team: row for row in rank(teams, [], Rules(metrics), rounds=exercise())}
    asked = [(line["player"], line["metric"]) for line in table("fide_exercise_figures.csv")]

    assert {(team, metric): rows[team].value(metric) for team, metric in asked} == {
        (line["player"], line["metric"]): Fraction(line["value"])
        + CAPPED.get((line["player"], line["metric"]), 0)
        for line in table("fide_exercise_figures.csv")
    }


def test_published_manual_of_2026_counts_a_round_that_was_sat_out_alike() -> None:
    """Seven points, so the dummy would have seven; half a point for each of ten rounds is five."""
    rounds = sat_out()
    rows = rank(sorted(set(rounds.teams())), [], Rules(tuple(SWISS.values())), rounds=rounds)
    player = next(row for row in rows if row.team == "player")
    assert player.values == (
        ("points", Fraction(7)),
        ("buchholz_cut_1", Fraction(50)),
        ("buchholz", Fraction(55)),
        ("sonneborn_berger", Fraction("37.25")),
    )


# In 2018 all rounds that an opponent hadn't played counted as draws. Now a bye that the draw gave counts
# as what it gave: 27, whom 2 beat, had one, which is ½ more.
COUNTED_NOW: dict[tuple[str, str], Fraction] = {
    ("2", "buchholz"): Fraction(1, 2),
    ("2", "sonneborn_berger"): Fraction(1, 2),
}


def test_published_club_championship_is_decided_as_it_was() -> None:
    """Two with equal points and equal progressive scores, who drew with each other: Buchholz decided."""
    published = table("hamilton2018_figures.csv")
    teams = [line["player"] for line in table("hamilton2018_rounds.csv")]
    metrics = (
        "points",
        "direct_match",
        "progressive",
        "buchholz",
        "sonneborn_berger",
        "buchholz_cut_1",
    )
    rows = rank(teams, [], Rules(metrics), rounds=exercise("hamilton2018_rounds.csv"))
    values = {row.team: row for row in rows}

    assert {(line["player"], line["metric"]): _now(line) for line in published} == {
        (line["player"], line["metric"]): values[line["player"]].value(line["metric"]) for line in published
    }
    assert [row.team for row in rows[:2]] == ["1", "2"]
    assert rows[0].decided_by is not None
    assert rows[0].decided_by.metric == "buchholz"


def _now(line: dict[str, str]) -> Fraction:
    return Fraction(line["value"]) + COUNTED_NOW.get((line["player"], line["metric"]), Fraction(0))
