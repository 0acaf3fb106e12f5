"""Events, their teams and their referees."""

from typing import Any

from django.db.models import Q
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.fields import Day
from api.pagination import Pages
from api.rows import of_event
from api.schema import IF_MATCH, describes
from api.shapes.events import (
    CopyBody,
    EventBody,
    EventFromBody,
    EventShape,
    EventTemplateShape,
    NewRefereeBody,
    NewTeamBody,
    RefereeShape,
    TeamBody,
    TeamShape,
    template_rows,
)
from api.subjects import EVENT, REFEREE, TEAM
from people.access import anyone, copies_event, declares, organizes, reads_event, signed_in
from people.events import add_referee, add_team, create_event, edit_event, edit_team, remove_team
from people.models import Event, Referee, Team
from tournaments.commands.begin_event import copy_event, event_from_template


class EventsQuery(serializers.Serializer[Any]):
    """Which events."""

    slug = serializers.CharField(required=False, max_length=60)
    starts_from = Day(required=False, help_text="Those that start on this day or later.")
    starts_until = Day(required=False, help_text="Those that start on this day or earlier.")
    mine = serializers.BooleanField(required=False, help_text="Only those that the caller organizes.")


@declares(anyone)
class Events(Endpoint):
    """All events that the caller may know of."""

    pagination_class = Pages

    @describes(
        "events_list", "events", {200: EventShape(many=True)}, query=EventsQuery, summary="List events"
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
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
    @describes(
        "events_create",
        "events",
        {201: EventShape},
        request=EventFromBody,
        summary="Set up an event",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Organized by the caller's account; unpublished until it is said otherwise."""
        body = self.body(EventFromBody)
        account = self.actor.account
        assert account is not None  # noqa: S101  # `signed_in` says so; for the type checker
        template = body.pop("template", None)
        if template is not None:
            made = event_from_template(template, account, actor=self.actor, **body)
        else:
            made = create_event(account, actor=self.actor, **body)
        return self.answer(made, EventShape, 201)


@declares(anyone)
class EventTemplates(Endpoint):
    """What events can begin with."""

    @describes(
        "event_templates_list",
        "events",
        {200: EventTemplateShape(many=True)},
        summary="List templates of events",
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """In the reader's language; `key` is what a new event names as its `template`."""
        return Response(EventTemplateShape(template_rows(), many=True).data)


@declares(copies_event, EVENT)
class EventCopy(Endpoint):
    """An event like this one."""

    @describes(
        "events_copy", "events", {201: EventShape}, request=CopyBody, summary="Copy an event", etag=True
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Teams, looks, settings, tournaments' settings, the palio's rules and the tables; never people or
        results. The copy is private.
        """
        body = self.body(CopyBody)
        account = self.actor.account
        assert account is not None  # noqa: S101  # `organizes` says so; for the type checker
        return self.answer(copy_event(self.event, account, actor=self.actor, **body), EventShape, 201)


@declares(reads_event, EVENT)
class EventDetail(Endpoint):
    """An event."""

    subject: Event

    @describes("events_read", "events", {200: EventShape}, summary="Read an event", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """With its settings."""
        return self.answer(self.subject, EventShape)

    @declares(organizes)
    @describes(
        "events_change",
        "events",
        {200: EventShape},
        request=EventBody,
        problems=[412],
        headers=[IF_MATCH],
        summary="Change an event",
        etag=True,
    )
    def patch(self, request: Request, **_kwargs: Any) -> Response:
        """Its address stays; every change is in the audit trail."""
        body = self.body(EventBody)
        with self.locked():
            self.expect_unchanged(EventShape(self.subject).data)
            edit_event(self.subject, self.actor, **body)
        return self.answer(self.subject, EventShape)


@declares(reads_event, EVENT)
class EventTeams(Endpoint):
    """The teams of an event."""

    pagination_class = Pages

    @describes("teams_list", "teams", {200: TeamShape(many=True)}, summary="List teams")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """By number."""
        return self.page(Team.objects.filter(event=self.event).order_by("number"), TeamShape)

    @declares(organizes)
    @describes(
        "teams_create",
        "teams",
        {201: TeamShape},
        request=NewTeamBody,
        summary="Add a team",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """It takes the next number. A name twice is refused (409 `name-taken`)."""
        body = self.body(NewTeamBody)
        return self.answer(add_team(self.event, self.actor, **body), TeamShape, 201)


@declares(reads_event, TEAM)
class TeamDetail(Endpoint):
    """A team."""

    subject: Team

    @describes("teams_read", "teams", {200: TeamShape}, summary="Read a team", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Its names and looks."""
        return self.answer(self.subject, TeamShape)

    @declares(organizes)
    @describes(
        "teams_change",
        "teams",
        {200: TeamShape},
        request=TeamBody,
        problems=[409, 412],
        headers=[IF_MATCH],
        summary="Change a team",
        etag=True,
    )
    def patch(self, request: Request, **_kwargs: Any) -> Response:
        """Its number stays."""
        body = self.body(TeamBody)
        with self.locked():
            self.expect_unchanged(TeamShape(self.subject).data)
            edit_team(self.subject, self.actor, **body)
        return self.answer(self.subject, TeamShape)

    @declares(organizes)
    @describes("teams_remove", "teams", {204: None}, problems=[409], summary="Remove a team")
    def delete(self, request: Request, **_kwargs: Any) -> Response:
        """Only while nobody is entered for it (409 `team-in-use`)."""
        remove_team(self.subject, self.actor)
        return Response(status=204)


@declares(organizes, EVENT)
class EventReferees(Endpoint):
    """The referees of an event."""

    pagination_class = Pages

    @describes("referees_list", "referees", {200: RefereeShape(many=True)}, summary="List referees")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """By name."""
        rows = Referee.objects.filter(event=self.event).order_by("first_name", "last_name", "pk")
        return self.page(rows, RefereeShape)

    @describes(
        "referees_create",
        "referees",
        {201: RefereeShape},
        request=NewRefereeBody,
        summary="Add a referee",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """A volunteer who can then pair a phone."""
        body = self.body(NewRefereeBody)
        if body["team"] is not None:
            body["team"] = of_event(Team.objects.all(), self.event, body["team"], "team")
        return self.answer(add_referee(self.event, self.actor, **body), RefereeShape, 201)


@declares(organizes, REFEREE)
class RefereeDetail(Endpoint):
    """A referee."""

    subject: Referee

    @describes("referees_read", "referees", {200: RefereeShape}, summary="Read a referee", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """For the desk."""
        return self.answer(self.subject, RefereeShape)
