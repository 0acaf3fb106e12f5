"""Who leaves, doesn't turn up, comes back or comes late, in every format that is drawn round by round."""

import random
from contextlib import suppress
from typing import Any

import pytest
from django.test import Client

from people.actors import Actor
from people.refusals import Refused
from tests.support.computed_tournaments import address
from tests.support.factories import make_entry, make_team
from tests.support.rounds_play import (
    game_in,
    meetings,
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
from tests.support.run import long
from tests.support.soundness import assert_sound
from tournaments.commands.close import close_tournament
from tournaments.commands.results import enter_result
from tournaments.commands.round_draws import changed_rounds, draw_next_round
from tournaments.commands.squad_changes import add_squad, bring_back_squad, remove_squad
from tournaments.facts.reasons import GONE_REASONS
from tournaments.models import Squad, Tournament
from tournaments.queries.match_views import MatchProgress
from tournaments.tasks import compute_standings
from tournaments.verification.row_snapshots import picture

# What formats promise hangs on no database: the other files of this folder run on both.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ACTOR = Actor.command()
FORMATS: list[dict[str, Any]] = [
    {"format": "round_robin"},
    {"format": "round_robin", "options": {"groups": 2, "annul": False}},
    {"format": "swiss"},
    {"format": "single_elimination"},
    {"format": "double_elimination"},
    {"format": "single_elimination", "match": {"length": "best_of", "games": 3}},
]


def remove(tournament: Tournament, name: tuple[int, int], reason: str = "withdrawn") -> Squad:
    """Remove a squad and compute."""
    squad = squad_named(tournament, name)
    remove_squad(tournament, ACTOR, squad, reason)
    compute_standings(str(tournament.pk))
    return squad


# In every format of single games somebody doesn't turn up or leaves in the middle, by turns; both, and longer
# matches too, with `--long`.
FATES = ((0, "no-show"), (5, "withdrawn"))
LEAVING = [
    pytest.param(
        settings,
        *fate,
        marks=[] if (at + half) % 2 == 0 and "match" not in settings else pytest.mark.long,
        id=f"{settings} {fate}",
    )
    for at, settings in enumerate(FORMATS)
    for half, fate in enumerate(FATES)
]


@pytest.mark.parametrize(("settings", "begun", "reason"), LEAVING)
def test_leaving_squad_lets_the_others_play_on_to_the_end(
    settings: dict[str, Any], begun: int, reason: str
) -> None:
    tournament = published(4, 2, **settings)
    play_out(tournament, "Elio", most=begun)
    compute_standings(str(tournament.pk))
    remove(tournament, (2, 1), reason)
    assert all((2, 1) not in sides_of(match) for match in views(tournament) if is_open(match))
    drawn = len(told(tournament)["rounds"])
    play_out(tournament, "Elio")
    assert changed_rounds(tournament) == []
    later = [match for match in views(tournament) if match.round > drawn]
    assert all((2, 1) not in sides_of(match) for match in later)
    close_tournament(tournament, ACTOR)
    assert len(told(tournament)["rows"]) == 8
    assert_sound(tournament)


def is_open(match: Any) -> bool:
    """Whether a match is still to be played."""
    return bool(match.progress is not MatchProgress.DONE)


def sides_of(match: Any) -> list[tuple[int, int]]:
    """Who plays it."""
    return [(side.team.number, side.squad) for side in match.sides]


def by_turns(begin: int) -> list[Any]:
    """Every second format in any run, all of them with `--long`."""
    return [
        pytest.param(settings, marks=[] if at % 2 == begin else pytest.mark.long, id=str(settings))
        for at, settings in enumerate(FORMATS)
    ]


@pytest.mark.parametrize("settings", by_turns(0))
def test_leaving_of_both_sides_of_a_match_lets_the_others_play_on(settings: dict[str, Any]) -> None:
    tournament = published(4, 2, **settings)
    match = next(match for match in views(tournament) if match.round == 1)
    for name in sides_of(match):
        remove(tournament, name)
    play_out(tournament, "Fosca")
    assert changed_rounds(tournament) == []
    close_tournament(tournament, ACTOR)
    assert_sound(tournament)


@pytest.mark.parametrize("settings", by_turns(1))
def test_leaving_of_nearly_everybody_lets_the_tournament_be_closed(settings: dict[str, Any]) -> None:
    tournament = published(3, 2, **settings)
    for name in sorted(names(tournament).values())[:-1]:
        remove(tournament, name)
        play_out(tournament, "Gina", most=1)
        compute_standings(str(tournament.pk))
    play_out(tournament, "Gina")
    close_tournament(tournament, ACTOR)
    assert_sound(tournament)


def test_level_match_is_conceded_with_as_many_games_as_it_takes() -> None:
    first_to_two = {"length": "first_to", "games": 2}
    tournament = published(2, 1, format="single_elimination", match=first_to_two)
    for _ in range(3):
        (game,) = open_games(tournament)
        enter_result(game, ACTOR, reason="time")
    remove(tournament, (1, 1))
    (match,) = views(tournament)
    assert [game.closed_by for game in match.games] == ["time"] * 3 + ["forfeit"] * 2
    assert match.progress is MatchProgress.DONE
    assert told(tournament)["rows"][0][0] == (2, 1)
    close_tournament(tournament, ACTOR)
    assert_sound(tournament)


def test_returning_squad_is_paired_again_from_the_next_round_on() -> None:
    tournament = published(4, 2, format="swiss")
    squad = remove(tournament, (1, 1))
    play_out(tournament, "Ilda", most=3)
    compute_standings(str(tournament.pk))
    second = [match for match in views(tournament) if match.round == 2]
    assert second
    assert all((1, 1) not in sides_of(match) for match in second)
    bring_back_squad(tournament, ACTOR, squad)
    compute_standings(str(tournament.pk))
    assert changed_rounds(tournament) == []
    play_out(tournament, "Ilda")
    third = [match for match in views(tournament) if match.round == 3]
    assert any((1, 1) in sides_of(match) for match in third)
    assert changed_rounds(tournament) == []
    close_tournament(tournament, ACTOR)
    assert_sound(tournament)


def test_leaving_and_returning_that_make_no_sense_are_refused() -> None:
    tournament = published(4, 1, format="swiss")
    squad = squad_named(tournament, (1, 1))
    with pytest.raises(Refused) as refused:
        bring_back_squad(tournament, ACTOR, squad)
    assert refused.value.code == "not-gone"
    with pytest.raises(Refused) as refused:
        remove_squad(tournament, ACTOR, squad, "Ortensia has a cold")
    assert (refused.value.code, refused.value.params["reasons"]) == ("unknown-reason", list(GONE_REASONS))
    remove_squad(tournament, ACTOR, squad, "withdrawn")
    with pytest.raises(Refused) as refused:
        remove_squad(tournament, ACTOR, squad, "withdrawn")
    assert refused.value.code == "gone-already"
    stranger = squad_named(published(2, 1, format="swiss"), (1, 1))
    with pytest.raises(Refused) as refused:
        remove_squad(tournament, ACTOR, stranger, "withdrawn")
    assert refused.value.code == "unknown-squad"


def late(tournament: Tournament) -> Squad:
    """A squad of a new team that comes late, after computing."""
    entry = make_entry(make_team(tournament.event))
    add_squad(tournament, ACTOR, [entry])
    compute_standings(str(tournament.pk))
    return Squad.objects.get(stage__tournament=tournament, stage__number=1, team=entry.team)


@pytest.mark.parametrize(
    ("settings", "squads", "matches"),
    [
        ({"format": "round_robin"}, 5, 15),
        ({"format": "round_robin"}, 3, 6),
        # With one more all meet in other rounds.
        ({"format": "round_robin"}, 6, 21),
        ({"format": "round_robin", "options": {"legs": 2}}, 4, 20),
        ({"format": "swiss"}, 5, None),
        ({"format": "single_elimination", "options": {"played_for": 2}}, 5, 5),
        ({"format": "double_elimination", "options": {"reset": False}}, 5, 10),
    ],
    ids=str,
)
def test_late_squad_before_anything_has_begun_is_one_of_all(
    settings: dict[str, Any], squads: int, matches: int | None
) -> None:
    tournament = published(squads, 1, **settings)
    came = late(tournament)
    assert changed_rounds(tournament) == []
    play_out(tournament, "Lapo")
    assert changed_rounds(tournament) == []
    if matches is not None:
        assert len(views(tournament)) == matches
    assert any((came.team.number, 1) in pair for pair in meetings(tournament))
    assert len(told(tournament)["rows"]) == squads + 1
    close_tournament(tournament, ACTOR)
    assert_sound(tournament)


@pytest.mark.parametrize("squads", [5, 7])
def test_late_squad_takes_the_empty_place_of_a_round_robin(squads: int) -> None:
    tournament = published(squads, 1, format="round_robin", tables=2)
    play_out(tournament, "Mara", most=squads // 2)
    compute_standings(str(tournament.pk))
    came = late(tournament)
    play_out(tournament, "Mara")
    missed = squads - sum((came.team.number, 1) in pair for pair in meetings(tournament))
    assert missed == 1
    close_tournament(tournament, ACTOR)
    assert_sound(tournament)


def test_late_squad_is_refused_when_nothing_is_left_to_draw() -> None:
    for settings, codes in (
        ({"format": "swiss"}, {"all-drawn"}),
        ({"format": "single_elimination"}, {"cannot-draw"}),
        ({"format": "round_robin"}, {"cannot-draw"}),
    ):
        tournament = published(4, 1, **settings)
        play_out(tournament, "Nilo")
        before = picture(tournament)
        with pytest.raises(Refused) as refused:
            late(tournament)
        assert refused.value.code in codes, settings
        assert picture(tournament) == before


@pytest.mark.parametrize("squads", [4, 6])
def test_late_squad_is_refused_by_a_full_round_robin(squads: int) -> None:
    tournament = published(squads, 1, format="round_robin")
    play_out(tournament, "Olga", most=1)
    with pytest.raises(Refused) as refused:
        late(tournament)
    assert (refused.value.code, refused.value.params["why"]) == ("cannot-draw", "no_place")


def test_late_squad_of_wrong_entries_is_refused() -> None:
    tournament = published(3, 1, format="swiss", squad_size=1)
    playing = squad_named(tournament, (1, 1)).members.get().entry
    other = make_entry(make_team(published(2, 1, format="swiss").event))
    team = make_team(tournament.event)
    two = [make_entry(team), make_entry(team)]
    for entries in ([playing], [other], two, [two[0], two[0]], []):
        with pytest.raises(Refused) as refused:
            add_squad(tournament, ACTOR, entries)
        assert refused.value.code == "wrong-entries"


def test_next_swiss_round_has_who_came_and_not_who_left() -> None:
    tournament = published(4, 2, format="swiss", draws_itself=False)
    play_out(tournament, "Pina")
    came = late(tournament)
    remove(tournament, (3, 2))
    draw_next_round(tournament, ACTOR)
    compute_standings(str(tournament.pk))
    second = {name for match in views(tournament) if match.round == 2 for name in sides_of(match)}
    assert second == set(names(tournament).values()) - {(3, 2)}
    assert (came.team.number, 1) in second
    assert_sound(tournament)


def test_chance_of_leaving_returning_and_late_squads_leaves_all_in_order() -> None:
    for seed in range(8 if long.asked else 1):
        chance = random.Random(seed)
        settings = chance.choice(FORMATS)
        tournament = published(4, 2, **settings)
        away: list[Squad] = []
        for _ in range(12):
            here = [each for each in first_squads(tournament) if each not in away]
            step = chance.random()
            if step < 0.15 and len(here) > 3:
                away.append(chance.choice(here))
                remove_squad(tournament, ACTOR, away[-1], chance.choice(list(GONE_REASONS)))
            elif step < 0.25 and away:
                bring_back_squad(tournament, ACTOR, away.pop())
            elif step < 0.35:
                with suppress(Refused):
                    late(tournament)
            else:
                play_out(tournament, str(seed), most=2)
            compute_standings(str(tournament.pk))
            assert changed_rounds(tournament) == [], (seed, settings)
        play_out(tournament, str(seed))
        assert_sound(tournament)
        close_tournament(tournament, ACTOR)


def first_squads(tournament: Tournament) -> list[Squad]:
    """The squads in their order."""
    return list(Squad.objects.filter(stage__tournament=tournament).order_by("team__number", "number"))


def test_double_elimination_pairs_nobody_with_themselves_after_a_correction(client: Client) -> None:
    tournament = published(3, 1, format="double_elimination", draws_itself=False)

    def win(slot: str, team: int) -> None:
        game = game_in(tournament, slot)
        sides = {side.number: side.squad.team.number for side in game.match.sides.all()}
        enter_result(game, ACTOR, seat=[sides[side] for side in game.sides].index(team))
        compute_standings(str(tournament.pk))

    first = tournament_matches(tournament).get()
    winner, loser = (side.squad.team.number for side in first.sides.order_by("number"))
    waiting = ({1, 2, 3} - {winner, loser}).pop()
    win(first.slot, winner)
    draw_next_round(tournament, ACTOR)
    turn_around(game_in(tournament, first.slot))
    win("W2.1", waiting)

    with pytest.raises(Refused) as refused:
        draw_next_round(tournament, ACTOR)

    assert refused.value.params["why"] == "corrected_before"
    compute_standings(str(tournament.pk))
    assert_sound(tournament)
    for rest in ("", "bracket/", "matches/"):
        assert client.get(address(tournament, rest)).status_code == 200
    # The first match as it was: the bracket goes on.
    turn_around(game_in(tournament, first.slot))
    draw_next_round(tournament, ACTOR)
    assert_sound(tournament)
