"""The standings say how their order comes about, and what of it was decided anew."""

import pytest
from django.test import Client

from people.actors import Actor
from tests.publishing.stage import address, palio, play
from tournaments import standing
from tournaments.actions.set_up import change_settings

STRENGTH = ("Superiore", "Centro", "Inferiore")


@pytest.mark.django_db
def test_the_order_and_its_change_are_told(client: Client) -> None:
    tournament = palio()
    play(tournament, STRENGTH)
    before = client.get(address(tournament)).content.decode()
    assert "How this order comes about" in before
    assert "Decided anew" not in before
    settings = {**tournament.settings, "metrics": ["points", "wins"], "scale": [9, 5, 1]}
    change_settings(tournament, Actor.command(), settings, reason="rule-misread")
    standing.compute(tournament.pk)
    after = client.get(address(tournament)).content.decode()
    assert "rule misread" in after
    assert "<del>30, 20, 10</del> <ins>9, 5, 1</ins>" in after
    assert "<del>Points, Direct match, Mini-tournaments won</del> <ins>Points, Wins</ins>" in after
    italian = client.get(address(tournament, language="")).content.decode()
    assert "Come nasce questa classifica" in italian


@pytest.mark.django_db
def test_what_decides_no_order_is_no_change_of_it() -> None:
    tournament = palio()
    change_settings(
        tournament,
        Actor.command(),
        {**tournament.settings, "minutes_per_game": 12},
        reason="organizer-decision",
    )
    assert standing.current(tournament).order["changes"] == []
