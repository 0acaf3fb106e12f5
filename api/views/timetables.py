"""The timetable: read by everybody, changed and worked out by the organizer."""

from dataclasses import asdict, dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.problems import Problem
from api.schema import describes
from api.shapes.entries import NothingBody
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
from api.subjects import EVENT, MATCH, nothing_here
from people.access import declares, organizes, reads_event
from people.models import Event
from tournaments.commands import timetable as actions
from tournaments.commands import timetable_work
from tournaments.models import Match, Timetable, TimetableWork
from tournaments.queries.matches import load_matches
from tournaments.queries.timetable.agenda import Item, agenda, items
from tournaments.queries.timetable.delays import delay
from tournaments.queries.timetable.hours import hours_of_event
from tournaments.queries.timetable.problem import Ruler, placed, read, settings_of
from tournaments.scheduling.check import conflicts
from tournaments.settings.timetable import TimetableSettings

TAG = "timetables"


@dataclass(frozen=True)
class Shown:
    """A timetable as an answer holds it."""

    version: int
    settings: TimetableSettings
    places: list[Item]


class TimetableEndpoint(Endpoint):
    """The timetable of an event."""

    subject: Event

    def timetable(self) -> Response:
        """As it is now; draws that aren't published are the organizer's alone."""
        row = Timetable.objects.filter(pk=self.event.pk).first()
        found = agenda(self.event)
        if self.is_organizer:
            found = _all_items(self.event)
        shown = Shown(row.version if row else 0, settings_of(self.event), found)
        return self.answer(shown, TimetableShape, organizes=self.is_organizer)


@declares(reads_event, EVENT)
class TimetableDetail(TimetableEndpoint):
    """The timetable and its settings."""

    @describes("timetables_read", TAG, {200: TimetableShape}, summary="Read a timetable", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """All matches with hour and table, whether they are stored or follow from the draw."""
        return self.timetable()

    @declares(organizes)
    @describes(
        "timetables_update",
        TAG,
        {200: TimetableShape},
        request=TimetableSettingsBody,
        problems=[409],
        summary="Change a timetable's settings",
        etag=True,
    )
    def patch(self, request: Request, **_kwargs: Any) -> Response:
        """Places stay as they are until it is worked out anew."""
        values = self.body(TimetableSettingsBody)
        expected = values.pop("expected_version", None)
        actions.set_timetable(self.event, self.actor, values, expected_version=expected)
        return self.timetable()


@declares(organizes, EVENT)
class TimetableConflicts(TimetableEndpoint):
    """What is wrong with a timetable."""

    @describes("timetables_conflicts", TAG, {200: ConflictShape(many=True)}, summary="List conflicts")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Of all matches that aren't over, where the timetable or the draw has them."""
        given = read(self.event)
        found = conflicts(given.problem, placed(given, hours_of_event(self.event)))
        return Response(ConflictShape(found, many=True).data)


@declares(organizes, EVENT)
class TimetableDelay(TimetableEndpoint):
    """A delay."""

    @describes(
        "timetables_delay",
        TAG,
        {200: TimetableShape},
        request=DelayBody,
        summary="Apply a delay",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """What follows shifts as far as it must, nothing else."""
        body = self.body(DelayBody)
        found = delay(self.event, body["since"], body["minutes"], body.get("table"))
        timetable_work.store(
            found.given,
            self.actor,
            found.after.placements,
            kind="delayed",
            expected_version=body.get("expected_version"),
        )
        return self.timetable()


@declares(organizes, EVENT)
class TimetableUndo(TimetableEndpoint):
    """Taking back."""

    @describes(
        "timetables_undo",
        TAG,
        {200: TimetableShape},
        request=TimetableChangeBody,
        summary="Take the last change back",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Once more, the one before it."""
        actions.undo_change(self.event, self.actor, **self.body(TimetableChangeBody))
        return self.timetable()


@declares(organizes, EVENT)
class TimetableClearing(TimetableEndpoint):
    """Dropping a timetable."""

    @describes(
        "timetables_clear",
        TAG,
        {200: TimetableShape},
        request=TimetableChangeBody,
        summary="Drop a timetable",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Hours and tables are those of the draw again; what is over stays. It can be taken back."""
        actions.clear_timetable(self.event, self.actor, **self.body(TimetableChangeBody))
        return self.timetable()


class PlaceEndpoint(Endpoint):
    """The place of one match."""

    subject: Match

    def place(self) -> Response:
        """As it is now."""
        found = next((each for each in _all_items(self.event) if each.match.id == self.subject.pk), None)
        if found is None:
            raise nothing_here()
        return self.answer(found, PlaceShape, organizes=self.is_organizer)


def _all_items(event: Event) -> list[Item]:
    """All matches of an event, also those of draws that aren't published."""
    matches = load_matches(Match.objects.filter(stage__tournament__event=event))
    return items(event, matches, hours_of_event(event), timezone.now())


@declares(reads_event, MATCH)
class MatchPlace(PlaceEndpoint):
    """When and where a match is played."""

    @describes("places_read", TAG, {200: PlaceShape}, summary="Read a match's place", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """As the timetable says, or as it follows from the draw."""
        return self.place()

    @declares(organizes)
    @describes(
        "places_update",
        TAG,
        {200: PlaceShape},
        request=PlaceBody,
        problems=[409],
        summary="Change a match's place",
        etag=True,
    )
    def patch(self, request: Request, **_kwargs: Any) -> Response:
        """A table that is taken then, and a referee of a team that plays, are refused (409)."""
        body = self.body(PlaceBody)
        expected = body.pop("expected_version", None)
        actions.change_place(self.subject, self.actor, expected_version=expected, **body)
        return self.place()


@declares(organizes, MATCH)
class MatchSwap(PlaceEndpoint):
    """Two matches that change places."""

    @describes(
        "places_swap",
        TAG,
        {200: PlaceShape},
        request=SwapBody,
        summary="Swap two matches",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Hour and table go over; each keeps its referee."""
        body = self.body(SwapBody)
        other = Match.objects.select_related("stage__tournament__event").filter(
            pk=body["other"], stage__tournament__event=self.event
        )
        found = other.first()
        if found is None:
            raise Problem(422, "unknown-match", _("The event has no such match."))
        actions.swap_matches(self.subject, found, self.actor, expected_version=body.get("expected_version"))
        return self.place()


class WorkEndpoint(Endpoint):
    """A timetable that is worked out."""

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


@declares(organizes, EVENT)
class Work(WorkEndpoint):
    """What was asked for last."""

    @describes(
        "timetable_work_read", TAG, {200: TimetableWorkShape}, summary="Read how far the work is", etag=True
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """404 before anything was asked for."""
        return self.work(timetable_work.newest(self.event))

    @describes(
        "timetable_work_start",
        TAG,
        {202: TimetableWorkShape},
        request=NothingBody,
        summary="Have a timetable worked out",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """In the background, by the settings as they are; ask how far it is. The former proposal goes."""
        self.body(NothingBody)
        return self.work(timetable_work.ask(self.event, self.actor), 202)


@declares(organizes, EVENT)
class WorkStop(WorkEndpoint):
    """Stopping the work."""

    @describes(
        "timetable_work_stop",
        TAG,
        {200: TimetableWorkShape},
        request=NothingBody,
        summary="Stop the work",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """What was found so far is the proposal; without any, it is cancelled."""
        self.body(NothingBody)
        return self.work(timetable_work.stop(self.event))


@declares(organizes, EVENT)
class WorkKeep(WorkEndpoint):
    """Keeping a proposal."""

    @describes(
        "timetable_work_keep",
        TAG,
        {200: TimetableWorkShape},
        request=NothingBody,
        summary="Keep the proposal",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Refused where the timetable was changed since it was asked for (409)."""
        self.body(NothingBody)
        return self.work(timetable_work.keep(self.event, self.actor))


@declares(organizes, EVENT)
class WorkRemedy(WorkEndpoint):
    """Making it fit."""

    @describes(
        "timetable_work_remedy",
        TAG,
        {202: TimetableWorkShape},
        request=RemedyBody,
        summary="Apply what would make it fit",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """One of the changes that the last answer named; then it is worked out anew."""
        return self.work(timetable_work.ask_with(self.event, self.actor, **self.body(RemedyBody)), 202)
