"""An archived stream comes back as it was, or not at all."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.utils import translation

from ledger.append import append
from ledger.entries import NewFact, StoredFact
from ledger.errors import ImportRefusedError, OtherStreamError
from ledger.hashing import fact_hash, fact_id, microseconds
from ledger.models import Fact, Stream
from ledger.read import facts, head
from ledger.stream_import import import_stream
from tests.support.ledger import KIND, entries, found, stored
from tests.support.ledger_tables import without_triggers

pytestmark = pytest.mark.django_db(transaction=True)

CLIENT = UUID("0f0f0f0f-5a3e-4a5e-8a5e-5a3e8f5e54a5")


def archived(*numbers: int) -> list[StoredFact]:
    """Facts of a stream that isn't here any more."""
    stream = uuid4()
    new = [NewFact("noted", {"n": number}) for number in numbers[:-1]] + [
        NewFact("noted", {"n": numbers[-1]}, CLIENT)
    ]
    answer = append(stream, KIND, None, 0, new)
    with without_triggers():
        Fact.objects.filter(stream=stream).delete()
        Stream.objects.filter(pk=stream).delete()
    return list(answer.facts)


def test_archived_stream_is_imported_as_it_was() -> None:
    archive = archived(1, 2, 3)
    scope = uuid4()
    assert import_stream(KIND, scope, archive)
    stream = archive[0].stream
    assert facts(stream) == archive
    assert head(stream)[1:] == (3, archive[-1].hash)
    assert found() == []
    # Again: it is here already. And a phone that sends its entry again is answered.
    assert not import_stream(KIND, scope, archive)
    assert append(stream, KIND, scope, 2, [NewFact("noted", {"n": 3}, CLIENT)]).facts == (archive[2],)


@pytest.mark.parametrize("others", [(1,), (1, 2, 4), (1, 2, 3, 4)])
def test_import_of_a_stream_with_another_head_is_refused(others: tuple[int, ...]) -> None:
    archive = archived(1, 2, 3)
    here = append(archive[0].stream, KIND, None, 0, entries(*others), recorded_at=archive[0].recorded_at)
    with pytest.raises(ImportRefusedError) as refusal:
        import_stream(KIND, None, archive)

    assert refusal.value.reasons == [f"It is here with another head: version {len(others)}, archived 3."]
    assert facts(archive[0].stream) == list(here.facts)


def test_import_of_a_stream_of_another_scope_is_refused() -> None:
    archive = list(stored(1, scope=uuid4()).facts)
    with pytest.raises(OtherStreamError):
        import_stream(KIND, uuid4(), archive)


def test_import_of_an_altered_archive_is_refused_with_each_reason() -> None:
    archive = archived(1, 2, 3, 4)
    archive[1] = archive[1]._replace(text='{"n":7}')
    archive[3] = archive[3]._replace(recorded_at=archive[3].recorded_at + timedelta(microseconds=1))
    del archive[2]
    with translation.override("en"), pytest.raises(ImportRefusedError) as refusal:
        import_stream(KIND, None, archive)
    altered = (
        "The fact was altered: its hash belongs to another stream, place, type, text, time or client’s id."
    )

    assert refusal.value.reasons == [
        f"2: {altered}",
        "3: Facts are missing from here up to 3.",
        f"4: {altered}",
    ]
    assert not Stream.objects.exists()


def test_import_of_text_that_is_not_canonical_is_refused() -> None:
    fact = archived(1)[0]
    text = '{"n": 1}'
    hash = fact_hash(
        fact.previous_hash,
        fact.stream,
        1,
        fact.type,
        text,
        microseconds(fact.recorded_at),
        fact.client_id,
        fact.client_digest,
    )

    with translation.override("en"), pytest.raises(ImportRefusedError) as refusal:
        import_stream(KIND, None, [fact._replace(text=text, hash=hash, id=fact_id(hash))])

    assert refusal.value.reasons == ["1: The text isn't canonical JSON."]


def test_import_of_facts_of_two_streams_or_none_is_refused() -> None:
    archive = archived(1, 2)
    archive[1] = archive[1]._replace(stream=uuid4())
    with pytest.raises(ImportRefusedError):
        import_stream(KIND, None, archive)
    with pytest.raises(ValueError, match="at least one fact"):
        import_stream(KIND, None, [])


def test_import_with_a_known_client_id_is_refused_and_others_go_on() -> None:
    archive = archived(1, 2)
    other = archived(5, 6)

    with transaction.atomic():
        assert import_stream(KIND, None, archive)
        with pytest.raises(ImportRefusedError) as refusal:
            import_stream(KIND, None, other)
        assert facts(archive[0].stream) == archive

    assert refusal.value.reasons == ["A client's id in it is known from another entry."]
    assert not Stream.objects.filter(pk=other[0].stream).exists()
