"""The timetable laid over the draw: a match's table and wave are those of its place, if it has one.

This is part of the projection: it runs when matches are drawn or built again, and when a place changes.
"""

from collections.abc import Iterable
from itertools import groupby
from uuid import UUID

from tournaments.models import Match, Place, Table, Tournament

_BATCH = 500


def apply_places(tournament: Tournament, *, without: bool = False) -> None:
    """Bring table and wave of a tournament's matches to what the draw and the timetable say now.

    In a round, what begins at the same time is one wave; matches without a place come after those with one,
    in the waves as drawn. `without`: places may have been taken away, so all matches are looked at even if
    there is none.
    """
    places = {each.pk: each for each in Place.objects.filter(tournament=tournament).order_by()}
    if not places and not without:
        return
    matches = list(
        Match.objects.filter(stage__tournament=tournament).order_by("stage__number", "round", "drawn_wave")
    )
    tables = dict(Table.objects.filter(event=tournament.event_id).order_by().values_list("number", "pk"))
    changed = []
    for _round, of_round in groupby(matches, key=lambda match: (match.stage_id, match.round)):
        listed = list(of_round)
        waves = _waves(listed, places)
        for match in listed:
            place = places.get(match.pk)
            table = place.table_id if place else tables[match.drawn_table]
            if (match.table_id, match.wave) != (table, waves[match.pk]):
                match.table_id, match.wave = table, waves[match.pk]
                changed.append(match)
    Match.objects.bulk_update(changed, ["table", "wave"], batch_size=_BATCH)


def _waves(matches: Iterable[Match], places: dict[UUID, Place]) -> dict[UUID, int]:
    """The waves of one round's matches, from 1."""
    moments = sorted({places[match.pk].begins_at for match in matches if match.pk in places})
    by_moment = {moment: number for number, moment in enumerate(moments, start=1)}
    return {
        match.pk: by_moment[places[match.pk].begins_at]
        if match.pk in places
        else len(moments) + match.drawn_wave
        for match in matches
    }
