"""A world that tests begin with comes back as it was made."""

import pytest
from django.db import transaction

from tests.support.festival import Festival, make_festival
from tests.support.worlds import Rows, all_rows, remembered


def make() -> Festival:
    """A world of this module's own, made here and nowhere before."""
    return make_festival()


def in_order(rows: Rows) -> Rows:
    """PostgreSQL has no order of rows that nobody asks for."""
    return {table: sorted(of_table, key=repr) for table, of_table in rows.items()}


@pytest.mark.django_db
def test_remembered_world_comes_back_unchanged() -> None:
    with transaction.atomic():
        first = remembered(make)
        rows = in_order(all_rows())
        first.event.name = "Otherwise"
        first.event.save()
        transaction.set_rollback(True)
    second = remembered(make)
    assert in_order(all_rows()) == rows
    assert sum(map(len, rows.values())) > 50
    assert second.event is not first.event
    second.event.refresh_from_db()
    assert second.event.name != "Otherwise"
