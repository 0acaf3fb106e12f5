"""Draws of mini-tournaments as earlier versions store them: read as today's, written until an update ends."""

from typing import Any

import pytest

from ledger import read
from ledger.models import Compatibility
from people.actors import Actor
from tests.support import factories
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.edit_draw import edit_draw
from tournaments.facts import earlier
from tournaments.models import Match, Squad, Tournament
from tournaments.verification.verify import verify

pytestmark = pytest.mark.django_db

ACTOR = Actor.command()
_OF_MATCHES = ("slot", "sides", "wave", "table", "games")


def needs(version: int) -> None:
    """Have the database need this reading version."""
    Compatibility.objects.update_or_create(pk=1, defaults={"needs": version})


def drawn(version: int, format_: str, **settings: Any) -> Tournament:
    """A tournament whose draw is written as this reading version has it."""
    needs(version)
    event = factories.make_event()
    factories.make_field(event, 5, 5)
    tournament = factories.make_tournament(event, format=format_, squad_size=2, tables=3, **settings)
    make_draw(tournament, ACTOR, factories.SEED)
    return tournament


def stored_types(tournament: Tournament) -> list[str]:
    return [fact.type for fact in read.facts(tournament.pk)]


def as_drawn(tournament: Tournament) -> Any:
    """What was drawn, but for ids."""
    body = earlier.decisions(tournament.pk)[-1].body
    numbers = dict(tournament.event.teams.values_list("pk", "number"))
    return {
        "format": (body["format"], body["method"], body["seed"], body["plan"], body["squad_size"]),
        "kept apart": (body["apart"], body["strong"]),
        "squads": [
            (str(numbers[squad.team_id]), squad.number, [one.entry.number for one in squad.members.all()])
            for squad in Squad.objects.filter(stage__tournament=tournament).order_by("team__number", "number")
        ],
        "reserves": len(body["reserves"]),
        "rounds": [
            (each["number"], each["title"], each["byes"], *(match[name] for name in _OF_MATCHES))
            for each in body["rounds"]
            for match in each["matches"]
        ],
    }


@pytest.mark.parametrize("format_", ["triangle", "duel"])
def test_earlier_facts_give_the_same_draw(format_: str) -> None:
    before, after = drawn(2, format_), drawn(3, format_)

    assert stored_types(before) == ["tournament_set_up", "draw_made"]
    assert stored_types(after) == ["tournament_set_up", "stage_drawn"]
    assert as_drawn(before) == as_drawn(after)
    assert as_drawn(before)["reserves"] == 5
    assert [str(each) for event in (before.event, after.event) for each in verify(event)] == []


def test_earlier_facts_are_followed_by_a_new_draw_after_an_update() -> None:
    tournament = drawn(2, "triangle")
    needs(3)

    make_draw(tournament, ACTOR, "another seed")

    assert stored_types(tournament) == ["tournament_set_up", "draw_made", "stage_drawn"]
    assert list(verify(tournament.event)) == []


@pytest.mark.parametrize(("version", "keeps_its_id"), [(2, True), (3, False)])
def test_earlier_draw_s_match_keeps_its_id_when_it_is_changed_by_hand(
    version: int, keeps_its_id: bool
) -> None:
    tournament = drawn(version, "duel")
    match = Match.objects.filter(stage__tournament=tournament).order_by("round", "wave")[0]
    side = match.sides.get(number=0).squad
    other = Squad.objects.filter(stage=match.stage, team=side.team).exclude(pk=side.pk)[0]

    edit_draw(tournament, ACTOR, side.pk, other.pk, "organizer-decision", match.round)
    publish_draw(tournament, ACTOR)

    assert Match.objects.filter(pk=match.pk).exists() == keeps_its_id
    assert list(verify(tournament.event)) == []


def test_earlier_facts_of_other_formats_are_written_as_ever() -> None:
    needs(2)
    event = factories.make_event()
    factories.make_field(event, 4, 1)
    tournament = factories.make_tournament(event, format="swiss")

    make_draw(tournament, ACTOR, factories.SEED)

    assert stored_types(tournament) == ["tournament_set_up", "stage_drawn"]


@pytest.mark.parametrize(
    ("type_", "format_", "told"),
    [
        ("stage_drawn", "triangle", "draw_made"),
        ("stage_drawn", "duel", "draw_made"),
        ("stage_drawn", "swiss", "stage_drawn"),
        ("stage_drawn", "", "stage_drawn"),
        ("round_drawn", "triangle", "round_drawn"),
    ],
)
def test_earlier_draw_is_told_as_its_format_says(type_: str, format_: str, told: str) -> None:
    assert earlier.told_type(type_, format_) == told
