"""Formats that are drawn round by round, as the public sees them: rows of squads, rounds by their titles, the
bracket.
"""

import random
import re
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from desk.paper_pdfs import score_sheets
from people.actors import Actor
from people.models import Event, Organizer, Person
from publishing import publication
from tests.support.clients import browser_of
from tests.support.computed_tournaments import address
from tests.support.factories import FIRST_NAME, LAST_NAME, games_of, make_account, make_entry, matches_of
from tests.support.forms import open_page
from tests.support.page_reading import Element, read, rows
from tests.support.pdf_text import text_of
from tests.support.rounds_play import (
    open_games,
    play,
    play_out,
    published,
    squad_named,
    turn_around,
    views,
)
from tournaments.commands.close import close_tournament, reopen_tournament
from tournaments.commands.entered_places import enter_placements
from tournaments.commands.next_stage import start_next_stage
from tournaments.commands.results import enter_result, write_log
from tournaments.commands.squad_changes import add_squad, remove_squad, request_bye
from tournaments.models import Squad, StandingsVersion, Tournament
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.matches import load_matches
from tournaments.tasks import compute_outlooks, compute_standings
from tournaments.verification.verify import verify

pytestmark = pytest.mark.django_db

CHANCE = 7


def page(client: Client, tournament: Tournament, rest: str = "", language: str = "/en") -> Element:
    return open_page(client, address(tournament, rest, language))


def win(tournament: Tournament, most: int) -> None:
    """The first games that can be played are won by their first seat."""
    for game in games_of(tournament)[:most]:
        enter_result(game, Actor.command(), seat=0)
        compute_standings(str(tournament.pk))


def knockout(squads: int = 4, **settings: Any) -> Tournament:
    """A knockout of teams with one squad each."""
    return published(squads, 1, **{"format": "single_elimination", **settings})


def first_sides_win(tournament: Tournament, games: int) -> None:
    """So many games, one after the other, are won by the first side of their match."""
    for _game in range(games):
        game = open_games(tournament)[0]
        enter_result(game, Actor.command(), seat=game.sides.index(0))
        compute_standings(str(tournament.pk))


def texts(shown: Element, selector: str) -> list[str]:
    return [each.text for each in shown.all(selector)]


# The standings


def test_knockout_standings_say_who_is_still_in(client: Client) -> None:
    tournament = knockout()
    names = ["Superiore 1", "Centro 1", "Inferiore 1", "Poggio 1"]
    assert rows(page(client, tournament)) == [("", name, "0", "Still in") for name in names]
    win(tournament, 1)
    shown = page(client, tournament)
    # Who has lost plays for the third place, and can't come before those who can win.
    assert [(row[0], row[3]) for row in rows(shown)] == [("", "Still in")] * 3 + [("3", "")]
    assert sorted(row[2] for row in rows(shown)) == ["0", "0", "0", "1"]
    assert shown.one(".progress").text == "playing 1 game played."


def test_knockout_losers_stand_below_with_their_place(client: Client) -> None:
    tournament = knockout(options={"played_for": 2})
    win(tournament, 1)
    out = rows(page(client, tournament))
    assert [(row[0], row[3]) for row in out] == [("", "Still in")] * 3 + [("3", "Out in the semi-finals")]
    enter_result(games_of(tournament)[1], Actor.command(), seat=0)
    compute_standings(str(tournament.pk))
    assert [(row[0], row[3][:10]) for row in rows(page(client, tournament))] == [
        ("", "Still in"),
        ("", "Still in"),
        ("3=", "Level with"),
        ("3=", "Level with"),
    ]


def test_event_page_lists_finalists_before_knockout_losers(client: Client) -> None:
    tournament = knockout(4)
    there = f"/en/{tournament.event.slug}/"
    assert read(client.get(there)).all(".standing") == []
    play(tournament, random.Random(CHANCE), most=2)

    shown = rows(read(client.get(there)))

    assert [(row[0], row[3][:10]) for row in shown] == [
        ("", "Still in"),
        ("", "Still in"),
        ("3=", "Level with"),
    ]


def test_knockout_standings_say_which_match_gave_each_place(client: Client) -> None:
    tournament = knockout(options={"played_for": 4})
    play(tournament, random.Random(CHANCE))
    ranked = rows(page(client, tournament))
    one, _two, three, _four = (row[1] for row in ranked)
    assert [(row[0], row[3]) for row in ranked] == [
        ("1", "Won the final"),
        ("2", f"Lost the final to {one}"),
        ("3", "Won the match for third place"),
        ("4", f"Lost the match for third place to {three}"),
    ]
    close_tournament(tournament, Actor.command())
    shown = page(client, tournament)
    assert texts(shown, ".step-name") == [row[1] for row in ranked[:3]]
    assert texts(shown, ".standing-points") == [
        f"{row[2]} {'game won' if row[2] == '1' else 'games won'}" for row in ranked
    ]


def test_knockout_standings_say_in_which_round_squads_went_out(client: Client) -> None:
    tournament = knockout(8, options={"played_for": 2})
    win(tournament, 4)
    out = [row[3] for row in rows(page(client, tournament))]
    assert out[:4] == ["Still in"] * 4
    assert all(each.endswith("; out in the quarter-finals") for each in out[4:])

    play(tournament, random.Random(CHANCE))

    ranked = rows(page(client, tournament))
    assert [(row[0], row[3].rpartition("; ")[2]) for row in ranked] == [
        ("1", "Won the final"),
        ("2", f"Lost the final to {ranked[0][1]}"),
        *[("3=", "out in the semi-finals")] * 2,
        *[("5=", "out in the quarter-finals")] * 4,
    ]
    before = tournament.standings_versions.get(games_played=4).computed_at
    then = page(client, tournament, f"?at={quote(before.isoformat())}")
    assert [row[3] for row in rows(then)] == out


def test_knockout_bye_to_third_place_is_told_as_out_in_the_semi_finals(client: Client) -> None:
    tournament = knockout(3, options={"played_for": 4})
    play(tournament, random.Random(CHANCE))
    assert [row[3] for row in rows(page(client, tournament))][2] == "Out in the semi-finals"


def test_double_elimination_standings_say_in_which_round_squads_went_out(client: Client) -> None:
    for reset in (True, False):
        tournament = knockout(4, format="double_elimination", options={"reset": reset})
        play(tournament, random.Random(CHANCE))
        ranked = rows(page(client, tournament))
        assert [row[3] for row in ranked] == [
            "Won the final",
            f"Lost the final to {ranked[0][1]}",
            "Out in the losers’ bracket, round 2",
            "Out in the losers’ bracket, round 1",
        ]


def test_standings_name_the_stage_of_squads_not_in_the_knockout(client: Client) -> None:
    tournament = published(
        4,
        1,
        format="round_robin",
        later=[{"format": "single_elimination", "qualification": {"first_overall": 2}}],
    )
    play(tournament, random.Random(CHANCE))
    start_next_stage(tournament, Actor.command(), "finals")
    compute_standings(str(tournament.pk))
    play(tournament, random.Random(CHANCE))
    ranked = rows(page(client, tournament))

    assert [row[3].rpartition("; ")[2] for row in ranked[:2]] == [
        "Won the final",
        f"Lost the final to {ranked[0][1]}",
    ]
    assert all("ut in stage 1" in row[3] for row in ranked[2:])


def test_standings_tell_squads_of_one_team_apart(client: Client) -> None:
    tournament = published(2, 2, format="round_robin")
    play(tournament, random.Random(CHANCE))
    shown = page(client, tournament)
    assert sorted(row[1] for row in rows(shown)) == ["Centro 1", "Centro 2", "Superiore 1", "Superiore 2"]
    for row in shown.all(".standing"):
        against = row.one(".against").all("dt")
        assert len(against) == 3
        assert row.one(".standing-name").text not in [dt.one(".team").text for dt in against]


def test_standings_of_groups_mark_who_goes_on(client: Client) -> None:
    tournament = published(
        4,
        2,
        format="round_robin",
        options={"groups": 2},
        later=[{"format": "single_elimination", "qualification": {"first_of_each_group": 1}}],
    )
    before = page(client, tournament)
    assert texts(before, "h2") == ["Group A", "Group B"]
    assert not before.has(".standing-placement")
    play(tournament, random.Random(3), 5)
    shown = page(client, tournament)
    groups = shown.all(".group")
    assert [len(rows(group)) for group in groups] == [4, 4]
    assert len(shown.all(".standing")) == 8
    for group in groups:
        going = [row for row in group.all(".standing") if row.has(".standing-placement")]
        alone = [row for row in rows(group) if row[0] == "1"]
        assert [row.one(".standing-name").text for row in going] == [row[1] for row in alone]


def test_standings_of_groups_mark_the_next_squad_after_a_withdrawal(client: Client) -> None:
    tournament = published(
        4,
        2,
        format="round_robin",
        options={"groups": 2},
        later=[{"format": "single_elimination", "qualification": {"first_of_each_group": 1}}],
    )
    play_out(tournament, "Ada")
    version = tournament.standings_versions.latest("number")
    first = {row["squad"] for group in version.groups for row in group["rows"] if row["place"] == 1}
    gone = Squad.objects.get(pk=first.pop())
    remove_squad(tournament, Actor.command(), gone, "withdrawn", "keeps")
    compute_standings(str(tournament.pk))

    going = [
        [(row.one(".place").seen, row.has(".standing-placement")) for row in group.all(".standing")]
        for group in page(client, tournament).all(".group")
    ]

    assert sorted(each[:2] for each in going) == [
        [("1", False), ("2", True)],
        [("1", True), ("2", False)],
    ]
    assert sum(is_going for each in going for _place, is_going in each) == 2


@pytest.mark.parametrize(
    "settings",
    [
        {"format": "single_elimination", "match": {"length": "best_of", "games": 3}},
        {"format": "double_elimination"},
        {"format": "round_robin", "options": {"groups": 2}},
        {"format": "swiss"},
    ],
)
def test_standings_matches_and_bracket_cost_a_fixed_number_of_queries(
    client: Client,
    settings: dict[str, Any],
    django_assert_num_queries: DjangoAssertNumQueries,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    few, many = published(4, 1, **settings), published(8, 1, **settings)
    play(many, random.Random(CHANCE), 5)
    for tournament in (few, many):
        standings, matches = address(tournament), address(tournament, "matches/")
        # Of a Swiss one more: who sat out a round; of a bracket two: by what match places came about.
        more = (
            1 if settings["format"] == "swiss" else 2 if tournament.has_bracket and tournament == many else 0
        )
        with django_assert_num_queries(5 + more):
            client.get(standings)
        # Five more while a match may be decided before all its games are played.
        with django_assert_max_num_queries(14):
            client.get(matches)
        if tournament.has_bracket:
            bracket = address(tournament, "bracket/")
            with django_assert_num_queries(5):
                answer = client.get(bracket)
            with django_assert_num_queries(1):
                assert client.get(bracket, HTTP_IF_NONE_MATCH=answer["ETag"]).status_code == 304


def test_progress_counts_games_of_best_of_matches_as_at_most(client: Client) -> None:
    """Final and third place are best of three, and after two semi-finals of 2-0 need four games to six."""
    tournament = knockout(options={"played_for": 4}, match={"length": "best_of", "games": 3})
    first_sides_win(tournament, 4)
    compute_standings(str(tournament.pk))
    compute_outlooks()

    told = {
        language: (
            page(client, tournament, language=language).one(".progress").text,
            page(client, tournament, "open/", language).one(".outlook-open").text,
            read(client.get(f"{language}/{tournament.event.slug}/")).one(".progress").text,
        )
        for language in ("/en", "")
    }

    english, italian = told["/en"], told[""]
    assert english[0].endswith("4 of at most 10 games played.")
    assert english[1].startswith("At most 6 games are still to be played.")
    assert english[2].endswith("4 of at most 10 games played.")
    assert italian[0].endswith("Giocate 4 partite su un massimo di 10.")
    assert italian[1].startswith("Restano da giocare al massimo 6 partite.")
    assert italian[2].endswith("Giocate 4 partite su un massimo di 10.")


def test_progress_counts_games_without_at_most_once_all_are_played(client: Client) -> None:
    tournament = knockout(options={"played_for": 4}, match={"length": "best_of", "games": 3})

    first_sides_win(tournament, 8)

    assert not open_games(tournament)
    assert page(client, tournament).one(".progress").text.endswith("8 of 8 games played.")


# Rounds and matches


def test_round_titles_of_a_knockout_are_in_both_languages(client: Client) -> None:
    tournament = knockout()
    assert texts(page(client, tournament, "matches/").one(".rounds"), "a") == ["Semi-finals"]
    play(tournament, random.Random(CHANCE))
    english, italian = (page(client, tournament, "matches/", each) for each in ("/en", ""))
    assert texts(english.one(".rounds"), "a") == ["Semi-finals", "Final and third place"]
    assert texts(italian.one(".rounds"), "a") == ["Semifinali", "Finale e terzo posto"]
    assert english.one("h1").text == "Matches"


@pytest.mark.parametrize(
    ("language", "final", "third"), [("/en", "Final", "Third place"), ("", "Finale", "Terzo posto")]
)
def test_final_and_third_place_are_told_apart_on_pages_and_papers(
    client: Client, language: str, final: str, third: str
) -> None:
    tournament = knockout()
    for game in games_of(tournament):
        enter_result(game, Actor.command(), seat=0)
    compute_standings(str(tournament.pk))
    last = {match.slot: match for match in matches_of(tournament) if match.round == 2}

    heads = {
        slot: page(client, tournament, f"matches/{match.pk}/", language).one("h1").text
        for slot, match in last.items()
    }
    listed = texts(page(client, tournament, "matches/", language), "h3")
    paper = text_of(client.get(address(tournament, "draw.pdf", language)).content)
    with translation.override("en" if language else "it"):
        event = tournament.event
        event.language = translation.get_language() or ""
        tournament.event = event
        sheets = text_of(score_sheets(tournament, round=2))

    names = {"W2.1": final, "P3": third}
    assert {slot: head.split(",")[0] for slot, head in heads.items()} == names
    assert [sum(name in head for head in listed) for name in names.values()] == [1, 1]
    # The heading of the round on the draw's paper names both.
    assert [(text.count(final), text.count(third)) for text in (paper, sheets)] == [(2, 1), (1, 1)]


def test_bye_is_named_on_round_page_and_bracket(client: Client) -> None:
    tournament = knockout(3)
    shown = page(client, tournament, "matches/")
    playing = {li.one(".team").text for li in shown.one(".tables").all("li")}
    (resting,) = {"Superiore 1", "Centro 1", "Inferiore 1"} - playing
    assert shown.one(".byes").text == f"{resting} has a bye"
    bracket = page(client, tournament, "bracket/")
    assert bracket.one(".byes").text == f"A bye in the first round: {resting}."


def test_bye_that_was_asked_for_is_named_as_such(client: Client) -> None:
    tournament = published(6, 1, format="swiss", options={"rounds": 3})
    request_bye(tournament, Actor.command(), squad_named(tournament, (1, 1)), 2)
    before = page(client, tournament, "matches/round/1/")
    play_out(tournament, "Ada", most=3)
    compute_standings(str(tournament.pk))

    shown = page(client, tournament, "matches/round/2/")

    assert not before.has(".byes")
    playing = {li.one(".team").text for li in shown.one(".tables").all("li")}
    (left_over,) = {"Centro 1", "Inferiore 1", "Poggio 1", "Fonte 1", "Castello 1"} - playing
    assert texts(shown, ".byes") == [f"{left_over} has a bye", "Superiore 1 sits out, as asked"]
    paper = text_of(client.get(address(tournament, "draw.pdf")).content)
    assert f"{left_over} has a bye. Superiore 1 sits out, as asked" in " ".join(paper.split())
    standings = {
        row.one(".standing-name").text: texts(row, ".sat-out")
        for row in page(client, tournament).all(".standing")
    }
    assert standings.pop("Superiore 1") == ["Round 2: sits out, as asked"]
    assert standings.pop(left_over) == ["Round 2: a bye"]
    assert set(map(tuple, standings.values())) == {()}


def test_late_squad_s_missed_rounds_are_listed_on_pages_and_paper(client: Client) -> None:
    tournament = published(4, 1, format="swiss", options={"rounds": 3})
    play_out(tournament, "Ada", most=1)
    entry = make_entry(tournament.event.teams.get(number=1))
    add_squad(tournament, Actor.command(), [entry])
    play_out(tournament, "Ada", most=1)
    compute_standings(str(tournament.pk))

    first, second = (page(client, tournament, f"matches/round/{number}/") for number in (1, 2))

    (late,) = (each.partition(" came")[0] for each in texts(first, ".byes"))
    assert texts(first, ".byes") == [f"{late} came after this round"]
    assert all("came after" not in each for each in texts(second, ".byes"))
    paper = text_of(client.get(address(tournament, "draw.pdf")).content)
    assert f"{late} came after this round" in " ".join(paper.split())
    standings = {
        row.one(".standing-name").text: texts(row, ".sat-out")
        for row in page(client, tournament).all(".standing")
    }
    assert standings[late][0] == "Round 1: not there yet"


def test_earlier_standings_list_who_sat_out_until_then(client: Client) -> None:
    """Five play three rounds, so one has a bye in each; earlier standings list those of their rounds."""
    tournament = published(5, 1, format="swiss", options={"rounds": 3})
    request_bye(tournament, Actor.command(), squad_named(tournament, (1, 1)), 2)
    for _round in range(3):
        play_out(tournament, "Ada", most=2)
        compute_standings(str(tournament.pk))
    ends = tournament.standings_versions.filter(rounds_played__in=(1, 2, 3)).order_by("-number")
    last_of = {version.rounds_played: version for version in reversed(ends)}
    for number, version in last_of.items():
        moment = tournament.event.starts_on.isoformat() + f"T1{number}:00+02:00"
        StandingsVersion.objects.filter(pk=version.pk).update(computed_at=moment)

    listed = {}
    for number in last_of:
        shown = page(client, tournament, f"?at=1{number}:30")
        listed[number] = sorted(line for row in shown.all(".standing") for line in texts(row, ".sat-out"))
    now = sorted(line for row in page(client, tournament).all(".standing") for line in texts(row, ".sat-out"))

    assert listed[3] == now
    assert listed[1] == [line for line in now if "Round 1" in line or "Round 2" in line]
    assert len(listed[1]) < len(now)


def test_final_won_by_a_disqualification_is_not_told_as_a_bye(client: Client) -> None:
    tournament = knockout(options={"played_for": 4})
    play_out(tournament, "Ada", most=1)
    compute_standings(str(tournament.pk))
    winner = next(side for side in views(tournament)[0].sides if side.points)
    remove_squad(
        tournament, Actor.command(), squad_named(tournament, (winner.team.number, 1)), "disqualified"
    )
    play_out(tournament, "Ada", most=1)
    compute_standings(str(tournament.pk))
    champion = next(side for side in views(tournament)[1].sides if side.points)

    shown = page(client, tournament, "matches/round/2/")

    name = f"{champion.team.name} 1"
    assert texts(shown, ".byes") == [f"{name} wins without playing, since the other side has left"]


def test_forfeited_match_is_marked_on_the_round_page(client: Client) -> None:
    tournament = published(4, 1, format="swiss", draws_itself=False)
    given, played = games_of(tournament)
    enter_result(given, Actor.command(), seat=0, reason="forfeit")
    enter_result(played, Actor.command(), seat=0)

    shown = page(client, tournament, "matches/")

    told = [texts(each, ".meeting-ending") for each in shown.one(".tables").all("article")]
    assert sorted(told) == [[], ["not played, one side wasn’t there"]]


def test_match_forfeited_by_both_sides_is_marked_as_not_played(client: Client) -> None:
    tournament = published(2, 1, format="swiss", draws_itself=False)
    (game,) = games_of(tournament)
    write_log(game, Actor.command(), [(None, {"type": "game_closed", "reason": "forfeit", "winner": None})])

    of_round = page(client, tournament, "matches/")
    of_match = page(client, tournament, f"matches/{game.match_id}/")

    assert texts(of_round, ".meeting-ending") == ["not played"]
    assert texts(of_match.one(".outcome"), "small") == ["not played"]


def test_projector_says_why_a_disqualified_squad_stands_last(client: Client) -> None:
    tournament = knockout(options={"played_for": 2})
    play_out(tournament, "Ada")
    first = page(client, tournament).all(".standing-name")[0].text
    number = next(team.number for team in tournament.event.teams.all() if first == f"{team.name} 1")
    remove_squad(tournament, Actor.command(), squad_named(tournament, (number, 1)), "disqualified")
    compute_standings(str(tournament.pk))
    close_tournament(tournament, Actor.command())
    compute_standings(str(tournament.pk))

    screens = len(page(client, tournament, "projector/").one(".screen-dots").all("i"))
    shown = [page(client, tournament, f"projector/{number}/") for number in range(1, screens + 1)]

    told = [text for each in shown for text in texts(each, ".is-removed")]
    assert told == ["Disqualified: last, without placement points"]
    assert [[note.text for title in each.all("h1") for note in title.all("small")] for each in shown] == [
        []
    ] * screens


@pytest.mark.parametrize(("language", "word"), [("", "punti"), ("/en", "points")])
def test_projector_names_the_points_of_matches(client: Client, language: str, word: str) -> None:
    tournament = published(2, 1, format="round_robin", match={"length": "best_of", "games": 3})
    play_out(tournament, "Ada")
    compute_standings(str(tournament.pk))
    close_tournament(tournament, Actor.command())
    compute_standings(str(tournament.pk))

    shown = page(client, tournament, "projector/2/", language)

    assert texts(shown.one("h1"), "small") == [word]


def test_stage_names_are_shown_where_there_are_several(client: Client) -> None:
    tournament = published(
        4, 1, format="round_robin", later=[{"format": "single_elimination"}], draws_itself=True
    )
    assert texts(page(client, tournament, "matches/"), ".stage-name") == ["Round robin"]


def test_best_of_match_that_is_decided_is_done_without_its_last_game(client: Client) -> None:
    tournament = knockout(2, match={"length": "best_of", "games": 3})
    (match,) = matches_of(tournament)
    shown = page(client, tournament, f"matches/{match.pk}/")
    assert shown.one(".page-header").all("p")[0].text == "Torneo · Best of 3 · 14:00"
    first, second, _third = games_of(tournament)
    enter_result(first, Actor.command(), seat=0)
    enter_result(second, Actor.command(), seat=1)
    compute_standings(str(tournament.pk))
    shown = page(client, tournament, f"matches/{match.pk}/")
    assert len(shown.one(".mini").all("li")) == 2
    assert shown.one("h1").text == "Final, table 1"
    links = page(client, tournament, "matches/").one(".rounds").all("a")
    assert [link.has(".sign-done") for link in links] == [True]
    (view,) = load_matches(type(match).objects.all())
    assert view.progress is MatchProgress.DONE


@pytest.mark.parametrize("length", ["best_of", "first_to"])
def test_score_of_a_best_of_match_is_in_games_and_of_first_to_in_points(client: Client, length: str) -> None:
    tournament = knockout(2, match={"length": length, "games": 3 if length == "best_of" else 2})
    for game in games_of(tournament)[:2]:
        enter_result(game, Actor.command(), seat=game.sides.index(0))
    compute_standings(str(tournament.pk))
    (match,) = matches_of(tournament)
    word = "games won" if length == "best_of" else "points"

    shown = page(client, tournament, f"matches/{match.pk}/")
    of_round = page(client, tournament, "matches/round/1/")

    assert texts(shown.one(".three"), ".points") == [f"2 {word}", f"0 {word}"]
    assert texts(of_round, ".score") == [f"2 {word}", f"0 {word}"]
    assert ("point" in shown.one("main").text) == (length == "first_to")


def test_score_of_a_match_with_a_shared_game_is_in_points(client: Client) -> None:
    """Nobody has won a game that gave a point to each."""
    best_of = {"length": "best_of", "games": 3}
    tournament = published(2, 1, format="round_robin", match=best_of, bell="point_each", draws_itself=False)
    first, second, _third = games_of(tournament)
    enter_result(first, Actor.command(), seat=None, reason="time")
    enter_result(second, Actor.command(), seat=second.sides.index(0))

    shown = page(client, tournament, f"matches/{first.match_id}/")

    assert texts(shown.one(".three"), ".points") == ["2 points", "1 point"]


@pytest.mark.parametrize("language", ["", "/en"])
def test_match_that_is_no_mini_tournament_is_not_called_one(client: Client, language: str) -> None:
    tournament = knockout(match={"length": "best_of", "games": 3})
    play(tournament, random.Random(CHANCE), 2)
    match = matches_of(tournament)[0]
    paths = [
        address(tournament, rest, language)
        for rest in ("", "matches/", "../teams/1/", f"matches/{match.pk}/", "bracket/", "rules/")
    ]
    for path in (*paths, f"{language}/{tournament.event.slug}/"):
        text = read(client.get(path)).text.lower()
        assert ("mini-torne" in text, "mini-tournament" in text) == (False, False), path


def test_twin_mini_tournaments_of_two_are_called_so(client: Client) -> None:
    """The twin: where matches are mini-tournaments, the pages say it."""
    tournament = published(3, 1, format="round_robin", match={"length": "mini_tournament", "games": 2})
    assert page(client, tournament, "matches/").one("h1").text == "Mini-tournaments"


def test_places_entered_by_hand_have_no_matches(client: Client) -> None:
    tournament = published(3, 1, format="by_hand")
    shown = page(client, tournament, "matches/")
    assert shown.one(".empty").one("h2").text == "No matches here"


def test_places_entered_by_hand_count_no_games(client: Client) -> None:
    tournament = published(3, 1, format="by_hand")
    before = page(client, tournament)
    assert [row.one(".place").seen for row in before.all(".standing")] == ["1="] * 3
    squads = tournament.stages.get().squads.order_by("team__number")
    enter_placements(
        tournament, Actor.command(), [(each.pk, place) for each, place in zip(squads, (2, 1, 2), strict=True)]
    )
    compute_standings(str(tournament.pk))

    shown = page(client, tournament)

    assert not shown.has(".standing-points")
    assert [
        (row.one(".place").seen, row.one(".standing-name").text, texts(row, ".standing-reason"))
        for row in shown.all(".standing")
    ] == [
        ("1", "Centro 1", []),
        ("2=", "Superiore 1", ["Level with Inferiore 1"]),
        ("2=", "Inferiore 1", ["Level with Superiore 1"]),
    ]


def test_standings_of_a_table_elimination_list_points_at_tables(client: Client) -> None:
    tournament = published(
        3, 1, format="table_elimination", options={"seats": 3, "target": 1000}, ruleset="house"
    )
    (game,) = open_games(tournament)
    enter_result(game, Actor.command(), seat=0, points={0: 0, 1: 30, 2: 40})
    compute_standings(str(tournament.pk))

    assert sorted(texts(page(client, tournament), ".at-tables")) == [
        "Round 1, table 1 : 0 points with Centro 1, Superiore 1",
        "Round 1, table 1 : 30 points with Inferiore 1, Superiore 1",
        "Round 1, table 1 : 40 points with Inferiore 1, Centro 1",
    ]


def test_match_page_says_why_two_of_one_team_meet(client: Client) -> None:
    tournament = published(2, 1, format="swiss", options={"rounds": 1})
    match = matches_of(tournament)[0]
    assert not page(client, tournament, f"matches/{match.pk}/").has(".notes")
    tournament = published(1, 2, format="swiss", options={"rounds": 1})
    (match,) = matches_of(tournament)
    first = match.sides.get(number=0).squad.members.get().entry
    told = page(client, tournament, f"matches/{match.pk}/").one(".notes").text
    assert told == (
        f"{first.team.short_name} {first.number} and the opponent are of one team: "
        "not everybody could be kept apart."
    )


# The bracket


def lines(shown: Element) -> list[str]:
    """The list beside the drawing."""
    return [item.text for details in shown.all(".bracket-list") for item in details.all("li")]


def test_bracket_says_who_meets_whom_and_how_it_went(client: Client) -> None:
    tournament = knockout(2)
    (match,) = matches_of(tournament)
    one, other = (side.squad.team.short_name for side in match.sides.order_by("number"))
    shown = page(client, tournament, "bracket/")
    assert lines(shown) == [f"{one} 1 against {other} 1."]
    link = shown.one(".bracket-list").one("a")
    assert link.attributes["href"] == address(tournament, f"matches/{match.pk}/")
    win(tournament, 1)
    assert lines(page(client, tournament, "bracket/")) == [f"{one} 1 beats {other} 1 1–0."]
    assert lines(page(client, tournament, "bracket/", "")) == [f"{one} 1 batte {other} 1 1–0."]


def test_bracket_shows_the_games_won_in_each_match(client: Client) -> None:
    tournament = knockout(4, match={"length": "best_of", "games": 3})
    while games := open_games(tournament):
        for game in games:
            is_lost = game.number == 1 and game.match.slot != "W1.1"
            enter_result(game, Actor.command(), seat=game.sides.index(int(is_lost)))
        compute_standings(str(tournament.pk))
    organizer = make_account()
    Organizer.objects.create(event=tournament.event, account=organizer)
    won = [sorted(side.points for side in match.sides) for match in views(tournament)]

    rounds = f"/en/desk/events/{tournament.event.slug}/tournaments/{tournament.slug}/rounds/"
    public = page(client, tournament, "bracket/")
    inside = read(browser_of(organizer).get(rounds))

    assert {tuple(points) for points in won} == {(0, 2), (1, 2)}
    drawn = sorted(
        sorted(int(each.text) for each in match.all(".bracket-score"))
        for match in public.all(".bracket-match")
    )
    assert drawn == sorted(won)
    assert texts(inside, ".bracket-score") == texts(public, ".bracket-score")
    told = " ".join(lines(public))
    assert sorted(re.findall(r"(\d)–(\d)", told)) == sorted((str(b), str(a)) for a, b in won)


def test_losers_bracket_squad_without_a_match_is_not_told_to_have_a_bye(client: Client) -> None:
    tournament = knockout(6, format="double_elimination")
    organizer = make_account()
    Organizer.objects.create(event=tournament.event, account=organizer)
    first = page(client, tournament, "matches/round/1/")
    for game in open_games(tournament):
        enter_result(game, Actor.command(), seat=0)
        compute_standings(str(tournament.pk))
    lost = [match.sides.get(number=1).squad.team.short_name for match in matches_of(tournament)[:2]]

    second = page(client, tournament, "matches/round/2/")
    there = f"/en/desk/events/{tournament.event.slug}/tournaments/{tournament.slug}/rounds/"
    inside = read(browser_of(organizer).get(there)).text

    told = "goes on in the losers’ bracket without playing this round"
    assert [each.text.count("has a bye") for each in first.all(".byes")] == [2]
    assert [span.text for each in second.all(".byes") for span in each.all("span")] == [
        f"{name} 1 {told}" for name in lost
    ]
    assert "Goes on in the losers’ bracket without playing this round:" in inside


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("disqualified", ("disqualified", "squalifica")),
        ("withdrawn", ("withdrawn", "ritiro")),
        ("no-show", ("didn’t turn up", "assenza")),
    ],
)
def test_bracket_says_who_does_not_play_on_and_why(
    client: Client, reason: str, told: tuple[str, str]
) -> None:
    tournament = knockout(2)
    (match,) = matches_of(tournament)
    gone, there = (side.squad for side in match.sides.order_by("number"))
    one, other = gone.team.short_name, there.team.short_name
    organizer = make_account()
    Organizer.objects.create(event=tournament.event, account=organizer)

    remove_squad(tournament, Actor.command(), gone, reason)
    compute_standings(str(tournament.pk))

    english, italian = told
    public = page(client, tournament, "bracket/")
    projector = page(client, tournament, "projector/")
    rounds = f"/en/desk/events/{tournament.event.slug}/tournaments/{tournament.slug}/rounds/"
    inside = read(browser_of(organizer).get(rounds))
    assert lines(public) == [f"{other} 1 wins by walkover against {one} 1 ({english})."]
    assert [texts(each, ".bracket-left") for each in (public, projector, inside)] == [[english]] * 3
    in_italian = page(client, tournament, "bracket/", "")
    assert lines(in_italian) == [f"{other} 1 vince a tavolino contro {one} 1 ({italian})."]
    assert texts(in_italian, ".bracket-left") == [italian]


def test_bracket_of_a_later_stage_is_empty_until_it_is_drawn(client: Client) -> None:
    tournament = published(
        4, 1, format="round_robin", later=[{"format": "single_elimination"}], tie_policy="lots"
    )
    shown = page(client, tournament, "bracket/")
    assert shown.one(".empty").one("h2").text == "The bracket isn’t drawn yet"
    assert [a.text for a in shown.one(".site-nav").all("a")] == ["Standings", "Matches", "Bracket", "Rules"]


def test_bracket_of_a_swiss_is_not_found(client: Client) -> None:
    tournament = published(3, 1, format="swiss")
    assert client.get(address(tournament, "bracket/")).status_code == 404
    assert "Bracket" not in page(client, tournament).one(".site-nav").text


def test_bracket_of_an_unpublished_draw_is_not_shown(client: Client) -> None:
    tournament = knockout()
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.DRAWN)
    shown = page(client, tournament, "bracket/")

    assert shown.one(".empty").one("h2").text == "The draw isn’t published yet"
    assert not shown.has(".bracket")


def test_bracket_marks_matches_that_a_correction_has_overtaken(client: Client) -> None:
    from tournaments.commands.results import correct

    tournament = knockout(4)
    games = games_of(tournament)
    for game in games:
        enter_result(game, Actor.command(), seat=0)
    compute_standings(str(tournament.pk))
    assert not page(client, tournament, "bracket/").has(".notice")
    right = {"type": "game_closed", "reason": "result", "winner": 1}
    correct(games[0], Actor.command(), 2, [right], "wrong-winner")
    compute_standings(str(tournament.pk))
    shown = page(client, tournament, "bracket/")
    assert "A result was corrected" in shown.one(".notice").text
    assert sum("to be decided anew" in line for line in lines(shown)) == 2

    play(tournament, random.Random(CHANCE))
    close_tournament(tournament, Actor.command())
    compute_standings(str(tournament.pk))
    closed = page(client, tournament, "bracket/")
    assert "they stand as they were played" in closed.one(".notice").text
    assert "decided anew" not in closed.text
    assert sum("stands as it was played" in line for line in lines(closed)) == 2


def test_overtaken_matches_are_marked_on_every_page(client: Client) -> None:
    tournament = knockout(4)
    Event.objects.update(is_published=True)
    semi_final = games_of(tournament)[0]
    play(tournament, random.Random(CHANCE))
    finalist = matches_of(tournament)[-1].sides.select_related("squad__team").earliest("number").squad.team
    organizer = make_account()
    Organizer.objects.create(event=tournament.event, account=organizer)
    board = f"/en/desk/events/{tournament.event.slug}/board/"
    event = f"/en/{tournament.event.slug}/"
    there = [
        event,
        address(tournament),
        address(tournament, "matches/"),
        f"{event}teams/{finalist.number}/",
        f"{event}timetable/",
    ]

    def marked(*selectors: str) -> list[list[list[str]]]:
        while publication.publish(tournament.event.pk):
            pass
        shown = [read(client.get(path)) for path in there]
        return [[texts(each, selector) for each in shown] for selector in selectors]

    (before,) = marked(".chip-warn")
    turn_around(semi_final)
    (after,) = marked(".chip-warn")
    inside = read(browser_of(organizer).get(board))
    close_tournament(tournament, Actor.command())
    compute_standings(str(tournament.pk))
    while_closed, closed = marked(".chip-warn", ".chip-quiet")
    inside_closed = read(browser_of(organizer).get(board))
    reopen_tournament(tournament, Actor.command(), "wrong-winner")
    turn_around(semi_final)
    (put_back,) = marked(".chip-warn")

    anew, two = "to be decided anew", "2 matches to be decided anew"
    assert before == put_back == [[]] * len(there)
    assert after == [[two], [two], [anew, anew], [anew], [anew, anew]]
    assert [texts(cell, ".chip-warn") for cell in inside.all("a.match")] == [[], [], [anew], [anew]]
    upheld, two_upheld = "stands despite a correction", "2 matches stand despite a correction"
    assert while_closed == [[]] * len(there)
    assert [[chip for chip in chips if "correction" in chip] for chips in closed] == [
        [two_upheld],
        [two_upheld],
        [upheld, upheld],
        [upheld],
        [upheld, upheld],
    ]
    assert [texts(cell, ".chip-quiet") for cell in inside_closed.all("a.match")] == [
        [],
        [],
        [upheld],
        [upheld],
    ]
    assert list(verify(tournament.event)) == []


@pytest.mark.parametrize("consents", [True, False])
def test_knockout_pages_show_first_names_with_consent_and_no_surname(client: Client, consents: bool) -> None:
    tournament = knockout(4)
    Event.objects.update(names_shown=Event.NamesShown.INITIAL)
    Person.objects.update(shows_name=consents)
    play(tournament, random.Random(CHANCE), 1)
    for rest in ("", "matches/", "bracket/", "projector/"):
        text = client.get(address(tournament, rest)).content.decode()
        assert LAST_NAME not in text
        assert (FIRST_NAME in text) == consents, rest


# The projector


def test_projector_has_a_screen_for_each_piece_of_a_bracket(client: Client) -> None:
    tournament = published(4, 4, format="double_elimination")
    pieces = len(page(client, tournament, "bracket/").all(".bracket-piece"))
    shown = [page(client, tournament, f"projector/{at + 1}/") for at in range(pieces)]

    assert pieces > 2
    assert [len(screen.all(".bracket")) for screen in shown] == [1] * pieces
    assert len(shown[0].one(".screen-dots").all("i")) == pieces


def test_projector_has_a_screen_for_each_group(client: Client) -> None:
    tournament = published(4, 2, format="round_robin", options={"groups": 2})
    shown = [page(client, tournament, f"projector/{at}/") for at in (1, 2)]
    assert [screen.one("h1").text[:7] for screen in shown] == ["Group A", "Group B"]
    assert [len(rows(screen)) for screen in shown] == [4, 4]
