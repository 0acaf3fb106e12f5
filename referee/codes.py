"""Table codes as people type them, and the table behind one."""

from django.http import Http404

from people.models import Event
from tournaments.models import Table


def normalized(typed: str) -> str:
    """What was typed, as codes are written: blanks, dashes and small letters are nobody's mistake."""
    return "".join(letter for letter in typed if letter.isalnum()).upper()


def find_table(typed: str) -> Table | None:
    """The table with this code, with its event; one query. A code opens nothing by itself."""
    # No code is longer: whatever was typed, only so much is looked for.
    code = normalized(typed)[:12]
    return Table.objects.select_related("event").filter(code=code).first()


def event_by_code(*, code: str, **_: object) -> Event:
    """The event whose table's code stands in the address; Http404 if there is none."""
    table = find_table(code)
    if table is None:
        raise Http404
    return table.event
