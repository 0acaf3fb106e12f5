"""The shared clock: started, paused, given more time, rung. Rows and their trail, no facts."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from people.actors import Actor
from people.refusals import Refused
from tournaments.commands.versioned_rows import read_row, store_row
from tournaments.countdown import Countdown, WrongLengthError, WrongPhaseError
from tournaments.models import Clock, Match, Tournament
from tournaments.queries.clocks import planned_seconds, suggested_seconds, waves_open

Change = Callable[[Countdown, datetime], Countdown]


def start_clock(
    tournament: Tournament,
    actor: Actor,
    *,
    seconds: int | None = None,
    round: int | None = None,
    wave: int | None = None,
    expected_version: int | None = None,
) -> Clock:
    """Begin to count down for a wave, the first that isn't over unless said otherwise. Without `seconds` it
    takes as long as a game by the settings, or by the timetable where that is shorter.
    """

    @cache
    def played() -> tuple[int, int]:
        return _played(tournament, round, wave)

    def begin(countdown: Countdown, now: datetime) -> Countdown:
        started = countdown.start(now, suggested_seconds(tournament) if seconds is None else seconds)
        if seconds is not None:
            return started
        return replace(started, length=planned_seconds(tournament, *played()))

    return _change(tournament, actor, begin, expected_version, played)


def pause_clock(tournament: Tournament, actor: Actor, *, expected_version: int | None = None) -> Clock:
    """Let it stand still."""
    return _change(tournament, actor, Countdown.pause, expected_version)


def resume_clock(tournament: Tournament, actor: Actor, *, expected_version: int | None = None) -> Clock:
    """Let it go on."""
    return _change(tournament, actor, Countdown.resume, expected_version)


def add_time(
    tournament: Tournament, actor: Actor, seconds: int, *, expected_version: int | None = None
) -> Clock:
    """Give so many seconds more; after the bell it counts down again."""
    return _change(tournament, actor, lambda clock, now: clock.add(now, seconds), expected_version)


def set_length(
    tournament: Tournament, actor: Actor, seconds: int, *, expected_version: int | None = None
) -> Clock:
    """Make what is played now last so long from its start, pauses apart."""
    return _change(tournament, actor, lambda clock, now: clock.with_length(now, seconds), expected_version)


def ring_bell(tournament: Tournament, actor: Actor, *, expected_version: int | None = None) -> Clock:
    """Ring now."""
    return _change(tournament, actor, Countdown.ring, expected_version)


def put_clock_away(tournament: Tournament, actor: Actor, *, expected_version: int | None = None) -> Clock:
    """Show no clock any more."""
    return _change(tournament, actor, Countdown.put_away, expected_version)


@transaction.atomic
def _change(
    tournament: Tournament,
    actor: Actor,
    change: Change,
    expected_version: int | None,
    played: Callable[[], tuple[int, int]] | None = None,
) -> Clock:
    """Change the clock as it is now, and note it in the trail. Where it starts, `played` gives the round and
    wave.

    Raises `Refused` and, where somebody else has changed it since `expected_version`, `ConflictError`.
    """
    clock = read_row(tournament, Clock(pk=tournament.pk), expected_version)
    before = clock.countdown if clock.version else Countdown(suggested_seconds(clock.tournament))
    try:
        after = change(before, timezone.now())
    except WrongPhaseError as error:
        raise Refused("wrong-phase", _WHY[error.phase], current=error.phase.value) from error
    except WrongLengthError as error:
        raise _wrong_length(error) from error
    values: dict[str, Any] = {name: getattr(after, name) for name in Countdown.__dataclass_fields__}
    if played is not None:
        values["round"], values["wave"] = played()
    return store_row(clock, actor, values)


def _played(tournament: Tournament, round: int | None, wave: int | None) -> tuple[int, int]:
    """The round and wave for which a clock starts."""
    if round is not None and wave is not None:
        drawn = Match.objects.filter(stage__tournament=tournament, round=round, wave=wave)
        if not drawn.exists():
            raise Refused(
                "unknown-wave", _("There is no such round and wave in this tournament."), status=422
            )
        return round, wave
    still_open = waves_open(tournament)
    if not still_open:
        raise Refused("all-played", _("Every game is over: there is nothing to count down for."))
    return still_open[0]


_WHY: dict[str, Any] = {
    "stopped": gettext_lazy("No clock is running: start it first."),
    "running": gettext_lazy("The clock is running already."),
    "paused": gettext_lazy("The clock is paused: let it go on, or put it away."),
    "rung": gettext_lazy("The bell has rung already. Start the clock again, or give more time."),
}


def _wrong_length(error: WrongLengthError) -> Refused:
    if error.high < error.low:
        told = _("A clock never has more than four hours left.")
    else:
        told = ngettext(
            "This takes %(low)d to %(high)d second.", "This takes %(low)d to %(high)d seconds.", error.high
        ) % {"low": error.low, "high": error.high}
    return Refused("wrong-length", told, status=422, low=error.low, high=error.high)
