"""A change feed that is altered in the database is found by comparing it with facts and versions."""

from collections.abc import Callable
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.utils import translation

from integrations.change_feed import kinds, numbering
from integrations.change_feed.numbering import number_all
from integrations.models import Change, FeedMark
from people.actors import Actor
from people.models import Event
from tests.support import factories
from tests.support.palio_days import make_day
from tournaments.commands import results
from tournaments.models import Tournament
from tournaments.projections import overall, standings
from tournaments.verification import verify

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
MODEL = Change._meta.label


@pytest.fixture(scope="module")
def kept(committed: None) -> UUID:
    """A palio with a tournament that is played to its end, and one with results corrected and taken back; all
    numbered, in several goes.
    """
    day = make_day()
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    overall.compute(day.palio.pk)
    number_all(day.event)
    day.finish(day.dice, "Centro", "Superiore", "Inferiore")
    tournament = factories.drawn_tournament(day.event, name="Giostra")
    first, second, *_others = factories.games_of(tournament)
    results.enter_result(first, ACTOR, seat=0)
    number_all(day.event)
    replacement = [{"type": "game_closed", "winner": 1, "reason": "result"}]
    results.correct(first, ACTOR, 2, replacement, "wrong-winner")
    results.enter_result(second, ACTOR, seat=1)
    standings.compute(tournament.pk)
    number_all(day.event)
    results.correct(second, ACTOR, 2, [], "typing-error")
    number_all(day.event)
    told = set(Change.objects.values_list("kind", flat=True))
    assert {*RESULTS, kinds.ROUND_CLOSED, kinds.PALIO_COMPUTED} <= told
    return day.event.pk


@pytest.fixture
def event(kept: UUID, db: None) -> Event:
    """That event; whatever is done to it is undone."""
    return Event.objects.get(pk=kept)


RESULTS = {kinds.RESULT_ENTERED, kinds.RESULT_CORRECTED, kinds.RESULT_WITHDRAWN}


def execute(sql: str, *values: Any) -> int:
    """Write to the database past everything that the service does; how many rows that changed."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return int(cursor.rowcount)


def found() -> list[tuple[str, str]]:
    """Model and column of everything that is wrong."""
    with translation.override("en"):
        return [(wrong.model, wrong.column) for wrong in verify.verify()]


def test_verify_finds_nothing_in_an_unaltered_feed(event: Event) -> None:
    assert found() == []


def test_verify_finds_nothing_where_changes_have_no_number_yet(event: Event) -> None:
    tournament = Tournament.objects.get(name="Giostra")
    results.enter_result(factories.games_of(tournament)[2], ACTOR, seat=0)
    standings.compute(tournament.pk)

    assert found() == []
    number_all(event)
    assert found() == []


def remove_half(event: Event) -> None:
    assert execute("DELETE FROM programs_change WHERE number % 2 = 0".replace("%", "%%")) > 10


def remove_half_and_close_the_gaps(event: Event) -> None:
    remove_half(event)
    execute("UPDATE programs_change SET number = number + 100001")
    execute("UPDATE programs_change SET number = (number - 100000) / 2")
    last = Change.objects.count()
    assert set(Change.objects.values_list("number", flat=True)) == set(range(1, last + 1))
    execute("UPDATE programs_feed SET last = %s", last)


def change_kinds(event: Event) -> None:
    execute("UPDATE programs_change SET kind = %s WHERE kind = %s", kinds.DECISION, kinds.LOG)


def change_a_result(event: Event) -> None:
    changed = execute(
        "UPDATE programs_change SET kind = %s WHERE kind = %s", kinds.RESULT_ENTERED, kinds.RESULT_CORRECTED
    )
    assert changed == 1


def change_how_a_game_ended(event: Event) -> None:
    execute("UPDATE programs_change SET type = 'time' WHERE kind = %s", kinds.RESULT_WITHDRAWN)


def swap_two(event: Event) -> None:
    log = Change.objects.filter(kind=kinds.LOG).order_by("number")
    one, other = log[0].number, log[1].number
    assert log[0].subject == log[1].subject
    for old, new in ((one, 99_999), (other, one), (99_999, other)):
        execute("UPDATE programs_change SET number = %s WHERE number = %s", new, old)


def cut_the_end(event: Event) -> None:
    last = Change.objects.count()
    execute("DELETE FROM programs_change WHERE number > %s", last - 4)
    execute("UPDATE programs_feed SET last = %s", last - 4)


def say_that_less_is_there(event: Event) -> None:
    execute("UPDATE programs_feed SET last = last - 4")


def add_one(event: Event) -> None:
    last = Change.objects.order_by("-number")[0]
    Change.objects.bulk_create([Change(**{**values(last), "id": uuid4(), "number": last.number + 1})])
    execute("UPDATE programs_feed SET last = last + 1")


def values(change: Change) -> dict[str, Any]:
    """The columns of a row."""
    return {field.attname: getattr(change, field.attname) for field in Change._meta.concrete_fields}


def move_a_moment(event: Event) -> None:
    moment = Change.objects.order_by("number")[0].at
    execute("UPDATE programs_change SET at = %s WHERE kind = %s", moment, kinds.PALIO_COMPUTED)


def hide_a_version(event: Event) -> None:
    execute("UPDATE programs_change SET version = version + 1 WHERE kind = %s", kinds.STANDINGS)


ALTERATIONS = [
    *(remove_half, remove_half_and_close_the_gaps, change_kinds, change_a_result, change_how_a_game_ended),
    *(swap_two, cut_the_end, say_that_less_is_there, add_one, move_a_moment, hide_a_version),
]


@pytest.mark.parametrize("alter", ALTERATIONS, ids=lambda alter: alter.__name__)
def test_verify_finds_an_altered_feed(event: Event, alter: Callable[[Event], None]) -> None:
    assert found() == []

    alter(event)

    assert {model for model, _column in found()} == {MODEL}


@pytest.mark.parametrize("alter", ALTERATIONS[:3], ids=lambda alter: alter.__name__)
def test_twin_altered_feed_is_not_found_without_the_comparison(
    event: Event, alter: Callable[[Event], None]
) -> None:
    alter(event)

    with mock.patch.object(verify, "FURTHER", []):
        assert found() == []


@pytest.mark.parametrize("column", ["kind", "type", "tournament", "subject_kind", "subject", "version", "at"])
def test_verify_compares_each_column_of_a_change(event: Event, column: str) -> None:
    change = Change.objects.filter(kind="draw.made").order_by("number")[0]
    moment = Change.objects.order_by("-number")[0].at
    altered = {"kind": "draw.changed", "version": 50, "at": moment}
    default = uuid4() if column in ("tournament", "subject") else "else"
    Change.objects.filter(pk=change.pk).update(**{column: altered.get(column, default)})

    assert found() == [(MODEL, column)]


def test_verify_finds_nothing_in_a_feed_after_the_clock_was_put_back(event: Event) -> None:
    with mock.patch("django.utils.timezone.now", return_value=event.created_at):
        game = factories.games_of(Tournament.objects.get(name="Giostra"))[2]
        results.enter_result(game, ACTOR, seat=0)
    number_all(event)

    assert found() == []


def test_verify_finds_nothing_in_a_feed_numbered_in_portions(event: Event) -> None:
    execute("DELETE FROM programs_change")
    execute("DELETE FROM programs_feedmark")
    execute("DELETE FROM programs_feed")
    assert found() == []

    with mock.patch.object(numbering, "PORTION", 3):
        number_all(event)

    assert Change.objects.exists()
    assert FeedMark.objects.exists()
    assert found() == []
