"""Pages of an event that are published, and what each of them depends on."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import override

from people.models import Event
from publishing.live_marks import live
from publishing.models import Publication
from publishing.place_history import day_of_tournament
from publishing.responses import edition
from publishing.rounds import round_states
from publishing.subjects import PageSubject, find_subject
from publishing.teams import stamps_of_teams
from publishing.timetable import at_table, hours_of, of_team, planned_of
from publishing.views.matches import chosen_round, round_stamp
from publishing.views.outlook import outlook_stamp
from publishing.views.palio import find_palio, screens_of_palio
from publishing.views.place_history import day_stamp, palio_day_of
from publishing.views.projector import screens_of
from publishing.views.standings import standings_stamp
from tournaments.models import Match, MatchGame, OverallVersion, Tournament
from tournaments.queries.change_marks import match_parts
from tournaments.queries.clocks import clock_of
from tournaments.queries.matches import BEGUN, is_outdated
from tournaments.queries.timetable.match_starts import Hours
from tournaments.queries.timetable.planned import Planned


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page that is to be published; written again when its stamp is another one."""

    path: str
    stamp: str


def list_pages(event: Event, publication: Publication) -> list[ListedPage]:
    """The pages of a published event, those first that most people look at; none of any other.

    Pages on which somebody is writing are not among them: a match or a game while it is played, card by card.
    Pages with a query string (`?at=`, `?step=`) aren't either: they are rendered for each request.
    """
    if not event.is_published:
        return []
    base = _base(publication)
    with override(settings.LANGUAGE_CODE):
        tournaments = list(event.tournaments.select_related("event", "clock").order_by("name"))
        clocks = (clock_of(each).state for each in tournaments)
        now = _stamp(*base, live("outcomes", event.pk)["mark"], *clocks)
        subjects = [find_subject(event.slug, each.slug) for each in tournaments]
        return [
            *(_standings(each, base) for each in subjects),
            ListedPage(reverse("publishing:event", args=[event.slug]), now),
            *_palio(event, base),
            *(page for each in subjects for page in _overview(each, base)),
            *_teams(event, base),
            *_timetable(event, tournaments, base),
            *_played(event, subjects, base),
        ]


def standings_pages(event: Event, publication: Publication) -> list[ListedPage]:
    """Of these pages each tournament's standings and outlook, which have to be of one version.

    It costs few queries.
    """
    if not event.is_published:
        return []
    with override(settings.LANGUAGE_CODE):
        slugs = event.tournaments.order_by("name").values_list("slug", flat=True)
        subjects = [find_subject(event.slug, slug) for slug in slugs]
        base = _base(publication)
        return [page for each in subjects for page in (_standings(each, base), _outlook(each, base))]


def _base(publication: Publication) -> tuple[object, ...]:
    return edition(), publication.looks


def _standings(subject: PageSubject, base: tuple[object, ...]) -> ListedPage:
    return ListedPage(_path("standings", subject), _stamp(*base, standings_stamp(subject)))


def _outlook(subject: PageSubject, base: tuple[object, ...]) -> ListedPage:
    return ListedPage(_path("outlook", subject), _stamp(*base, outlook_stamp(subject)))


def _palio(event: Event, base: tuple[object, ...]) -> Iterator[ListedPage]:
    if not OverallVersion.objects.filter(palio__event=event).exists():
        return
    subject = find_palio(event.slug)
    stamp = _stamp(*base, subject.stamp)
    for name in ("palio", "palio-projector"):
        yield ListedPage(reverse(f"publishing:{name}", args=[event.slug]), stamp)
    day = _stamp(*base, day_stamp(subject.looks, palio_day_of(subject)))
    yield ListedPage(reverse("publishing:palio-day", args=[event.slug]), day)
    for screen in range(1, screens_of_palio(subject) + 1):
        yield ListedPage(reverse("publishing:palio-screen", args=[event.slug, screen]), stamp)


def _overview(subject: PageSubject, base: tuple[object, ...]) -> Iterator[ListedPage]:
    """What shows the whole tournament at once, and its rounds, the one that is on first."""
    states = round_states(subject.tournament) if subject.is_shown else []
    rounds = {each.number: _stamp(*base, round_stamp(subject, each.number, states)) for each in states}
    on = chosen_round(None, states)
    here = _stamp(*base, round_stamp(subject, on, states))
    yield ListedPage(_path("matches", subject), here)
    stamp = _stamp(*base, subject.stamp)
    yield ListedPage(_path("projector", subject), stamp)
    for screen in range(1, screens_of(subject) + 1):
        yield ListedPage(_path("screen", subject, screen), stamp)
    if subject.tournament.has_bracket:
        yield ListedPage(_path("bracket", subject), stamp)
    if subject.is_shown:
        day = _stamp(*base, day_stamp(subject.base, day_of_tournament(subject)))
        yield ListedPage(_path("day", subject), day)
    yield _outlook(subject, base)
    yield ListedPage(_path("rules", subject), _stamp(*base, subject.base))
    for number in sorted(rounds, reverse=True):
        yield ListedPage(_path("round", subject, number), rounds[number])


def _teams(event: Event, base: tuple[object, ...]) -> Iterator[ListedPage]:
    for number, stamp in stamps_of_teams(event).items():
        yield ListedPage(reverse("publishing:team", args=[event.slug, number]), _stamp(*base, stamp))


def _timetable(event: Event, tournaments: list[Tournament], base: tuple[object, ...]) -> Iterator[ListedPage]:
    """The timetable of all, of each team and table; for calendars too, where it doesn't matter how a match
    stands. Each stands on its own matches.
    """
    rows = planned_of(event, tournaments)
    tables = sorted({row.table for row in rows})
    # On each page one chooses among all teams and tables.
    base = (*base, [each.status for each in tournaments], tables)
    parts: list[tuple[str, list[int], list[Planned]]] = [
        ("timetable", [], rows),
        *(("team", [team.number], of_team(rows, team)) for team in event.teams.order_by("number")),
        *(("table", [number], at_table(rows, number)) for number in tables),
    ]
    for kind, numbers, chosen in parts:
        places = [(row.match, row.hour, row.table, row.written) for row in chosen]
        states = [(row.state, row.seen) for row in chosen]
        page = "timetable" if kind == "timetable" else f"{kind}-timetable"
        yield ListedPage(
            reverse(f"publishing:{page}", args=[event.slug, *numbers]), _stamp(*base, places, states)
        )
        yield ListedPage(
            reverse(f"publishing:{kind}-feed", args=[event.slug, *numbers]), _stamp(*base, places)
        )


def _played(event: Event, subjects: list[PageSubject], base: tuple[object, ...]) -> Iterator[ListedPage]:
    """Matches in which nobody is playing, and their games that are over."""
    begins = hours_of(event, [each.tournament for each in subjects])
    for subject in subjects:
        if subject.is_shown:
            yield from _played_of(subject, begins, base)


def _played_of(subject: PageSubject, begins: Hours, base: tuple[object, ...]) -> Iterator[ListedPage]:
    tournament = subject.tournament
    parts = match_parts()
    matches: Any = (
        Match.objects.filter(stage__tournament=tournament)
        .annotate(on=Count("match_games", filter=BEGUN & Q(match_games__game__is_over=False)), **parts)
        .filter(on=0)
        .order_by("stage__number", "round", "wave", "pk")
        .values("pk", *parts)
    )
    games = defaultdict(list)
    over = MatchGame.objects.filter(match__stage__tournament=tournament, game__is_over=True)
    for match, game in over.order_by("match", "number").values_list("match", "game"):
        games[match].append(game)
    for seen in matches:
        match = seen["pk"]
        seen["outdated"] = is_outdated(match, seen["outdated"])
        # Also that of a match that has no place follows from those of the matches before it.
        hour = begins.get(match)
        stamp = _stamp(*base, hour and hour.begins_at, seen)
        yield ListedPage(_path("match", subject, match), stamp)
        for game in games[match]:
            yield ListedPage(_path("game", subject, game), stamp)


def _path(name: str, subject: PageSubject, *args: int | UUID) -> str:
    return reverse(f"publishing:{name}", args=[subject.event.slug, subject.tournament.slug, *args])


def _stamp(*seen: object) -> str:
    return hashlib.sha256("\n".join(map(str, seen)).encode()).hexdigest()[:32]
