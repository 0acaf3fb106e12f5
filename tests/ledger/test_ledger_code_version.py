"""A database says which code may read and write it; what is written follows what it says."""

import threading
from collections.abc import Callable, Iterator
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from ledger import needed_code_version
from ledger.append import append, insert_facts
from ledger.entries import Chain, encoding_of
from ledger.findings import FindingCode
from ledger.hashing import CURRENT, Encoding
from ledger.models import Compatibility, Stream
from ledger.needed_code_version import KNOWN
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
    Compatibility.objects.update(needs=needed_code_version.KNOWN)


def written_by_older_code(stream: UUID) -> None:
    """What code that knows no later encoding appends."""
    here = head(stream)
    made = Chain(stream, here.sequence, here.hash, timezone.now(), BEFORE)
    made.add(entries(1)[0])
    insert_facts(made.facts)
    Stream.objects.filter(pk=stream).update(head_sequence=made.sequence, head_hash=made.hash)


def encodings(stream: UUID) -> list[Encoding | None]:
    return [encoding_of(fact) for fact in facts(stream)]


def test_new_database_needs_the_known_version_and_encoding() -> None:
    stream = uuid4()
    append(stream, KIND, None, None, entries(1, 2))
    assert (needed_code_version.needed(), encodings(stream)) == (
        needed_code_version.KNOWN,
        [CURRENT, CURRENT],
    )


@pytest.mark.usefixtures("shared")
def test_stream_written_by_old_and_new_code_in_turns_verifies() -> None:
    stream = uuid4()
    append(stream, KIND, None, None, entries(1))
    written_by_older_code(stream)
    append(stream, KIND, None, None, entries(3))
    append(stream, KIND, None, 3, entries(4))

    assert (encodings(stream), found()) == ([BEFORE] * 4, [])


@pytest.mark.usefixtures("shared")
def test_twin_stream_is_downgraded_if_new_code_ignores_compatibility(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.append.encoding_of_new_facts", lambda _needs: NOW)
    stream = uuid4()
    append(stream, KIND, None, None, entries(1))
    written_by_older_code(stream)

    assert found() == [(FindingCode.DOWNGRADED, stream, 2), (FindingCode.COMPATIBILITY, None, None)]


@pytest.mark.usefixtures("shared")
def test_compatibility_raised_numbers_new_facts_of_the_same_stream() -> None:
    stream = uuid4()
    append(stream, KIND, None, None, entries(1))
    assert (needed_code_version.rise(), needed_code_version.rise()) == (True, False)
    append(stream, KIND, None, None, entries(2))
    append(stream, KIND, None, 2, entries(3))
    assert (encodings(stream), found()) == ([BEFORE, NOW, NOW], [])
    written_by_older_code(stream)
    assert found() == [(FindingCode.DOWNGRADED, stream, 4)]


@pytest.mark.usefixtures("shared")
def test_compatibility_rises_at_the_second_start_of_the_embedded_mode() -> None:
    assert (needed_code_version.rise_if_served_before(), needed_code_version.needed()) == (False, 1)
    assert (needed_code_version.rise_if_served_before(), needed_code_version.needed()) == (
        True,
        needed_code_version.KNOWN,
    )
    assert not needed_code_version.rise_if_served_before()


def test_compatibility_never_falls() -> None:
    Compatibility.objects.update(needs=needed_code_version.KNOWN + 1)
    assert not needed_code_version.rise()
    assert needed_code_version.needed() == needed_code_version.KNOWN + 1


def test_compatibility_never_falls_below_newer_code_s_version(monkeypatch: pytest.MonkeyPatch) -> None:
    Compatibility.objects.update_or_create(pk=1, defaults={"needs": needed_code_version.KNOWN + 1})
    needed = needed_code_version.needed
    monkeypatch.setattr(needed_code_version, "needed", lambda: 1)

    assert needed_code_version.rise() is False
    assert needed() == needed_code_version.KNOWN + 1


def test_compatibility_above_the_known_version_is_refused() -> None:
    assert needed_code_version.refusal_here() == ""
    Compatibility.objects.update(needs=1)
    assert needed_code_version.refusal_here() == ""
    Compatibility.objects.update(needs=needed_code_version.KNOWN + 1)
    assert needed_code_version.refusal_here() == (
        f"The database needs reading version {KNOWN + 1}, and this version of the service knows {KNOWN}: "
        "use the version that it comes from, or a newer one."
    )


def test_compatibility_defaults_to_the_first_version() -> None:
    Compatibility.objects.all().delete()
    stream = uuid4()
    append(stream, KIND, None, None, entries(1))
    assert (needed_code_version.needed(), encodings(stream)) == (1, [BEFORE])


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
        meanwhile(needed_code_version.rise)
        wait_for(lambda: count_waiting() == 2 or needed_code_version.needed() == KNOWN)
        append(stream, KIND, None, None, entries(2))
    for thread in threads:
        thread.join(60)
    return encodings(stream)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_for_good")
def test_compatibility_is_raised_after_waiting_for_writers() -> None:
    stream = uuid4()
    assert (raised_between_two_writers(stream), needed_code_version.needed()) == ([BEFORE] * 3, KNOWN)
    assert found() == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_for_good")
def test_twin_compatibility_raised_without_waiting_downgrades_a_stream(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(needed_code_version, "keep_writers_waiting", lambda: None)
    stream = uuid4()
    assert raised_between_two_writers(stream) == [BEFORE, NOW, BEFORE]
    assert found() == [(FindingCode.DOWNGRADED, stream, 3)]
