"""The shared clock as a row: for which wave, who changed it when, and two organizers at once."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from ledger.errors import ConflictError
from ledger.models import Fact
from people.actors import Actor
from people.models import AuditEntry
from people.refusals import Refused
from tests.support import factories
from tests.support.computed_tournaments import win
from tournaments.commands import clock as actions
from tournaments.commands.delete_event import delete_event
from tournaments.commands.timetable import change_place
from tournaments.countdown import Phase
from tournaments.models import Clock, Match, Place, Tournament
from tournaments.projections.rebuild import rebuild
from tournaments.queries.clocks import STAYS_UP, clock_of, clock_planned_at
from tournaments.queries.timetable.match_starts import hours
from tournaments.verification import verify

pytestmark = pytest.mark.django_db

COMMAND = Actor.command()


@pytest.fixture
def tournament() -> Tournament:
    """Two rounds on one table: each is a wave of three games."""
    return factories.drawn_tournament(factories.make_event(), entries=1, rounds=2, minutes_per_game=7)


def fresh(tournament: Tournament) -> Tournament:
    return Tournament.objects.select_related("event", "clock").get(pk=tournament.pk)


def test_clock_starts_for_the_wave_that_is_on_with_the_length_of_a_game(tournament: Tournament) -> None:
    assert clock_of(fresh(tournament)).phase is Phase.STOPPED
    assert clock_of(fresh(tournament)).length == 420
    first = actions.start_clock(tournament, COMMAND)
    assert (first.round, first.wave, first.length, first.version) == (1, 1, 420, 1)
    actions.ring_bell(tournament, COMMAND)
    for game in factories.games_of(tournament)[:3]:
        win(game, None, "time")
    second = actions.start_clock(tournament, COMMAND, seconds=90)
    assert (second.round, second.wave, second.length, second.version) == (2, 1, 90, 3)


def test_clock_follows_its_matches_when_waves_are_numbered_anew() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), entries=3, rounds=1, tables=1)
    first, second, third = Match.objects.order_by("wave")
    starts = {match.pk: hours(fresh(tournament))[match.pk].begins_at for match in (first, second, third)}
    for match in (first, second, third):
        change_place(match, COMMAND, begins_at=starts[match.pk])
    started = actions.start_clock(tournament, COMMAND, round=1, wave=2)

    change_place(first, COMMAND, begins_at=starts[third.pk] + timedelta(hours=1))

    clock = clock_of(Tournament.objects.annotate(clock_planned_at=clock_planned_at()).get(pk=tournament.pk))
    assert list(Match.objects.order_by("wave").values_list("pk", flat=True)) == [
        second.pk,
        third.pk,
        first.pk,
    ]
    assert (clock.wave, clock.planned_at) == (1, starts[second.pk])
    with pytest.raises(ConflictError):
        actions.pause_clock(tournament, COMMAND, expected_version=started.version)
    assert clock.concerns(1, 1, starts[second.pk])
    assert not clock.concerns(1, 2, starts[third.pk])


@pytest.mark.parametrize(("minutes", "length"), [(18, 360), (22, 420), (20, 400)])
def test_clock_has_the_time_that_the_timetable_leaves_a_game(
    tournament: Tournament, minutes: int, length: int
) -> None:
    match = Match.objects.get(round=1)
    change_place(match, COMMAND, begins_at=hours(fresh(tournament))[match.pk].begins_at)
    Place.objects.update(minutes=minutes)

    assert actions.start_clock(tournament, COMMAND).length == length


def test_clock_for_an_unknown_wave_or_after_all_games_is_refused(tournament: Tournament) -> None:
    with pytest.raises(Refused) as refused:
        actions.start_clock(tournament, COMMAND, round=3, wave=1)
    assert (refused.value.code, refused.value.status) == ("unknown-wave", 422)
    for game in factories.games_of(tournament):
        win(game, None, "time")
    with pytest.raises(Refused) as refused:
        actions.start_clock(tournament, COMMAND)
    assert refused.value.code == "all-played"
    assert not Clock.objects.exists()


Act = Callable[..., Any]


@pytest.mark.parametrize(
    "act",
    [
        actions.pause_clock,
        actions.resume_clock,
        actions.ring_bell,
        actions.put_clock_away,
        partial(actions.add_time, seconds=60),
        partial(actions.set_length, seconds=60),
    ],
)
def test_clock_that_is_not_set_can_not_be_changed(tournament: Tournament, act: Act) -> None:
    with pytest.raises(Refused) as refused:
        act(tournament, COMMAND)
    assert (refused.value.code, refused.value.params["current"]) == ("wrong-phase", "stopped")


def test_clock_changed_by_two_at_once_is_a_conflict_for_the_second(tournament: Tournament) -> None:
    actions.start_clock(tournament, COMMAND, expected_version=0)
    actions.add_time(tournament, COMMAND, 60, expected_version=1)

    with pytest.raises(ConflictError) as conflict:
        actions.add_time(tournament, COMMAND, 60, expected_version=1)

    assert conflict.value.current_version == 2
    assert Clock.objects.get().added == 60


def test_twin_clock_without_the_version_counts_both_changes(tournament: Tournament) -> None:
    """The twin: who doesn't say what was there changes whatever there is."""
    actions.start_clock(tournament, COMMAND)
    for _ in range(2):
        actions.add_time(tournament, COMMAND, 60)
    assert Clock.objects.get().added == 120


@pytest.mark.parametrize("published", [True, False])
def test_clock_is_refused_and_hidden_unless_results_can_be_entered(published: bool) -> None:
    tournament = factories.drawn_tournament(factories.make_event(), entries=1, published=published)
    if published:
        actions.start_clock(tournament, COMMAND)
        for game in factories.games_of(tournament):
            win(game, tournament.event.teams.order_by("number")[0], "time")
        Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.CLOSED)
        assert clock_of(fresh(tournament)).is_shown is False
    with pytest.raises(Refused) as refused:
        actions.start_clock(tournament, COMMAND)
    assert refused.value.code == "wrong-status"


def test_clock_changes_are_in_the_audit_trail_and_in_no_fact(tournament: Tournament) -> None:
    facts = Fact.objects.count()
    account = factories.make_account()
    for act in (actions.start_clock, actions.pause_clock, actions.resume_clock, actions.ring_bell):
        act(tournament, Actor.of_account(account))
    trail = AuditEntry.objects.filter(model="clock").order_by("at")

    assert [(each.actor_id, each.action, each.row_id) for each in trail] == [
        (account.pk, action, tournament.pk) for action in ("created", "changed", "changed", "changed")
    ]
    assert Fact.objects.count() == facts


def test_clock_stays_up_for_a_while_after_the_bell(tournament: Tournament) -> None:
    actions.start_clock(tournament, COMMAND)
    now = timezone.now()
    row = fresh(tournament)
    shown = {
        offset: clock_of(row, now + offset).is_shown
        for offset in (timedelta(0), timedelta(seconds=430), timedelta(seconds=420) + STAYS_UP)
    }

    assert list(shown.values()) == [True, True, False]
    assert len({clock_of(row, now + offset).state for offset in shown}) == 3


def test_clock_is_left_alone_by_rebuild(tournament: Tournament) -> None:
    actions.start_clock(tournament, COMMAND)
    before = Clock.objects.values().get()
    assert list(verify.verify(tournament.event)) == []
    rebuild(tournament.event)
    assert Clock.objects.values().get() == before


def test_clock_is_deleted_with_its_event(tournament: Tournament) -> None:
    actions.start_clock(tournament, COMMAND)
    delete_event(tournament.event)
    assert not Clock.objects.exists()
