"""The page on matches: every line of its tables, worked out again."""

import pytest

from tests.docs.format_pages import tables_of
from tests.support.match_kinds import best_of, first_to, one_game
from tournaments.formats.errors import CannotDraw
from tournaments.formats.match_lengths import (
    GameEnd,
    Length,
    MatchKind,
    MatchState,
    mini_tournament,
)
from tournaments.formats.places_by_hand import placements
from tournaments.formats.triangle import TRIANGLE
from tournaments.standings import GameClosing

PAGE = "matches.md"
SPECIAL = {
    "-": GameEnd(None, GameClosing.BELL),
    "=": GameEnd(None, GameClosing.SHARED),
    "0": GameEnd(None, GameClosing.VOID),
}


def kind_of(words: str) -> MatchKind:
    """`best of 3, decisive`."""
    name, _, decisive = words.partition(", ")
    if name == "one game":
        return one_game(decisive=bool(decisive))
    number = int(name.split()[-1])
    return (best_of if name.startswith("best") else first_to)(number, decisive=bool(decisive))


def games_of(cell: str) -> list[GameEnd]:
    return [SPECIAL.get(letter) or GameEnd(int(letter)) for letter in cell.strip("`")]


def shown(state: MatchState) -> list[str]:
    """Points and winner, as the page has them."""
    outcome = state.outcome
    winner = "another game" if outcome is None else str(outcome.winner or "nobody")
    return ["–".join(map(str, state.points)), winner]


def test_matches_page_lists_every_kind() -> None:
    assert [row[0].strip("`") for row in tables_of(PAGE, "Kinds")[0]] == list(Length)


@pytest.mark.parametrize(("kind", "games", "points", "winner"), tables_of(PAGE, "When it is over")[0])
def test_matches_page_examples_end_as_shown(kind: str, games: str, points: str, winner: str) -> None:
    assert shown(kind_of(kind).state((1, 2), games_of(games))) == [points, winner]


@pytest.mark.parametrize(
    ("kind", "games", "by", "points", "winner", "walkover"), tables_of(PAGE, "Forfeits")[0]
)
def test_matches_page_forfeits_give_the_points_shown(
    kind: str, games: str, by: str, points: str, winner: str, walkover: str
) -> None:
    match = kind_of(kind)
    state = match.state((1, 2), match.conceded((1, 2), games_of(games), int(by)))

    assert shown(state) == [points, winner]
    assert state.outcome is not None
    assert state.outcome.walkover == (walkover == "yes")


def test_matches_page_triangle_is_played_as_shown() -> None:
    kind = mini_tournament(TRIANGLE.games)
    sides = (4, 5, 6)
    games = [*kind.conceded(sides, [], 5), GameEnd(6)]
    rows = tables_of(PAGE, "A triangle")[0]
    for number, (row, game) in enumerate(zip(rows, games, strict=True)):
        following = kind.state(sides, games[:number]).next_game
        assert following is not None
        expected = [following.number, *following.sides, game.winner, game.closed.value]
        assert row == [str(each) for each in expected]

    assert [str(each) for each in kind.state(sides, games).points] == ["1", "0", "2"]


@pytest.mark.parametrize(("entered", "answer"), tables_of(PAGE, "Placements by hand")[0])
def test_matches_page_placements_by_hand_give_what_is_shown(entered: str, answer: str) -> None:
    cells = enumerate(entered.split(", "), start=1)
    pairs = [(one, int(place)) for one, place in cells if place != "–"]
    if answer == "taken":
        assert [int(each) for each in placements((1, 2, 3, 4), pairs).points] == [place for _, place in pairs]
        return

    with pytest.raises(CannotDraw) as caught:
        placements((1, 2, 3, 4), pairs)

    assert str(caught.value) == answer
