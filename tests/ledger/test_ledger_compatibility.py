"""A database says which code may read and write it; what is written follows what it says."""

import threading
from collections.abc import Callable, Iterator
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from ledger import compatibility
from ledger.append import append, insert_facts
from ledger.compatibility import KNOWN
from ledger.entries import Chain, encoding_of
from ledger.findings import FindingCode
from ledger.hashing import CURRENT, Encoding
from ledger.models import Compatibility, Stream
from ledger.read import facts, head
from tests.support.ledger import KIND, entries, found
from tests.support.waiting import count_waiting, wait_for

pytestmark = pytest.mark.django_db

BEFORE, NOW = Encoding.WITHOUT_NUMBER, Encoding.NUMBERED


@pytest.fixture
def shared() -> None:
    """A database that older code may still write."""
    Compatibility.objects.update(needs=1)


@pytest.fixture
def shared_for_good(transactional_db: None) -> Iterator[None]:
    """The same where transactions are real."""
    Compatibility.objects.update(needs=1)
    yield
    Compatibility.objects.update(needs=compatibility.KNOWN)


def written_by_older_code(stream: UUID) -> None:
    """What code that knows no later encoding appends."""
    here = head(stream)
    made = Chain(stream, here.sequence, here.hash, timezone.now(), BEFORE)
    made.add(entries(1)[0])
    insert_facts(made.facts)
    Stream.objects.filter(pk=stream).update(head_sequence=made.sequence, head_hash=made.hash)


def encodings(stream: UUID) -> list[Encoding | None]:
    return [encoding_of(fact) for fact in facts(stream)]


def test_new_database_needs_all_that_is_known_and_facts_say_their_encoding() -> None:
    stream = uuid4()
    append(stream, KIND, None, None, entries(1, 2))
    assert (compatibility.needed(), encodings(stream)) == (compatibility.KNOWN, [CURRENT, CURRENT])


@pytest.mark.usefixtures("shared")
def test_old_and_new_code_write_one_stream_in_turns_and_it_verifies() -> None:
    stream = uuid4()
    append(stream, KIND, None, None, entries(1))
    written_by_older_code(stream)
    append(stream, KIND, None, None, entries(3))
    append(stream, KIND, None, 3, entries(4))
    assert (encodings(stream), found()) == ([BEFORE] * 4, [])


@pytest.mark.usefixtures("shared")
def test_twin_if_new_code_did_not_ask_the_database_the_older_would_downgrade_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ledger.append.encoding_of_new_facts", lambda _needs: NOW)
    stream = uuid4()
    append(stream, KIND, None, None, entries(1))
    written_by_older_code(stream)
    assert found() == [(FindingCode.DOWNGRADED, stream, 2), (FindingCode.COMPATIBILITY, None, None)]


@pytest.mark.usefixtures("shared")
def test_once_it_has_risen_the_same_stream_goes_on_with_numbered_facts() -> None:
    stream = uuid4()
    append(stream, KIND, None, None, entries(1))
    assert (compatibility.rise(), compatibility.rise()) == (True, False)
    append(stream, KIND, None, None, entries(2))
    append(stream, KIND, None, 2, entries(3))
    assert (encodings(stream), found()) == ([BEFORE, NOW, NOW], [])
    written_by_older_code(stream)
    assert found() == [(FindingCode.DOWNGRADED, stream, 4)]


@pytest.mark.usefixtures("shared")
def test_embedded_service_rises_at_its_second_start() -> None:
    assert (compatibility.rise_if_served_before(), compatibility.needed()) == (False, 1)
    assert (compatibility.rise_if_served_before(), compatibility.needed()) == (True, compatibility.KNOWN)
    assert not compatibility.rise_if_served_before()


def test_it_never_falls() -> None:
    Compatibility.objects.update(needs=compatibility.KNOWN + 1)
    assert not compatibility.rise()
    assert compatibility.needed() == compatibility.KNOWN + 1


def test_it_never_falls_below_what_newer_code_has_made_of_it_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Compatibility.objects.update_or_create(pk=1, defaults={"needs": compatibility.KNOWN + 1})
    needed = compatibility.needed
    monkeypatch.setattr(compatibility, "needed", lambda: 1)

    assert compatibility.rise() is False
    assert needed() == compatibility.KNOWN + 1


def test_only_a_higher_version_than_is_known_is_refused() -> None:
    assert compatibility.refusal_here() == ""
    Compatibility.objects.update(needs=1)
    assert compatibility.refusal_here() == ""
    Compatibility.objects.update(needs=compatibility.KNOWN + 1)
    assert compatibility.refusal_here() == (
        f"The database needs reading version {KNOWN + 1}, and this version of the service knows {KNOWN}: "
        "use the version that it comes from, or a newer one."
    )


def test_database_that_says_nothing_needs_the_first() -> None:
    Compatibility.objects.all().delete()
    stream = uuid4()
    append(stream, KIND, None, None, entries(1))
    assert (compatibility.needed(), encodings(stream)) == (1, [BEFORE])


def raised_between_two_writers(stream: UUID) -> list[Encoding | None]:
    """Somebody raises the version while one writer holds the stream and another waits for it."""
    append(stream, KIND, None, None, entries(1))
    threads = []

    def meanwhile(work: Callable[[], object]) -> None:
        def run() -> None:
            try:
                work()
            finally:
                connection.close()

        threads.append(threading.Thread(target=run))
        threads[-1].start()

    with transaction.atomic():
        Stream.objects.select_for_update(no_key=True).get(pk=stream)
        meanwhile(lambda: append(stream, KIND, None, None, entries(3)))
        wait_for(lambda: count_waiting() == 1)
        meanwhile(compatibility.rise)
        wait_for(lambda: count_waiting() == 2 or compatibility.needed() == KNOWN)
        append(stream, KIND, None, None, entries(2))
    for thread in threads:
        thread.join(60)
    return encodings(stream)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_for_good")
def test_who_raises_it_waits_for_writers() -> None:
    stream = uuid4()
    assert (raised_between_two_writers(stream), compatibility.needed()) == ([BEFORE] * 3, KNOWN)
    assert found() == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_for_good")
def test_twin_without_waiting_a_writer_downgrades_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compatibility, "keep_writers_waiting", lambda: None)
    stream = uuid4()
    assert raised_between_two_writers(stream) == [BEFORE, NOW, BEFORE]
    assert found() == [(FindingCode.DOWNGRADED, stream, 3)]
