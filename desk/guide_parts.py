"""Parts of the organizers' guide, by the page of the desk that they explain."""

from django.urls import reverse

GUIDE = "organizers"
PARTS = {
    "account": "your-account",
    "account-password": "your-account",
    "second-factor": "your-account",
    "second-factor-off": "your-account",
    "recovery-codes": "your-account",
    "sign-in-code": "your-account",
    "audit": "somebody-doubts-the-result",
    "board": "the-board",
    "check-in": "who-comes",
    "correct": "a-wrong-result",
    "date": "names-go-by-themselves",
    "draw": "the-draw",
    "draw-edit": "the-draw",
    "archive-in": "everything-as-files",
    "entries": "weeks-before",
    "entry": "a-child-goes-home",
    "entry-back": "who-comes",
    "entry-erase": "someone-asks-to-be-forgotten",
    "entry-out": "a-child-goes-home",
    "event": "weeks-before",
    "event-edit": "how-names-are-shown",
    "event-new": "weeks-before",
    "export": "everything-as-files",
    "export-file": "everything-as-files",
    "home": "weeks-before",
    "import": "weeks-before",
    "log": "a-wrong-result",
    "match": "a-paper-slip",
    "match-place": "the-timetable",
    "next-stage": "formats-drawn-while-you-play",
    "palio": "a-palio-of-several-games",
    "palio-placements": "a-palio-of-several-games",
    "palio-set-up": "a-palio-of-several-games",
    "paper": "a-paper-slip",
    "calls": "the-call-list",
    "keys": "the-board",
    "rehearsal": "a-rehearsal",
    "announcements": "announcements",
    "people": "someone-asks-to-be-forgotten",
    "people-purge": "someone-asks-to-be-forgotten",
    "printing": "on-paper",
    "referees": "referees",
    "rounds": "formats-drawn-while-you-play",
    "sign-in": "your-account",
    "squads": "a-child-goes-home",
    "squad-gone": "somebody-is-disqualified",
    "team-gone": "somebody-is-disqualified",
    "standings": "at-the-end",
    "tables": "tables",
    "team": "weeks-before",
    "teams": "weeks-before",
    "timetable": "the-timetable",
    "timetable-delay": "the-timetable",
    "timetable-work": "the-timetable",
    "tokens": "your-account",
    "webhook": "programs-that-are-told",
    "webhooks": "programs-that-are-told",
    "tournament": "the-day",
    "tournament-new": "weeks-before",
    "tournament-settings": "weeks-before",
}
"""The name of a page's address to the anchor of its part."""


def address(page: str | None) -> str:
    """Where the guide tells about the page of this name; its beginning where no part is about it."""
    guide = reverse("publishing:guide", args=[GUIDE])
    return f"{guide}#{PARTS[page]}" if page in PARTS else guide
