"""The palio: its teams with their banners, and how far its tournaments are."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Max, OuterRef, Subquery
from django.http import HttpResponse

from people.access import EventRequest, event_by_slug, reads_event, requires
from people.models import Event
from publishing.answers import page
from publishing.freshness import live
from publishing.overall import lines
from publishing.overall import steps as steps_of_overall
from publishing.rows import Names, Row, Step, rows, steps
from publishing.squads import ranked_squads
from publishing.subjects import SHOWN
from tournaments.clocks import ClockView, clock_of
from tournaments.models import Stage, Standing, StandingsVersion, Tournament
from tournaments.palio.reading import overall_table
from tournaments.reading import StandingsTable

TOP = 3


@dataclass(frozen=True, slots=True)
class Progress:
    """A tournament on the event's page: the first rows of its standings, or its steps once it is closed.

    `round` is the one that is on, None where all are played or nothing is drawn.
    """

    tournament: Tournament
    clock: ClockView
    version: StandingsVersion | None
    rounds: int
    top: list[Row]
    steps: list[Step]

    @property
    def is_drawn(self) -> bool:
        """Whether the draw is published."""
        return self.tournament.status in SHOWN

    @property
    def is_closed(self) -> bool:
        """Whether its standings are final."""
        return self.version is not None and self.version.is_final

    @property
    def round(self) -> int | None:
        """The round that is on."""
        complete = self.version.rounds_played if self.version else 0
        return complete + 1 if self.is_drawn and complete < self.rounds else None


@requires(reads_event, event_by_slug)
def event(request: EventRequest, event_slug: str) -> HttpResponse:
    """The event's page; seven queries, however many teams and tournaments there are, a palio six more."""
    event = request.event
    fresh = live("outcomes", event.pk)
    tournaments = progress(event)
    overall = overall_table(event)
    context = {
        **fresh,
        "teams": list(event.teams.all()),
        "tournaments": tournaments,
        "is_drawn": any(each.is_drawn for each in tournaments),
        "overall": overall,
        "overall_lines": lines(overall)[:TOP] if overall else [],
        "overall_steps": steps_of_overall(overall) if overall else [],
    }
    return page(request, event, "publishing/event.html", context)


def progress(event: Event) -> list[Progress]:
    """The event's tournaments with their newest standings; three queries, where squads are ranked four."""
    drawn: Any = event.tournaments.select_related("clock").annotate(
        rounds=Max("stages__matches__round"),
        stage_format=Subquery(
            Stage.objects.filter(tournament=OuterRef("pk")).order_by("-number").values("format")[:1]
        ),
    )
    newest = StandingsVersion.objects.filter(tournament=OuterRef("tournament")).order_by("-number")
    versions = {
        version.tournament_id: version
        for version in StandingsVersion.objects.filter(
            tournament__event=event, number=Subquery(newest.values("number")[:1])
        )
    }
    standings: dict[UUID, list[Standing]] = defaultdict(list)
    ranked = Standing.objects.filter(version__in=list(versions.values())).select_related("team", "squad")
    for row in ranked.order_by("version", "position"):
        standings[row.version_id].append(row)
    of_squads = [id_ for id_, ranks in standings.items() if any(row.squad_id for row in ranks)]
    squads = ranked_squads(event, of_squads) if of_squads else {}
    return [
        _progress(tournament, versions.get(tournament.pk), standings, squads)
        for tournament in drawn.order_by("name")
    ]


def _progress(
    tournament: Any,
    version: StandingsVersion | None,
    standings: dict[UUID, list[Standing]],
    squads: dict[UUID, str],
) -> Progress:
    top: list[Row] = []
    first: list[Step] = []
    if version is not None and tournament.status in SHOWN:
        table = StandingsTable(version, tuple(standings[version.pk]), {})
        names = Names.of(table.rows, squads)
        # While groups are played, or a knockout runs, nobody is among the first of all.
        ranked = rows(table, names, tournament.stage_format or "") if not version.groups else []
        top = [row for row in ranked[:TOP] if not row.is_in]
        first = steps(table, names)
    return Progress(tournament, clock_of(tournament), version, tournament.rounds or 0, top, first)
