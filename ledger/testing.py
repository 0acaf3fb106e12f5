"""Help for tests of everything above the ledger.

Tests with real transactions empty all tables when they end, which is what the triggers on facts refuse. Put
this into the root `conftest.py`; it concerns no test that runs within one transaction:

    @pytest.fixture(scope="session", autouse=True)
    def _facts_can_be_flushed() -> Iterator[None]:
        with flushable_facts():
            yield
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

from django.db import connection, transaction
from django.test import TransactionTestCase

from ledger.triggers import install_triggers, remove_triggers


@contextmanager
def flushable_facts() -> Iterator[None]:
    """Remove the triggers for the flush after each test with `transaction=True`, and put them back then."""
    flush: Callable[[TransactionTestCase], None] = vars(TransactionTestCase)["_fixture_teardown"]

    def flush_facts_too(test: TransactionTestCase) -> None:
        with without_triggers():
            flush(test)

    with mock.patch.object(TransactionTestCase, "_fixture_teardown", flush_facts_too):
        yield


@contextmanager
def without_triggers() -> Iterator[None]:
    """Leave facts unguarded for a while: to alter them as somebody could who owns the database."""
    remove_triggers(connection)
    try:
        yield
    finally:
        with transaction.atomic():
            install_triggers(connection)
