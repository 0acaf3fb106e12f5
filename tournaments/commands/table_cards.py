"""An event's tables: they are put up, and their cards with a code on each are found and renewed."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import OuterRef
from django.utils import timezone

from people import audit
from people.actors import Actor
from people.announcements import how_many
from people.entries import lock_event
from people.models import Event
from tournaments.models import OldCode, Table
from tournaments.models.tables import CODE_LENGTH, new_code


@transaction.atomic
def put_up_tables(event: Event, actor: Actor, numbers: Iterable[int]) -> list[Table]:
    """Put up the tables of these numbers that aren't there yet; gives these alone."""
    lock_event(event)
    there = set(event.tables.values_list("number", flat=True))
    new = [Table(event=event, number=number) for number in sorted(set(numbers) - there)]
    Table.objects.bulk_create(new)
    audit.keep(audit.created(table, actor, event.pk) for table in new)
    return new


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card by its code: the table on which it lies, and whether its code still holds."""

    table: Table
    is_current: bool


def normalized(typed: str) -> str:
    """What was typed, as codes are written: blanks, dashes and small letters are nobody's mistake."""
    return "".join(letter for letter in typed if letter.isalnum()).upper()


def find_card(typed: str) -> FoundCard | None:
    """The card with exactly this code, with its table and event; None if there never was one.

    A query, and one more where no card of today has the code. The event knows how much is announced. Nothing
    near is looked for: a mistyped code must never open another table. A code opens nothing by itself.
    """
    # No code is longer: whatever was typed, only so much is looked for.
    code = normalized(typed)[: 2 * CODE_LENGTH]
    announced = how_many(OuterRef("event"), timezone.now())
    table = Table.objects.select_related("event").filter(code=code).annotate(announced=announced).first()
    if table is not None:
        table.event.announced = table.announced
        return FoundCard(table, is_current=True)
    old = OldCode.objects.select_related("table__event").filter(code=code).first()
    return None if old is None else FoundCard(old.table, is_current=False)


@transaction.atomic
def renew_code(table: Table, actor: Actor) -> Table:
    """Give the table a new code, for a new card; who comes with the former one is told so."""
    current = Table.objects.select_for_update().get(pk=table.pk)
    OldCode.objects.create(table=current, code=current.code)
    audit.change(current, actor, current.event_id, {"code": _free_code()})
    return current


def _free_code() -> str:
    """A code that no card has or had."""
    while True:
        code = new_code()
        if not OldCode.objects.filter(code=code).exists() and not Table.objects.filter(code=code).exists():
            return code


def grouped(code: str) -> str:
    """A code in two groups, as it is read out and typed off: `K7R M2T`."""
    return f"{code[: CODE_LENGTH // 2]} {code[CODE_LENGTH // 2 :]}"
