"""A reserve takes a place: what was played stays with who played it, and the rest is the reserve's."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from people.actors import Actor
from people.entries import withdraw
from people.models import Entry
from publishing.parents_slip import told_of
from tests.support import factories
from tests.support.page_reading import read
from tournaments.commands.removed_squad_games import FORFEIT
from tournaments.commands.results import enter_result
from tournaments.commands.substitute import substitute
from tournaments.models import MatchGame, Squad, Tournament
from tournaments.queries.matches import rounds

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


@dataclass
class Place:
    """A place in a squad that the reserve `into` takes from `out`, and its games in their order."""

    tournament: Tournament
    squad: Squad
    out: Entry
    into: Entry

    @property
    def games(self) -> list[MatchGame]:
        """All games of the squad."""
        found = MatchGame.objects.filter(match__sides__squad=self.squad).select_related("match", "game")
        return list(found.order_by("match__round", "number"))

    def play(self, count: int, reason: str = "result") -> None:
        """Enter the first `count` games, won by who sits first."""
        for game in self.games[:count]:
            enter_result(game, ACTOR, seat=0, reason=reason)

    def hand_on(self) -> None:
        """The reserve takes it."""
        withdraw(self.out, ACTOR)
        substitute(self.tournament, ACTOR, self.squad, self.out, self.into, "withdrawn")

    def sitting(self) -> list[list[Entry]]:
        """Who is shown on its side, match by match."""
        matches = [match for each in rounds(self.tournament) for wave in each.waves for match in wave.matches]
        return [
            list(side.entries) for match in matches for side in match.sides if side.squad_id == self.squad.pk
        ]


@pytest.fixture
def place() -> Place:
    """In a palio of three rounds that is drawn."""
    event = factories.make_event(slug="palio")
    tournament = factories.drawn_tournament(event, entries=2, rounds=3)
    squad = Squad.objects.filter(stage__tournament=tournament).order_by("team__number", "number")[0]
    out = squad.members.get().entry
    return Place(tournament, squad, out, factories.make_entry(squad.team, 3, first_name="Riserva"))


@pytest.mark.parametrize("played", range(10))
def test_substitution_keeps_who_played_a_match_and_names_who_is_to_play(place: Place, played: int) -> None:
    own = len(place.games) // 3
    place.play(played)
    place.hand_on()

    def who(match: int) -> Sequence[Entry]:
        begun = min(max(played - match * own, 0), own)
        return [place.out] * (begun > 0) + [place.into] * (begun < own)

    assert place.sitting() == [who(match) for match in range(3)]


def test_substitution_after_a_forfeit_makes_nobody_a_player(place: Place) -> None:
    place.play(1, reason=FORFEIT)
    place.hand_on()

    assert place.sitting() == [[place.into]] * 3
    assert told_of(place.out).sums == ()


def test_substitution_is_told_by_who_played_on_pages_and_in_the_api(place: Place, client: Client) -> None:
    place.play(len(place.games) // 3)
    match = place.games[0].match
    page = f"/en/palio/{place.tournament.slug}/matches/round/1/"
    before = read(client.get(page)).text
    place.hand_on()

    assert read(client.get(page)).text == before
    assert f"{place.out.team.short_name} {place.out.number}" in before
    assert [each.match.view.id for own in told_of(place.out).sums for each in own.played] == [match.pk]
    mine = told_of(place.into)
    assert mine.sums == ()
    assert match.pk not in {each.match.view.id for each in mine.later}
    assert len(mine.later) == 1


def test_substitution_costs_two_queries_more(place: Place) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as counted:
            rounds(place.tournament)
        return len(counted)

    place.play(len(place.games) // 3)
    before = queries()
    place.hand_on()

    assert (before, queries()) == (4, 6)
