"""The standings say how their order comes about, and what of it was decided anew."""

import pytest
from django.test import Client

from people.actors import Actor
from tests.support.computed_tournaments import address, palio, play
from tests.support.page_reading import read
from tournaments.commands.close import close_tournament
from tournaments.commands.set_up import change_settings
from tournaments.commands.squad_changes import remove_team
from tournaments.projections import standings

STRENGTH = ("Superiore", "Centro", "Inferiore")


@pytest.mark.django_db
def test_standings_explain_their_order_and_its_change(client: Client) -> None:
    tournament = palio()
    play(tournament, STRENGTH)
    before = client.get(address(tournament)).content.decode()
    assert "How this order comes about" in before
    assert "Decided anew" not in before
    settings = {**tournament.settings, "metrics": ["points", "wins"], "scale": [9, 5, 1]}
    change_settings(tournament, Actor.command(), settings, reason="rule-misread")
    standings.compute(tournament.pk)
    after = client.get(address(tournament)).content.decode()
    assert "rule misread" in after
    assert "<del>30, 20, 10</del> <ins>9, 5, 1</ins>" in after
    assert "<del>Points, Direct match, Mini-tournaments won</del> <ins>Points, Wins</ins>" in after
    italian = client.get(address(tournament, language="")).content.decode()
    assert "Come nasce questa classifica" in italian


@pytest.mark.django_db
def test_setting_that_decides_no_order_is_not_listed_as_its_change() -> None:
    tournament = palio()
    change_settings(
        tournament,
        Actor.command(),
        {**tournament.settings, "minutes_per_game": 12},
        reason="organizer-decision",
    )
    assert standings.current(tournament).order["changes"] == []


@pytest.mark.django_db
def test_disqualified_team_is_last_and_not_on_the_podium(client: Client) -> None:
    tournament = palio()
    play(tournament, STRENGTH)

    first = tournament.event.teams.get(short_name="Superiore")
    remove_team(tournament, Actor.command(), first, "disqualified")
    close_tournament(tournament, Actor.command())
    standings.compute(tournament.pk)

    page = read(client.get(address(tournament)))
    rows = [row for row in page.all("li") if "standing" in row.classes]
    assert [row.one(".standing-name").text for row in rows] == ["Centro", "Inferiore", "Superiore"]
    assert [row.one(".standing-reason").text for row in rows] == [
        "Ahead on points: 1 to 0",
        "Ahead of Superiore: removed, and last",
        "Disqualified: last, without placement points",
    ]
    assert "0 placement points" in rows[-1].text
    assert "30 placement points" in rows[0].text
    assert "Superiore" not in page.one(".podium").text
    italian = client.get(address(tournament, language="")).content.decode()
    assert "Squalifica: ultimo posto, senza punti di piazzamento" in italian


@pytest.mark.django_db
def test_standings_of_a_swiss_say_what_win_draw_and_bye_give(client: Client) -> None:
    options = {"win": "3", "draw": "3/2", "missed": "draw"}
    tournament = palio(entries=2, format="swiss", options=options)
    standings.compute(tournament.pk)

    page = client.get(address(tournament)).content.decode()

    assert "Swiss: a win gives 3, a draw 1½, a loss 0." in page
    assert "A bye gives 3, one that was asked for 1½, a round before one came 1½." in page
