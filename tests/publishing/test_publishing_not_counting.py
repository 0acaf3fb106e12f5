"""Results that count for nobody, and results that were taken back, on all pages."""

import csv
import io
import random
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from people.actors import Actor
from people.models import Event, Organizer
from publishing import publication
from tests.support.clients import browser_of
from tests.support.computed_tournaments import address, palio
from tests.support.factories import games_of, make_account, matches_of
from tests.support.forms import address as at_desk
from tests.support.page_reading import Element, read
from tests.support.rounds_play import play, published
from tournaments.commands.results import correct, enter_result
from tournaments.commands.squad_changes import remove_squad
from tournaments.models import MatchGame, Squad, Tournament
from tournaments.tasks import compute_standings
from tournaments.verification.verify import verify

pytestmark = pytest.mark.django_db

ACTOR = Actor.command()
NOT_COUNTED = {"/en": "doesn’t count", "": "non conta"}
IN_PART = {"/en": "counts in part", "": "conta solo in parte"}


def desk_of(tournament: Tournament) -> Client:
    organizer = make_account()
    Organizer.objects.create(event=tournament.event, account=organizer)
    return browser_of(organizer)


def texts(shown: Element, selector: str) -> list[str]:
    return [each.text for each in shown.all(selector)]


def played(game: MatchGame) -> tuple[Tournament, Squad]:
    """The tournament of a game that its first side wins, and that side."""
    enter_result(game, ACTOR, seat=0)
    tournament = game.match.stage.tournament
    compute_standings(str(tournament.pk))
    return tournament, game.match.sides.get(number=game.sides[0]).squad


def pages_of(game: MatchGame, squad: Squad, language: str) -> dict[str, str]:
    """The public pages that show a game's result."""
    tournament = game.match.stage.tournament
    event = f"{language}/{tournament.event.slug}/"
    return {
        "match": address(tournament, f"matches/{game.match_id}/", language),
        "game": address(tournament, f"games/{game.game_id}/", language),
        "round": address(tournament, "matches/round/1/", language),
        "team": f"{event}teams/{squad.team.number}/",
        "timetable": f"{event}timetable/",
    }


def marked(game: MatchGame, squad: Squad, client: Client, desk: Client, language: str) -> dict[str, bool]:
    """Which pages that show a game or its match say that it doesn't count, or not all of it."""
    event = game.match.stage.tournament.event
    while publication.publish(event.pk):
        pass
    shown = {name: client.get(path) for name, path in pages_of(game, squad, language).items()}
    with translation.override("it"):
        inside = [at_desk(name, event.slug) for name in ("board", "timetable")]
        inside.append(at_desk("match", event.slug, game.match_id))
    shown |= {path: desk.get(language + path) for path in inside}
    words = (NOT_COUNTED[language], IN_PART[language])
    return {
        name: any(each in text for text in texts(read(page), ".chip") for each in words)
        for name, page in shown.items()
    }


@pytest.mark.parametrize("place", ["annulled", pytest.param("rule", marks=pytest.mark.long)])
def test_annulled_results_are_marked_as_not_counting_on_every_page(client: Client, place: str) -> None:
    tournament = published(4, 1, format="round_robin")
    Event.objects.update(is_published=True)
    game = games_of(tournament)[0]
    tournament, squad = played(game)
    desk = desk_of(tournament)

    before = [marked(game, squad, client, desk, language) for language in NOT_COUNTED]
    remove_squad(tournament, ACTOR, squad, "withdrawn", place)
    compute_standings(str(tournament.pk))
    after = [marked(game, squad, client, desk, language) for language in NOT_COUNTED]

    assert [set(each.values()) for each in before] == [{False}] * 2
    assert [[name for name, is_marked in each.items() if not is_marked] for each in after] == [[], []]
    match = read(client.get(pages_of(game, squad, "/en")["match"]))
    assert texts(match, ".points") == texts(match.one("ul.three"), "li.is-winner") == []
    assert list(verify(tournament.event)) == []


def test_mini_tournament_counting_in_part_is_marked_on_every_page(client: Client) -> None:
    first = games_of(palio())[0]
    Event.objects.update(is_published=True)
    for game in MatchGame.objects.filter(match=first.match).order_by("number"):
        tournament, _winner = played(game)
    squad = first.match.sides.get(number=0).squad
    desk = desk_of(tournament)

    before = [marked(first, squad, client, desk, language) for language in NOT_COUNTED]
    remove_squad(tournament, ACTOR, squad, "withdrawn", "annulled")
    compute_standings(str(tournament.pk))
    after = [marked(first, squad, client, desk, language) for language in NOT_COUNTED]

    assert [set(each.values()) for each in before] == [{False}] * 2
    assert [[name for name, is_marked in each.items() if not is_marked] for each in after] == [[], []]
    pages = pages_of(first, squad, "/en")
    for name, selector in (("match", ".points"), ("round", ".score"), ("team", ".score")):
        shown = read(client.get(pages[name]))
        assert sum(each.startswith(("0", "1")) for each in texts(shown, selector)) == 2, name
    match = read(client.get(pages["match"]))
    assert texts(match.one("ul.three").all("li")[0], ".chip") == [NOT_COUNTED["/en"]]
    assert len(texts(match.one("ul.three"), "li.is-winner")) == 1


def read_api(client: Client, game: MatchGame) -> dict[str, Any]:
    answer = client.get(f"/api/v1/matches/{game.match_id}/")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_api_gives_no_points_for_annulled_games(
    client: Client,
) -> None:
    """Of a mini-tournament only the games of the removed squad are annulled."""
    squads, teams = published(4, 1, format="round_robin"), palio()
    Event.objects.update(is_published=True)
    whole, (first, *_others) = games_of(squads)[0], games_of(teams)
    for game in (whole, *MatchGame.objects.filter(match=first.match).order_by("number")):
        played(game)

    removed: list[list[bool]] = []

    def told(game: MatchGame) -> tuple[bool, list[int], list[tuple[bool, bool]]]:
        match = read_api(client, game)
        games = [(each["is_annulled"], each["counts"]) for each in match["games"]]
        removed.append([side["is_annulled"] for side in match["sides"]])
        return match["is_annulled"], [side["points"] for side in match["sides"]], games

    before = [told(game) for game in (whole, first)]
    for game in (whole, first):
        tournament, squad = game.match.stage.tournament, game.match.sides.get(number=0).squad
        remove_squad(tournament, ACTOR, squad, "withdrawn", "annulled")
        compute_standings(str(tournament.pk))
    after = [told(game) for game in (whole, first)]

    assert before[0] == (False, [1, 0], [(False, True)])
    assert sum(before[1][1]) == 3
    assert after[0] == (True, [0, 0], [(True, False)])
    sides = [each["sides"] for each in read_api(client, first)["games"]]
    assert after[1][0] is False
    assert after[1][2] == [(0 in playing, 0 not in playing) for playing in sides]
    assert sum(after[1][1]) == 1
    assert removed == [[False] * 2, [False] * 3, [True, False], [True, False, False]]


def test_export_says_which_games_count(client: Client) -> None:
    tournament = published(4, 1, format="round_robin")
    game = games_of(tournament)[0]
    tournament, squad = played(game)
    desk = desk_of(tournament)
    asked = {"table": "matches", "form": "csv", "names": "full"}
    path = "/en" + at_desk("export-file", tournament.event.slug)

    def counts() -> list[tuple[str, str]]:
        answer: Any = desk.get(path, asked)
        content = b"".join(answer) if answer.streaming else answer.content
        rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""))
        return [(row["Progress"], row["Counts"]) for row in rows if row["Game (id)"] == str(game.game_id)]

    before = counts()
    remove_squad(tournament, ACTOR, squad, "withdrawn", "annulled")
    compute_standings(str(tournament.pk))

    assert before == [("done", "1")]
    assert counts() == [("done", "0")]


def test_game_with_a_withdrawn_result_is_waiting_on_every_page(client: Client) -> None:
    tournament = published(4, 1, format="round_robin")
    Event.objects.update(is_published=True)
    game = games_of(tournament)[0]
    tournament, squad = played(game)
    desk = desk_of(tournament)
    board = "/en" + at_desk("board", tournament.event.slug)
    event = f"/en/{tournament.event.slug}/"

    correct(game, ACTOR, 2, [], "typing-error")
    compute_standings(str(tournament.pk))

    while publication.publish(tournament.event.pk):
        pass
    match = read_api(client, game)
    shown = read(client.get(pages_of(game, squad, "/en")["game"]))
    assert (match["state"], match["progress"], match["games"][0]["progress"]) == ("waiting",) * 3
    assert "Playing now" not in read(client.get(event)).text
    inside = [chip for match in read(desk.get(board)).all("a.match") for chip in texts(match, ".chip")]
    assert "playing" not in [*texts(shown, ".chip"), *inside]
    assert "waiting" in inside
    assert "Not played yet" in shown.text
    assert "wrote down the result alone" not in shown.text
    assert list(verify(tournament.event)) == []


def test_game_with_a_withdrawn_result_plays_again_with_a_new_entry(client: Client) -> None:
    tournament = published(4, 1, format="round_robin")
    Event.objects.update(is_published=True)
    game = games_of(tournament)[0]
    tournament, _squad = played(game)
    correct(game, ACTOR, 2, [], "typing-error")

    correct_state = read_api(client, game)["state"]
    enter_result(game, ACTOR, seat=1)
    again = read_api(client, game)["state"]
    correct(game, ACTOR, 4, [{"type": "dealer_named", "seat": 0}], "typing-error")
    on = read_api(client, game)["state"]
    correct(game, ACTOR, 6, [], "typing-error")

    assert [correct_state, again, on] == ["waiting", "done", "playing"]
    assert read_api(client, game)["state"] == "waiting"
    assert list(verify(tournament.event)) == []


def test_standings_say_that_a_place_was_decided_by_walkover(client: Client) -> None:
    tournament = published(4, 1, format="single_elimination", options={"played_for": 4})
    play(tournament, random.Random(4), most=2)
    (third,) = [match for match in matches_of(tournament) if match.slot == "P3"]
    gone = third.sides.get(number=0).squad

    remove_squad(tournament, ACTOR, gone, "withdrawn")
    play(tournament, random.Random(4))

    told = {
        language: texts(read(client.get(address(tournament, "", language))), ".standing-reason")
        for language in ("/en", "")
    }

    assert any("Won the match for third place, by walkover" in each for each in told["/en"]), told
    assert any(", by walkover" in each and "lost the match" in each for each in told["/en"])
    assert any("a tavolino" in each for each in told[""])
    assert not any("final" in each and "walkover" in each for each in told["/en"])
