"""A practice copy of an event: made-up names, the same teams and settings, drawn and ready; deleted whole."""

import secrets
from datetime import timedelta
from random import Random

from django.db import transaction
from django.utils.translation import gettext as _

from ledger.models import Tombstone
from people.actors import Actor
from people.days import today
from people.entries import enter_by_hand
from people.events import EVENT_TEXT
from people.models import Account, Entry, Event
from tournaments.commands.begin_event import copy_event
from tournaments.commands.delete_event import delete_event
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.sample_event import FIRST_NAMES, LAST_NAMES
from tournaments.formats import CannotDraw
from tournaments.refusals import Refused

FEWEST, MOST = 2, 30
"""So many are made up for a team at least, and at most."""


@transaction.atomic
def rehearse(source: Event, account: Account) -> Event:
    """A practice event as `source` is, of today, private, with as many made-up players in each team as are
    entered, its tournaments drawn and published as far as they can be. One a day: asked for again, the one
    that is there.

    Nothing of it counts anywhere else, and no person's name comes along, referees' neither: their phones
    are paired anew.
    """
    if source.is_practice:
        raise Refused("is-practice", _("This is a practice event already."))
    Account.objects.select_for_update().get(pk=account.pk)
    name = (_("Rehearsal: %(name)s") % {"name": source.name})[:EVENT_TEXT]
    day = today(source)
    there = Event.objects.filter(
        organizers__account=account, name=name, starts_on=day, is_practice=True
    ).first()
    if there is not None:
        return there
    event = copy_event(source, account, name, day, is_practice=True)
    actor = Actor.of_account(account)
    _make_up(source, event, actor)
    for tournament in event.tournaments.order_by("created_at"):
        try:
            with transaction.atomic():
                make_draw(tournament, actor, secrets.token_hex(6))
                tournament.refresh_from_db()
                publish_draw(tournament, actor)
        except (CannotDraw, Refused):
            # It is left as it is set up: the desk says what is missing.
            continue
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


def end_rehearsal(event: Event) -> Tombstone:
    """Delete a practice event whole; `Refused("not-practice")` for any other."""
    if not event.is_practice:
        raise Refused("not-practice", _("Only a practice event is deleted from here."))
    return delete_event(event)
