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
from publishing.views.palio import find_palio, screens_of_palio
from publishing.views.projector import screens_of
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
    What is asked by a question (`?at=`, `?step=`) is made when somebody asks it.
    """
    if not event.is_published:
        return []
    base = (edition(), publication.looks)
    with override(settings.LANGUAGE_CODE):
        tournaments = list(event.tournaments.select_related("event", "clock").order_by("name"))
        now = _stamp(*base, marks.outcomes_mark(event.pk), *(clock_of(each).state for each in tournaments))
        pages = [Wanted(_path("event", event), now)]
        pages += _palio(event, now)
        for tournament in tournaments:
            pages += _of_tournament(event, tournament, now)
        for tournament in tournaments:
            if tournament.status in SHOWN:
                pages += _played(event, tournament, (*base, tournament.version))
    return pages


def _palio(event: Event, now: str) -> Iterator[Wanted]:
    if not OverallVersion.objects.filter(palio__event=event).exists():
        return
    yield Wanted(_path("palio", event), now)
    yield Wanted(_path("palio-projector", event), now)
    for screen in range(1, screens_of_palio(find_palio(event.slug)) + 1):
        yield Wanted(_path("palio-screen", event, screen), now)


def _of_tournament(event: Event, tournament: Tournament, now: str) -> Iterator[Wanted]:
    subject = find_subject(event.slug, tournament.slug)
    stamp = _stamp(now, subject.stamp, subject.outlook)
    names = ["standings", "matches", "projector", "outlook"]
    if tournament.has_bracket:
        names.append("bracket")
    for name in names:
        yield Wanted(_path(name, event, tournament.slug), stamp)
    for screen in range(1, screens_of(subject) + 1):
        yield Wanted(_path("screen", event, tournament.slug, screen), stamp)
    yield Wanted(_path("rules", event, tournament.slug), _stamp(now, tournament.version))
    if subject.is_shown:
        rounds = Match.objects.filter(stage__tournament=tournament).order_by("-round").values("round")
        for number in rounds.distinct().values_list("round", flat=True):
            yield Wanted(_path("round", event, tournament.slug, number), stamp)
        for number in event.teams.values_list("number", flat=True):
            yield Wanted(_path("team", event, tournament.slug, number), stamp)


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


def _path(name: str, event: Event, *args: str | int | UUID) -> str:
    return reverse(f"publishing:{name}", args=[event.slug, *args])


def _stamp(*seen: object) -> str:
    return hashlib.sha256("\n".join(map(str, seen)).encode()).hexdigest()[:32]
