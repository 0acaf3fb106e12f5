"""Tables of many on public pages: anybody can add up the standings from what any of them lists."""

import re
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import islice

import pytest
from django.test import Client

from people.check_in import check_in
from people.models import Entry, Team
from tests.support.factories import make_entry
from tests.support.page_reading import Element, read
from tests.support.rounds_play import ACTOR, close_with_places, open_games, published, squad_named
from tests.support.run import long
from tests.support.worlds import remembered
from tournaments.commands.results import enter_result
from tournaments.commands.squad_changes import add_squad, remove_squad
from tournaments.models import Match, MatchGame, Tournament
from tournaments.standings import RemovedPlace
from tournaments.tasks import compute_standings

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

PARTS = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4"}


def number(text: str) -> Fraction:
    """A number as pages write it: 7½, 2 5/6."""
    spaced = text
    for sign, part in PARTS.items():
        spaced = spaced.replace(sign, f" {part}")
    return sum(map(Fraction, spaced.split()), Fraction(0))


def points(text: str) -> Fraction:
    """The last points that a text names."""
    found: list[str] = re.findall(r"((?:\d+\s)?[\d/½⅓⅔¼¾]+) points?\b", text)
    return number(found[-1]) if found else Fraction(0)


def by_places(game: MatchGame, number: int) -> None:
    """End a game with places; in the first round one is shared, a table is broken off, and at another
    somebody isn't there; the last one of the second isn't played.
    """
    if number == 1:
        enter_result(game, ACTOR, reason="abandoned")
    elif number == 5:
        enter_result(game, ACTOR, seat=0, reason="forfeit")
    elif number == 3:
        enter_result(game, ACTOR, places={0: 2, 1: 1, 2: 3}, absent={2})
    else:
        close_with_places(game, (1, 2, 2) if number % 2 == 0 else (3, 1, 2))


def by_cards(game: MatchGame, number: int) -> None:
    """End a game with points of cards; a table of the first round is broken off, and at another somebody
    isn't there.
    """
    if number == 1:
        enter_result(game, ACTOR, reason="abandoned")
    elif number == 3:
        enter_result(game, ACTOR, seat=1, points={1: 0, 2: 40}, absent={0})
    else:
        enter_result(game, ACTOR, seat=0, points={0: 0, 1: 5 + 11 * number, 2: 25})


def played(format_: str, is_by_places: bool, ruleset: str) -> Tournament:
    """Ten at tables of three, so that one sits out each round, with all results of two rounds."""
    options = {"seats": 3, "rounds": 2, "by_places": is_by_places}
    made = published(10, 1, format=format_, ruleset=ruleset, options=options)
    made.event.is_published = True
    made.event.save()
    numbers = iter(range(6))
    for _round in range(2):
        for game, at in zip(open_games(made)[:3], islice(numbers, 3), strict=True):
            (by_places if is_by_places else by_cards)(game, at)
        compute_standings(str(made.pk))
    return made


@pytest.fixture(
    params=[
        partial(played, "tables_by_standing", True, "palio"),
        partial(played, "tables_by_standing", False, "house"),
        partial(played, "tables", True, "palio"),
    ],
    ids=["places", "cards", "planned"],
)
def tournament(request: pytest.FixtureRequest) -> Tournament:
    """That of two formats, with places and with points of cards."""
    made: Tournament = remembered(request.param)
    return made


def base(tournament: Tournament) -> str:
    return f"/en/{tournament.event.slug}/{tournament.slug}/"


def standings(client: Client, tournament: Tournament) -> dict[str, tuple[Fraction, Element]]:
    """Everybody's points in the standings, and their row."""
    page = read(client.get(f"{base(tournament)}"))
    return {
        row.one("strong.standing-name").text: (number(row.one(".standing-points").one("b").text), row)
        for row in page.all("li.standing")
    }


def scores(page: Element) -> Iterator[tuple[str, Fraction]]:
    """The sides of the tables on a page with their points."""
    for line in page.all("li"):
        teams = line.all("span.team")
        if len(teams) == 1 and line.has(".score"):
            yield teams[0].text, points(line.one(".score").text)


def test_table_points_listed_in_standings_add_up_to_the_total(client: Client, tournament: Tournament) -> None:
    rows = standings(client, tournament)

    added = {
        name: sum((points(each.text) for each in row.all("ul.at-tables")[0].all("li")), Fraction(0))
        + sum((points(each.text) for each in row.all("p.sat-out")), Fraction(0))
        for name, (_points, row) in rows.items()
    }
    assert added == {name: total for name, (total, _row) in rows.items()}
    assert len({total.denominator for total in added.values()}) > 1
    listed = [len(row.all("ul.at-tables")[0].all("li")) for _total, row in rows.values()]
    assert sorted(listed) == [1, 1] + [2] * 8
    broken_off = [
        each.text
        for _total, row in rows.values()
        for each in row.all("ul.at-tables")[0].all("li")
        if "broken off: everybody has the mean" in each.text
    ]
    assert len(broken_off) == 3


def test_table_points_of_a_round_before_one_came_are_listed(client: Client) -> None:
    options = {"seats": 4, "rounds": 3}
    made = published(7, 1, format="tables", options=options)
    made.event.is_published = True
    made.event.save()
    entry = make_entry(Team.objects.filter(event=made.event).order_by("pk")[0])
    for game in open_games(made)[:2]:
        close_with_places(game, tuple(range(1, len(game.sides) + 1)))
    add_squad(made, ACTOR, [entry])
    compute_standings(str(made.pk))

    _total, row = standings(client, made)[f"{entry.team.short_name} {entry.number}"]
    page = read(client.get(f"{base(made)}matches/round/1/"))

    assert [each.text for each in row.all("p.sat-out")] == ["Round 1: not there yet · 1¾ points"]
    assert [each.text for each in page.all("li") if "came after" in each.text] == []


def test_table_places_are_counted_without_an_annulled_squad(client: Client) -> None:
    made = published(8, 1, format="tables", options={"seats": 4, "rounds": 1})
    made.event.is_published = True
    made.event.save()
    game = open_games(made)[0]
    close_with_places(game, (1, 2, 3, 3))
    compute_standings(str(made.pk))
    before = tables_listed(client, made)
    first = Match.objects.get(pk=game.match_id).sides.order_by("number")[0].squad

    remove_squad(made, ACTOR, first, "disqualified", RemovedPlace.ANNULLED)
    compute_standings(str(made.pk))

    assert before == ["1st of 4 · 4 points", "2nd of 4 · 2 points", *["3rd of 4 (shared) · ½ point"] * 2]
    assert tables_listed(client, made) == [
        *("1st of 3 · 3½ points", *["2nd of 3 (shared) · 7/8 point"] * 2),
        "doesn’t count",
    ]


def tables_listed(client: Client, tournament: Tournament) -> list[str]:
    """How the first table ended for each who sat there, as the standings list it, without the others."""
    rows = [row for _total, row in standings(client, tournament).values()]
    listed = [each.text for row in rows for each in row.all("li") if "Round 1, table 1" in each.text]
    return sorted(each.split(": ", 1)[1].split(" with ")[0].strip() for each in listed)


def expect_rounds_add_up(client: Client, tournament: Tournament) -> None:
    rows = standings(client, tournament)
    totals: dict[str, Fraction] = defaultdict(Fraction)

    for each in (1, 2):
        page = read(client.get(f"{base(tournament)}matches/round/{each}/"))
        for name, value in scores(page):
            totals[name] += value
    for name, (_total, row) in rows.items():
        for away in row.all("p.sat-out"):
            totals[name] += points(away.text)

    assert totals.keys() <= rows.keys()
    assert {name: totals[name] for name in rows} == {name: total for name, (total, _row) in rows.items()}


def expect_teams_add_up(client: Client, tournament: Tournament) -> None:
    for name, (total, row) in standings(client, tournament).items():
        team = int(row.attributes["id"].split("-")[1])

        page = read(client.get(f"/en/{tournament.event.slug}/teams/{team}/"))

        own = [value for side, value in scores(page) if side == name]
        away = [points(each.text) for each in page.all("span.sat-out")]
        assert sum(own + away, Fraction(0)) == total


def test_table_points_on_round_pages_add_up_to_the_standings(client: Client, tournament: Tournament) -> None:
    expect_rounds_add_up(client, tournament)


def test_table_points_on_team_pages_add_up_to_the_standings(client: Client, tournament: Tournament) -> None:
    expect_teams_add_up(client, tournament)


def test_table_points_add_up_though_squads_are_annulled(client: Client, tournament: Tournament) -> None:
    """Whoever it is: with somebody of the table that was broken off, with a first, and who sat out."""
    for team in (1, 4, 10):
        squad = squad_named(tournament, (team, 1))
        remove_squad(tournament, ACTOR, squad, "disqualified", RemovedPlace.ANNULLED)
        compute_standings(str(tournament.pk))
        if long.asked:
            expect_teams_add_up(client, tournament)

    expect_rounds_add_up(client, tournament)
    expect_teams_add_up(client, tournament)


def test_table_points_on_slips_add_up_to_the_standings(client: Client, tournament: Tournament) -> None:
    rows = standings(client, tournament)
    for entry in Entry.objects.filter(team__event=tournament.event).select_related("team"):
        page = read(client.get(f"/en/s/{check_in(entry, ACTOR)}/"))

        section = next(each for each in page.all("section") if each.has("ul.own-matches"))
        listed = [points(each.one("span.own-result").text) for each in section.all("li")]
        total, _row = rows[f"{entry.team.short_name} {entry.number}"]
        assert sum(listed, Fraction(0)) == points(section.one("p").text) == total
        assert len(listed) == 2


def test_table_that_is_broken_off_follows_other_tables_of_its_round(client: Client) -> None:
    options = {"seats": 3, "rounds": 1, "by_places": False}
    made = published(6, 1, format="tables", ruleset="house", options=options)
    made.event.is_published = True
    made.event.save()
    broken_off, other = open_games(made)
    enter_result(broken_off, ACTOR, reason="abandoned")
    path = f"{base(made)}matches/{broken_off.match_id}/"
    before = read(client.get(path)).one("ul.three").text

    enter_result(other, ACTOR, seat=0, points={0: 0, 1: 10, 2: 25})

    assert "points" not in before
    assert read(client.get(path)).one("ul.three").text.count("11⅔ points") == 3


def test_table_points_in_the_api_add_up_to_the_standings(client: Client, tournament: Tournament) -> None:
    rows = standings(client, tournament)
    totals: dict[str, Fraction] = defaultdict(Fraction)

    answer = client.get(f"/api/v1/tournaments/{tournament.pk}/rounds/").json()

    for each in answer["results"] if isinstance(answer, dict) else answer:
        for match in (match for wave in each["waves"] for match in wave["matches"]):
            for side in match["sides"]:
                totals[side["entries"][0]["shown_as"]] += Fraction(side["table_points"])
    for name, (_total, row) in rows.items():
        for away in row.all("p.sat-out"):
            totals[name] += points(away.text)

    assert totals == {name: total for name, (total, _row) in rows.items()}
