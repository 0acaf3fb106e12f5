"""The shared clock: read by everybody, set by the organizer."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint, etag, tags
from api.schema import describes
from api.shapes.clocks import ClockChangeBody, ClockShape, ClockStartBody, SecondsBody
from api.subjects import CLOCK, TOURNAMENT
from people.access import declares, organizes, reads_event
from tournaments.commands import clock as actions
from tournaments.models import Clock, Tournament
from tournaments.queries.clocks import clock_of

TAG = "clocks"
MOVING = ("now", "remaining_ms")
"""What changes by itself: a clock that nobody touched since is the same clock."""


class ClockEndpoint(Endpoint):
    """The clock of one tournament."""

    subject: Tournament

    def clock(self) -> Response:
        """The clock as it is now; 304 for a reader who counts down the same."""
        data = ClockShape(clock_of(self.subject)).data
        tag = etag({name: value for name, value in data.items() if name not in MOVING})
        known = tags(self.request.headers.get("If-None-Match", ""))
        if self.request.method in SAFE_METHODS and tag in known:
            return Response(status=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag})
        return Response(data, headers={"ETag": tag})

    def changed(self, change: Callable[..., Clock], body: type[serializers.Serializer[Any]]) -> Response:
        """The clock after a change."""
        self.subject.clock = change(self.subject, self.actor, **self.body(body))
        return self.clock()


@declares(reads_event, CLOCK)
class ClockDetail(ClockEndpoint):
    """A clock."""

    @describes("clocks_read", TAG, {200: ClockShape}, summary="Read a clock", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """What is left of what is being played now. Its `ETag` stays while the clock only counts down."""
        return self.clock()


@declares(organizes, TOURNAMENT)
class ClockStart(ClockEndpoint):
    """Starting a clock."""

    @describes(
        "clocks_start",
        TAG,
        {200: ClockShape},
        request=ClockStartBody,
        summary="Start a clock",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """For a wave; one that was started before has to have rung or been put away."""
        return self.changed(actions.start_clock, ClockStartBody)


@declares(organizes, TOURNAMENT)
class ClockPause(ClockEndpoint):
    """Pausing a clock."""

    @describes(
        "clocks_pause",
        TAG,
        {200: ClockShape},
        request=ClockChangeBody,
        summary="Pause a clock",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """It stands still until it is told to go on."""
        return self.changed(actions.pause_clock, ClockChangeBody)


@declares(organizes, TOURNAMENT)
class ClockResume(ClockEndpoint):
    """Letting a clock go on."""

    @describes(
        "clocks_resume",
        TAG,
        {200: ClockShape},
        request=ClockChangeBody,
        summary="Let a clock go on",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """With what was left when it was paused."""
        return self.changed(actions.resume_clock, ClockChangeBody)


@declares(organizes, TOURNAMENT)
class ClockAdd(ClockEndpoint):
    """Giving more time."""

    @describes(
        "clocks_add",
        TAG,
        {200: ClockShape},
        request=SecondsBody,
        summary="Add time",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """After the bell it counts down again, from now."""
        return self.changed(actions.add_time, SecondsBody)


@declares(organizes, TOURNAMENT)
class ClockLength(ClockEndpoint):
    """The length of a clock."""

    @describes(
        "clocks_set_length",
        TAG,
        {200: ClockShape},
        request=SecondsBody,
        problems=[409],
        summary="Set another length",
        etag=True,
    )
    def put(self, request: Request, **_kwargs: Any) -> Response:
        """From its start, pauses apart; time that was added is part of it. It has to be longer than what has
        passed.
        """
        return self.changed(actions.set_length, SecondsBody)


@declares(organizes, TOURNAMENT)
class ClockBell(ClockEndpoint):
    """The bell."""

    @describes(
        "clocks_ring",
        TAG,
        {200: ClockShape},
        request=ClockChangeBody,
        summary="Ring the bell",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Now, whatever is left."""
        return self.changed(actions.ring_bell, ClockChangeBody)


@declares(organizes, TOURNAMENT)
class ClockAway(ClockEndpoint):
    """Putting a clock away."""

    @describes(
        "clocks_put_away",
        TAG,
        {200: ClockShape},
        request=ClockChangeBody,
        summary="Put a clock away",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Nobody sees it any more."""
        return self.changed(actions.put_clock_away, ClockChangeBody)
