"""The timetable: read by everybody, changed and worked out by the organizer."""

from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import EVENT, MATCH, nothing_here
from api.problems import Problem
from api.schema import changes, lists, reads
from api.shapes.timetables import (
    ConflictShape,
    DelayBody,
    PlaceBody,
    PlaceShape,
    RemedyBody,
    SwapBody,
    TimetableChangeBody,
    TimetableSettingsBody,
    TimetableShape,
    TimetableWorkShape,
)
from people.access import declares, organizes, reads_event
from people.models import Event
from tournaments.commands import timetable as actions
from tournaments.commands import timetable_work
from tournaments.models import Match, Timetable, TimetableWork
from tournaments.queries.matches import load_matches
from tournaments.queries.timetable.agenda import Item, agenda, items
from tournaments.queries.timetable.delay_preview import delay
from tournaments.queries.timetable.match_starts import hours_of_event
from tournaments.queries.timetable.problem import Ruler, placed, read, settings_of
from tournaments.scheduling.check import conflicts
from tournaments.settings.timetable import TimetableSettings

TAG = "timetables"


@declares(organizes, EVENT)
class TimetableDetail(Endpoint):
    """The timetable of an event, and its settings."""

    subject: Event

    def current(self) -> Response:
        """As it is now; draws that aren't published are the organizer's alone."""
        row = Timetable.objects.filter(pk=self.event.pk).first()
        shown = {
            "version": row.version if row else 0,
            "settings": settings_of(self.event),
            "places": _all_items(self.event) if self.is_organizer else agenda(self.event),
        }
        return self.answer(shown, TimetableShape, organizes=self.is_organizer)

    @declares(reads_event)
    @reads("timetables_read", TAG, TimetableShape, "Read a timetable")
    def read(self) -> None:
        """All matches with hour and table, whether they are stored or follow from the draw."""

    @changes(
        "timetables_update",
        TAG,
        TimetableShape,
        "Change a timetable's settings",
        TimetableSettingsBody,
        once=False,
        problems=[409],
    )
    def update(self, expected_version: int | None = None, **values: Any) -> None:
        """Places stay as they are until it is worked out anew."""
        actions.set_timetable(self.event, self.actor, values, expected_version=expected_version)

    @lists("timetables_conflicts", TAG, ConflictShape, "List conflicts", in_pages=False)
    def list_conflicts(self) -> Response:
        """Of all matches that aren't over, where the timetable or the draw has them."""
        given = read(self.event)
        found = conflicts(given.problem, placed(given, hours_of_event(self.event)))
        return Response(ConflictShape(found, many=True).data)

    @changes("timetables_delay", TAG, TimetableShape, "Apply a delay", DelayBody)
    def delay(
        self, since: datetime, minutes: int, table: int | None = None, expected_version: int | None = None
    ) -> None:
        """What follows shifts as far as it must, nothing else."""
        found = delay(self.event, since, minutes, table)
        timetable_work.store(
            found.given,
            self.actor,
            found.after.placements,
            kind="delayed",
            expected_version=expected_version,
        )

    @changes("timetables_undo", TAG, TimetableShape, "Take the last change back", TimetableChangeBody)
    def undo(self, **said: Any) -> None:
        """Once more, the one before it."""
        actions.undo_change(self.event, self.actor, **said)

    @changes("timetables_clear", TAG, TimetableShape, "Drop a timetable", TimetableChangeBody)
    def clear(self, **said: Any) -> None:
        """Hours and tables are those of the draw again; what is over stays. It can be taken back."""
        actions.clear_timetable(self.event, self.actor, **said)


def _all_items(event: Event) -> list[Item]:
    """All matches of an event, also those of draws that aren't published."""
    matches = load_matches(Match.objects.filter(stage__tournament__event=event))
    return items(event, matches, hours_of_event(event), timezone.now())


@declares(organizes, MATCH)
class MatchPlace(Endpoint):
    """When and where a match is played."""

    subject: Match

    def current(self) -> Response:
        """As it is now."""
        found = next((each for each in _all_items(self.event) if each.match.id == self.subject.pk), None)
        if found is None:
            raise nothing_here()
        return self.answer(found, PlaceShape, organizes=self.is_organizer)

    @declares(reads_event)
    @reads("places_read", TAG, PlaceShape, "Read a match's place")
    def read(self) -> None:
        """As the timetable says, or as it follows from the draw."""

    @changes(
        "places_update", TAG, PlaceShape, "Change a match's place", PlaceBody, once=False, problems=[409]
    )
    def update(self, expected_version: int | None = None, **changed: Any) -> None:
        """A table that is taken then, and a referee of a team that plays, are refused (409)."""
        actions.change_place(self.subject, self.actor, expected_version=expected_version, **changed)

    @changes("places_swap", TAG, PlaceShape, "Swap two matches", SwapBody)
    def swap(self, other: UUID, expected_version: int | None = None) -> None:
        """Hour and table go over; each keeps its referee."""
        rows = Match.objects.select_related("stage__tournament__event")
        found = rows.filter(pk=other, stage__tournament__event=self.event).first()
        if found is None:
            raise Problem(422, "unknown-match", _("The event has no such match."))
        actions.swap_matches(self.subject, found, self.actor, expected_version=expected_version)


@declares(organizes, EVENT)
class Work(Endpoint):
    """A timetable that is worked out: what was asked for last."""

    subject: Event

    def work(self, row: TimetableWork | None, status: int = 200) -> Response:
        """How far it is, and what came of it."""
        if row is None:
            raise nothing_here()
        answer, progress = row.answer, row.progress
        ruler = Ruler.of(self.event)
        shown = {
            "id": row.pk,
            "status": row.status,
            "asked_at": row.asked_at,
            "is_on": timetable_work.is_on(row),
            "step": progress.get("step"),
            "placed": progress.get("placed", 0),
            "of": progress.get("of", 0),
            "method": answer.get("method"),
            "is_best": answer.get("is_best"),
            "places": [
                {**each, "begins_at": ruler.moment(each["start"])} for each in answer.get("placements", ())
            ],
            **self._figures(row, ruler),
            "cause": answer.get("cause"),
            "remedies": answer.get("remedies", ()),
        }
        return self.answer(shown, TimetableWorkShape, status)

    def _figures(self, row: TimetableWork, ruler: Ruler) -> dict[str, Any]:
        """The figures before and after, of a proposal."""
        if row.status != TimetableWork.Status.FOUND:
            return {"before": None, "after": None, "worse": []}
        given = read(self.event, TimetableSettings.from_json(row.settings), anew=True)
        found = timetable_work.compare(given, timetable_work.proposed(row))
        return {
            **{
                name: {**asdict(each), "end": ruler.moment(each.end)}
                for name, each in (("before", found.before), ("after", found.after))
            },
            "worse": [{"figure": figure.value, "by": by} for figure, by in found.worse().items()],
        }

    @reads("timetable_work_read", TAG, TimetableWorkShape, "Read how far the work is")
    def read(self) -> Response:
        """404 before anything was asked for."""
        return self.work(timetable_work.newest(self.event))

    @changes("timetable_work_start", TAG, TimetableWorkShape, "Have a timetable worked out", status=202)
    def start(self) -> Response:
        """In the background, by the settings as they are; ask how far it is. The former proposal goes."""
        return self.work(timetable_work.ask(self.event, self.actor), 202)

    @changes("timetable_work_stop", TAG, TimetableWorkShape, "Stop the work")
    def stop(self) -> Response:
        """What was found so far is the proposal; without any, it is cancelled."""
        return self.work(timetable_work.stop(self.event))

    @changes("timetable_work_keep", TAG, TimetableWorkShape, "Keep the proposal")
    def keep(self) -> Response:
        """Refused where the timetable was changed since it was asked for (409)."""
        return self.work(timetable_work.keep(self.event, self.actor))

    @changes(
        "timetable_work_remedy",
        TAG,
        TimetableWorkShape,
        "Apply what would make it fit",
        RemedyBody,
        status=202,
    )
    def apply_remedy(self, **remedy: Any) -> Response:
        """One of the changes that the last answer named; then it is worked out anew."""
        return self.work(timetable_work.ask_with(self.event, self.actor, **remedy), 202)
