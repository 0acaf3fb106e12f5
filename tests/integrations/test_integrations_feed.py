"""The change feed: one order of all that happens, kept whatever happens at once."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from integrations.change_feed import kinds, numbering
from integrations.change_feed.cursors import FeedCursor, cursor_at, parse
from integrations.change_feed.numbering import last_number, number_all, number_portion
from integrations.change_feed.reading import FeedPage, page_of
from integrations.models import Change, Feed, FeedMark
from ledger import append, outbox
from ledger.entries import NewFact
from ledger.models import Fact, OutboxMessage
from people.actors import Actor
from people.models import Event
from people.refusals import Refused
from tests.support import factories
from tests.support.ledger import at_once
from tournaments.commands import results
from tournaments.commands.close import close_tournament
from tournaments.facts.earlier import stored_types
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings
from tournaments.projections.rebuild import rebuild
from tournaments.queries.history_words import DECISIONS, OF_RESULTS

ACTOR = Actor.command()
BEGINNING = FeedCursor()
RESULTS = {kinds.RESULT_ENTERED, kinds.RESULT_CORRECTED, kinds.RESULT_WITHDRAWN}


def read(event: Event, after: FeedCursor = BEGINNING, **asked: Any) -> FeedPage:
    return page_of(
        event, after, asked.pop("limit", 1000), sees_drafts=asked.pop("sees_drafts", True), **asked
    )


def told(page: FeedPage) -> list[str]:
    return [change.kind for change in page.changes]


def noted(event: Event, stream: UUID, *numbers: int) -> None:
    """Facts of a game that nobody plays."""
    append.append(stream, "game", event.pk, None, [NewFact("noted", {"n": number}) for number in numbers])


def correct(game: MatchGame, seat: int) -> None:
    replacement = [{"type": "game_closed", "winner": seat, "reason": "result"}]
    results.correct(game, ACTOR, 2, replacement, "wrong-winner")


@pytest.fixture
def tournament(db: None) -> Tournament:
    return factories.small_tournament()


def test_feed_tells_a_tournament_in_its_order(tournament: Tournament) -> None:
    game = factories.games_of(tournament)[0]
    assert told(read(tournament.event)) == [kinds.DECISION, "draw.made", "draw.published"]
    results.enter_result(game, ACTOR, seat=0)
    standings.compute(tournament.pk)
    beginning = read(tournament.event)
    assert told(beginning)[3:] == [kinds.LOG, kinds.LOG, kinds.RESULT_ENTERED, kinds.STANDINGS]
    correct(game, 1)
    standings.compute(tournament.pk)
    rest = read(tournament.event, beginning.next)
    assert told(rest) == [kinds.LOG, kinds.LOG, kinds.RESULT_CORRECTED, kinds.STANDINGS]
    assert [change.version for change in rest.changes] == [3, 4, 4, 2]
    everything = read(tournament.event).changes
    assert [change.number for change in everything] == list(range(1, 12))
    assert {change.tournament for change in everything} == {tournament.pk}


def test_feed_tells_a_closed_round_and_a_closed_tournament(tournament: Tournament) -> None:
    for game in factories.games_of(tournament):
        results.enter_result(game, ACTOR, seat=0)
    standings.compute(tournament.pk)
    close_tournament(Tournament.objects.get(pk=tournament.pk), ACTOR)
    asked = [kinds.STANDINGS, kinds.ROUND_CLOSED, "tournament.closed"]

    assert told(read(tournament.event, kinds=asked)) == [*asked, kinds.STANDINGS]


def test_feed_numbers_each_change_once(tournament: Tournament) -> None:
    first = read(tournament.event)
    for _ in range(2):
        assert number_portion(tournament.event) == 3
    assert read(tournament.event) == first
    assert read(tournament.event, first.next) == FeedPage([], first.next, has_more=False)


def test_feed_pages_of_any_size_hold_each_change_once(tournament: Tournament) -> None:
    for game in factories.games_of(tournament):
        results.enter_result(game, ACTOR, seat=0)
    everything = read(tournament.event).changes
    for limit in (1, 4):
        found: list[Change] = []
        cursor, more = FeedCursor(), True
        while more:
            page = read(tournament.event, cursor, limit=limit)
            found, cursor, more = [*found, *page.changes], page.next, page.has_more
        assert found == everything


def test_feed_filter_moves_the_cursor_past_what_it_leaves_out(tournament: Tournament) -> None:
    page = read(tournament.event, kinds=[kinds.STANDINGS])
    assert (page.changes, page.next.number) == ([], 3)


def test_feed_tells_drafts_to_organizers_alone(db: None) -> None:
    tournament = factories.drawn_tournament(factories.make_event(), published=False)
    assert told(read(tournament.event)) == [kinds.DECISION, "draw.made"]
    assert told(read(tournament.event, sees_drafts=False)) == []


def test_feed_refuses_a_cursor_of_another_feed(tournament: Tournament) -> None:
    last = read(tournament.event).next
    for wrong in (FeedCursor(last.number, "0123abcd"), FeedCursor(last.number + 1, last.check)):
        with pytest.raises(Refused) as refusal:
            read(tournament.event, wrong)
        assert (refusal.value.code, refusal.value.status) == ("cursor-gone", 410)


@pytest.mark.parametrize("portion", [1, 3])
def test_feed_numbered_in_portions_equals_one_numbered_at_once(tournament: Tournament, portion: int) -> None:
    for game in factories.games_of(tournament)[:2]:
        results.enter_result(game, ACTOR, seat=0)
        correct(game, 1)
        standings.compute(tournament.pk)
    number_all(tournament.event)
    at_one_go = list(Change.objects.values_list("number", "id", "kind"))
    for model in (Change, Feed, FeedMark):
        model.objects.all().delete()
    with mock.patch.object(numbering, "PORTION", portion):
        number_all(tournament.event)
    facts_of = [row for row in at_one_go if not row[2].startswith("result")]
    kept = Change.objects.exclude(kind__startswith="result").order_by("number")

    assert [row[1:] for row in facts_of] == list(kept.values_list("id", "kind"))
    assert Change.objects.count() == len(at_one_go)


def test_feed_keeps_a_stream_s_order_when_the_clock_is_put_back(db: None) -> None:
    event, stream = factories.make_event(), uuid4()
    noted(event, stream, 1)
    (fact,) = Fact.objects.all()
    entry = [NewFact("noted", {"n": 2})]
    append.append(stream, "game", event.pk, None, entry, recorded_at=fact.recorded_at - timedelta(hours=1))
    for portion in (numbering.PORTION, 1):
        for model in (Change, Feed, FeedMark):
            model.objects.all().delete()
        with mock.patch.object(numbering, "PORTION", portion):
            number_all(event)
        assert [change.version for change in read(event).changes] == [1, 2]


def test_feed_stays_the_same_after_a_rebuild(tournament: Tournament) -> None:
    results.enter_result(factories.games_of(tournament)[0], ACTOR, seat=0)
    standings.compute(tournament.pk)

    before = read(tournament.event)
    rebuild(tournament.event)

    assert read(tournament.event) == before


def test_feed_page_costs_the_same_for_many_changes(tournament: Tournament) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            read(tournament.event)
        return len(captured)

    number_all(tournament.event)
    few = cost()
    for game in factories.games_of(tournament):
        results.enter_result(game, ACTOR, seat=0)
    number_all(tournament.event)

    assert cost() == few == 6


def test_deleted_event_takes_its_feed_along(tournament: Tournament) -> None:
    from tournaments.commands.delete_event import delete_event

    number_all(tournament.event)
    delete_event(tournament.event)
    assert [model.objects.count() for model in (Change, Feed, FeedMark)] == [0, 0, 0]


@given(st.integers(1, 10**17), st.uuids())
def test_feed_cursor_reads_back_as_printed(number: int, change: UUID) -> None:
    cursor = cursor_at(number, change)
    assert parse(str(cursor)) == cursor


@given(st.text(max_size=30))
def test_feed_cursor_of_any_other_text_is_refused(text: str) -> None:
    try:
        cursor = parse(text)
    except ValueError:
        return
    assert str(cursor) == text


# --- Writers at once, on real connections -------------------------------------------------------------------


def two_writers(first: Callable[[], Any], second: Callable[[], Any], between: Callable[[], Any]) -> None:
    """The first writes, the second writes and commits, `between` looks, and then the first commits."""
    has_written, may_commit = threading.Event(), threading.Event()

    def slow(_: int) -> None:
        with transaction.atomic():
            first()
            has_written.set()
            may_commit.wait(60)

    def quick(_: int) -> None:
        has_written.wait(60)
        with transaction.atomic():
            second()
        between()
        may_commit.set()

    failures = at_once(2, lambda place: (slow, quick)[place](place))
    assert failures == [None, None]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets in one writer at a time")
class TestWritersAtOnce:
    """Who began first commits last."""

    def test_feed_change_never_appears_before_one_that_was_read(self) -> None:
        event, one, other = factories.make_event(), uuid4(), uuid4()
        pages: list[FeedPage] = []
        two_writers(
            lambda: noted(event, one, 1),
            lambda: noted(event, other, 1),
            lambda: pages.append(read(event)),
        )
        pages.append(read(event, pages[0].next))

        assert [[change.subject for change in page.changes] for page in pages] == [[other], [one]]
        assert [change.number for change in read(event).changes] == [1, 2]

    def test_twin_feed_by_database_sequence_loses_a_row(self) -> None:
        group = uuid4()
        seen: list[int] = []

        def look() -> None:
            rows = OutboxMessage.objects.filter(pk__gt=seen[-1] if seen else 0).order_by("pk")
            seen.extend(rows.values_list("pk", flat=True))

        two_writers(
            lambda: outbox.announce("tried", group, uuid4(), 1),
            lambda: outbox.announce("tried", group, uuid4(), 1),
            look,
        )
        look()

        assert len(seen) == 1
        assert OutboxMessage.objects.count() == 2

    def test_feed_numbered_by_many_at_once_numbers_each_change_once(self) -> None:
        event = factories.make_event()
        for _ in range(5):
            noted(event, uuid4(), 1, 2)
        assert at_once(4, lambda _place: last_number(event)) == [10] * 4
        assert [change.number for change in read(event).changes] == list(range(1, 11))

    def test_twin_feed_without_the_lock_gives_a_number_twice(self) -> None:
        event = factories.make_event()
        number_portion(event)
        noted(event, uuid4(), 1)
        have_looked = threading.Barrier(2)
        original = numbering._new_versions

        def slowly(*args: Any) -> Any:
            have_looked.wait(60)
            return original(*args)

        with (
            mock.patch.object(numbering, "_locked", lambda event: Feed.objects.get(event=event)),
            mock.patch.object(numbering, "_new_versions", slowly),
        ):
            answers = at_once(2, lambda _place: number_portion(event))

        assert sorted(type(answer).__name__ for answer in answers) == [IntegrityError.__name__, "int"]


def test_every_fact_has_a_kind_of_change() -> None:
    streams = ("game", "match", "palio", "tournament")
    told = {
        kinds.kind_of_fact(stream, fact)
        for stream in streams
        for fact in ("any", *stored_types(DECISIONS), *OF_RESULTS)
    }
    versions = {kinds.STANDINGS, kinds.ROUND_CLOSED, kinds.PALIO_COMPUTED, kinds.PALIO_FINAL}
    assert told | versions | RESULTS == set(kinds.KINDS)
