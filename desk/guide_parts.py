"""Parts of the organizers' guide, by the page of the desk that they explain."""

from django.urls import reverse

GUIDE = "organizers"
_PAGES = {
    "your-account": (
        "account",
        "account-password",
        "second-factor",
        "second-factor-off",
        "recovery-codes",
        "sign-in-code",
        "sign-in",
        "tokens",
    ),
    "somebody-doubts-the-result": ("audit",),
    "the-board": ("board", "keys"),
    "who-comes": ("check-in", "entry-back"),
    "a-wrong-result": ("correct", "log"),
    "names-go-by-themselves": ("date",),
    "the-draw": ("draw", "draw-edit"),
    "everything-as-files": ("archive-in", "export", "export-file"),
    "weeks-before": (
        "entries",
        "event",
        "event-new",
        "home",
        "import",
        "team",
        "teams",
        "tournament-new",
        "tournament-settings",
    ),
    "a-child-goes-home": ("entry", "entry-out", "squads", "plan-anew"),
    "someone-asks-to-be-forgotten": ("entry-erase", "people", "people-purge"),
    "how-names-are-shown": ("event-edit",),
    "a-paper-slip": ("match", "paper"),
    "the-timetable": ("match-place", "timetable", "timetable-delay", "timetable-work"),
    "formats-drawn-while-you-play": ("next-stage", "rounds"),
    "a-palio-of-several-games": ("palio", "palio-placements", "palio-set-up"),
    "the-call-list": ("calls",),
    "a-rehearsal": ("rehearsal",),
    "announcements": ("announcements",),
    "on-paper": ("printing",),
    "referees": ("referees",),
    "somebody-is-disqualified": ("squad-gone", "team-gone"),
    "at-the-end": ("standings",),
    "tables": ("tables",),
    "programs-that-are-told": ("webhook", "webhooks"),
    "the-day": ("tournament",),
}
"""The anchor of a part to the names of the addresses of its pages."""
PARTS = {page: part for part, pages in _PAGES.items() for page in pages}


def address(page: str | None) -> str:
    """Where the guide tells about the page of this name; its beginning where no part is about it."""
    guide = reverse("publishing:guide", args=[GUIDE])
    return f"{guide}#{PARTS[page]}" if page in PARTS else guide
