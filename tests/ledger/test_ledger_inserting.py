"""Many rows at once are the same rows as one by one, and are refused for the same reasons."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import Game
from ledger.inserting import insert_many
from ledger.models import OutboxMessage

pytestmark = pytest.mark.django_db

MANY = 120
AWKWARD = ['a "quoted" \\ word', "tab\tand\nline", "{1,NULL}", "\\N", "", "Però, è così: 🃏"]


def games(count: int) -> list[Game]:
    """Games with something in every kind of column, nothing in every column that may be empty."""
    rows = []
    for number in range(count):
        text = AWKWARD[number % len(AWKWARD)]
        rows.append(
            Game(
                id=UUID(int=number + 1),
                ruleset={"preset": text, "points": [number, None, 1.5, True]},
                version=number,
                snapshot=[text] if number % 2 else None,
                closed_by=text[:12],
                is_over=bool(number % 3),
                winner_seat=number % 4 or None,
                winner_team=uuid4() if number % 2 else None,
                changed_at=timezone.now() if number % 2 else None,
            )
        )
    return rows


def stored() -> list[dict[str, Any]]:
    return [dict(row) for row in Game.objects.order_by("pk").values()]


@pytest.mark.parametrize("count", [0, 1, MANY])
def test_insert_many_writes_the_rows_of_single_statements(count: int) -> None:
    rows = games(count)
    insert_many(rows)
    at_once = stored()
    Game.objects.all().delete()
    for row in rows:
        row.save(force_insert=True)

    assert at_once == stored()
    assert len(at_once) == count


def test_insert_many_gives_ids_and_the_present_time() -> None:
    before = timezone.now()
    insert_many(
        [OutboxMessage(topic="t", group=UUID(int=1), stream=uuid4(), sequence=n) for n in range(MANY)]
    )
    rows = OutboxMessage.objects.order_by("pk")

    assert [row.sequence for row in rows] == list(range(MANY))
    assert all(before <= row.created <= timezone.now() for row in rows)


def test_insert_many_with_a_stored_row_refuses_all() -> None:
    rows = games(MANY)
    rows[-1].save(force_insert=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_many(rows)
    assert Game.objects.count() == 1


def test_insert_many_takes_few_statements(django_assert_max_num_queries: Any) -> None:
    rows = games(MANY)
    with django_assert_max_num_queries(3):
        insert_many(rows)
    assert Game.objects.count() == MANY
