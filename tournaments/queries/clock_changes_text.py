"""Changes of the shared clock, and calls, in words, by the columns that changed."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

Values = Sequence[str | None]


def clock_told(changes: Mapping[str, Values]) -> tuple[str, tuple[str, ...]]:
    """A change of a clock's row, as the trail keeps it: what was done, and the details."""
    if "started_at" in changes:
        if changes["started_at"][1] is None:
            return _("Clock put away"), ()
        return _("Clock started"), tuple(_started(changes))
    added = [int(value or 0) for value in changes.get("added", ("0", "0"))]
    if "length" in changes or added[1] < added[0]:
        length = changes["length"][1] if "length" in changes else None
        return _("Clock set anew"), (_time(int(length)),) if length else ()
    if added[1] > added[0]:
        return _("More time"), (_time(added[1] - added[0]),)
    if "rung_at" in changes:
        return _("The bell was rung"), ()
    paused = changes.get("paused_at", (None, None))[1]
    return (_("Clock paused") if paused else _("Clock goes on")), ()


def call_told(changes: Mapping[str, Values]) -> str:
    """A change of a call's row, as the trail keeps it."""
    if changes.get("called_at", (None, ""))[1] is None:
        return _("Call taken back")
    before = int(changes.get("times", ("0", "1"))[0] or 0)
    return _("Called again") if before else _("Called to the table")


def _started(changes: Mapping[str, Values]) -> list[str]:
    """Of a clock that starts again, the trail has only what is another than before."""
    told = []
    if "round" in changes:
        told.append(_("Round %(number)s") % {"number": changes["round"][1]})
    if "wave" in changes:
        told.append(_("wave %(wave)s") % {"wave": changes["wave"][1]})
    if "length" in changes:
        told.append(_time(int(changes["length"][1] or 0)))
    return told


def _time(seconds: int) -> str:
    if seconds % 60:
        return ngettext("%(count)d second", "%(count)d seconds", seconds) % {"count": seconds}
    return ngettext("%(count)d minute", "%(count)d minutes", seconds // 60) % {"count": seconds // 60}
