"""Import of an archived stream, with its ids, times and hashes."""

from collections.abc import Iterable, Iterator, Sequence
from uuid import UUID

from django.db import transaction

from ledger.append import insert_facts, open_stream
from ledger.entries import ChainCheck, StoredFact
from ledger.errors import ClientIdReusedError, ImportRefusedError
from ledger.findings import Finding, FindingCode
from ledger.hashing import NotCanonicalError, parse
from ledger.models import Stream


def import_stream(kind: str, scope: UUID | None, facts: Sequence[StoredFact]) -> bool:
    """Store a whole stream with the ids, times and hashes that it has; all or nothing.

    Returns False if the stream is here already with the same head. Raises ImportRefusedError if the stream is
    here with another head, or if a client's id is known from elsewhere. It is raised, too, if anything in the
    archive doesn't fit together. Raises OtherStreamError and ScopeDeletedError as `append` does.
    """
    if not facts:
        raise ValueError("An archived stream has at least one fact.")
    last = facts[-1]
    findings = list(check_archive(last.stream, facts))
    if findings:
        raise ImportRefusedError(last.stream, [f"{finding.sequence}: {finding}" for finding in findings])
    try:
        with transaction.atomic():
            here = open_stream(last.stream, kind, scope)
            if (here.version, here.head_hash) == (last.sequence, last.hash):
                return False
            if here.version:
                raise ImportRefusedError(
                    last.stream,
                    [f"It is here with another head: version {here.version}, archived {last.sequence}."],
                )
            insert_facts(facts)
            Stream.objects.filter(pk=here.id).update(head_sequence=last.sequence, head_hash=last.hash)
    except ClientIdReusedError as error:
        raise ImportRefusedError(last.stream, ["A client's id in it is known from another entry."]) from error
    return True


def check_archive(stream: UUID, facts: Iterable[StoredFact]) -> Iterator[Finding]:
    """Yield what is wrong with an archived stream: chain, hashes, ids and texts."""
    check = ChainCheck(stream)
    for fact in facts:
        yield from check.step(fact)
        try:
            parse(fact.text)
        except NotCanonicalError:
            yield Finding(FindingCode.NOT_CANONICAL, fact.stream, fact.sequence)
