"""Tournaments that are drawn round by round, by the API: read, drawn, corrected, with squads in and out."""

import random
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from people.actors import Actor
from tests.api.stored import everything
from tests.support import factories
from tests.support.clients import client_of_token
from tests.support.desk_client import Desk
from tests.support.rounds_play import play
from tournaments.commands import results
from tournaments.commands.replanned_rounds import plan_rounds_anew
from tournaments.commands.squad_changes import remove_squad
from tournaments.formats.catalogue import FORMATS, STAGE_FORMATS
from tournaments.formats.draw_verification import repeat_all
from tournaments.formats.record import read_record
from tournaments.models import Match, MatchGame, Tournament
from tournaments.settings.tournament import every_metric, every_tie_policy
from tournaments.standings import Data
from tournaments.tasks import compute_standings

pytestmark = pytest.mark.django_db


def test_formats_are_listed_with_their_options(db: None) -> None:
    listed = APIClient().get("/api/v1/formats/", headers={"Accept-Language": "en"}).json()
    assert [each["key"] for each in listed["formats"]] == list(FORMATS)
    by_key = {each["key"]: each for each in listed["formats"]}
    assert [key for key, each in by_key.items() if each["is_by_round"]] == list(STAGE_FORMATS)
    assert by_key["triangle"]["options"] == []
    knockout = by_key["single_elimination"]
    assert (knockout["name"], knockout["is_decisive"], knockout["has_places"]) == ("Knockout", True, True)
    assert [option["key"] for option in knockout["options"]] == ["played_for", "seeded", "apart"]
    assert [value["value"] for value in knockout["options"][0]["values"]] == [2, 4, 8]
    assert (knockout["options"][1]["fewest"], knockout["options"][1]["most"]) == (0, 1024)
    assert by_key["swiss"]["default_metrics"] == ["points", "direct_match", "buchholz_cut_1", "buchholz"]
    assert [each["key"] for each in listed["match_lengths"]] == [
        "one_game",
        "best_of",
        "first_to",
        "mini_tournament",
    ]
    assert listed["match_lengths"][1]["name"] == "Best of N"
    italian = APIClient().get("/api/v1/formats/", headers={"Accept-Language": "it"}).json()
    assert [each["key"] for each in italian["formats"]] == list(by_key)
    assert italian["formats"][4]["name"] != knockout["name"]


def test_metrics_are_listed_with_their_formats(db: None) -> None:
    listed = APIClient().get("/api/v1/metrics/").json()
    assert [each["key"] for each in listed["metrics"]] == list(every_metric())
    assert [each["key"] for each in listed["tie_policies"]] == [str(key) for key in every_tie_policy()]
    chosen = [key for key, choice in FORMATS.items() if Data.CHOSEN_OPPONENTS in choice.gives]
    assert {each["key"]: each["formats"] for each in listed["metrics"]}["buchholz"] == chosen


def test_draw_preview_names_rounds_and_slots(db: None) -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    factories.make_field(event, 4, 1)
    tournament = factories.make_tournament(event, format="single_elimination")
    path = f"/api/v1/tournaments/{tournament.pk}/draw/preview/"
    client = client_of_token(organizer)
    (drawn,) = client.get(path, {"seed": "abc"}, headers={"Accept-Language": "en"}).json()["rounds"]
    assert (drawn["title"], drawn["waiting_entries"]) == ("Semi-finals", [])
    matches = [match for wave in drawn["waves"] for match in wave["matches"]]
    assert [(match["slot"], match["notes"]) for match in matches] == [("W1.1", []), ("W1.2", [])]
    plain = factories.make_tournament(event, "Triangolo")
    drawn = client.get(f"/api/v1/tournaments/{plain.pk}/draw/preview/", {"seed": "abc"}).json()["rounds"][0]
    assert (drawn["title"], drawn["waves"][0]["matches"][0]["slot"]) == ("", "")


def test_every_format_is_previewed(db: None) -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    factories.make_field(event, 5, 1)
    client = client_of_token(organizer)
    for key in STAGE_FORMATS:
        ruleset = {"ruleset": "house"} if FORMATS[key].adds_points else {}
        tournament = factories.make_tournament(event, key, format=key, **ruleset)
        answer = client.get(f"/api/v1/tournaments/{tournament.pk}/draw/preview/", {"seed": "abc"})
        assert (answer.status_code, answer.json()["format"]) == (200, key)


def test_stage_and_matches_have_options_length_and_slots(db: None) -> None:
    desk = Desk(format="single_elimination", match={"length": "best_of", "games": 3})
    (stage,) = desk.get("")["stages"]
    assert stage["options"] == {"apart": True, "played_for": 4, "seeded": 0}
    assert stage["match"] == {"length": "best_of", "games": 3}
    match = desk.get("matches/")["results"][0]
    assert (match["stage"], match["round"], match["slot"]) == (1, 1, "W1.1")
    for game in match["games"][:2]:
        seat = game["sides"].index(1)
        desk.post(f"/api/v1/games/{game['id']}/result/", winner_seat=seat)
    match = desk.get("matches/")["results"][0]
    assert match["progress"] == "done"
    assert [(game["winning_side"], game["is_needed"]) for game in match["games"]] == [
        (1, True),
        (1, True),
        (None, False),
    ]
    answer = desk.client.get(f"{desk.path}rounds/", headers={"Accept-Language": "en"})
    assert [(each["number"], each["stage"], each["title"]) for each in answer.json()] == [
        (1, 1, "Semi-finals")
    ]


def test_result_between_squads_of_one_team_needs_a_seat(db: None) -> None:
    desk = Desk(1, 2, format="single_elimination")
    (match,) = desk.get("matches/")["results"]
    team, game = match["sides"][0]["team"], match["games"][0]["id"]
    before = everything()
    for address in ("result", "forfeit"):
        told = desk.post(f"/api/v1/games/{game}/{address}/", 422, winner_team=team)
        assert told["code"] == "seat-needed"
    assert everything() == before
    desk.post(f"/api/v1/games/{game}/forfeit/", winner_seat=1)
    (match,) = desk.get("matches/")["results"]
    assert (match["games"][0]["winning_side"], match["games"][0]["closed_by"]) == (1, "forfeit")
    desk.compute()
    rows = desk.get("standings/")["rows"]
    assert [(row["place"], row["squad"]["number"]) for row in rows] == [
        (1, match["sides"][1]["squad"]),
        (2, match["sides"][0]["squad"]),
    ]


def test_next_round_is_previewed_and_drawn(db: None) -> None:
    desk = Desk(format="swiss", draws_itself=False)
    told = desk.get("next-round/preview/", 422)
    assert (told["code"], told["why"], told["missing"]) == ("cannot-draw", "results_missing", 2)
    assert desk.post("next-round/", 422)["why"] == "results_missing"
    desk.win(["1", "2", "3", "4"])
    desk.compute()
    planned = desk.get("next-round/preview/")
    assert [each["number"] for each in planned["rounds"]] == [2]
    assert len(planned["contestants"]) == 4
    version, key = desk.get("")["version"], uuid4()
    drawn = desk.post("next-round/", key=key, expected_version=version)
    assert desk.post("next-round/", key=key, expected_version=version) == drawn
    stage = desk.get("stages/1/")
    pairings = [(each["slot"], each["sides"]) for each in stage["rounds"][1]["pairings"]]
    assert pairings == [(each["slot"], each["sides"]) for each in planned["rounds"][0]["pairings"]]
    desk.win(["1", "2", "3", "4"])
    desk.compute()
    assert desk.get("next-round/preview/")["rounds"] == []
    assert desk.post("next-round/", 409)["code"] == "all-drawn"


def test_rounds_changed_by_a_correction_are_listed_and_redrawn(db: None) -> None:
    desk = Desk(format="single_elimination")
    desk.win(["1", "2", "3", "4"])
    desk.compute()
    assert desk.get("changed-rounds/")["rounds"] == []
    assert desk.post("changed-rounds/redraw/", 409, reason="wrong-winner")["code"] == "nothing-moves"
    game = MatchGame.objects.get(match__slot="W1.1", match__stage__tournament=desk.row)
    other = 0 if game.game.winner_seat else 1
    right = {"type": "game_closed", "reason": "result", "winner": other}
    desk.post(
        f"/api/v1/games/{game.game_id}/corrections/", line=2, replacement=[right], reason="wrong-winner"
    )
    desk.compute()
    (changed,) = desk.get("changed-rounds/")["rounds"]
    assert (changed["number"], changed["moves"]) == (2, True)
    assert sorted((pair["slot"], pair["is_begun"]) for pair in changed["pairs"]) == [
        ("P3", False),
        ("W2.1", False),
    ]
    assert all(pair["drawn"] != pair["due"] for pair in changed["pairs"])
    before = everything()
    assert desk.post("changed-rounds/redraw/", 422, reason="because")["code"] == "unknown-reason"
    assert everything() == before
    key = uuid4()
    first = desk.post("changed-rounds/redraw/", key=key, reason="wrong-winner")
    assert desk.post("changed-rounds/redraw/", key=key, reason="wrong-winner") == first
    assert desk.get("changed-rounds/")["rounds"] == []
    becomes = [(each["slot"], each["sides"]) for each in changed["becomes"]["pairings"]]
    drawn = desk.get("stages/1/")["rounds"][1]["pairings"]
    assert [(each["slot"], each["sides"]) for each in drawn] == becomes


def test_match_replaced_by_a_new_plan_is_not_found(db: None) -> None:
    desk = Desk(6, 2, format="tables", options={"rounds": 3})
    (match, *_) = Match.objects.filter(stage__tournament=desk.row, round=2)
    gone = f"/api/v1/matches/{match.pk}/", f"/api/v1/games/{match.match_games.get().game_id}/"
    remove_squad(desk.row, Actor.command(), match.sides.order_by("number")[0].squad, "withdrawn")
    plan_rounds_anew(desk.row, Actor.command())
    assert not Match.objects.filter(pk=match.pk).exists()

    answers = [desk.client.get(path) for path in gone] + [desk.client.post(f"{gone[0]}call/", {})]

    assert [(each.status_code, each.json()["code"]) for each in answers] == [(404, "not-found")] * 3


def test_squads_are_removed_reinstated_and_added_late(db: None) -> None:
    desk = Desk(5, 2, format="swiss", squads_per_team=1)
    squads = desk.squads()
    assert {name: each["is_gone"] for name, each in squads.items()} == dict.fromkeys(
        [f"{team}/1" for team in range(1, 6)], False
    )
    gone = f"/api/v1/squads/{squads['2/1']['id']}/"
    assert desk.post(f"{gone}remove/", 422, reason="bored")["reasons"] == [
        "withdrawn",
        "no-show",
        "disqualified",
    ]
    key = uuid4()
    first = desk.post(f"{gone}remove/", key=key, reason="withdrawn")
    assert desk.post(f"{gone}remove/", key=key, reason="withdrawn") == first
    assert desk.post(f"{gone}remove/", 409, reason="withdrawn")["code"] == "gone-already"
    assert [name for name, each in desk.squads().items() if each["is_gone"]] == ["2/1"]
    desk.post(f"{gone}bring-back/")
    assert desk.post(f"{gone}bring-back/", 409)["code"] == "not-gone"
    late = str(desk.event.teams.get(number=3).entries.get(number=2).pk)
    playing = str(desk.event.teams.get(number=3).entries.get(number=1).pk)
    before = everything()
    assert desk.post("squads/", 422, entries=[playing])["code"] == "wrong-entries"
    assert desk.post("squads/", 422, entries=[late, playing])["code"] == "wrong-entries"
    assert desk.post("squads/", 422, entries=[str(uuid4())])["problems"][0]["field"] == "entries.0"
    assert everything() == before
    desk.post("squads/", entries=[late])
    squads = desk.squads()
    assert (squads["3/2"]["since"], squads["3/2"]["stages"]) == (2, [1])
    assert [entry["id"] for entry in squads["3/2"]["entries"]] == [late]


def test_removed_squad_s_place_is_decided_and_shown(db: None) -> None:
    desk = Desk(4, 1, format="swiss")
    squad = desk.squads()["2/1"]
    path = f"/api/v1/squads/{squad['id']}/remove/"
    assert desk.post(path, 422, reason="withdrawn", place="rule")["places"] == ["keeps", "last", "annulled"]

    desk.post(path, reason="disqualified")
    desk.compute()

    removal = {"reason": "disqualified", "place": "last"}
    row = desk.get("standings/")["rows"][-1]
    assert (row["squad"]["id"], row["removal"], row["placement_points"]) == (squad["id"], removal, "0")
    assert (row["place"], row["decided_by"]) == (4, None)
    assert {name: each["removal"] for name, each in desk.squads().items()} == {
        "1/1": None,
        "2/1": removal,
        "3/1": None,
        "4/1": None,
    }
    desk.post(path, reason="withdrawn", place="annulled")
    desk.compute()
    assert desk.get("standings/")["rows"][-1]["removal"] == {"reason": "withdrawn", "place": "annulled"}
    assert desk.get("stages/1/")["repeat"]["annulled"] == [2]


def test_annulled_match_has_no_winner(db: None) -> None:
    desk = Desk(4, 1, format="swiss", draws_itself=False)
    desk.win(["1", "2", "3", "4"])
    desk.compute()
    squads = desk.squads()

    before = desk.get("stages/1/")["rounds"][0]["pairings"]
    desk.post(f"/api/v1/squads/{squads['2/1']['id']}/remove/", reason="disqualified", place="annulled")
    desk.compute()

    after = desk.get("stages/1/")["rounds"][0]["pairings"]
    assert [each["is_annulled"] for each in before] == [False, False]
    assert [each for each in after if 2 not in each["sides"]] == [
        each for each in before if 2 not in each["sides"]
    ]
    (struck,) = (each for each in after if 2 in each["sides"])
    assert struck["is_annulled"]
    assert struck["outcome"] == {"points": None, "winner": None, "walkover": False, "absent": []}
    (match,) = (each for each in desk.get("matches/")["results"] if each["id"] == struck["match"])
    assert match["is_annulled"]


def test_team_of_mini_tournaments_is_removed_and_reinstated(db: None) -> None:
    desk = Desk(3, 1)
    team = str(desk.event.teams.get(number=1).pk)
    assert (
        desk.post("remove-team/", 422, reason="withdrawn", team=str(uuid4()))["problems"][0]["field"]
        == "team"
    )

    desk.post("remove-team/", reason="disqualified", team=team)
    desk.compute()

    last = desk.get("standings/")["rows"][-1]
    assert (last["team"], last["removal"]) == (team, {"reason": "disqualified", "place": "last"})
    assert desk.post("remove-team/", 409, reason="disqualified", team=team)["code"] == "gone-already"
    desk.post("bring-back-team/", team=team)
    assert desk.post("bring-back-team/", 409, team=team)["code"] == "not-gone"
    by_round = Desk(3, 1, format="swiss")
    other = str(by_round.event.teams.get(number=1).pk)
    assert by_round.post("remove-team/", 422, reason="withdrawn", team=other)["code"] == "squad-needed"


def test_bye_asked_by_a_squad_counts_as_set(db: None) -> None:
    options = {"rounds": 3, "win": "3", "draw": "1"}
    desk = Desk(4, 1, format="swiss", options=options)
    squad = desk.squads()["1/1"]
    path = f"/api/v1/squads/{squad['id']}/"
    assert desk.post(f"{path}bye/", 409, round=1)["rounds"] == [2, 3]

    desk.post(f"{path}bye/", round=2)

    contestant = desk.get("stages/1/")["contestants"][0]
    assert (contestant["squad"]["id"], contestant["sits_out"]) == (squad["id"], [2])
    assert desk.get("stages/1/")["options"]["asked_bye"] == "draw"
    desk.win(["1", "2", "3", "4"])
    desk.compute()
    desk.compute()
    drawn = {row["squad"]["id"]: row["metrics"][0]["value"] for row in desk.get("standings/")["rows"]}
    desk.win(["1", "2", "3", "4"])
    desk.compute()
    played = {row["squad"]["id"]: row["metrics"][0]["value"] for row in desk.get("standings/")["rows"]}
    assert (drawn[squad["id"]], played[squad["id"]]) == ("3", "4")
    assert desk.post(f"{path}bye-withdrawal/", 409, round=2)["code"] == "round-drawn"


def tied(desk: Desk) -> None:
    """Three squads that each won one game: 1 beats 2, 2 beats 3, 3 beats 1."""
    teams = {str(team.pk): team.number for team in desk.event.teams.all()}
    for match in desk.get("matches/")["results"]:
        numbers = [teams[side["team"]] for side in match["sides"]]
        seat = 0 if (numbers[0] % 3) + 1 == numbers[1] else 1
        desk.post(f"/api/v1/games/{match['games'][0]['id']}/result/", winner_seat=seat)
    desk.compute()


STAGES: dict[str, Any] = {
    "format": "round_robin",
    "metrics": ["points"],
    "later": [{"format": "single_elimination", "qualification": {"first_overall": 2}}],
}


def test_next_stage_tie_is_broken_by_lots(db: None) -> None:
    desk = Desk(3, **STAGES)
    tied(desk)
    preview = desk.get("next-stage/preview/", seed="abc")
    assert (preview["can_be_drawn"], preview["rounds"]) == (False, [])
    assert [(tie["kind"], tie["spots"], len(tie["squads"])) for tie in preview["ties"]] == [("cut", 2, 3)]
    told = desk.post("next-stage/", 422, seed="abc")
    assert (told["code"], told["why"]) == ("cannot-draw", "unresolved_tie")
    key = uuid4()
    first = desk.post("next-stage/lots/", key=key, seed="xyz")
    assert desk.post("next-stage/lots/", key=key, seed="xyz") == first
    preview = desk.get("next-stage/preview/", seed="abc")
    assert (preview["can_be_drawn"], preview["ties"]) == (True, [])
    assert [each["seed"] for each in preview["goes_on"]] == [1, 2]
    assert desk.post("next-stage/lots/", 409)["code"] == "no-tie"
    assert [each["number"] for each in desk.post("next-stage/", seed="abc")["stages"]] == [1, 2]


def test_next_stage_tie_is_broken_by_a_play_off(db: None) -> None:
    desk = Desk(3, **STAGES)
    tied(desk)
    (tie,) = desk.get("next-stage/preview/")["ties"]
    before = everything()
    for wrong in (tie["squads"][:2], [*tie["squads"][:2], tie["squads"][0]], [str(uuid4())]):
        assert desk.post("next-stage/play-off/", 422, order=wrong)["code"] == "wrong-order"
    assert everything() == before
    order = [tie["squads"][at] for at in (2, 0, 1)]
    desk.post("next-stage/play-off/", order=order)
    preview = desk.get("next-stage/preview/")
    by_number = {each["number"]: each["squad"]["id"] for each in preview["contestants"]}
    assert [by_number[each["contestant"]] for each in preview["goes_on"]] == order[:2]


def test_places_are_entered_by_hand_in_a_later_stage(db: None) -> None:
    by_hand = {"format": "by_hand", "qualification": {"first_overall": 3}}
    desk = Desk(4, format="round_robin", later=[by_hand])
    desk.win(["4", "3", "2", "1"])
    desk.compute()
    desk.post("next-stage/", seed="abc")
    squads = desk.squads()
    assert [squads[f"{team}/1"]["stages"] for team in (1, 2, 3, 4)] == [[1], [1, 2], [1, 2], [1, 2]]

    def places(**of: int) -> list[dict[str, Any]]:
        return [{"squad": squads[f"{team[1:]}/1"]["id"], "place": place} for team, place in of.items()]

    before = everything()
    assert desk.post("placements/", 422, places=places(t1=1))["code"] == "unknown-squad"
    assert desk.post("placements/", 422, places=places(t2=1, t3=1, t4=2))["why"] == "places"
    assert desk.post("placements/", 422, places=[])["code"] == "invalid-input"
    assert everything() == before
    key = uuid4()
    first = desk.post("placements/", key=key, places=places(t2=1, t3=2, t4=2))
    assert desk.post("placements/", key=key, places=places(t2=1, t3=2, t4=2)) == first
    assert desk.post("placements/", 422, places=places(t2=2, t3=1, t4=3))["code"] == "reason-needed"
    desk.post("placements/", places=places(t2=2, t3=1, t4=3), reason="typing-error")
    desk.compute()
    rows = desk.get("standings/")["rows"]
    assert [(row["squad"]["id"], row["place"]) for row in rows] == [
        (squads[f"{team}/1"]["id"], place) for place, team in enumerate((3, 2, 4, 1), start=1)
    ]
    stage = desk.get("stages/2/")
    assert stage["rounds"][0]["pairings"][0]["match"] is None
    assert len(stage["places"]) == 3


def test_stage_is_redrawn_where_others_qualify(db: None) -> None:
    desk = Desk(4, **(STAGES | {"metrics": ["points", "direct_match", "wins"]}))
    desk.win(["1", "2", "3", "4"])
    desk.compute()
    desk.post("next-stage/", seed="abc")
    assert desk.get("changed-stage/") == {"becomes": None}
    assert desk.post("changed-stage/redraw/", 409, reason="wrong-winner")["code"] == "nothing-moves"
    for game in MatchGame.objects.filter(match__stage__number=1, match__stage__tournament=desk.row):
        teams = [game.match.sides.get(number=side).squad.team.number for side in game.sides]
        right = {"type": "game_closed", "reason": "result", "winner": teams.index(max(teams))}
        actor = Actor.command()
        results.correct(game, actor, 2, [right], "wrong-winner")
    desk.compute()
    becomes = desk.get("changed-stage/")["becomes"]
    assert (becomes["number"], len(becomes["goes_on"]), len(becomes["rounds"])) == (2, 2, 1)
    desk.post("changed-stage/redraw/", reason="wrong-winner")
    assert desk.get("changed-stage/") == {"becomes": None}


def test_bracket_is_shown_whole(db: None) -> None:
    desk = Desk(format="single_elimination", options={"played_for": 2})
    bracket = desk.get("stages/1/")["bracket"]
    assert [(each["part"], each["number"]) for each in bracket["rounds"]] == [("winners", 1), ("winners", 2)]
    (final,) = bracket["rounds"][1]["matches"]
    assert [(side["contestant"], side["after"]) for side in final["sides"]] == [
        (None, "W1.1"),
        (None, "W1.2"),
    ]
    desk.win(["1", "2", "3", "4"])
    desk.compute()
    stage = desk.get("stages/1/")
    (final,) = stage["bracket"]["rounds"][1]["matches"]
    assert sorted(side["contestant"] for side in final["sides"]) == sorted(
        stage["rounds"][1]["pairings"][0]["sides"]
    )


@pytest.mark.parametrize("format_key", ["swiss", "round_robin", "single_elimination"])
def test_rounds_can_be_repeated_from_the_published_record(format_key: str, db: None) -> None:
    desk = Desk(5, 1, format=format_key)
    play(desk.row, random.Random(3))
    stage = APIClient().get(f"{desk.path}stages/1/").json()
    record = read_record(stage["repeat"])

    assert len(record.drawn) == len(stage["rounds"]) > 2
    assert [list(each.differences()) for each in repeat_all(record)] == [[]] * len(record.drawn)


def test_stage_and_squads_are_public_without_names(db: None) -> None:
    desk = Desk(2, 2, format="swiss")
    for address in ("stages/1/", "squads/", "standings/", "matches/", "rounds/"):
        answer = APIClient().get(desk.path + address)
        assert answer.status_code == 200
        assert factories.LAST_NAME not in answer.content.decode()
        assert factories.LAST_NAME in desk.client.get(desk.path + address).content.decode()


def test_unknown_stage_is_refused_with_no_stage(db: None) -> None:
    desk = Desk(format="swiss")
    assert [desk.get(f"stages/{number}/", 404)["code"] for number in (0, 2, 10**9)] == ["no-stage"] * 3
    plain = factories.drawn_tournament(factories.make_event(), entries=1)
    path = f"/api/v1/tournaments/{plain.pk}/stages/1/"
    assert APIClient().get(path).json()["code"] == "no-stage"


@pytest.mark.parametrize("address", ["stages/1/", "squads/", "standings/", "matches/", "rounds/"])
def test_tournament_pages_cost_the_same_for_many_squads(address: str, db: None) -> None:
    costs = []
    for teams in (2, 8):
        desk = Desk(teams, format="swiss")
        with CaptureQueriesContext(connection) as captured:
            APIClient().get(desk.path + address)
        costs.append(len(captured))
    assert costs[0] == costs[1]
    assert costs[0] <= 12


def test_squad_points_are_adjusted(db: None) -> None:
    desk = Desk(3, 2, format="round_robin")
    squad = desk.squads()["2/2"]
    team = str(desk.event.teams.get(number=1).pk)
    said = {"points": -1, "reason": "misconduct"}
    before = everything()
    assert desk.post("adjustments/", 422, team=squad["team"], **said)["code"] == "squad-needed"
    assert desk.post("adjustments/", 422, team=team, squad=squad["id"], **said)["code"] == "unknown-squad"
    assert desk.post("adjustments/", 422, squad=str(uuid4()), **said)["problems"][0]["field"] == "squad"
    assert desk.post("adjustments/", 422, **said)["problems"][0]["field"] == "team"
    assert everything() == before
    desk.post("adjustments/", squad=squad["id"], **said)
    desk.compute()
    rows = desk.get("standings/")["rows"]
    assert [row["squad"]["id"] for row in rows if row["metrics"][0]["value"] == "-1"] == [squad["id"]]
    assert rows[-1]["squad"]["id"] == squad["id"]


def test_squad_points_adjustment_is_refused_where_teams_are_ranked(db: None) -> None:
    desk = Desk(format="swiss")
    plain = factories.drawn_tournament(desk.event, name="Triangolo")
    whose = str(plain.stages.get().squads.order_by("pk")[0].pk)

    told = desk.post(
        f"/api/v1/tournaments/{plain.pk}/adjustments/", 422, squad=whose, points=1, reason="misconduct"
    )

    assert told["code"] == "unknown-squad"


def test_groups_have_standings_of_their_own(db: None) -> None:
    desk = Desk(4, 2, format="round_robin", options={"groups": 2})
    desk.win(["1", "2", "3", "4"])
    desk.compute()
    told = desk.get("standings/")
    ids = {row["squad"]["id"] for row in told["rows"]}
    assert [(group["name"], group["missing"]) for group in told["groups"]] == [("A", 0), ("B", 0)]
    in_groups = [row["squad"] for group in told["groups"] for row in group["rows"]]
    assert (len(in_groups), set(in_groups)) == (8, ids)
    assert told["version"]["is_all_drawn"]


def test_groups_and_a_knockout_by_the_api_alone(db: None) -> None:
    """From an empty event through both stages to the closing."""
    client = client_of_token(factories.make_account())

    def made(answer: Any, status: int = 200) -> Any:
        assert answer.status_code == status, answer.content
        return answer.json()

    event = made(client.post("/api/v1/events/", {"name": "Coppa", "starts_on": "2026-09-05"}), 201)
    below = f"/api/v1/events/{event['id']}"
    strength = {}
    for number in range(8):
        team = made(client.post(f"{below}/teams/", {"name": f"Rione {'ABCDEFGH'[number]}"}), 201)
        strength[team["id"]] = number
        person = {"last_name": "Rossi", "first_name": f"Ada {'ABCDEFGH'[number]}", "birth_date": "2016-05-01"}
        made(client.post(f"{below}/entries/", {"team": team["id"], **person}), 201)
    settings = {
        "format": "round_robin",
        "options": {"groups": 2},
        "later": [
            {
                "format": "single_elimination",
                "match": {"length": "best_of", "games": 3},
                "qualification": {"first_of_each_group": 2, "seeding": "crossed"},
            }
        ],
    }
    tournament = made(client.post(f"{below}/tournaments/", {"name": "Coppa", "settings": settings}), 201)
    path = f"/api/v1/tournaments/{tournament['id']}"
    assert tournament["settings"]["later"][0]["qualification"]["first_of_each_group"] == 2
    preview = made(client.get(f"{path}/draw/preview/", {"seed": "abc"}))
    assert len(preview["rounds"]) == 3
    made(client.post(f"{path}/draw/", {"seed": "abc"}))
    made(client.post(f"{path}/publish/", {}))
    made(client.patch(f"{below}/", {"is_published": True}))

    def play_all() -> int:
        entered = 0
        while True:
            open_ = [
                (match, game)
                for match in made(client.get(f"{path}/matches/", {"page_size": 200}))["results"]
                for game in [each for each in match["games"] if each["progress"] == "waiting"][:1]
                if game["is_needed"]
            ]
            if not open_:
                return entered
            for match, game in open_:
                order = [strength[match["sides"][side]["team"]] for side in game["sides"]]
                seat = order.index(min(order))
                made(client.post(f"/api/v1/games/{game['id']}/result/", {"winner_seat": seat}))
                entered += 1
            compute_standings(tournament["id"])

    assert play_all() == 12
    refused = made(client.post(f"{path}/close/", {}), 409)
    assert refused["code"] == "rounds-to-draw"
    following = made(client.get(f"{path}/next-stage/preview/", {"seed": "def"}))
    assert (following["number"], following["can_be_drawn"]) == (2, True)
    assert [each["code"] for each in following["goes_on"]] == ["group_place"] * 4
    assert [each["code"] for each in following["stays"]] == ["below_cut"] * 4
    assert all(each["why"] for each in (*following["goes_on"], *following["stays"]))
    version = made(client.get(f"{path}/"))["version"]
    key = {"Idempotency-Key": str(uuid4())}
    body = {"seed": "def", "expected_version": version}
    started = made(client.post(f"{path}/next-stage/", body, headers=key))
    assert made(client.post(f"{path}/next-stage/", body, headers=key)) == started
    assert [(each["number"], each["format"]) for each in started["stages"]] == [
        (1, "round_robin"),
        (2, "single_elimination"),
    ]
    stage = made(APIClient().get(f"{path}/stages/2/"))
    pairings = [(each["slot"], each["sides"]) for each in stage["rounds"][0]["pairings"]]
    assert pairings == [(each["slot"], each["sides"]) for each in following["rounds"][0]["pairings"]]
    assert (stage["rounds"][0]["number"], stage["rounds"][0]["round"]) == (1, 4)
    assert play_all() == 8
    closed = made(client.post(f"{path}/close/", {}))
    assert closed["status"] == "closed"
    rows = made(APIClient().get(f"{path}/standings/"))["rows"]
    assert (rows[0]["place"], strength[rows[0]["team"]], rows[0]["placement_points"]) == (1, 0, "30")
    assert [row["place"] for row in rows[:4]] == [1, 2, 3, 4]
    for number in (1, 2):
        record = read_record(made(APIClient().get(f"{path}/stages/{number}/"))["repeat"])
        assert [list(each.differences()) for each in repeat_all(record)] == [[]] * len(record.drawn)
    assert made(client.post(f"{below}/verification/", {})) == {"findings": []}
    assert Tournament.objects.get().stages.count() == 2


def test_game_of_a_decided_match_is_a_conflict(db: None) -> None:
    desk = Desk(format="single_elimination", match={"length": "best_of", "games": 3})
    match = desk.get("matches/")["results"][0]
    first, second, third = (f"/api/v1/games/{game['id']}/" for game in match["games"])
    for game, seat in ((first, 0), (second, 1)):
        desk.post(f"{game}result/", winner_seat=seat)

    entry = {"id": str(uuid4()), "event": {"type": "dealer_named", "seat": 0}}
    for address, body in (
        ("result/", {"winner_seat": 0}),
        ("forfeit/", {"winner_seat": 0}),
        ("log/", {"entries": [entry]}),
    ):
        refused = desk.post(third + address, 409, **body)
        assert refused["code"] == "match-decided"
    assert desk.client.get(f"{third}legal/").json() == {"version": 0, "options": []}

    match = desk.get("matches/")["results"][0]
    assert ([side["points"] for side in match["sides"]], match["progress"]) == ([2, 0], "done")
