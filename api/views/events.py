"""Events, their teams and their referees."""

from typing import Any
from uuid import UUID

from django.db.models import Q
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import EVENT, REFEREE, TEAM
from api.rows import of_event
from api.schema import changes, describes, edits, lists, reads
from api.shapes.events import (
    CopyBody,
    EventBody,
    EventFromBody,
    EventShape,
    EventsQuery,
    EventTemplateShape,
    NewRefereeBody,
    NewTeamBody,
    RefereeShape,
    TeamBody,
    TeamShape,
    template_rows,
)
from people.access import anyone, copies_event, declares, organizes, reads_event, signed_in
from people.events import add_referee, add_team, create_event, edit_event, edit_team, remove_team
from people.models import Event, Referee, Team
from tournaments.commands.create_event import copy_event, event_from_template


@declares(anyone)
class Events(Endpoint):
    """All events that the caller may know of."""

    @lists("events_list", "events", EventShape, "List events", query=EventsQuery)
    def list_known(self) -> Response:
        """Published ones, and those that the caller organizes; the newest first."""
        asked = self.query()
        account = self.actor.account
        own = Q(organizers__account=account) if account else Q(pk__in=[])
        token = self.actor.token
        if token is not None and token.event_id is not None:
            own &= Q(pk=token.event_id)
        rows = Event.objects.filter(own if asked.get("mine") else own | Q(is_published=True)).distinct()
        columns = {"slug": "slug", "starts_from": "starts_on__gte", "starts_until": "starts_on__lte"}
        rows = rows.filter(**{column: asked[name] for name, column in columns.items() if name in asked})
        return self.page(rows.order_by("-starts_on", "name", "pk"), EventShape)

    @declares(signed_in)
    @changes("events_create", "events", EventShape, "Set up an event", EventFromBody, status=201)
    def create(self, template: str | None = None, **said: Any) -> Response:
        """Organized by the caller's account; unpublished until it is said otherwise."""
        account = self.actor.account
        assert account is not None  # noqa: S101  # `signed_in` says so; for the type checker
        if template is not None:
            made = event_from_template(template, account, actor=self.actor, **said)
        else:
            made = create_event(account, actor=self.actor, **said)
        return self.answer(made, EventShape, 201)

    @lists("event_templates_list", "events", EventTemplateShape, "List templates of events", in_pages=False)
    def list_templates(self) -> Response:
        """In the reader's language; `key` is what a new event names as its `template`."""
        return Response(EventTemplateShape(template_rows(), many=True).data)


@declares(reads_event, EVENT)
class EventDetail(Endpoint):
    """An event."""

    subject: Event
    shape = EventShape

    @reads("events_read", "events", EventShape, "Read an event")
    def read(self) -> None:
        """With its settings."""

    @declares(organizes)
    @edits("events_change", "events", EventShape, "Change an event", EventBody)
    def change(self, **changed: Any) -> None:
        """Its address stays; every change is in the audit trail."""
        with self.locked():
            self.expect_unchanged(EventShape(self.subject).data)
            edit_event(self.subject, self.actor, **changed)

    @declares(copies_event)
    @changes("events_copy", "events", EventShape, "Copy an event", CopyBody, status=201)
    def copy(self, **said: Any) -> Response:
        """Teams, looks, settings, tournaments' settings, the palio's rules and the tables; never people or
        results. The copy is private.
        """
        account = self.actor.account
        assert account is not None  # noqa: S101  # `organizes` says so; for the type checker
        return self.answer(copy_event(self.event, account, actor=self.actor, **said), EventShape, 201)


@declares(reads_event, EVENT)
class EventTeams(Endpoint):
    """The teams of an event."""

    @lists("teams_list", "teams", TeamShape, "List teams")
    def list_all(self) -> Response:
        """By number."""
        return self.page(Team.objects.filter(event=self.event).order_by("number"), TeamShape)

    @declares(organizes)
    @changes("teams_create", "teams", TeamShape, "Add a team", NewTeamBody, status=201)
    def add(self, **said: Any) -> Response:
        """It takes the next number. A name twice is refused (409 `name-taken`)."""
        return self.answer(add_team(self.event, self.actor, **said), TeamShape, 201)


@declares(reads_event, TEAM)
class TeamDetail(Endpoint):
    """A team."""

    subject: Team
    shape = TeamShape

    @reads("teams_read", "teams", TeamShape, "Read a team")
    def read(self) -> None:
        """Its names and looks."""

    @declares(organizes)
    @edits("teams_change", "teams", TeamShape, "Change a team", TeamBody, [409])
    def change(self, **changed: Any) -> None:
        """Its number stays."""
        with self.locked():
            self.expect_unchanged(TeamShape(self.subject).data)
            edit_team(self.subject, self.actor, **changed)

    @declares(organizes)
    @describes("teams_remove", "teams", {204: None}, "Remove a team", problems=[409], writes=True)
    def remove(self) -> Response:
        """Only while nobody is entered for it (409 `team-in-use`)."""
        remove_team(self.subject, self.actor)
        return Response(status=204)


@declares(organizes, EVENT)
class EventReferees(Endpoint):
    """The referees of an event."""

    @lists("referees_list", "referees", RefereeShape, "List referees")
    def list_all(self) -> Response:
        """By name."""
        rows = Referee.objects.filter(event=self.event).order_by("first_name", "last_name", "pk")
        return self.page(rows, RefereeShape)

    @changes("referees_create", "referees", RefereeShape, "Add a referee", NewRefereeBody, status=201)
    def add(self, team: UUID | None, **said: Any) -> Response:
        """A volunteer who can then pair a phone."""
        own = None if team is None else of_event(Team.objects.all(), self.event, team, "team")
        return self.answer(add_referee(self.event, self.actor, team=own, **said), RefereeShape, 201)


@declares(organizes, REFEREE)
class RefereeDetail(Endpoint):
    """A referee."""

    shape = RefereeShape

    @reads("referees_read", "referees", RefereeShape, "Read a referee")
    def read(self) -> None:
        """For the desk."""
