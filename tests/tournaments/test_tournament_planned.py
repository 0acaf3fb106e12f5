"""The day as plain rows says the same as the agenda, which loads all that pages show."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from games.models import Game
from people.actors import Actor
from tests.support import factories
from tournaments.commands import results
from tournaments.commands.calls import call_match, take_call_back
from tournaments.commands.confirm import confirm
from tournaments.models import Tournament
from tournaments.queries.match_state import PATIENCE, DayState
from tournaments.queries.timetable.agenda import agenda
from tournaments.queries.timetable.match_starts import first_hour, hours_of_event
from tournaments.queries.timetable.planned import Planned, planned

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


def rows(tournament: Tournament, now: datetime) -> list[Planned]:
    """The rows, which stand as the agenda does."""
    found = planned([tournament], hours_of_event(tournament.event), now)
    items = agenda(tournament.event, now)
    assert [(each.match, each.hour, each.table, each.state) for each in found] == [
        (each.match.id, each.hour, each.match.table.number, each.state) for each in items
    ]
    return found


def test_match_state_changes_from_its_call_to_its_confirmed_result() -> None:
    """Each step is seen once, on its own match; cards of a game that is on aren't."""
    tournament = factories.drawn_tournament(factories.make_event(), entries=2, confirmation="second_person")
    now = first_hour(tournament)
    games = [each for each in factories.games_of(tournament) if each.match.round == 1]
    game = games[0]
    steps: list[Callable[[], object]] = [
        lambda: call_match(game.match, ACTOR),
        lambda: take_call_back(game.match, ACTOR),
        lambda: results.write_log(game, ACTOR, [(None, {"type": "dealer_named", "seat": 0})]),
        lambda: results.enter_result(game, ACTOR, team=None, reason="forfeit"),
        lambda: confirm(game, ACTOR, expected_version=Game.objects.get(pk=game.game_id).version),
    ]
    before = rows(tournament, now)
    stands = []
    for step in steps:
        step()
        after = rows(tournament, now)
        changed = [new for old, new in zip(before, after, strict=True) if old.seen != new.seen]
        stands.append([(each.match, each.state) for each in changed])
        before = after
    told = [DayState.CALLED, DayState.NEXT, DayState.PLAYING, DayState.PLAYING, DayState.PLAYING]

    assert stands == [[(game.match_id, stand)] for stand in told]


def test_next_match_is_the_first_at_a_table_and_others_are_late_after_their_hour() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), entries=2, tables=1)
    hours = sorted(hour.begins_at for hour in hours_of_event(tournament.event).values())

    states = [
        [each.state.value for each in rows(tournament, hours[1] + PATIENCE + timedelta(seconds=more))]
        for more in (0, 1)
    ]

    others = ["waiting"] * (len(hours) - 2)
    assert states == [["next", "waiting", *others], ["next", "late", *others]]
