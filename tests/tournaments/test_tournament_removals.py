"""Who is removed, and what becomes of the place: mini-tournaments and every format drawn round by round."""

import json
import random
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from django.utils import translation

from ledger import read
from people.actors import Actor
from people.display_names import Viewer
from people.refusals import Refused
from tests.support import factories
from tests.support.rounds_play import (
    game_in,
    names,
    open_games,
    play_out,
    published,
    squad_named,
    told,
)
from tests.support.run import long
from tests.support.soundness import assert_sound
from tournaments.commands import results
from tournaments.commands.close import close_tournament
from tournaments.commands.decision_recording import decide
from tournaments.commands.entered_places import enter_placements
from tournaments.commands.next_stage import draw_stage_lots, start_next_stage
from tournaments.commands.round_draws import changed_rounds
from tournaments.commands.squad_changes import bring_back_squad, bring_back_team, remove_squad, remove_team
from tournaments.formats.draw_verification import repeat_all
from tournaments.formats.record import read_record
from tournaments.models import MatchGame, Squad, Tournament
from tournaments.projections import outlooks, standings
from tournaments.projections.rounds import outlook
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.outlook import outlook_table
from tournaments.queries.standings import standings_table
from tournaments.standings import EDITION
from tournaments.tasks import compute_standings
from tournaments.transfer.export.csv_and_json import Word, json_lines
from tournaments.transfer.export.exported_tables import Export

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
Rows = list[tuple[Any, int, str, Any]]


@pytest.fixture(autouse=True)
def _few_ways_are_played_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have outlooks be quick: they are asked here whether they include what came, and can be repeated."""
    monkeypatch.setattr(outlook, "MOST_WAYS", 32)
    monkeypatch.setattr(outlook, "MOST_SAMPLES", 20)


def mini_tournaments(**settings: Any) -> Tournament:
    """A palio of three teams played to its end: seat 0 of each game wins, so all are level on points but for
    what is adjusted.
    """
    tournament = factories.drawn_tournament(factories.make_event(), 3, 3, **settings)
    for game in factories.games_of(tournament):
        sides = game.match.sides.select_related("squad__team").order_by("number")
        teams = {side.number: side.squad.team.number for side in sides}
        playing = [teams[side] for side in game.sides]
        results.enter_result(game, ACTOR, seat=playing.index(min(playing)))
    compute_standings(str(tournament.pk))
    return tournament


def rows(tournament: Tournament) -> Rows:
    """Who stands where: team number (with the squad's), place, placement points, removal."""
    compute_standings(str(tournament.pk))
    table = standings_table(tournament)
    assert table is not None
    return [
        (
            row.team.number if row.squad is None else (row.team.number, row.squad.number),
            row.place,
            row.placement_points,
            row.removal,
        )
        for row in table.rows
    ]


def verified(tournament: Tournament) -> None:
    """Rows, versions and outlook follow from the facts."""
    compute_standings(str(tournament.pk))
    outlooks.compute(tournament.pk)
    assert_sound(tournament)


def team(tournament: Tournament, number: int) -> Any:
    return tournament.event.teams.get(number=number)


def test_disqualified_winner_comes_last_without_placement_points_and_the_others_move_up() -> None:
    tournament = mini_tournaments()
    assert rows(tournament) == [(1, 1, "30", None), (2, 2, "20", None), (3, 3, "10", None)]

    remove_team(tournament, ACTOR, team(tournament, 1), "disqualified")

    gone = {"reason": "disqualified", "place": "last"}
    assert rows(tournament) == [(2, 1, "30", None), (3, 2, "20", None), (1, 3, "0", gone)]
    close_tournament(tournament, ACTOR)
    verified(tournament)


def test_team_that_withdraws_keeps_its_place_and_the_row_says_so() -> None:
    tournament = mini_tournaments()

    remove_team(tournament, ACTOR, team(tournament, 1), "withdrawn")

    gone = {"reason": "withdrawn", "place": "keeps"}
    assert rows(tournament) == [(1, 1, "30", gone), (2, 2, "20", None), (3, 3, "10", None)]
    verified(tournament)


def test_annulled_results_of_a_team_count_for_nobody() -> None:
    """Team 2 beat team 3 alone, and lost to team 1; without the games of team 3 it has no point."""
    tournament = mini_tournaments()
    before = dict(inputs_now(tournament).count().meetings.points)

    remove_team(tournament, ACTOR, team(tournament, 3), "withdrawn", "annulled")

    points = inputs_now(tournament).count().meetings.points
    one, two, three = (team(tournament, number).pk for number in (1, 2, 3))
    assert (points[one], points[two], points[three]) == (before[one] / 2, 0, 0)
    assert rows(tournament)[2] == (3, 3, "0", {"reason": "withdrawn", "place": "annulled"})
    verified(tournament)


def test_annulled_results_of_one_squad_leave_those_of_its_team_mates() -> None:
    tournament = mini_tournaments()
    squad = Squad.objects.get(stage__tournament=tournament, team__number=1, number=1)
    before = inputs_now(tournament).count()
    of_squad = [
        game
        for game in inputs_now(tournament).stages.games()
        if (squad.team_id, 1) in zip(game.sides, game.squads, strict=True)
    ]

    remove_squad(tournament, ACTOR, squad, "disqualified", "annulled")

    after = inputs_now(tournament).count()
    assert len(of_squad) > 0
    assert before.meetings.points[squad.team_id] - after.meetings.points[squad.team_id] == len(of_squad)
    assert (after.closed, len(after.results)) == (before.closed - len(of_squad),) * 2
    assert rows(tournament)[0][3] is None
    bring_back_squad(tournament, ACTOR, squad)
    assert inputs_now(tournament).count().meetings.points == before.meetings.points
    verified(tournament)


def test_open_games_of_a_removed_team_are_won_by_the_others() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), 3, 2)

    remove_team(tournament, ACTOR, team(tournament, 2), "no-show", "keeps")

    for game in factories.games_of(tournament):
        sides = game.match.sides.select_related("squad__team").order_by("number")
        teams = {side.number: side.squad.team.number for side in sides}
        playing = [teams[side] for side in game.sides]
        if 2 in playing:
            assert (game.game.closed_by, game.game.winner_seat) == ("forfeit", 1 - playing.index(2))
        else:
            assert not game.game.is_over
    verified(tournament)


def test_removal_is_corrected_and_taken_back() -> None:
    tournament = mini_tournaments()
    first = team(tournament, 1)
    remove_team(tournament, ACTOR, first, "withdrawn")
    with pytest.raises(Refused) as same:
        remove_team(tournament, ACTOR, first, "withdrawn", "keeps")

    remove_team(tournament, ACTOR, first, "disqualified")
    corrected = rows(tournament)
    bring_back_team(tournament, ACTOR, first)

    assert same.value.code == "gone-already"
    assert corrected[2] == (1, 3, "0", {"reason": "disqualified", "place": "last"})
    assert rows(tournament) == [(1, 1, "30", None), (2, 2, "20", None), (3, 3, "10", None)]
    with pytest.raises(Refused) as twice:
        bring_back_team(tournament, ACTOR, first)
    assert twice.value.code == "not-gone"
    verified(tournament)


def test_outlook_gives_a_disqualified_team_the_last_place_and_the_others_the_rest() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), 3, 2)
    remove_team(tournament, ACTOR, team(tournament, 1), "disqualified")
    compute_standings(str(tournament.pk))

    outlooks.compute(tournament.pk)

    table = outlook_table(tournament)
    assert table is not None
    assert {row.team.number: found.places for row, found in table.contestants} == {
        1: (3,),
        2: (1, 2),
        3: (1, 2),
    }


# --- drawn round by round

FORMATS: list[dict[str, Any]] = [
    {"format": "round_robin"},
    {"format": "round_robin", "options": {"groups": 2}},
    {"format": "swiss"},
    {"format": "single_elimination"},
    {"format": "double_elimination"},
    {
        "format": "round_robin",
        "options": {"groups": 2},
        "later": [{"format": "single_elimination", "qualification": {"first_of_each_group": 1}}],
    },
]


@pytest.mark.parametrize("settings", FORMATS, ids=str)
def test_disqualified_winner_of_any_format_comes_last_when_all_is_played(settings: dict[str, Any]) -> None:
    tournament = played_to_the_end(settings)
    before = rows(tournament)
    winner = before[0][0]

    remove_squad(tournament, ACTOR, squad_named(tournament, winner), "disqualified")
    after = rows(tournament)

    if settings.get("options") is None or "later" in settings:
        assert [who for who, *_ in after] == [*(who for who, *_ in before[1:]), winner]
    # Of groups side by side the second of the winner's is now the first of it.
    assert {who for who, *_ in after} == {who for who, *_ in before}
    assert after[-1] == (winner, 8, "0", {"reason": "disqualified", "place": "last"})
    assert after[0][1:3] == (1, "30")
    if settings["format"].endswith("elimination"):
        # The place in the stage is the one that is shown, without who was disqualified.
        version = tournament.standings_versions.latest("number")
        assert all(row.metrics == [["stage_place", str(row.place)]] for row in version.rows.all())
    close_tournament(tournament, ACTOR)
    verified(tournament)


@pytest.mark.parametrize("settings", FORMATS, ids=str)
def test_squad_disqualified_in_the_middle_is_last_in_the_end(settings: dict[str, Any]) -> None:
    tournament = published(4, 2, **settings)
    play_out(tournament, "Ada", most=4)
    compute_standings(str(tournament.pk))
    foreseen = outlooks.compute(tournament.pk)

    remove_squad(tournament, ACTOR, squad_named(tournament, (2, 1)), "disqualified")
    compute_standings(str(tournament.pk))
    middle = outlooks.compute(tournament.pk)
    finish(tournament)

    assert foreseen is not None
    assert middle is not None
    last = rows(tournament)[-1]
    assert last == ((2, 1), 8, "0", {"reason": "disqualified", "place": "last"})
    table = {(row[0]): row[1] for row in rows(tournament)}
    of = {str(squad): name for squad, name in squad_names(tournament).items()}
    for each in middle.teams:
        assert table[of[each["team"]]] in {*each["places"], *each["undecided"]}
    close_tournament(tournament, ACTOR)
    verified(tournament)


def finish(tournament: Tournament) -> None:
    """Play all that is left, in every stage; ties for a place in the next one are broken by lots."""
    play_out(tournament, "Ada")
    while tournament.stages.count() < 1 + len(tournament.settings["later"]):
        with suppress(Refused):
            draw_stage_lots(tournament, ACTOR, factories.SEED)
        start_next_stage(tournament, ACTOR, factories.SEED)
        compute_standings(str(tournament.pk))
        play_out(tournament, "Ada")


def played_to_the_end(settings: dict[str, Any]) -> Tournament:
    """Eight squads of four teams."""
    tournament = published(4, 2, **settings)
    finish(tournament)
    return tournament


def squad_names(tournament: Tournament) -> dict[Any, tuple[int, int]]:
    squads = Squad.objects.filter(stage__tournament=tournament, stage__number=1).select_related("team")
    return {squad.pk: (squad.team.number, squad.number) for squad in squads}


def test_squad_that_went_out_in_the_groups_can_be_disqualified_later() -> None:
    tournament = played_to_the_end(FORMATS[5])
    before = rows(tournament)
    out = before[2][0]

    remove_squad(tournament, ACTOR, squad_named(tournament, out), "disqualified")

    assert [who for who, *_ in rows(tournament)] == [*(who for who, *_ in before if who != out), out]
    with pytest.raises(Refused) as refused:
        remove_squad(tournament, ACTOR, squad_named(tournament, out), "disqualified", "annulled")
    assert (refused.value.code, refused.value.params["places"]) == ("unknown-place", ["keeps", "last"])


@pytest.mark.parametrize("format_", ["single_elimination", "double_elimination"])
def test_results_of_a_knockout_are_never_annulled(format_: str) -> None:
    tournament = published(4, 1, format=format_)

    with pytest.raises(Refused) as refused:
        remove_squad(tournament, ACTOR, squad_named(tournament, (1, 1)), "withdrawn", "annulled")

    assert refused.value.code == "unknown-place"


@pytest.mark.parametrize(("edition", "place"), [(EDITION, "annulled"), (3, "rule")])
def test_squad_annulled_by_the_rule_on_leaving_early_comes_last(
    edition: int, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of four wins a match and leaves: of three matches less than half are completed. Up to edition 3 it
    was level with the others, who have no point either.
    """
    monkeypatch.setattr("tournaments.commands.set_up.EDITION", edition)
    scale = [40, 30, 20, 10]
    tournament = published(4, 1, format="round_robin", metrics=["points"], scale=scale)
    play_out(tournament, "Ada", most=1)
    compute_standings(str(tournament.pk))
    first = rows(tournament)[0][0]

    remove_squad(tournament, ACTOR, squad_named(tournament, first), "withdrawn")

    gone = {"reason": "withdrawn", "place": place}
    others = [(one, 1, "40", None) for one in ((1, 1), (2, 1), (3, 1), (4, 1)) if one != first]
    if edition == 3:
        assert sorted(rows(tournament)) == sorted([*others, (first, 1, "40", gone)])
        return
    assert rows(tournament) == [*others, (first, 4, "0", gone)]
    found = outlooks.compute(tournament.pk)
    assert found is not None
    squad = str(squad_named(tournament, first).pk)
    assert [each["places"] for each in found.teams if each["team"] == squad] == [[4]]
    play_out(tournament, "Ada")
    close_tournament(tournament, ACTOR)
    assert rows(tournament)[-1] == (first, 4, "0", gone)
    verified(tournament)


def test_annulled_results_of_a_swiss_give_no_points_to_those_who_met_it() -> None:
    tournament = published(4, 1, format="swiss", options={"rounds": 2})
    play_out(tournament, "Ada")
    ours = str(team(tournament, 1).pk)

    remove_squad(tournament, ACTOR, squad_named(tournament, (1, 1)), "disqualified", "annulled")

    after = inputs_now(tournament)
    course = after.courses[0]
    won = Counter(
        course.key(match.state.outcome.winner)[0]
        for match in course.matches
        if match.state.outcome is not None and match.state.outcome.winner is not None
        if all(course.key(side)[0] != ours for side in match.pairing.sides)
    )
    teams = after.team_of()
    assert {str(teams[row.team]): row.value("points") for row in after.rank()} == {
        key: won[key] for key in map(str, teams.values())
    }
    assert rows(tournament)[-1][0] == (1, 1)
    verified(tournament)


def test_round_drawn_before_an_annulment_can_still_be_repeated() -> None:
    tournament = published(4, 2, format="swiss", options={"rounds": 4})
    play_out(tournament, "Ada", most=8)
    compute_standings(str(tournament.pk))

    remove_squad(tournament, ACTOR, squad_named(tournament, (1, 1)), "disqualified", "annulled")
    compute_standings(str(tournament.pk))
    play_out(tournament, "Ada")

    assert changed_rounds(tournament) == []
    record = read_record(json.loads(json.dumps(inputs_now(tournament).courses[0].record().to_json())))
    assert [list(each.differences()) for each in repeat_all(record)] == [[]] * len(record.drawn)
    verified(tournament)


def test_round_robin_asks_its_own_rule_unless_the_decision_says_otherwise() -> None:
    """After one of three matches the rule annuls; a decision can keep what was played."""
    tournament = published(4, 1, format="round_robin")
    play_out(tournament, "Ada", most=2)
    squad = squad_named(tournament, (1, 1))

    remove_squad(tournament, ACTOR, squad, "withdrawn")
    by_rule = inputs_now(tournament).courses[0]
    remove_squad(tournament, ACTOR, squad, "withdrawn", "keeps")
    kept = inputs_now(tournament).courses[0]

    assert by_rule.format.annulled(by_rule.progress, by_rule.seed) == by_rule.progress.gone
    assert kept.format.annulled(kept.progress, kept.seed) == frozenset()
    assert {row[3]["place"] for row in rows(tournament) if row[3]} == {"keeps"}
    verified(tournament)


@pytest.mark.parametrize(
    "settings",
    [
        {"format": "swiss", "match": {"length": "best_of", "games": 3}},
        {"format": "round_robin", "match": {"length": "first_to", "games": 2}},
        {"format": "round_robin", "match": {"length": "mini_tournament", "games": 2}},
    ],
    ids=str,
)
def test_open_matches_of_an_annulled_squad_are_struck_and_given_if_it_keeps_its_place(
    settings: dict[str, Any],
) -> None:
    """Half of a match is played when it leaves; the rest is won by nobody until the decision is another."""
    tournament = published(4, 1, **settings)
    squad = squad_named(tournament, (1, 1))
    begun = next(game for game in open_games(tournament) if squad.pk in sides_of(game))
    results.enter_result(begun, ACTOR, seat=0)

    remove_squad(tournament, ACTOR, squad, "disqualified", "annulled")
    struck = forfeits_of(squad)
    counted = inputs_now(tournament).count()
    open_ = [game for game in open_games(tournament) if squad.pk in sides_of(game)]
    remove_squad(tournament, ACTOR, squad, "disqualified", "keeps")
    given = forfeits_of(squad)

    assert len(struck) > 0
    assert set(struck.values()) == {None}
    assert (counted.games_closed[squad.pk], counted.closed, open_) == (0, 0, [])
    assert set(given) >= set(struck)
    assert given == {
        game.game_id: 1 - game.sides.index(sides_of(game).index(squad.pk))
        for game in MatchGame.objects.filter(game__in=given)
    }
    course = inputs_now(tournament).courses[0]
    assert all(
        match.state.outcome is not None
        for match in course.matches
        if any(course.key(side) == (str(squad.team_id), 1) for side in match.pairing.sides)
    )
    verified(tournament)


def sides_of(game: MatchGame) -> list[Any]:
    """The squads of a game's match, in the order of its sides."""
    return list(game.match.sides.order_by("number").values_list("squad", flat=True))


def forfeits_of(squad: Squad) -> dict[Any, int | None]:
    """The forfeited games of a squad, with the seat that won."""
    games = MatchGame.objects.filter(match__sides__squad=squad, game__closed_by="forfeit")
    return dict(games.values_list("game", "game__winner_seat"))


def test_open_games_of_an_annulled_team_are_struck_and_given_once_it_keeps_its_place() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), 3, 1)
    gone = team(tournament, 2)
    squad = Squad.objects.get(stage__tournament=tournament, team=gone)

    remove_team(tournament, ACTOR, gone, "no-show", "annulled")
    struck = forfeits_of(squad)
    remove_team(tournament, ACTOR, gone, "no-show", "keeps")
    given = forfeits_of(squad)

    assert len(struck) > 0
    assert set(struck.values()) == {None}
    assert given.keys() == struck.keys()
    assert None not in given.values()
    assert inputs_now(tournament).count().games_won[gone.pk] == 0
    verified(tournament)


def test_removal_s_forfeits_count_at_once_without_confirmation() -> None:
    """Three matches: one is entered and waits, two are given by the organizer's decision."""
    tournament = published(4, 1, format="round_robin", confirmation="organizer")
    squad = squad_named(tournament, (1, 1))
    first = next(game for game in open_games(tournament) if squad.pk in sides_of(game))
    results.enter_result(first, ACTOR, seat=0)

    remove_squad(tournament, ACTOR, squad, "withdrawn", "keeps")

    assert len(forfeits_of(squad)) == 2
    assert first.game_id not in forfeits_of(squad)
    after = inputs_now(tournament)
    assert (after.count().closed, after.count().games_won[squad.pk]) == (2, 0)
    verified(tournament)


def test_removal_of_an_earlier_version_means_what_it_meant() -> None:
    """A fact without `place`: the format's rule, and the row says nothing of it."""
    tournament = published(4, 1, format="swiss", options={"rounds": 2})
    play_out(tournament, "Ada")
    before = rows(tournament)
    winner = squad_named(tournament, before[0][0])
    body = {"team": str(winner.team_id), "squad": winner.number, "reason": "disqualified"}

    decide(tournament, "squad_gone", body, ACTOR)

    assert rows(tournament) == before
    bring_back_squad(tournament, ACTOR, winner)
    assert [fact.body.get("place") for fact in read.facts(tournament.pk) if fact.type == "squad_gone"] == [
        None
    ]
    verified(tournament)


def test_disqualified_winner_of_a_table_elimination_comes_last() -> None:
    options = {"seats": 4, "target": 100}
    tournament = published(3, 2, format="table_elimination", options=options, ruleset="house")
    chance = random.Random(4)
    while games := open_games(tournament):
        for game in games:
            best = chance.randrange(len(game.sides))
            points = {seat: 0 if seat == best else chance.randrange(60) for seat in range(len(game.sides))}
            results.enter_result(game, ACTOR, seat=best, points=points)
        compute_standings(str(tournament.pk))
    before = rows(tournament)

    remove_squad(tournament, ACTOR, squad_named(tournament, before[0][0]), "disqualified")

    after = rows(tournament)
    assert [who for who, *_ in after] == [*(who for who, *_ in before[1:]), before[0][0]]
    assert after[-1][1:3] == (6, "0")
    verified(tournament)


def test_disqualified_first_of_placements_by_hand_comes_last() -> None:
    tournament = published(4, 1, format="by_hand")
    squads = list(tournament.stages.get().squads.order_by("team__number"))
    enter_placements(tournament, ACTOR, [(squad.pk, at) for at, squad in enumerate(squads, start=1)])

    remove_squad(tournament, ACTOR, squads[0], "disqualified")

    assert [row[:3] for row in rows(tournament)] == [
        ((2, 1), 1, "30"),
        ((3, 1), 2, "20"),
        ((4, 1), 3, "10"),
        ((1, 1), 4, "0"),
    ]
    verified(tournament)


def test_standings_export_says_who_was_removed_and_what_became_of_the_place() -> None:
    tournament = mini_tournaments()
    remove_team(tournament, ACTOR, team(tournament, 1), "disqualified")
    version = standings.compute(tournament.pk)
    assert version is not None
    with translation.override("it"):
        table = Export(tournament.event, Viewer.public(tournament.event)).table("standings")

    at = {name: index for index, name in enumerate(table.columns)}
    last = [list(row) for row in table.rows() if list(row)[at["version"]] == version.number][-1]
    assert (last[at["place"]], last[at["placement_points"]]) == (3, 0)
    assert (last[at["removed"]], last[at["removed_place"]]) == (
        Word("disqualified", "squalificato"),
        Word("last", "Va all’ultimo posto, senza punti di piazzamento"),
    )


def test_match_export_says_that_a_match_is_decided_without_a_game() -> None:
    best_of_three = {"length": "best_of", "games": 3}
    tournament = published(2, 1, format="single_elimination", match=best_of_three)
    before = progress_in_export(tournament)

    remove_squad(tournament, ACTOR, squad_named(tournament, (1, 1)), "no-show")

    assert before == ["waiting"] * 3
    assert progress_in_export(tournament) == ["done", "done", "surplus"]


def progress_in_export(tournament: Tournament) -> list[str]:
    """How far each game is by the table of matches, in their order."""
    table = Export(tournament.event, Viewer.public(tournament.event)).table("matches")
    return [each["progress"] for each in json.loads(b"".join(json_lines(table)))]


def games_won(tournament: Tournament) -> dict[Any, int]:
    """How many games each squad has won by the standings, by its team's number and its own."""
    compute_standings(str(tournament.pk))
    table = standings_table(tournament)
    assert table is not None
    return {(row.team.number, row.squad.number): row.games_won for row in table.rows if row.squad is not None}


@pytest.mark.parametrize("place", ["keeps", "last"])
def test_disqualified_squad_s_results_stand_in_a_round_robin_that_annuls(place: str) -> None:
    tournament = published(4, 1, format="round_robin")
    game = open_games(tournament)[0]
    results.enter_result(game, ACTOR, seat=0)
    names = squad_names(tournament)
    sides = [names[side.squad_id] for side in game.match.sides.order_by("number")]
    winner, loser = (sides[index] for index in game.sides)

    remove_squad(tournament, ACTOR, squad_named(tournament, loser), "disqualified", place)
    compute_standings(str(tournament.pk))

    points = {
        names[row.squad_id]: dict(row.metrics)["points"]
        for row in tournament.standings_versions.latest("number").rows.all()
    }

    # The others win what it doesn't play any more.
    assert points == {name: "0" if name == loser else "1" for name in names.values()}
    assert games_won(tournament)[winner] == 1


def test_results_annulled_in_a_later_stage_leave_the_games_of_the_one_before() -> None:
    plain = {"format": "round_robin", "options": {"annul": False}}
    later = [{**plain, "qualification": {"everybody": True}}]
    tournament = published(4, 1, **plain, metrics=["points", "lots"], later=later)
    play_out(tournament, "Ada")
    draw_stage_lots_if_level(tournament)
    start_next_stage(tournament, ACTOR, factories.SEED)
    before = games_won(tournament)

    remove_squad(tournament, ACTOR, squad_named(tournament, (4, 1)), "disqualified", "annulled")

    assert games_won(tournament) == before
    assert sum(before.values()) == 6
    verified(tournament)


def draw_stage_lots_if_level(tournament: Tournament) -> None:
    """Break the ties that keep the next stage from being drawn."""
    with suppress(Refused):
        draw_stage_lots(tournament, ACTOR, factories.SEED)


# --- two who didn't turn up

BEST_OF_THREE = {"length": "best_of", "games": 3}
TWO_ABSENT: list[dict[str, Any]] = [
    {"format": "round_robin"},
    {"format": "round_robin", "options": {"annul": False}, "match": BEST_OF_THREE},
    {"format": "round_robin", "match": {"length": "mini_tournament", "games": 2}},
    {"format": "swiss"},
    {"format": "swiss", "match": {"length": "first_to", "games": 2}},
    {"format": "single_elimination"},
    {"format": "single_elimination", "options": {"played_for": 8}, "match": BEST_OF_THREE},
    {"format": "single_elimination", "options": {"played_for": 2}},
    {"format": "double_elimination"},
    {"format": "table_elimination", "options": {"seats": 4, "target": 100}, "ruleset": "house"},
]
TABLES = TWO_ABSENT[-1]


@pytest.mark.parametrize(
    ("settings", "played"),
    # Nine formats by three numbers of games: one in four, so that each format and each number is there.
    [(TABLES, 0), *long.one_in(4, ((each, played) for each in TWO_ABSENT[:-1] for played in (0, 2, 4)))],
    ids=str,
)
def test_removal_order_of_two_no_shows_changes_nothing(settings: dict[str, Any], played: int) -> None:
    """After some games, also in the same match; all that is left is then played in the same way."""
    each_team = 1 if settings["format"] == "round_robin" else 2
    tournaments = [published(4, each_team, **settings) for _ in range(2)]
    for each in tournaments:
        play_out(each, "Ada", most=played)
    match = open_games(tournaments[0])[0].match
    known = names(tournaments[0])
    both = [known[side.squad_id] for side in match.sides.order_by("number")][:2]

    for tournament, order in zip(tournaments, (both, both[::-1]), strict=True):
        for name in order:
            remove_squad(tournament, ACTOR, squad_named(tournament, name), "no-show", "keeps")
            compute_standings(str(tournament.pk))

    assert told(tournaments[0]) == told(tournaments[1])
    if settings is TABLES:
        return  # A deal needs points, and nobody wins by walkover.
    for each in tournaments:
        play_out(each, "Ada")
        close_tournament(each, ACTOR)
        verified(each)
    assert told(tournaments[0]) == told(tournaments[1])
    assert rows(tournaments[0]) == rows(tournaments[1])


@pytest.mark.parametrize("format_", ["single_elimination", "double_elimination"])
def test_no_show_after_a_walkover_is_taken_out_of_the_next_match(
    format_: str,
) -> None:
    """The next round is drawn between the two removals."""
    tournaments = [published(4, 2, format=format_, options={"seeded": 8}) for _ in range(2)]
    for tournament, order in zip(tournaments, (1, -1), strict=True):
        absent = game_in(tournament, "W1.2").match
        for game in open_games(tournament):
            if game.match_id != absent.pk:
                results.enter_result(game, ACTOR, seat=0)
        known = names(tournament)
        both = [known[side.squad_id] for side in absent.sides.order_by("number")][::order]
        remove_squad(tournament, ACTOR, squad_named(tournament, both[0]), "no-show")
        compute_standings(str(tournament.pk))
        assert len(inputs_now(tournament).courses[0].progress.rounds) == 2

        remove_squad(tournament, ACTOR, squad_named(tournament, both[1]), "no-show")
        compute_standings(str(tournament.pk))

        assert changed_rounds(tournament) == []
        record = read_record(json.loads(json.dumps(inputs_now(tournament).courses[0].record().to_json())))
        assert [list(each.differences()) for each in repeat_all(record)] == [[]] * len(record.drawn)

    assert told(tournaments[0]) == told(tournaments[1])
    for each in tournaments:
        play_out(each, "Ada")
        close_tournament(each, ACTOR)
        verified(each)
    assert told(tournaments[0]) == told(tournaments[1])


@pytest.mark.parametrize("order", [1, -1])
def test_level_match_that_neither_side_plays_to_its_end_sends_nobody_on(order: int) -> None:
    tournament = published(4, 1, format="single_elimination", match=BEST_OF_THREE)
    match = open_games(tournament)[0].match
    for number, seat in ((1, 0), (2, 0)):
        # Seats change from game to game, so each has won one.
        results.enter_result(match.match_games.get(number=number), ACTOR, seat=seat)
    known = names(tournament)
    both = [known[side.squad_id] for side in match.sides.order_by("number")][::order]

    for name in both:
        remove_squad(tournament, ACTOR, squad_named(tournament, name), "no-show")
        compute_standings(str(tournament.pk))
    play_out(tournament, "Ada")
    close_tournament(tournament, ACTOR)

    places = {who: place for who, place, *_ in rows(tournament)}
    assert [places[name] for name in both] == [3, 3]
    verified(tournament)


def test_walkover_win_is_kept_by_a_no_show_who_has_played_since() -> None:
    """It was there: it is missing in a later round."""
    tournament = published(4, 1, format="swiss", options={"rounds": 3})
    known = names(tournament)
    match = open_games(tournament)[0].match
    gone, there = (known[side.squad_id] for side in match.sides.order_by("number"))
    remove_squad(tournament, ACTOR, squad_named(tournament, gone), "no-show")
    while (squad := squad_named(tournament, there)) and not _has_played(squad):
        play_out(tournament, "Ada", most=1)
        compute_standings(str(tournament.pk))
    before = forfeits_of(squad)

    remove_squad(tournament, ACTOR, squad, "no-show")

    assert len(before) == 1
    assert before.items() <= forfeits_of(squad).items()
    assert None not in before.values()


def _has_played(squad: Squad) -> bool:
    return MatchGame.objects.filter(match__sides__squad=squad, game__closed_by="result").exists()


def test_walkover_win_is_kept_by_a_squad_that_withdraws() -> None:
    tournament = published(4, 1, format="swiss", options={"rounds": 2})
    known = names(tournament)
    match = open_games(tournament)[0].match
    one, other = (squad_named(tournament, known[side.squad_id]) for side in match.sides.order_by("number"))
    remove_squad(tournament, ACTOR, one, "no-show")
    before = forfeits_of(other)

    remove_squad(tournament, ACTOR, other, "withdrawn")

    assert None not in before.values()
    assert forfeits_of(other) == before


def test_removal_order_of_two_no_show_teams_changes_nothing() -> None:
    tournaments = [factories.drawn_tournament(factories.make_event(), 3, 2) for _ in range(2)]

    for tournament, order in zip(tournaments, ((1, 2), (2, 1)), strict=True):
        for number in order:
            remove_team(tournament, ACTOR, team(tournament, number), "no-show")

    assert rows(tournaments[0]) == rows(tournaments[1])
    for each in tournaments:
        assert {row[0]: row[1] for row in rows(each)} == {3: 1, 1: 2, 2: 2}
        absent = [team(each, 1).pk, team(each, 2).pk]
        assert [inputs_now(each).count().games_won[one] for one in absent] == [0, 0]
        verified(each)
