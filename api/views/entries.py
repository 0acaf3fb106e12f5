"""Entries: listed, entered by hand, corrected, withdrawn and reinstated."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.pagination import Pages
from api.problems import Problem
from api.rows import of_event
from api.schema import IF_MATCH, describes
from api.shapes.entries import EntryShape, NewEntryBody, NothingBody, PersonBody
from api.subjects import ENTRY, EVENT
from people.access import declares, organizes, reads_event
from people.entries import correct_person, enter_by_hand, mark_absent, reinstate, withdraw
from people.models import Entry, Team

TAG = "entries"


class EntriesQuery(serializers.Serializer[Any]):
    """Which entries."""

    team = serializers.UUIDField(required=False)
    status = serializers.ChoiceField(Entry.Status.choices, required=False)


class EntryEndpoint(Endpoint):
    """One entry."""

    subject: Entry

    def entry(self, entry: Entry, status: int = 200) -> Response:
        """An entry as the reader may see it."""
        return self.answer(entry, EntryShape, status, viewer=self.viewer)


@declares(reads_event, EVENT)
class EventEntries(EntryEndpoint):
    """The entries of an event."""

    pagination_class = Pages

    @describes("entries_list", TAG, {200: EntryShape(many=True)}, query=EntriesQuery, summary="List entries")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """By team and number; names are what the reader may see."""
        rows = (
            Entry.objects.filter(team__event=self.event, **self.query())
            .select_related("person", "team")
            .order_by("team__number", "number")
        )
        return self.page(rows, EntryShape, context=lambda _entries: {"viewer": self.viewer})

    @declares(organizes)
    @describes(
        "entries_create",
        TAG,
        {201: EntryShape},
        request=NewEntryBody,
        summary="Enter a person by hand",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Checked by the rules of the import. The same person twice is refused (409 `already-entered`)."""
        body = self.body(NewEntryBody)
        team = of_event(Team.objects.all(), self.event, body.pop("team"), "team")
        return self.entry(enter_by_hand(self.event, self.actor, team=team, **body), 201)


@declares(reads_event, ENTRY)
class EntryDetail(EntryEndpoint):
    """An entry."""

    @describes("entries_read", TAG, {200: EntryShape}, summary="Read an entry", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """As the reader may see it."""
        return self.entry(self.subject)


@declares(organizes, ENTRY)
class EntryPerson(EntryEndpoint):
    """The person of an entry."""

    @describes(
        "entries_correct_person",
        TAG,
        {200: EntryShape},
        request=PersonBody,
        problems=[409, 412],
        headers=[IF_MATCH],
        summary="Correct a person",
        etag=True,
    )
    def patch(self, request: Request, **_kwargs: Any) -> Response:
        """Checked as a new one would be; the change is in the audit trail."""
        body = self.body(PersonBody)
        with self.locked():
            person = self.subject.person
            if person is None:
                raise Problem(409, "person-erased", _("This person has been erased."))
            self.expect_unchanged(self.entry(self.subject).data)
            known: dict[str, Any] = {str(name): getattr(person, str(name)) for name in PersonBody().fields}
            correct_person(self.subject, self.actor, **{**known, **body})
        return self.entry(self.subject)


@declares(organizes, ENTRY)
class EntryWithdrawal(EntryEndpoint):
    """Taking an entry out."""

    @describes(
        "entries_withdraw",
        TAG,
        {200: EntryShape},
        request=NothingBody,
        summary="Withdraw an entry",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Its number isn't given again. Doing it twice is doing it once."""
        self.body(NothingBody)
        withdraw(self.subject, self.actor)
        return self.entry(self.subject)


@declares(organizes, ENTRY)
class EntryAbsence(EntryEndpoint):
    """Somebody who didn't turn up."""

    @describes(
        "entries_mark_absent",
        TAG,
        {200: EntryShape},
        request=NothingBody,
        summary="Note that somebody is absent",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """It isn't drawn; what is drawn already is for the squads' addresses. Twice is once."""
        self.body(NothingBody)
        mark_absent(self.subject, self.actor)
        return self.entry(self.subject)


@declares(organizes, ENTRY)
class EntryReinstatement(EntryEndpoint):
    """Letting an entry take part again."""

    @describes(
        "entries_reinstate",
        TAG,
        {200: EntryShape},
        request=NothingBody,
        summary="Reinstate an entry",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """With its number. Doing it twice is doing it once."""
        self.body(NothingBody)
        reinstate(self.subject, self.actor)
        return self.entry(self.subject)
