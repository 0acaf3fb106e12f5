"""The next round draws itself: once, also after a message was lost, and never over a correction."""

import random
from collections import Counter
from typing import Any
from unittest import mock

import pytest

from ledger import outbox
from people.actors import Actor
from people.refusals import Refused
from tests.support.groups_and_knockout import SEED, by_number, turn_groups_around
from tests.support.rounds_play import (
    game_in,
    names,
    open_games,
    play_out,
    published,
    told,
    turn_around,
    views,
)
from tests.support.services.worker import sweep
from tournaments.commands import following_rounds as following
from tournaments.commands.close import close_tournament, reopen_tournament
from tournaments.commands.next_stage import changed_stage, redraw_stage, start_next_stage
from tournaments.commands.results import enter_result, write_log
from tournaments.commands.round_draws import changed_rounds, draw_next_round, redraw_rounds
from tournaments.commands.squad_changes import remove_squad
from tournaments.facts import outbox_topics
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings
from tournaments.projections.standings_inputs import inputs_now
from tournaments.tasks import compute_standings
from tournaments.verification.verify import verify

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


def first_round(tournament: Tournament) -> None:
    """Enter the results of all games that are open; nothing is computed."""
    for game in open_games(tournament):
        enter_result(game, ACTOR, seat=0)


def rounds(tournament: Tournament) -> int:
    """How many are drawn."""
    return len({match.round for match in views(tournament)})


def test_next_round_is_drawn_by_the_sweep_after_a_worker_dies() -> None:
    tournament = published(4, 1, format="swiss")
    first_round(tournament)
    standings.compute(tournament.pk)
    assert (rounds(tournament), outbox.pending(outbox_topics.STANDINGS)) == (1, [])
    sweep()
    assert (rounds(tournament), outbox.pending(outbox_topics.ADVANCE)) == (2, [])


def test_next_round_that_fails_stays_due_and_keeps_no_other_waiting() -> None:
    broken, sound = published(4, 1, format="swiss"), published(4, 1, format="swiss")
    for tournament in (broken, sound):
        first_round(tournament)
    advance = following._follow_results

    def fails(tournament: Tournament) -> None:
        if tournament.pk == broken.pk:
            raise RuntimeError
        advance(tournament)

    with mock.patch.object(following, "_follow_results", fails):
        sweep()
    assert (rounds(broken), rounds(sound)) == (1, 2)
    assert outbox.pending(outbox_topics.ADVANCE) == [broken.pk]
    assert told(broken)["counted"][:2] == (2, 2)
    sweep()
    assert (rounds(broken), outbox.pending(outbox_topics.ADVANCE)) == (2, [])


def test_next_round_is_drawn_once_by_a_message_that_comes_twice() -> None:
    tournament = published(8, 1, format="swiss")
    first_round(tournament)
    for _ in range(3):
        compute_standings(str(tournament.pk))
    sweep()

    assert rounds(tournament) == 2


ALL_PLAYED = {"format": "round_robin", "match": {"length": "mini_tournament", "games": 2}}


@pytest.mark.parametrize(
    ("settings", "leads_on"),
    [
        ({}, False),
        (ALL_PLAYED, False),
        ({"format": "round_robin"}, True),
        ({**ALL_PLAYED, "format": "swiss"}, True),
        ({**ALL_PLAYED, "later": [{"format": "single_elimination"}]}, True),
    ],
)
def test_next_round_is_due_only_after_results_that_lead_to_it(
    settings: dict[str, Any], leads_on: bool
) -> None:
    tournament = published(3, 1, **settings)
    first_round(tournament)

    standings.compute(tournament.pk)

    assert (outbox.pending(outbox_topics.STANDINGS), bool(outbox.pending(outbox_topics.ADVANCE))) == (
        [],
        leads_on,
    )


@pytest.mark.parametrize("format_", ["swiss", "single_elimination"])
def test_next_round_is_not_drawn_over_a_correction(format_: str) -> None:
    tournament = published(8, 1, format=format_)
    play_out(tournament, "Rita", most=4)
    first = views(tournament)[0]
    begun = next(match for match in views(tournament) if match.round == 2 and meets(match, first))
    enter_result(game_in(tournament, begun.slot), ACTOR, seat=0)
    turn_around(game_in(tournament, first.slot))
    compute_standings(str(tournament.pk))
    assert [each.moves for each in changed_rounds(tournament)] == [False]
    with pytest.raises(Refused) as refused:
        redraw_rounds(tournament, ACTOR, "wrong-winner")
    assert refused.value.code == "nothing-moves"
    play_out(tournament, "Rita")
    sweep()
    assert rounds(tournament) == 2
    assert begun.id in {match.id for match in views(tournament)}
    draw_next_round(tournament, ACTOR)
    compute_standings(str(tournament.pk))
    assert rounds(tournament) == 3
    assert [str(wrong) for wrong in verify(tournament.event)] == []


def test_next_round_draws_itself_again_once_the_organizer_has_drawn_on() -> None:
    tournament = published(8, 2, format="single_elimination")
    play_out(tournament, "Rita", most=8)
    first = views(tournament)[0]
    begun = next(match for match in views(tournament) if match.round == 2 and meets(match, first))
    enter_result(game_in(tournament, begun.slot), ACTOR, seat=0)
    turn_around(game_in(tournament, first.slot))
    play_out(tournament, "Rita")
    assert rounds(tournament) == 2
    draw_next_round(tournament, ACTOR)
    play_out(tournament, "Rita")
    assert rounds(tournament) == 4


def meets(match: Any, other: Any) -> bool:
    """Whether anybody plays in both."""
    return bool({side.squad_id for side in match.sides} & {side.squad_id for side in other.sides})


def test_next_round_draws_itself_once_a_correction_is_taken_back() -> None:
    tournament = published(8, 1, format="swiss")
    play_out(tournament, "Sara", most=4)
    compute_standings(str(tournament.pk))
    slot = views(tournament)[0].slot
    play_out(tournament, "Sara", most=1)
    turn_around(game_in(tournament, slot))
    assert changed_rounds(tournament) != []
    turn_around(game_in(tournament, slot))
    assert changed_rounds(tournament) == []
    play_out(tournament, "Sara")
    assert rounds(tournament) == 3


GROUPS: dict[str, Any] = {
    "format": "round_robin",
    "options": {"groups": 2},
    "later": [{"format": "single_elimination", "qualification": {"first_of_each_group": 2}}],
    "metrics": ["points", "lots"],
}


def test_next_round_is_not_drawn_over_a_correction_of_the_stage_before() -> None:
    tournament = published(4, 2, **GROUPS)
    by_number(tournament)
    start_next_stage(tournament, ACTOR, SEED)
    compute_standings(str(tournament.pk))
    assert changed_stage(inputs_now(tournament)) is None
    turn_groups_around(tournament)
    assert changed_stage(inputs_now(tournament)) is not None
    for game in open_games(tournament):
        enter_result(game, ACTOR, seat=0)
    compute_standings(str(tournament.pk))
    sweep()
    assert rounds(tournament) == 4
    with pytest.raises(Refused) as refused:
        redraw_stage(tournament, ACTOR, "wrong-winner")
    assert refused.value.code == "stage-begun"


def test_later_stage_is_unchanged_when_a_squad_leaves_it() -> None:
    other = published(4, 2, **GROUPS)
    by_number(other)
    start_next_stage(other, ACTOR, SEED)
    compute_standings(str(other.pk))
    gone = other.stages.get(number=2).squads.order_by("team__number", "number")[0]
    remove_squad(other, ACTOR, gone, "withdrawn")
    compute_standings(str(other.pk))
    assert changed_stage(inputs_now(other)) is None
    by_number(other)
    close_tournament(other, ACTOR)
    reopen_tournament(other, ACTOR, "typing-error")
    compute_standings(str(other.pk))
    assert len(names(other)) == 8 + 4
    assert [str(wrong) for wrong in verify(other.event)] == []


def seated_twice(tournament: Tournament) -> list[tuple[int, Any]]:
    """Who sits in two matches of one round, by its number."""
    sides = [(match.round, side.squad_id) for match in views(tournament) for side in match.sides]
    return [each for each, times in Counter(sides).items() if times > 1]


@pytest.mark.parametrize("begun", ["W2.1", "P3"])
def test_redraw_moves_neither_of_two_finals_once_one_has_begun(begun: str) -> None:
    tournament = published(4, 1, format="single_elimination", options={"played_for": 4})
    first_round(tournament)
    sweep()
    write_log(game_in(tournament, begun), ACTOR, [(None, {"type": "dealer_named", "seat": 0})])
    drawn = {match.slot: [side.squad_id for side in match.sides] for match in views(tournament)}

    turn_around(game_in(tournament, "W1.1"))

    (change,) = changed_rounds(tournament)
    assert {pair.slot: (pair.is_begun, pair.is_held) for pair in change.pairs} == {
        begun: (True, False),
        ({"W2.1", "P3"} - {begun}).pop(): (False, True),
    }
    with pytest.raises(Refused) as refused:
        redraw_rounds(tournament, ACTOR, "wrong-winner")
    assert refused.value.code == "nothing-moves"
    assert {match.slot: [side.squad_id for side in match.sides] for match in views(tournament)} == drawn
    play_out(tournament, "Rita")
    assert sorted(row.place for row in tournament.standings_versions.latest("number").rows.all()) == [
        1,
        2,
        3,
        4,
    ]
    assert [str(wrong) for wrong in verify(tournament.event)] == []


def test_match_whose_result_was_taken_back_is_drawn_anew() -> None:
    tournament = published(4, 1, format="single_elimination")
    first_round(tournament)
    sweep()
    final = game_in(tournament, "W2.1")
    wrong = [side.squad_id for side in final.match.sides.all()]
    enter_result(final, ACTOR, seat=0)
    turn_around(game_in(tournament, "W1.1"))
    with pytest.raises(Refused):
        redraw_rounds(tournament, ACTOR, "wrong-winner")

    write_log(final, ACTOR, [(None, {"type": "event_voided", "line": 2, "reason": "wrong-winner"})])
    compute_standings(str(tournament.pk))
    redraw_rounds(tournament, ACTOR, "wrong-winner")
    compute_standings(str(tournament.pk))

    drawn = [side.squad_id for side in game_in(tournament, "W2.1").match.sides.all()]
    assert len(set(drawn) & set(wrong)) == 1
    assert list(verify(tournament.event)) == []
    # Once the correction is taken back, the match is there again as it was left.
    turn_around(game_in(tournament, "W1.1"))
    redraw_rounds(tournament, ACTOR, "wrong-winner")
    again = game_in(tournament, "W2.1")
    assert (again.game_id, [side.squad_id for side in again.match.sides.all()]) == (final.game_id, wrong)
    play_out(tournament, "Rita")
    close_tournament(tournament, ACTOR)
    assert list(verify(tournament.event)) == []


@pytest.mark.parametrize(
    "settings",
    [
        {"format": "single_elimination", "options": {"played_for": 8}},
        {"format": "double_elimination"},
    ],
    ids=["all places", "double"],
)
@pytest.mark.parametrize("fate", [1, *(pytest.param(fate, marks=pytest.mark.long) for fate in (3, 4))])
def test_redraw_puts_nobody_in_two_matches_of_a_round(settings: dict[str, Any], fate: int) -> None:
    chance = random.Random(f"corrected {fate}")
    tournament = published(8, 1, **settings)
    first_round(tournament)
    compute_standings(str(tournament.pk))
    sweep()
    moved = 0
    for _ in range(14):
        if games := open_games(tournament):
            game = chance.choice(games)
            if chance.random() < 0.3 and not game.game.version:
                write_log(game, ACTOR, [(None, {"type": "dealer_named", "seat": 0})])
            else:
                enter_result(game, ACTOR, seat=chance.randrange(2))
            compute_standings(str(tournament.pk))
            sweep()
        over = MatchGame.objects.filter(match__stage__tournament=tournament, game__is_over=True)
        if chance.random() < 0.6 and over.exists():
            turn_around(chance.choice(list(over.order_by("match__round", "match__slot"))))
        if any(each.moves for each in changed_rounds(tournament)):
            redraw_rounds(tournament, ACTOR, "wrong-winner")
            moved += 1
        assert seated_twice(tournament) == []

    assert moved
