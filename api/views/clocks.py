"""The shared clock: read by everybody, set by the organizer."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from rest_framework.permissions import SAFE_METHODS
from rest_framework.response import Response

from api.endpoint import Endpoint, etag, tags
from api.permissions import CLOCK, TOURNAMENT
from api.schema import changes, reads
from api.shapes.clocks import ClockChangeBody, ClockShape, ClockStartBody, SecondsBody
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

    def current(self) -> Response:
        """The clock as it is now; 304 for a reader who counts down the same."""
        data = ClockShape(clock_of(self.subject)).data
        tag = etag({name: value for name, value in data.items() if name not in MOVING})
        known = tags(self.request.headers.get("If-None-Match", ""))
        if self.request.method in SAFE_METHODS and tag in known:
            return Response(status=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag})
        return Response(data, headers={"ETag": tag})


@declares(reads_event, CLOCK)
class ClockDetail(ClockEndpoint):
    """A clock."""

    @reads("clocks_read", TAG, ClockShape, "Read a clock")
    def read(self) -> None:
        """What is left of what is being played now. Its `ETag` stays while the clock only counts down."""


@declares(organizes, TOURNAMENT)
class ClockChanges(ClockEndpoint):
    """What organizers do with a clock."""

    def change(self, make: Callable[..., Clock], said: dict[str, Any]) -> None:
        """Change the clock."""
        self.subject.clock = make(self.subject, self.actor, **said)

    @changes("clocks_start", TAG, ClockShape, "Start a clock", ClockStartBody)
    def start(self, **said: Any) -> None:
        """For a wave; one that was started before has to have rung or been put away."""
        self.change(actions.start_clock, said)

    @changes("clocks_pause", TAG, ClockShape, "Pause a clock", ClockChangeBody)
    def pause(self, **said: Any) -> None:
        """It stands still until it is told to go on."""
        self.change(actions.pause_clock, said)

    @changes("clocks_resume", TAG, ClockShape, "Let a clock go on", ClockChangeBody)
    def resume(self, **said: Any) -> None:
        """With what was left when it was paused."""
        self.change(actions.resume_clock, said)

    @changes("clocks_add", TAG, ClockShape, "Add time", SecondsBody)
    def add_time(self, **said: Any) -> None:
        """After the bell it counts down again, from now."""
        self.change(actions.add_time, said)

    @changes(
        "clocks_set_length", TAG, ClockShape, "Set another length", SecondsBody, once=False, problems=[409]
    )
    def set_length(self, **said: Any) -> None:
        """From its start, pauses apart; time that was added is part of it. It has to be longer than what has
        passed.
        """
        self.change(actions.set_length, said)

    @changes("clocks_ring", TAG, ClockShape, "Ring the bell", ClockChangeBody)
    def ring(self, **said: Any) -> None:
        """Now, whatever is left."""
        self.change(actions.ring_bell, said)

    @changes("clocks_put_away", TAG, ClockShape, "Put a clock away", ClockChangeBody)
    def put_away(self, **said: Any) -> None:
        """Nobody sees it any more."""
        self.change(actions.put_clock_away, said)
