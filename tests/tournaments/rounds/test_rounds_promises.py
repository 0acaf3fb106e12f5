"""What each format promises: how often everybody plays, whom they meet, who waits; and corrections."""

import random
from collections import Counter
from typing import Any

import pytest

from tests.support.rounds_play import (
    ACTOR,
    game_in,
    meetings,
    names,
    play_out,
    published,
    told,
    turn_around,
    views,
)
from tests.support.run import long
from tournaments.commands.close import close_tournament
from tournaments.commands.round_draws import changed_rounds, redraw_rounds
from tournaments.models import Tournament
from tournaments.tasks import compute_standings
from tournaments.verification.verify import verify

# What formats promise hangs on no database: the other files of this folder run on both.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
# Who wins what: one way in any run, another with `--long`.
FATES = ("Altea", pytest.param("Bruno", marks=pytest.mark.long))


def played(tournament: Tournament) -> Counter[Any]:
    """How many matches each squad has."""
    return Counter(name for pair in meetings(tournament) for name in pair)


def byes(tournament: Tournament) -> Counter[Any]:
    """How many byes each squad has."""
    return Counter(name for _, _, out, _ in told(tournament)["rounds"].values() for name in out)


@pytest.mark.parametrize(("teams", "entries", "legs"), [(3, 1, 1), (5, 1, 1), (4, 2, 1), (3, 2, 2)])
def test_round_robin_lets_everybody_meet_everybody(teams: int, entries: int, legs: int) -> None:
    tournament = published(teams, entries, format="round_robin", options={"legs": legs})
    play_out(tournament)
    size = teams * entries
    everybody = set(names(tournament).values())
    assert Counter(meetings(tournament)) == {
        frozenset((one, other)): legs for one in everybody for other in everybody if one < other
    }
    assert byes(tournament) == ({} if size % 2 == 0 else dict.fromkeys(everybody, legs))
    close_tournament(tournament, ACTOR)
    assert [str(wrong) for wrong in verify(tournament.event)] == []


@pytest.mark.parametrize("fate", FATES)
@pytest.mark.parametrize(("teams", "entries"), [(4, 2), (7, 1), (3, 3)])
def test_swiss_repeats_no_meeting_and_no_bye(teams: int, entries: int, fate: str) -> None:
    tournament = published(teams, entries, format="swiss")
    play_out(tournament, fate)
    rounds = tournament.stages.get().drawn_rounds.count()
    assert rounds == (teams * entries - 1).bit_length()
    assert set(Counter(meetings(tournament)).values()) == {1}
    waited = byes(tournament)
    assert set(waited.values()) <= {1}
    assert {played(tournament)[name] + waited[name] for name in names(tournament).values()} == {rounds}
    close_tournament(tournament, ACTOR)
    assert [str(wrong) for wrong in verify(tournament.event)] == []


@pytest.mark.parametrize("fate", FATES)
@pytest.mark.parametrize("squads", [2, 3, 6, 11])
def test_knockout_has_a_match_less_than_squads(squads: int, fate: str) -> None:
    tournament = published(squads, 1, format="single_elimination", options={"played_for": 2})
    play_out(tournament, fate)
    assert len(views(tournament)) == squads - 1
    lost = Counter(loser for loser in losers(tournament))
    assert sorted(lost.values()) == [1] * (squads - 1)
    first = told(tournament)["rows"][0][0]
    assert set(names(tournament).values()) - set(lost) == {first}


@pytest.mark.parametrize("fate", FATES)
@pytest.mark.parametrize("squads", [2, 3, 5, 8])
def test_double_elimination_ends_for_who_loses_twice(squads: int, fate: str) -> None:
    tournament = published(squads, 1, format="double_elimination")
    play_out(tournament, fate)
    lost = Counter(losers(tournament))
    first, *others = [row[0] for row in told(tournament)["rows"]]

    assert {lost[name] for name in others} == {2}
    assert len(views(tournament)) == 2 * squads - 2 + lost[first]
    assert lost[first] in (0, 1)


def losers(tournament: Tournament) -> list[Any]:
    """Who lost each match of one game."""
    found = []
    for match in views(tournament):
        (game,) = match.games
        assert game.winning_side is not None
        other = match.sides[1 - game.winning_side]
        found.append((other.team.number, other.squad))
    return found


EVERY: list[dict[str, Any]] = [
    {"format": "round_robin", "options": {"groups": 2}},
    {"format": "swiss"},
    {"format": "single_elimination"},
    {"format": "double_elimination"},
    {"format": "single_elimination", "match": {"length": "best_of", "games": 3}},
    {"format": "swiss", "match": {"length": "mini_tournament", "games": 2}},
]


# A format, or a kind of match, that another stands for is played with `--long`.
IN_ANY_ORDER = [
    pytest.param(settings, marks=[pytest.mark.long] if place in (2, 4) else [], id=str(settings))
    for place, settings in enumerate(EVERY)
]


@pytest.mark.parametrize("settings", IN_ANY_ORDER)
def test_order_of_results_changes_nothing_in_standings_and_draws(settings: dict[str, Any]) -> None:
    in_order = published(4, 2, **settings)
    play_out(in_order, "Delia")
    for chance in range(2 if long.asked else 1):
        shuffled = published(4, 2, **settings)
        play_out(shuffled, "Delia", random.Random(chance))
        assert told(shuffled) == told(in_order)


@pytest.mark.parametrize("fate", FATES)
@pytest.mark.parametrize("settings", EVERY[:4], ids=str)
def test_correction_gives_what_the_right_result_had_given(settings: dict[str, Any], fate: str) -> None:
    right = published(4, 2, **settings)
    first = [match for match in views(right) if match.round == 1]
    play_out(right, fate, most=len(first))
    compute_standings(str(right.pk))

    wrong = published(4, 2, **settings)
    slot = first[0].slot
    (game,) = next(match for match in views(right) if match.slot == slot).games
    assert game.winning_side is not None
    side = first[0].sides[1 - game.winning_side]
    loser = (side.team.number, side.squad)
    play_out(wrong, fate, most=len(first), said={slot: loser})
    compute_standings(str(wrong.pk))
    assert told(wrong) != told(right)
    turn_around(game_in(wrong, slot))
    compute_standings(str(wrong.pk))
    changed = changed_rounds(wrong)
    assert bool(changed) == any(each.moves for each in changed)
    if changed:
        redraw_rounds(wrong, ACTOR, "wrong-winner")
        compute_standings(str(wrong.pk))
    assert changed_rounds(wrong) == []
    assert told(wrong) == told(right)
    play_out(wrong, fate)
    play_out(right, fate)
    assert told(wrong) == told(right)
    assert [str(each) for each in verify(wrong.event)] == []
