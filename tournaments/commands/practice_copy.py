"""A practice copy of an event: made-up names, the same teams and settings, drawn and ready; deleted whole."""

import secrets
from datetime import timedelta
from random import Random
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from ledger.models import Tombstone
from people.actors import Actor
from people.entries import enter_by_hand
from people.event_days import today
from people.events import EVENT_TEXT
from people.models import Account, Entry, Event
from people.refusals import Refused
from tournaments.commands.create_event import copy_event, find_same_event
from tournaments.commands.delete_event import delete_event
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.sample_event import FIRST_NAMES, LAST_NAMES
from tournaments.commands.timetable import At, keep_places
from tournaments.formats import CannotDraw
from tournaments.models import Match, Tournament

FEWEST, MOST = 2, 30
"""So many are made up for a team at least, and at most."""


@transaction.atomic
def rehearse(source: Event, account: Account) -> Event:
    """A practice event as `source` is, of today, private.

    It has as many made-up players in each team as are entered. Its tournaments are drawn and published as far
    as they can be, and so is its timetable where the draw is the same. There is one a day: asked for again,
    it returns the one that is there.

    Nothing of it counts anywhere else, and no person's name comes along, referees' neither: their phones
    are paired anew.
    """
    if source.is_practice:
        raise Refused("is-practice", _("This is a practice event already."))
    name = (_("Rehearsal: %(name)s") % {"name": source.name})[:EVENT_TEXT]
    day = today(source)
    there = find_same_event(account, name, day, is_practice=True)
    if there is not None:
        return there
    event = copy_event(source, account, name, day, is_practice=True)
    actor = Actor.of_account(account)
    _make_up(source, event, actor)
    pairs = zip(
        source.tournaments.order_by("created_at"), event.tournaments.order_by("created_at"), strict=True
    )
    for original, tournament in pairs:
        first = original.stages.order_by("number").first()
        try:
            with transaction.atomic():
                # As many players and the same seed give the same draw.
                make_draw(tournament, actor, first.seed if first else secrets.token_hex(6))
                tournament.refresh_from_db()
                publish_draw(tournament, actor)
        except (CannotDraw, Refused):
            # It is left as it is set up: the desk says what is missing.
            continue
        _take_timetable(original, tournament, actor)
    return event


def _make_up(source: Event, event: Event, actor: Actor) -> None:
    """Players who don't exist, of ages that may take part."""
    chance = Random(str(event.pk))  # noqa: S311  # made-up people, not a secret
    age = (event.min_age + event.max_age) // 2
    born = event.starts_on - timedelta(days=365 * age + 180)
    names = [(first, last) for last in LAST_NAMES for first in FIRST_NAMES]
    chance.shuffle(names)
    left = iter(names)
    for team, real in zip(event.teams.order_by("number"), source.teams.order_by("number"), strict=True):
        entered = real.entries.filter(status=Entry.Status.ENTERED).count()
        for _number in range(min(MOST, max(FEWEST, entered))):
            first, last = next(left)
            enter_by_hand(event, actor, team=team, first_name=first, last_name=last, birth_date=born)


def _take_timetable(original: Tournament, tournament: Tournament, actor: Actor) -> None:
    """Play the matches of the copy when and where the timetable has those of the original.

    Only where both draws are the same: with times of another draw, somebody would play at two tables at
    once. Referees don't come along.
    """
    wanted = {_drawn_at(match): match for match in _matches(original)}
    there = {_drawn_at(match): match.pk for match in _matches(tournament)}
    if wanted.keys() != there.keys():
        return
    event = tournament.event
    days = event.starts_on - original.event.starts_on
    zone = ZoneInfo(event.time_zone)
    tables = {table.number: table.pk for table in event.tables.all()}
    places: dict[UUID, At | None] = {}
    for drawn_at, match in wanted.items():
        place = getattr(match, "place", None)
        if place is None:
            continue
        local = place.begins_at.astimezone(zone).replace(tzinfo=None) + days
        places[there[drawn_at]] = At(
            local.replace(tzinfo=zone), place.minutes, tables[place.table.number], is_locked=place.is_locked
        )
    if places:
        keep_places(event, actor, places)


def _matches(tournament: Tournament) -> QuerySet[Match]:
    matches = Match.objects.filter(stage__tournament=tournament).select_related("stage", "place__table")
    return matches.prefetch_related("sides__squad__team")


def _drawn_at(match: Match) -> tuple[object, ...]:
    """Where a match is in the draw, and its sides by team and squad number: equal in two equal draws."""
    sides = [(side.squad.team.name, side.squad.number) for side in match.sides.all()]
    return (match.stage.number, match.round, match.drawn_wave, match.drawn_table, *sorted(sides))


def end_rehearsal(event: Event) -> Tombstone:
    """Delete a practice event whole; `Refused("not-practice")` for any other."""
    if not event.is_practice:
        raise Refused("not-practice", _("Only a practice event is deleted from here."))
    return delete_event(event)
