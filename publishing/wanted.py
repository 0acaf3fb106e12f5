"""Which pages of an event are published, and what each of them stands on."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Q, Sum
from django.urls import reverse
from django.utils.translation import override

from people.models import Event
from publishing.answers import edition
from publishing.models import Publication
from publishing.subjects import SHOWN, find_subject
from tournaments import marks
from tournaments.clocks import clock_of
from tournaments.models import Match, MatchGame, OverallVersion, Tournament


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page that is to be published; written again when its stamp is another one."""

    path: str
    stamp: str


def wanted(event: Event, publication: Publication) -> list[Wanted]:
    """The pages of a published event, those first that most people look at; none of any other.

    Pages on which somebody is writing are not among them: a match or a game while it is played, card by card.
    Pages that are chosen by a question (`?round=`, `?at=`) are made when somebody asks.
    """
    if not event.is_published:
        return []
    base = (edition(), publication.looks)
    with override(settings.LANGUAGE_CODE):
        tournaments = list(event.tournaments.select_related("event", "clock").order_by("name"))
        now = _stamp(*base, marks.outcomes_mark(event.pk), *(clock_of(each).state for each in tournaments))
        pages = [Wanted(_path("event", event), now)]
        if OverallVersion.objects.filter(palio__event=event).exists():
            pages += [Wanted(_path(name, event), now) for name in ("palio", "palio-projector")]
        for tournament in tournaments:
            pages += _of_tournament(event, tournament, now)
        for tournament in tournaments:
            if tournament.status in SHOWN:
                pages += _played(event, tournament, (*base, tournament.version))
    return pages


def _of_tournament(event: Event, tournament: Tournament, now: str) -> Iterator[Wanted]:
    subject = find_subject(event.slug, tournament.slug)
    names = ["standings", "matches", "projector", "outlook"]
    if tournament.has_bracket:
        names.append("bracket")
    for name in names:
        yield Wanted(_path(name, event, tournament.slug), _stamp(now, subject.stamp, subject.outlook))
    yield Wanted(_path("rules", event, tournament.slug), _stamp(now, tournament.version))


def _played(event: Event, tournament: Tournament, base: tuple[object, ...]) -> Iterator[Wanted]:
    """Matches in which nobody is playing, and their games that are over."""
    entries = Sum("match_games__game__version")
    on = Q(match_games__game__version__gt=0, match_games__game__is_over=False)
    matches: Any = (
        Match.objects.filter(stage__tournament=tournament)
        .annotate(on=Count("match_games", filter=on), entries=entries)
        .filter(on=0)
        .order_by("stage__number", "round", "wave", "pk")
        .values_list("pk", "version", "table", "entries")
    )
    games = defaultdict(list)
    over = MatchGame.objects.filter(match__stage__tournament=tournament, game__is_over=True)
    for match, game in over.order_by("match", "number").values_list("match", "game"):
        games[match].append(game)
    for match, *seen in matches:
        stamp = _stamp(*base, *seen)
        yield Wanted(_path("match", event, tournament.slug, match), stamp)
        for game in games[match]:
            yield Wanted(_path("game", event, tournament.slug, game), stamp)


def _path(name: str, event: Event, *args: str | UUID) -> str:
    return reverse(f"publishing:{name}", args=[event.slug, *args])


def _stamp(*seen: object) -> str:
    return hashlib.sha256("\n".join(map(str, seen)).encode()).hexdigest()[:32]
