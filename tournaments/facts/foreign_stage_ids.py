"""Stages that other tournaments have drawn: ids that a tournament's facts can't take for their own.

The ids of squads, matches and games follow from the id of their stage. A stage's id is made up when it is
drawn, so two tournaments never have the same one. The exception is an id that somebody has written into an
archive's facts.
"""

import re
from collections.abc import Iterable, Iterator
from uuid import UUID

from django.utils.translation import gettext as _

from ledger.models import Fact
from tournaments.facts.earlier import stored_types
from tournaments.models import Stage, Tournament

DRAWN = stored_types(("stage_drawn",))
"""The types of the facts that draw a stage; its id is their `stage`."""
_STAGE = re.compile(r'"stage":"([0-9a-f-]{36})"')


class DrawnElsewhereError(Exception):
    """A stage is in the facts of two tournaments."""

    def __init__(self, stage: UUID, other: UUID) -> None:
        self.stage, self.other = stage, other
        named = {"stage": stage, "tournament": other}
        super().__init__(_("tournament %(tournament)s has drawn its stage %(stage)s, too") % named)


def check_stage(tournament: Tournament, stage: UUID) -> None:
    """Raise `DrawnElsewhereError` if another tournament has a stage with this id, and its facts say so, too.

    A row that only an altered column has put there is nobody's claim. One query, two where there is such a
    row.
    """
    other = Stage.objects.filter(pk=stage).exclude(tournament=tournament).values_list("tournament", flat=True)
    for each in other:
        if stage in set(
            _drawn(Fact.objects.filter(stream=each, type__in=DRAWN).values_list("text", flat=True))
        ):
            raise DrawnElsewhereError(stage, each)


def drawn_in_other_events(event: UUID, stages: Iterable[UUID]) -> set[UUID]:
    """Which of these stages facts of other events have drawn, though their rows may be gone; one query."""
    wanted = set(stages)
    if not wanted:
        return set()
    facts = Fact.objects.filter(type__in=DRAWN).exclude(stream__scope=event)
    return wanted & set(_drawn(facts.order_by().values_list("text", flat=True).iterator(chunk_size=200)))


def _drawn(texts: Iterable[str]) -> Iterator[UUID]:
    for text in texts:
        # No other member of these facts is called so, and canonical JSON has no blanks.
        yield from map(UUID, _STAGE.findall(text))
