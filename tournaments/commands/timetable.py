"""Commands: change an event's timetable, its settings and the place of each match, and take changes back."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Self
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from people import audit
from people.actors import Actor
from people.models import AuditEntry, Event, Referee
from people.refusals import Refused
from tournaments.commands.versioned_rows import expect_version, store_row
from tournaments.facts.locks import lock
from tournaments.models import (
    Clock,
    Match,
    MatchSide,
    Place,
    Table,
    Timetable,
    TimetableChange,
    Tournament,
)
from tournaments.projections.drawn_rows import apply_places
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.matches import load_matches
from tournaments.queries.timetable.match_starts import Hour, hours
from tournaments.queries.timetable.problem import default_settings
from tournaments.settings.timetable import TimetableSettings

MOST_CHANGES = 30
"""So many changes can be taken back."""
_BATCH = 500


@dataclass(frozen=True, slots=True)
class At:
    """Where and when a match is played; table and referee are ids."""

    begins_at: datetime
    minutes: int
    table: UUID
    referee: UUID | None = None
    is_locked: bool = False

    @classmethod
    def of(cls, place: Place) -> Self:
        """As it is stored."""
        return cls(place.begins_at, place.minutes, place.table_id, place.referee_id, place.is_locked)

    @classmethod
    def drawn(cls, hour: Hour, table: UUID) -> Self:
        """As it follows from the draw."""
        return cls(hour.begins_at, int((hour.ends_at - hour.begins_at) / timedelta(minutes=1)), table)

    @property
    def ends_at(self) -> datetime:
        """When it is over."""
        return self.begins_at + timedelta(minutes=self.minutes)

    def as_json(self) -> dict[str, Any]:
        """As a change keeps it."""
        return {
            "begins_at": self.begins_at.isoformat(),
            "minutes": self.minutes,
            "table": str(self.table),
            "referee": str(self.referee) if self.referee else None,
            "is_locked": self.is_locked,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """As a change keeps it."""
        return cls(
            datetime.fromisoformat(value["begins_at"]),
            value["minutes"],
            UUID(value["table"]),
            UUID(value["referee"]) if value["referee"] else None,
            value["is_locked"],
        )


Places = Mapping[UUID, At | None]
"""Matches by their ids with their places; None for none."""


@transaction.atomic
def set_timetable(
    event: Event, actor: Actor, values: Mapping[str, Any], *, expected_version: int | None = None
) -> Timetable:
    """Change some of the settings; places stay. Raises `Refused("invalid-settings")`."""
    timetable = _locked(event, actor, expected_version)
    base = TimetableSettings.from_json(timetable.settings, default_settings(event))
    settings = TimetableSettings.from_json(values, base).as_json()
    if settings != timetable.settings:
        audit.change(timetable, actor, event.pk, {"settings": settings, "version": timetable.version + 1})
    return timetable


@transaction.atomic
def keep_places(
    event: Event,
    actor: Actor,
    places: Places,
    *,
    kind: str = "kept",
    expected_version: int | None = None,
) -> Timetable:
    """Store places as they are given; matches that aren't named stay where they are.

    Raises `Refused` for a match that isn't to be played, a referee of a team that plays, or a table that is
    taken. Raises `ConflictError` where somebody else has changed the timetable since `expected_version`.
    """
    timetable = _locked(event, actor, expected_version)
    _write(timetable, actor, kind, places)
    return timetable


@transaction.atomic
def change_place(
    match: Match, actor: Actor, *, expected_version: int | None = None, **values: Any
) -> Timetable:
    """Change some of a match's place: `begins_at`, `table` (a number), `referee` (an id or None) and
    `is_locked`, all or nothing. Raises as `keep_places` does; a referee of a team that plays is `own-team`.
    """
    event = match.stage.tournament.event
    timetable = _locked(event, actor, expected_version)
    frozen = _frozen(match.stage.tournament)
    if "table" in values:
        values["table"] = _table(event, values["table"]).pk
    if "begins_at" in values:
        values["begins_at"] = values["begins_at"].replace(second=0, microsecond=0)
    _write(timetable, actor, _kind_of(values), {**frozen, match.pk: replace(_at(match, frozen), **values)})
    return timetable


def _kind_of(values: Mapping[str, Any]) -> str:
    """The kind of a change of these values, by which it is named when it is taken back."""
    match list(values):
        case ["referee"]:
            return "referee"
        case ["is_locked"]:
            return "locked" if values["is_locked"] else "unlocked"
    return "moved"


@transaction.atomic
def swap_matches(
    match: Match, other: Match, actor: Actor, *, expected_version: int | None = None
) -> Timetable:
    """Let two matches change hours and tables; each keeps its referee, where that still may be."""
    event = match.stage.tournament.event
    timetable = _locked(event, actor, expected_version)
    frozen = {**_frozen(match.stage.tournament), **_frozen(other.stage.tournament)}
    one, two = _at(match, frozen), _at(other, frozen)
    _write(
        timetable,
        actor,
        "swapped",
        {
            **frozen,
            match.pk: replace(one, begins_at=two.begins_at, table=two.table),
            other.pk: replace(two, begins_at=one.begins_at, table=one.table),
        },
    )
    return timetable


@transaction.atomic
def unlock_matches(event: Event, actor: Actor) -> Timetable:
    """Let go of every match that is fixed and isn't over."""
    timetable = _locked(event, actor, None)
    fixed = Place.objects.filter(
        tournament__event=event, tournament__status__in=Tournament.DRAWN_NOT_CLOSED, is_locked=True
    ).exclude(pk__in=_done(event))
    freed = {each.pk: replace(At.of(each), is_locked=False) for each in fixed}
    _write(timetable, actor, "unlocked", freed)
    return timetable


@transaction.atomic
def clear_timetable(event: Event, actor: Actor, *, expected_version: int | None = None) -> Timetable:
    """Take the places away of what isn't over: hours are worked out from the draw again."""
    timetable = _locked(event, actor, expected_version)
    places = Place.objects.filter(tournament__event=event, tournament__status__in=Tournament.DRAWN_NOT_CLOSED)
    drawn = Match.objects.filter(pk__in=places.values("pk")).values_list("pk", flat=True)
    _write(timetable, actor, "cleared", dict.fromkeys(set(drawn) - _done(event)))
    return timetable


@transaction.atomic
def undo_change(event: Event, actor: Actor, *, expected_version: int | None = None) -> Timetable:
    """Take the last change back; once more, the one before it. Raises `Refused("nothing-to-undo")`."""
    timetable = _locked(event, actor, expected_version)
    last = last_change(event)
    if last is None:
        raise Refused("nothing-to-undo", _("There is no change left that could be taken back."))
    before = {UUID(id_): At.from_json(at) if at else None for id_, at in last.before.items()}
    # What was drawn anew, or played, since then stays.
    drawn = set(Match.objects.filter(pk__in=list(before)).values_list("pk", flat=True)) - _done(event)
    last.delete()
    _write(timetable, actor, "", {id_: at for id_, at in before.items() if id_ in drawn})
    return timetable


def last_change(event: Event) -> TimetableChange | None:
    """The change that would be taken back."""
    return TimetableChange.objects.filter(event=event).order_by("-version").first()


def _locked(event: Event, actor: Actor, expected_version: int | None) -> Timetable:
    """The event's timetable, which begins with its first change; locked until the transaction ends."""
    rows = Timetable.objects.select_for_update(no_key=True, of=("self",))
    timetable = rows.filter(pk=event.pk).first()
    if timetable is None:
        # Two that begin it at once: one waits here for the other.
        Event.objects.select_for_update().get(pk=event.pk)
        timetable, is_new = Timetable.objects.get_or_create(event=event)
        if is_new:
            audit.keep([audit.created(timetable, actor, event.pk)])
    expect_version(timetable, expected_version)
    timetable.event = event
    return timetable


def _write(timetable: Timetable, actor: Actor, kind: str, after: Places) -> None:
    """Store what is another place than before; `kind` "" if it isn't to be taken back."""
    event = timetable.event
    matches = {
        each.pk: each
        for each in Match.objects.filter(pk__in=list(after), stage__tournament__event=event).select_related(
            "stage"
        )
    }
    places = {each.pk: each for each in Place.objects.filter(pk__in=list(after))}
    was = {id_: At.of(places[id_]) if id_ in places else None for id_ in after}
    changes = {id_: at for id_, at in after.items() if was[id_] != at}
    if not changes:
        return
    tournaments = {each.stage.tournament_id for each in matches.values()}
    locked = [lock(each) for each in Tournament.objects.filter(pk__in=tournaments).order_by("pk")]
    _check(event, matches, was, changes, {each.pk: each for each in locked})
    now = timezone.now()
    timetable.version += 1
    timetable.changed_at = now
    timetable.save(update_fields=["version", "changed_at"])
    _store(timetable, actor, matches, places, changes, now)
    for tournament in locked:
        _apply(tournament, actor, without=None in changes.values())
    if kind:
        before = {str(id_): at.as_json() if (at := was[id_]) else None for id_ in changes}
        TimetableChange.objects.create(
            event=event, version=timetable.version, kind=kind, before=before, made_at=now
        )
        old = TimetableChange.objects.filter(event=event).order_by("-version")[MOST_CHANGES:]
        TimetableChange.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()


def _apply(tournament: Tournament, actor: Actor, *, without: bool) -> None:
    """Apply the places, and let the clock follow the matches that it was started for.

    It goes to the wave in which most of them are now, the first one if there are several.
    """
    clock = Clock.objects.filter(pk=tournament.pk).first()
    if clock is None:
        apply_places(tournament, without=without)
        return
    of_clock = Match.objects.filter(stage__tournament=tournament, round=clock.round, wave=clock.wave)
    started_for = list(of_clock.values_list("pk", flat=True))
    apply_places(tournament, without=without)
    waves = Counter(Match.objects.filter(pk__in=started_for).order_by().values_list("wave", flat=True))
    wave = min(waves, key=lambda each: (-waves[each], each), default=clock.wave)
    if wave != clock.wave:
        store_row(clock, actor, {"wave": wave})


def _store(
    timetable: Timetable,
    actor: Actor,
    matches: Mapping[UUID, Match],
    places: Mapping[UUID, Place],
    changes: Places,
    now: datetime,
) -> None:
    """The rows and their trail."""
    event_id = timetable.pk
    new: list[Place] = []
    other: list[Place] = []
    gone: list[UUID] = []
    trail: list[AuditEntry] = []
    for id_, at in changes.items():
        place = places.get(id_)
        if at is None:
            if place is not None:
                gone.append(id_)
                trail.append(audit.deleted(place, actor, event_id))
            continue
        before = audit.state_of(place) if place else None
        row = place or Place(match_id=id_, tournament_id=matches[id_].stage.tournament_id)
        if place is None or (place.begins_at, place.minutes, place.table_id) != (
            at.begins_at,
            at.minutes,
            at.table,
        ):
            row.sequence = timetable.version
        row.begins_at, row.minutes, row.table_id = at.begins_at, at.minutes, at.table
        row.referee_id, row.is_locked, row.changed_at = at.referee, at.is_locked, now
        (other if place else new).append(row)
        entry = (
            audit.created(row, actor, event_id)
            if before is None
            else audit.changed(row, before, actor, event_id)
        )
        trail += [entry] if entry else []
    Place.objects.filter(pk__in=gone).delete()
    Place.objects.bulk_create(new, batch_size=_BATCH)
    columns = ["begins_at", "minutes", "table", "referee", "is_locked", "sequence", "changed_at"]
    Place.objects.bulk_update(other, columns, batch_size=_BATCH)
    audit.keep(trail)


def _check(
    event: Event,
    matches: Mapping[UUID, Match],
    was: Places,
    changes: Places,
    tournaments: Mapping[UUID, Tournament],
) -> None:
    """Raise `Refused` for what can't be, whatever the organizer wants."""
    if changes.keys() - matches.keys():
        raise Refused("not-drawn", _("One of these matches isn’t drawn any more: load the page anew."))
    if any(each.status not in Tournament.DRAWN_NOT_CLOSED for each in tournaments.values()):
        raise Refused("wrong-status", _("The tournament is closed: its timetable doesn’t change any more."))
    done = _done(event)
    for id_, at in changes.items():
        if id_ not in done or at is None or (before := was[id_]) is None:
            continue
        if (before.begins_at, before.table) != (at.begins_at, at.table):
            raise Refused("match-over", _("This match is over: it stays where it was played."))
    _check_referees(event, changes)
    _check_tables(event, changes, done)


def _check_referees(event: Event, changes: Places) -> None:
    """Refuse a referee who isn't on the list, or who would judge the own team."""
    judged = {id_: at.referee for id_, at in changes.items() if at is not None and at.referee is not None}
    there = dict(Referee.objects.filter(event=event).values_list("pk", "team"))
    if not set(judged.values()) <= there.keys():
        raise Refused("unknown-referee", _("This referee isn’t on the event’s list."), status=422)
    sides = MatchSide.objects.filter(match__in=list(judged)).values_list("match", "squad__team")
    for match, team in sides:
        if there[judged[match]] == team:
            raise Refused(
                "own-team", _("A referee never judges the own team: choose another one for this match.")
            )


def _check_tables(event: Event, changes: Places, done: set[UUID]) -> None:
    """Refuse two matches at one table at once, unless one of them is over."""
    tables = set(event.tables.values_list("pk", flat=True))
    drawn = set(Match.objects.filter(stage__tournament__event=event).values_list("pk", flat=True))
    stored = Place.objects.filter(tournament__event=event)
    places: dict[UUID, At | None] = {each.pk: At.of(each) for each in stored if each.pk in drawn}
    listed = sorted(
        (
            (at.table, at.begins_at, id_, at)
            for id_, at in (places | dict(changes)).items()
            if at is not None and id_ not in done
        ),
        key=lambda each: each[:3],
    )
    for (table, _begins, id_, at), (next_table, begins, other, _at) in pairwise(listed):
        if table == next_table and begins < at.ends_at and (id_ in changes or other in changes):
            raise Refused(
                "table-taken", _("The table is taken then: choose another hour, or swap the two matches.")
            )
    if any(at is not None and at.table not in tables for at in changes.values()):
        raise Refused("unknown-table", _("There is no such table at this event."), status=422)


def _done(event: Event) -> set[UUID]:
    """The matches that are over."""
    begun = Match.objects.filter(stage__tournament__event=event, match_games__game__is_over=True).distinct()
    return {match.id for match in load_matches(begun) if match.progress is MatchProgress.DONE}


def _frozen(tournament: Tournament) -> dict[UUID, At]:
    """The places that the draw gives all matches of a tournament of which none has a stored place yet.

    They are stored with the first one that is moved, so that it doesn't move the others.
    """
    if tournament.places.exists():
        return {}
    found = hours(tournament)
    rows = Match.objects.filter(stage__tournament=tournament).values_list("pk", "table")
    return {match: At.drawn(found[match], table) for match, table in rows}


def _at(match: Match, frozen: Mapping[UUID, At]) -> At:
    """Where a match is played now, by the timetable or by the draw."""
    if match.pk in frozen:
        return frozen[match.pk]
    place = Place.objects.filter(pk=match.pk).first()
    if place is not None:
        return At.of(place)
    return At.drawn(hours(match.stage.tournament)[match.pk], match.table_id)


def _table(event: Event, number: int) -> Table:
    found: Table | None = event.tables.filter(number=number).first()
    if found is None:
        raise Refused("unknown-table", _("There is no such table at this event."), status=422)
    return found
