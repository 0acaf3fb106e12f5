"""The outbox: what is due to whom, told upward without an import.

The row is the truth and the message only wakes somebody up. A row is inserted in the transaction that made it
due. The consumer deletes it in the transaction that stores what it worked out. So work is done at least once,
and doing it twice has to give the same rows.
"""

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import Min
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from ledger.models import OutboxMessage
from ledger.signals import worked_off

logger = logging.getLogger(__name__)

Wake = Callable[[UUID], object]

_wakes: defaultdict[str, list[Wake]] = defaultdict(list)
_unheard: set[Wake] = set()
"""Whose message found no broker the last time."""
_state = threading.local()


def subscribe(topic: str, wake: Wake) -> Callable[[], None]:
    """Have `wake(group)` called after each commit that announced something to a group, once for each group.

    Returns a function that ends the subscription. What `wake` raises is logged and nothing else: a sweep over
    `pending` finds the row later. A broker that is away is one line, and one when it is back.
    """
    _wakes[topic].append(wake)
    return lambda: _wakes[topic].remove(wake)


def announce(topic: str, group: UUID, stream: UUID, sequence: int) -> None:
    """Insert a due row for `group`, in the same transaction as the fact that made it due; one query."""
    OutboxMessage.objects.create(topic=topic, group=group, stream=stream, sequence=sequence)
    # The commit that is to come notes here whom it has woken. A set is filled by commits alone, so that of a
    # transaction that was rolled back serves the next one.
    woken: set[tuple[str, UUID]] | None = getattr(_state, "woken", None)
    if woken is None:
        woken = _state.woken = set()
    transaction.on_commit(lambda: _wake_once(topic, group, woken))


def pending(topic: str) -> list[UUID]:
    """Return the groups that something is due to, the one that has waited longest first; one query."""
    rows = (
        OutboxMessage.objects.filter(topic=topic).values("group").annotate(first=Min("id")).order_by("first")
    )
    return [row["group"] for row in rows]


def take(topic: str, group: UUID) -> list[int]:
    """Return the ids of a group's due rows, to be settled once the work that they call for is stored.

    Take first and read facts afterwards: what is announced later stays due.
    """
    rows = OutboxMessage.objects.filter(topic=topic, group=group).order_by("id").values_list("id", "created")
    found = dict(rows)
    if worked_off.has_listeners():
        _state.taken = {each: (topic, created) for each, created in found.items()}
    return list(found)


def waiting(topics: Collection[str], group: UUID) -> int:
    """Return how many rows of these topics are due to a group; one query."""
    return OutboxMessage.objects.filter(topic__in=topics, group=group).count()


def newest() -> int:
    """Return the id of the row that became due last, 0 if nothing is due; one query."""
    return OutboxMessage.objects.order_by("-id").values_list("id", flat=True).first() or 0


def total() -> int:
    """Return how many rows are due to anybody; one query."""
    return OutboxMessage.objects.count()


def oldest_seconds() -> float:
    """Return for how long the oldest due row has waited, 0 if nothing is due; one query."""
    created = OutboxMessage.objects.order_by("id").values_list("created", flat=True).first()
    return max((timezone.now() - created).total_seconds(), 0.0) if created else 0.0


def settle(ids: Collection[int]) -> None:
    """Delete the due rows that were worked from, in the transaction that stores the result."""
    waiting = list(ids)
    taken = getattr(_state, "taken", {})
    for topic, created in [taken.pop(each) for each in waiting if each in taken]:
        transaction.on_commit(partial(_tell, topic, created))
    for start in range(0, len(waiting), 500):
        OutboxMessage.objects.filter(pk__in=waiting[start : start + 500]).delete()


def _tell(topic: str, created: datetime) -> None:
    seconds = (timezone.now() - created).total_seconds()
    worked_off.send(OutboxMessage, topic=topic, seconds=max(seconds, 0.0))


def _wake_once(topic: str, group: UUID, woken: set[tuple[str, UUID]]) -> None:
    # Whatever is announced from now on belongs to a later commit.
    _state.woken = None
    if (topic, group) in woken:
        return
    woken.add((topic, group))
    for wake in list(_wakes[topic]):
        try:
            wake(group)
        except BrokerError as error:
            level = logging.DEBUG if wake in _unheard else logging.WARNING
            logger.log(level, "The broker is away (%s): what is due to %s stays due.", error, topic)
            _unheard.add(wake)
        except Exception:
            logger.exception("Nobody was woken for %s of %s; the row stays due.", topic, group)
        else:
            if wake in _unheard:
                _unheard.discard(wake)
                logger.warning("The broker is back for what is due to %s.", topic)
