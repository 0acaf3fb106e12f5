"""The desk's page on which a draw is changed by hand, and where that is told."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from people.actors import Actor
from people.entries import withdraw
from tests.desk.rounds import desk_of, path
from tests.support import factories
from tests.support.forms import address, fill, open_page
from tests.support.rounds_play import open_games, published
from tournaments.commands.draw import publish_draw
from tournaments.commands.results import enter_result
from tournaments.models import Match, Squad, Tournament

pytestmark = pytest.mark.django_db
WHY = "organizer-decision"


def drawn(**settings: Any) -> Tournament:
    """A draw that is kept and not published."""
    return factories.drawn_tournament(factories.make_event(), 3, 3, published=False, **settings)


def tables(squad: Squad) -> list[int]:
    """Where a squad plays, round after round."""
    matches = Match.objects.filter(sides__squad=squad).order_by("round")
    return list(matches.values_list("table__number", flat=True))


def change(desk: Client, tournament: Tournament, one: Squad, other: Squad, round_: str) -> Any:
    """Choose, look at the preview, confirm with a reason; the page after it."""
    form = path(tournament, "draw-edit")
    asked = f"{form}?one={one.pk}&other={other.pk}&round={round_}"
    return open_page(desk, asked), fill(desk, asked, action=form, reason=WHY)


def test_draw_edit_swaps_two_squads_and_is_told_everywhere(client: Client) -> None:
    tournament = drawn(rounds=2)
    desk = desk_of(tournament)
    one, other = Squad.objects.filter(team__number=1).order_by("number")[:2]
    before = tables(one), tables(other)
    draw = open_page(desk, path(tournament, "draw"))
    assert path(tournament, "draw-edit") in [each.attributes.get("href") for each in draw.all("a")]
    page, answer = change(desk, tournament, one, other, "2")
    assert "would change places" in page.text
    assert answer.status_code == 302
    assert [tables(one)[0], tables(other)[0]] == [before[0][0], before[1][0]]
    assert [tables(one)[1], tables(other)[1]] == [before[1][1], before[0][1]]
    told = open_page(desk, path(tournament, "draw"))
    sentence = next(each.text for each in told.all("li") if "changed places" in each.text)
    assert sentence.startswith("Round 2: ")
    assert "(decision of the organizers)" in sentence
    assert "--swap 2:1/" in told.one(".draw-command").text
    history = open_page(desk, address("audit", tournament.event.slug))
    assert "Draw changed by hand" in history.text
    # Once it is public, everybody reads it beside the round, by the names that may be shown.
    publish_draw(tournament, Actor.command())
    slugs = (tournament.event.slug, tournament.slug)
    seen = {
        number: open_page(client, reverse("publishing:round", args=[*slugs, number])).text
        for number in (1, 2)
    }
    assert ["Changed after the draw:" in seen[number] for number in (1, 2)] == [False, True]
    # Now it stays.
    stays = open_page(desk, path(tournament, "draw-edit"))
    assert not stays.all("main form")


def test_draw_edit_is_not_told_above_a_draw_that_would_be_another_now(client: Client) -> None:
    """The page shows what the seed gives now, and in that nobody has changed places."""
    tournament = drawn(rounds=2)
    desk = desk_of(tournament)
    one, other = Squad.objects.filter(team__number=1).order_by("number")[:2]
    change(desk, tournament, one, other, "2")
    withdraw(tournament.event.teams.get(number=1).entries.get(number=1), Actor.command())

    page = open_page(desk, path(tournament, "draw"))

    assert "Drawn so, then changed" not in page.text
    warned = page.one(".notice-warning").text
    assert "Changes by hand are in the draw as it was made before, not below." in warned


def test_draw_edit_of_a_later_round_is_made_and_put_back() -> None:
    tournament = published(4, 1, format="swiss", options={"rounds": 3}, draws_itself=False)
    for game in open_games(tournament):
        enter_result(game, Actor.command(), seat=0)
    desk = desk_of(tournament)
    rounds = open_page(desk, path(tournament, "rounds"))
    assert path(tournament, "draw-edit") not in [each.attributes.get("href") for each in rounds.all("a")]
    fill(desk, path(tournament, "rounds"), action=path(tournament, "round-draw"))
    first = Match.objects.filter(stage__tournament=tournament, round=2).order_by("slot")
    one, other = (match.sides.get(number=0).squad for match in first)
    _page, answer = change(desk, tournament, one, other, "2")
    assert answer.headers["Location"] == path(tournament, "rounds")
    page = open_page(desk, path(tournament, "rounds"))
    (back,) = [each.attributes["href"] for each in page.all("a") if each.text == "Put them back"]
    assert "would change places" in open_page(desk, back).text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("one={one}&other={one}&round=every", "one and the same"),
        ("one={one}&other={stranger}&round=1", "squads of one team"),
        ("one={one}&other=x&round=1", "Nothing was stored yet"),
        ("one={one}&other={two}&round=9", "Nothing was stored yet"),
    ],
)
def test_draw_edit_that_makes_no_sense_is_refused(given: str, said: str) -> None:
    tournament = drawn(rounds=2)
    one, two = Squad.objects.filter(team__number=1).order_by("number").values_list("pk", flat=True)[:2]
    stranger = Squad.objects.filter(team__number=2).values_list("pk", flat=True)[0]
    query = given.format(one=one, two=two, stranger=stranger)
    page = open_page(desk_of(tournament), f"{path(tournament, 'draw-edit')}?{query}", 422)

    assert said in page.one(".notice-error").text


def test_round_robin_says_why_nobody_changes_places() -> None:
    tournament = drawn(format="round_robin")
    page = open_page(desk_of(tournament), path(tournament, "draw-edit"))
    assert "everybody meets everybody" in page.one(".notice").text
    assert path(tournament, "draw-edit") not in str(
        open_page(desk_of(tournament), path(tournament, "draw")).text
    )
