"""The public standings: the order and its reasons, how they came about, and what they cost."""

import gzip
import json
import random
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from ledger.receipts import make_receipt
from people import audit
from people.actors import Actor
from people.display_names import Viewer
from people.models import Event
from tests.support.computed_tournaments import address, palio, play, sides_of, win
from tests.support.factories import (
    FIRST_NAME,
    LAST_NAME,
    drawn_tournament,
    games_of,
    make_account,
    make_event,
    make_field,
    make_team,
)
from tests.support.forms import open_page
from tests.support.page_reading import Element, read, rows
from tests.support.pdf_text import text_of
from tests.support.rounds_play import open_games, play_tables, published, turn_around, views
from tournaments.commands.adjust import adjust_points
from tournaments.commands.close import close_tournament
from tournaments.commands.results import correct, enter_result
from tournaments.commands.squad_changes import remove_squad, remove_team
from tournaments.models import Squad, Standing, StandingsVersion, Tournament
from tournaments.projections import standings as stored_standings
from tournaments.transfer.export.csv_and_json import csv_lines, json_lines
from tournaments.transfer.export.exported_tables import Export

pytestmark = pytest.mark.django_db

ORDER = ("Superiore", "Centro", "Inferiore")


def page(client: Client, tournament: Tournament, query: str = "", language: str = "/en") -> Element:
    return open_page(client, address(tournament, language=language) + query)


def test_standings_rows_have_place_team_points_and_reason(client: Client) -> None:
    tournament = palio(entries=2)
    play(tournament, ORDER)
    assert rows(page(client, tournament)) == [
        ("1", "Superiore", "4", "Ahead on points: 4 to 2"),
        ("2", "Centro", "2", "Ahead on points: 2 to 0"),
        ("3", "Inferiore", "0", ""),
    ]


def test_standings_give_the_score_of_a_deciding_direct_match(client: Client) -> None:
    tournament = palio(entries=2)
    play(tournament, ORDER)
    centro = tournament.event.teams.get(number=2)
    adjust_points(tournament, Actor.command(), centro, 2, "organizer-decision")
    stored_standings.compute(tournament.pk)

    assert rows(page(client, tournament))[:2] == [
        ("1", "Superiore", "4", "Ahead by the direct match: 2 to 0"),
        ("2", "Centro", "4", "Ahead on points: 4 to 0"),
    ]


def test_points_by_decision_stand_beside_the_points_with_their_reason(client: Client) -> None:
    tournament = palio(entries=2)
    play(tournament, ORDER)
    first, second, third = tournament.event.teams.order_by("number")
    decided = [(first, -2, "misconduct"), (second, 1, "organizer-decision"), (third, 3, "typing-error")]
    for team, points, reason in [*decided, (third, -3, "typing-error")]:
        adjust_points(tournament, Actor.command(), team, points, reason)
    stored_standings.compute(tournament.pk)

    shown = [page(client, tournament, language=language) for language in ("/en", "")]
    teams = [read(client.get(f"/en/palio/teams/{team.number}/")) for team in (first, third)]
    told = [
        [[each.text for each in row.all(".standing-decision")] for row in each.all(".standing")]
        for each in shown
    ]

    assert [(row[1], row[2]) for row in rows(shown[0])] == [
        ("Centro", "3"),
        ("Superiore", "2"),
        ("Inferiore", "0"),
    ]
    assert told == [
        [["+1 point by decision: decision of the organizers"], ["−2 points by decision: misconduct"], []],
        [
            ["+1 punto per decisione: decisione degli organizzatori"],
            ["−2 punti per decisione: comportamento scorretto"],
            [],
        ],
    ]
    assert ["by decision" in each.one(".team-places").text for each in teams] == [True, False]
    assert "−2 points by decision: misconduct" in teams[0].one(".team-places").text


def test_points_by_decision_stand_on_paper_in_tables_and_in_the_api(client: Client) -> None:
    tournament = palio(entries=2)
    play(tournament, ORDER)
    Event.objects.update(is_published=True)
    team = tournament.event.teams.get(number=1)
    for points, reason in ((-2, "misconduct"), (1, "typing-error")):
        adjust_points(tournament, Actor.command(), team, points, reason)
    stored_standings.compute(tournament.pk)

    paper: Any = client.get(address(tournament, "standings.pdf"))
    with translation.override("en"):
        table = Export(tournament.event, Viewer.public(tournament.event)).table("standings")
        spreadsheet = b"".join(csv_lines(table)).decode().splitlines()
    told = json.loads(b"".join(json_lines(table)))
    answer = client.get(f"/api/v1/tournaments/{tournament.pk}/standings/").json()

    text = text_of(b"".join(paper) if paper.streaming else paper.content)
    assert "−2 points by decision: misconduct · +1 point by decision: typing error" in text
    assert spreadsheet[0].endswith(",Points by decision")
    assert spreadsheet[1].endswith(",misconduct=-2; typing error=1")
    assert [row["adjustments"] for row in told] == ["misconduct=-2; typing-error=1", "", ""]
    assert [row["adjustments"] for row in answer["rows"]] == [
        [{"points": -2, "reason": "misconduct"}, {"points": 1, "reason": "typing-error"}],
        [],
        [],
    ]


def test_points_by_decision_are_told_in_the_table_of_a_group(client: Client) -> None:
    tournament = published(4, 2, format="round_robin", options={"groups": 2})
    squad = Squad.objects.filter(stage__tournament=tournament).select_related("team")[0]
    adjust_points(tournament, Actor.command(), squad.team, -1, "misconduct", squad)
    stored_standings.compute(tournament.pk)

    told = [each.text for each in page(client, tournament).all(".standing-decision")]

    assert told == ["−1 point by decision: misconduct"]


def test_standings_mark_teams_that_are_level(client: Client) -> None:
    tournament = palio()
    for game in games_of(tournament):
        win(game, sides_of(game)[0])
    shown = page(client, tournament)

    assert rows(shown) == [
        ("1=", "Superiore", "1", "Level with Centro and Inferiore"),
        ("1=", "Centro", "1", "Level with Superiore and Inferiore"),
        ("1=", "Inferiore", "1", "Level with Superiore and Centro"),
    ]
    assert [row.classes for row in shown.all(".standing")] == [["standing", "is-tied"]] * 3


@pytest.mark.parametrize(
    ("policy", "said"), [("lots", "lots will be drawn"), ("play_off", "a play-off will decide")]
)
def test_standings_say_how_a_tie_will_be_broken(client: Client, policy: str, said: str) -> None:
    tournament = palio(tie_policy=policy)
    for game in games_of(tournament):
        win(game, sides_of(game)[0])
    assert rows(page(client, tournament))[0][3] == f"Level with Centro and Inferiore: {said}"


def test_standings_row_lists_its_games(client: Client) -> None:
    tournament = palio()
    first, second, _third = games_of(tournament)
    win(first, sides_of(first)[0])
    win(second, None, "time")
    superiore = page(client, tournament).all(".standing")[0]
    against = superiore.one(".against")
    assert [dt.text for dt in against.all("dt")] == ["Centro 1 – 0"]
    link = against.one("dd").one("a")
    assert link.text == "table 1: won"
    assert link.attributes["href"] == address(tournament, f"games/{first.game_id}/")
    others = [row.one(".against").text for row in page(client, tournament).all(".standing")[1:]]
    assert others == [
        "Superiore 0 – 1 Round 1: table 1: lost Inferiore 0 – 0 Round 1: table 1: no point",
        "Centro 0 – 0 Round 1: table 1: no point",
    ]
    assert client.get(link.attributes["href"]).status_code == 200


def test_standings_row_lists_a_shared_game(client: Client) -> None:
    tournament = palio(bell="point_each")
    win(games_of(tournament)[0], None, "time")
    shown = page(client, tournament)
    assert [row[:3] for row in rows(shown)] == [
        ("1=", "Superiore", "1"),
        ("1=", "Centro", "1"),
        ("3", "Inferiore", "0"),
    ]
    against = [row.one(".against").text for row in shown.all(".standing")[:2]]
    assert against == [
        "Centro 1 – 1 Round 1: table 1: a point each",
        "Superiore 1 – 1 Round 1: table 1: a point each",
    ]


def test_shared_game_counts_for_both_in_the_score_of_a_match(client: Client) -> None:
    """A best of four: the first game is shared, the others are won by Superiore."""
    tournament = published(
        2, 1, format="round_robin", match={"length": "best_of", "games": 4}, bell="point_each"
    )
    first, *others = games_of(tournament)
    enter_result(first, Actor.command(), reason="time")
    for game in others[:2]:
        enter_result(game, Actor.command(), seat=game.sides.index(0))
    stored_standings.compute(tournament.pk)

    scores = [row.one(".score").text for row in page(client, tournament).all(".standing")]

    (match,) = views(tournament)
    of_match_page = [side.points for side in match.sides]
    assert of_match_page == [3, 1]
    assert scores == ["3 – 1", "1 – 3"]


def test_shared_game_counts_for_both_in_the_score_of_mini_tournaments(client: Client) -> None:
    """Three teams with one squad each: a game of each two in one match, and the first is shared."""
    tournament = palio(bell="point_each")
    first, *others = games_of(tournament)
    win(first, None, "time")
    for game in others:
        win(game, max(sides_of(game), key=lambda team: team.number))

    shown = page(client, tournament)

    assert [(row[1], row[2]) for row in rows(shown)] == [
        ("Inferiore", "2"),
        ("Superiore", "1"),
        ("Centro", "1"),
    ]
    assert [[score.text for score in row.all(".score")] for row in shown.all(".standing")] == [
        ["1 – 0", "1 – 0"],
        ["0 – 1", "1 – 1"],
        ["0 – 1", "1 – 1"],
    ]


def test_game_after_the_end_of_its_match_is_in_no_score(client: Client) -> None:
    """2–1 in a best of three; the second game is corrected, so it was 2–0 before the third."""
    tournament = published(2, 1, format="round_robin", match={"length": "best_of", "games": 3})
    games = games_of(tournament)
    for game, side in zip(games, (0, 1, 0), strict=True):
        enter_result(game, Actor.command(), seat=game.sides.index(side))
    stored_standings.compute(tournament.pk)
    before = [row.one(".against").one(".score").text for row in page(client, tournament).all(".standing")]

    turn_around(games[1])

    against = [row.one(".against") for row in page(client, tournament).all(".standing")]
    assert before == ["2 – 1", "1 – 2"]
    assert [each.one(".score").text for each in against] == ["2 – 0", "0 – 2"]
    assert [link.text for link in against[0].one("dd").all("a")] == [
        "table 1: won",
        "table 1: won",
        "table 1: doesn’t count",
    ]


def test_podium_stands_once_the_tournament_is_closed(client: Client) -> None:
    tournament = palio()
    play(tournament, ORDER)
    assert not page(client, tournament).has(".podium")
    close_tournament(tournament, Actor.command())
    shown = page(client, tournament)
    assert [step.one(".step-name").text for step in shown.all(".step")] == list(ORDER)
    assert [step.one(".step-points").text for step in shown.all(".step")] == [
        "30 placement points",
        "20 placement points",
        "10 placement points",
    ]
    assert [line.text for line in shown.all(".standing-placement")] == [
        "30 placement points",
        "20 placement points",
        "10 placement points",
    ]


def test_placement_points_at_tables_are_shown_where_there_are_any(client: Client) -> None:
    tournament = published(5, 1, format="tables", options={"seats": 5, "rounds": 1}, scale=[3, 1])
    play_tables(tournament, random.Random(5))
    close_tournament(tournament, Actor.command())
    stored_standings.compute(tournament.pk)

    page = read(client.get(f"/en/{tournament.event.slug}/{tournament.slug}/"))

    told = [row.all(".standing-placement") for row in page.all(".standing")]
    ranked = tournament.standings_versions.latest("number").rows.order_by("position")
    assert [bool(each) for each in told] == [row.placement_points not in ("", "0") for row in ranked]
    assert not all(told)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("/en", ["2 placement points", "1 placement point", "0 placement points"]),
        ("", ["2 punti di piazzamento", "1 punto di piazzamento", "0 punti di piazzamento"]),
    ],
)
def test_placement_points_of_one_are_in_the_singular(client: Client, language: str, told: list[str]) -> None:
    tournament = palio(scale=[2, 1, 0])
    play(tournament, ORDER)
    close_tournament(tournament, Actor.command())

    shown = page(client, tournament, language=language)

    assert [line.text for line in shown.all(".standing-placement")] == told


def test_standings_show_the_last_receipt(client: Client) -> None:
    tournament = palio()
    assert not page(client, tournament).has(".receipt")
    play(tournament, ORDER)
    version = tournament.standings_versions.get(rounds_played=1)
    assert page(client, tournament).one(".receipt").one("code").text == version.receipt


def test_closed_tournament_keeps_the_receipt_of_its_closing(client: Client) -> None:
    tournament = palio()
    play(tournament, ORDER)
    close_tournament(tournament, Actor.command())
    stored_standings.compute(tournament.pk)
    closing = tournament.standings_versions.get(is_final=True).receipt

    later = make_receipt(tournament.event_id)

    assert closing not in ("", later.root)
    assert page(client, tournament).one(".receipt").one("code").text == closing


def test_standings_show_movement_since_the_last_complete_round(client: Client) -> None:
    tournament = palio(entries=2, rounds=2)
    games = games_of(tournament)
    for game in games[:6]:
        win(game, min(sides_of(game), key=lambda team: team.number))
    for game in games[6:]:
        win(game, max(sides_of(game), key=lambda team: team.number))
    moved = [
        (row.one(".standing-name").text, row.one(".movement").text)
        for row in page(client, tournament).all(".standing")
    ]

    assert moved == [
        ("Superiore", "same place"),
        ("Inferiore", "2 up 2 places"),
        ("Centro", "1 down 1 place"),
    ]


def test_standings_at_a_moment_are_those_of_its_version(client: Client) -> None:
    tournament = palio()
    for game in games_of(tournament):
        win(game, min(sides_of(game), key=lambda team: team.number))
    numbered = {version.number: version for version in tournament.standings_versions.all()}
    for number, version in numbered.items():
        moment = tournament.event.starts_on.isoformat() + f"T15:{number:02}:00+02:00"
        StandingsVersion.objects.filter(pk=version.pk).update(computed_at=moment)
    first, last = min(numbered), max(numbered)
    assert last - first >= 2
    at_first = rows(page(client, tournament, f"?at=2026-09-05T15:{first:02}"))
    assert at_first[0][:3] == ("1", "Superiore", "1")
    # Written in every way that an address can carry.
    for text in (
        f"2026-09-05T15:{first:02}%2B02:00",
        f"2026-09-05T15:{first:02}+02:00",
        f"2026-09-05T13:{first:02}Z",
        f"15:{first:02}:30",
    ):
        assert rows(page(client, tournament, f"?at={text}")) == at_first
    assert rows(page(client, tournament, "?at=2026-09-05T23:00")) == rows(page(client, tournament))
    before = page(client, tournament, "?at=2026-09-05T14:59")
    assert rows(before) == []
    assert before.one(".empty").all("p")[0].text == "At that moment no game had been played."


@pytest.mark.parametrize(
    "text",
    [
        *("x", "25:00", "2026-13-01T00:00", "99999-01-01T00:00", "%00"),
        *("0001-01-01T00:00", "0001-01-01T00:00%2B14:00", "9999-12-31T23:59-12:00", "9999-12-31T23:30Z"),
    ],
)
def test_standings_at_an_impossible_moment_are_a_bad_request(client: Client, text: str) -> None:
    tournament = palio()
    response = client.get(address(tournament) + f"?at={text}")
    assert response.status_code == 400
    assert read(response).one("h1").text == "That is no moment in time"


def test_standings_at_a_moment_mark_games_written_again_since(client: Client) -> None:
    tournament = palio()
    game = games_of(tournament)[0]
    left, right = sides_of(game)
    win(game, left)
    then = tournament.standings_versions.order_by("-number").first()
    assert then is not None
    StandingsVersion.objects.update(computed_at=then.computed_at - timedelta(hours=1))
    right_event = {"type": "game_closed", "reason": "result", "winner": None, "team": str(right.pk)}
    correct(game, Actor.command(), 2, [right_event], "wrong-winner")
    stored_standings.compute(tournament.pk)
    moment = (then.computed_at - timedelta(minutes=30)).isoformat().replace("+", "%2B")
    earlier = page(client, tournament, f"?at={moment}")
    assert rows(earlier)[0][:3] == ("1", left.name, "1")
    links = [link.text for row in earlier.all(".against") for link in row.all("dd")[0].all("a")]
    assert links == ["table 1: written again since"] * 2
    assert rows(page(client, tournament))[0][:3] == ("1", right.name, "1")


# What it costs


def widen(tournament: Tournament, teams: int) -> None:
    """More teams than any draw takes, level at the end of the newest standings; a page made before is old."""
    audit.change(tournament.event, Actor.command(), tournament.event_id, {"place": "Altrove"})
    version = tournament.standings_versions.order_by("-number")[0]
    more = [
        make_team(tournament.event, number) for number in range(tournament.event.teams.count() + 1, teams + 1)
    ]
    Standing.objects.bulk_create(
        Standing(
            version=version,
            team=team,
            position=team.number,
            place=version.rows.count() + 1,
            is_tied=True,
            games_won=0,
            games_played=0,
            metrics=[["points", "0"]],
            placement_points="0",
        )
        for team in more
    )


def test_standings_cost_four_queries_however_many_teams(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = palio()
    play(tournament, ORDER)
    standings = address(tournament)
    with django_assert_num_queries(4):
        assert len(rows(read(client.get(standings)))) == 3
    widen(tournament, 100)
    with django_assert_num_queries(4):
        assert len(rows(read(client.get(standings)))) == 100


def test_standings_that_did_not_change_answer_304_with_one_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = palio()
    win(games_of(tournament)[0], None, "time")
    first = client.get(address(tournament))
    assert first["Cache-Control"] == "public, no-cache"
    with django_assert_num_queries(1):
        again = client.get(address(tournament), HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert again["X-Robots-Tag"] == "noindex, nofollow"


def test_standings_cost_the_next_reader_one_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = palio()
    play(tournament, ORDER)
    standings = address(tournament)

    first = client.get(standings)
    with django_assert_num_queries(1):
        again = client.get(standings)

    assert (again.content, again["ETag"]) == (first.content, first["ETag"])


def change_result(tournament: Tournament) -> None:
    win(games_of(tournament)[1], None, "time")


def change_banner(tournament: Tournament) -> None:
    team = tournament.event.teams.get(number=1)
    audit.change(team, Actor.command(), tournament.event_id, {"color_one": "#000000"})


def change_decision(tournament: Tournament) -> None:
    team = tournament.event.teams.get(number=1)
    adjust_points(tournament, Actor.command(), team, 1, "organizer-decision")


@pytest.mark.parametrize("change", [change_result, change_banner, change_decision])
def test_standings_tag_changes_with_result_banner_and_decision(client: Client, change: Any) -> None:
    tournament = palio()
    win(games_of(tournament)[0], None, "time")
    first = client.get(address(tournament))
    change(tournament)
    again = client.get(address(tournament), HTTP_IF_NONE_MATCH=first["ETag"])

    assert (again.status_code, again["ETag"] != first["ETag"]) == (200, True)


def test_standings_have_a_tag_for_each_language(client: Client) -> None:
    tournament = palio()
    italian, english = (client.get(address(tournament, language=prefix)) for prefix in ("", "/en"))
    assert italian["ETag"] != english["ETag"]


def test_standings_of_sixteen_teams_with_games_stay_below_30_kilobytes(client: Client) -> None:
    tournament = drawn_tournament(make_event(slug="sedici"), teams=16, entries=3, tables=16)
    play(tournament, [team.short_name for team in tournament.event.teams.all()])
    response = client.get(address(tournament), HTTP_ACCEPT_ENCODING="gzip, deflate")

    assert (response["Content-Encoding"], response["Vary"]) == ("gzip", "Accept-Encoding")
    assert len(response.content) < 30_000
    assert gzip.decompress(response.content) == client.get(address(tournament)).content


def test_standings_of_a_hundred_teams_stay_below_30_kilobytes(client: Client) -> None:
    tournament = palio()
    play(tournament, ORDER)
    widen(tournament, 100)
    response = client.get(address(tournament), HTTP_ACCEPT_ENCODING="gzip")

    assert len(response.content) < 30_000


# Who sees what


def test_standings_of_an_unpublished_event_are_its_organizers_alone(client: Client) -> None:
    organizer, stranger = make_account(), make_account()
    tournament = palio(event=make_event(organizer, slug="palio", is_published=False))
    assert client.get(address(tournament)).status_code == 404
    client.force_login(stranger)
    assert client.get(address(tournament)).status_code == 404
    client.force_login(organizer)
    response = client.get(address(tournament))
    assert (response.status_code, response["Cache-Control"]) == (200, "private, no-store")


def test_standings_matches_and_games_of_an_unpublished_draw_are_not_shown(client: Client) -> None:
    tournament = palio(published=False)
    shown = page(client, tournament)
    assert shown.one(".empty").one("h2").text == "The draw isn’t published yet"
    assert rows(shown) == []
    match = games_of(tournament)[0]
    assert client.get(address(tournament, f"matches/{match.match_id}/")).status_code == 404
    assert client.get(address(tournament, f"games/{match.game_id}/")).status_code == 404


def test_standings_before_the_first_game_link_to_the_matches(client: Client) -> None:
    tournament = palio()
    StandingsVersion.objects.all().delete()
    link = page(client, tournament).one(".empty").one("a")
    assert link.attributes["href"] == address(tournament, "matches/")


def test_name_of_a_child_without_consent_is_on_no_public_page(client: Client) -> None:
    event = make_event(slug="palio", names_shown="initial")
    make_field(event, 3, 1)
    tournament = palio(event=event)
    play(tournament, ORDER)
    game = games_of(tournament)[0]
    for rest in ("", "matches/", f"matches/{game.match_id}/", f"games/{game.game_id}/", "projector/"):
        text = client.get(address(tournament, rest)).content.decode()
        assert LAST_NAME not in text
        assert FIRST_NAME not in text


def test_search_engines_are_kept_out_unless_the_event_lets_them_in(client: Client) -> None:
    tournament = palio()
    response = client.get(address(tournament))
    assert response["X-Robots-Tag"] == "noindex, nofollow"
    assert [
        meta.attributes["content"] for meta in read(response).all("meta") if "robots" in str(meta.attributes)
    ] == ["noindex, nofollow"]
    audit.change(tournament.event, Actor.command(), tournament.event_id, {"allow_search_engines": True})
    response = client.get(address(tournament))
    assert not response.has_header("X-Robots-Tag")
    assert b'name="robots"' not in response.content


def test_annulled_games_are_marked_as_not_counting_in_standings_rows(client: Client) -> None:
    """Of teams, of one squad of a team, and of squads: what was played and what was struck."""
    whole, squad_alone = (palio(entries=2, event=make_event()) for _ in range(2))
    for tournament in (whole, squad_alone):
        play(tournament, ORDER)
    remove_team(whole, Actor.command(), whole.event.teams.get(number=1), "withdrawn", "annulled")
    one = Squad.objects.get(stage__tournament=squad_alone, team__number=1, number=1)
    remove_squad(squad_alone, Actor.command(), one, "withdrawn", "annulled")
    squads = published(4, 1, format="swiss")
    game = open_games(squads)[0]
    enter_result(game, Actor.command(), seat=0)
    gone = Squad.objects.filter(sides__match=game.match).first()
    assert gone is not None
    remove_squad(squads, Actor.command(), gone, "disqualified", "annulled")
    for tournament in (whole, squad_alone, squads):
        stored_standings.compute(tournament.pk)

    told = {
        tournament.pk: [
            (part.one(".score").text, [link.text.partition(": ")[2] for link in part.all("a")])
            for games in page(client, tournament).all("dl.against")
            for part in games.all("div")
        ]
        for tournament in (whole, squad_alone, squads)
    }

    assert told[whole.pk].count(("0 – 0", ["doesn’t count"] * 2)) == 4
    assert sum(games.count("doesn’t count") for _score, games in told[squad_alone.pk]) == 4
    assert told[squads.pk] == [("0 – 0", ["doesn’t count"])] * 2
