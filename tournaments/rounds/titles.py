"""What rounds that were drawn one after another are called, in the reader's language."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from tournaments.models import DrawnRound


def round_title(title: str, values: Mapping[str, Any]) -> str:
    """A round's title, of its msgid and values."""
    return _(title) % values if title else ""


def round_titles(tournaments: Iterable[UUID]) -> dict[tuple[UUID, int], str]:
    """The titles of the drawn rounds of tournaments, by tournament and number; one query."""
    rows = DrawnRound.objects.filter(stage__tournament__in=set(tournaments))
    found = rows.values_list("stage__tournament", "number", "title", "values")
    return {(tournament, number): round_title(title, values) for tournament, number, title, values in found}
