"""Entries: listed, entered by hand, corrected, withdrawn and reinstated."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import ENTRY, EVENT
from api.problems import Problem
from api.rows import of_event
from api.schema import changes, edits, lists, reads
from api.shapes.entries import EntriesQuery, EntryShape, NewEntryBody, PersonBody
from people.access import declares, organizes, reads_event
from people.entries import correct_person, enter_by_hand, mark_absent, reinstate, withdraw
from people.models import Entry, Team

TAG = "entries"


@declares(reads_event, EVENT)
class EventEntries(Endpoint):
    """The entries of an event."""

    @lists("entries_list", TAG, EntryShape, "List entries", query=EntriesQuery)
    def list_all(self) -> Response:
        """By team and number; names are what the reader may see."""
        rows = (
            Entry.objects.filter(team__event=self.event, **self.query())
            .select_related("person", "team")
            .order_by("team__number", "number")
        )
        return self.page(rows, EntryShape, context=lambda _entries: {"viewer": self.viewer})

    @declares(organizes)
    @changes("entries_create", TAG, EntryShape, "Enter a person by hand", NewEntryBody, status=201)
    def enter(self, team: UUID, **person: Any) -> Response:
        """Checked by the rules of the import. The same person twice is refused (409 `already-entered`)."""
        entered_for = of_event(Team.objects.all(), self.event, team, "team")
        made = enter_by_hand(self.event, self.actor, team=entered_for, **person)
        return self.answer(made, EntryShape, 201, viewer=self.viewer)


@declares(organizes, ENTRY)
class EntryDetail(Endpoint):
    """An entry."""

    subject: Entry

    def current(self) -> Response:
        """The entry as the reader may see it."""
        return self.answer(self.subject, EntryShape, viewer=self.viewer)

    @declares(reads_event)
    @reads("entries_read", TAG, EntryShape, "Read an entry")
    def read(self) -> None:
        """As the reader may see it."""

    @edits("entries_correct_person", TAG, EntryShape, "Correct a person", PersonBody, [409])
    def correct_person(self, **corrected: Any) -> None:
        """Checked as a new one would be; the change is in the audit trail."""
        with self.locked():
            person = self.subject.person
            if person is None:
                raise Problem(409, "person-erased", _("This person has been erased."))
            self.expect_unchanged(self.current().data)
            known: dict[str, Any] = {str(name): getattr(person, str(name)) for name in PersonBody().fields}
            correct_person(self.subject, self.actor, **{**known, **corrected})

    @changes("entries_withdraw", TAG, EntryShape, "Withdraw an entry")
    def withdraw(self) -> None:
        """Its number isn't given again. Doing it twice is doing it once."""
        withdraw(self.subject, self.actor)

    @changes("entries_mark_absent", TAG, EntryShape, "Note that somebody is absent")
    def mark_absent(self) -> None:
        """It isn't drawn; what is drawn already is for the squads' addresses. Twice is once."""
        mark_absent(self.subject, self.actor)

    @changes("entries_reinstate", TAG, EntryShape, "Reinstate an entry")
    def reinstate(self) -> None:
        """With its number. Doing it twice is doing it once."""
        reinstate(self.subject, self.actor)
