"""Tournaments, moments and files named on the command line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

from django.core.management.base import CommandError

from people.management.event_argument import find_event
from people.models import Event
from people.moment_parsing import BadMomentError, moment_asked
from tournaments.models import Tournament


def find_tournament(event_slug: str, tournament_slug: str) -> Tournament:
    """The tournament of this event and slug; CommandError with those that there are."""
    event = find_event(event_slug)
    tournament = event.tournaments.select_related("event").filter(slug=tournament_slug).first()
    if tournament is None:
        known = ", ".join(event.tournaments.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"“{event_slug}” has no tournament “{tournament_slug}”; it has: {known}.")
    return tournament


def find_moment(text: str, event: Event) -> datetime:
    """A date and time, or a time alone on the event's first day, where the event is."""
    try:
        return moment_asked(text, event)
    except BadMomentError as error:
        raise CommandError(
            f"“{text}” is no moment; expected one such as 2022-09-17T15:40, or 15:40."
        ) from error


@contextmanager
def new_file(file: Path) -> Iterator[IO[bytes]]:
    """A file to be written, in its place only once it is whole; CommandError where it can't be."""
    part = file.with_name(f"{file.name}.part")
    try:
        # For nobody else's eyes, where names are in it.
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as target:
            yield target
        part.replace(file)
    except OSError as error:
        raise CommandError(f"{file} can't be written: {error.strerror}.") from error
