"""Begin an event from a template, or as a copy of an earlier one: all but players and what they did."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from people import audit
from people.actors import Actor
from people.events import EventDetails, add_referee, add_team, create_event
from people.models import Account, Event, Team
from people.refusals import Refused
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.commands.set_up import create_tournament
from tournaments.commands.table_cards import put_up_tables
from tournaments.models import OtherGame, Palio, Timetable
from tournaments.settings.event_templates import TEMPLATES

COPIED: tuple[str, ...] = (
    "time_zone",
    "language",
    "team_word",
    "names_shown",
    "min_age",
    "max_age",
    "allow_search_engines",
    "purge_after_days",
)
"""The settings of an event that its copy has; the copy is private until somebody makes it public."""
SENT_AGAIN = timedelta(minutes=10)
"""A form that was sent twice comes again within so long."""

LOOKS = ("short_name", "color_one", "color_two", "division", "emblem")


@transaction.atomic
def begin_event_once(
    account: Account, begin_with: Event | str, *, with_referees: bool = False, **given: Any
) -> Event:
    """A new event: a copy of another one, from a template by its key, or with nothing in it yet ("").

    What is `given` of it is as for `create_event`. Where the account has just made another one of this
    name, day and kind, that is it: a form may be sent twice.
    """
    there = find_same_event(
        account,
        given["name"],
        given["starts_on"],
        given["is_practice"],
        made_since=timezone.now() - SENT_AGAIN,
    )
    if there is not None and there != begin_with:
        return there
    if isinstance(begin_with, Event):
        given["place"] = given["place"] or None
        return copy_event(begin_with, account, **given, with_referees=with_referees)
    if begin_with:
        return event_from_template(begin_with, account, **given)
    return create_event(account, **given)


def find_same_event(
    account: Account, name: str, starts_on: date, is_practice: bool, made_since: datetime | None = None
) -> Event | None:
    """The account's newest event of this name, day and kind, if there is one.

    The account is locked until the transaction ends, so that nobody makes it meanwhile.
    """
    Account.objects.select_for_update().get(pk=account.pk)
    same = Event.objects.filter(name=name, starts_on=starts_on, is_practice=is_practice)
    rows = same.filter(organizers__account=account).order_by("-created_at")
    return (rows if made_since is None else rows.filter(created_at__gte=made_since)).first()


@transaction.atomic
def event_from_template(
    key: str,
    account: Account,
    name: str,
    starts_on: date,
    *,
    actor: Actor | None = None,
    is_practice: bool = False,
    **details: Any,
) -> Event:
    """A new event with the template's teams, tournaments and palio, named in the language that is active.

    `details` go before the template's own. Raises `Refused("unknown-template")`, and as `create_event` does.
    """
    if key not in TEMPLATES:
        raise Refused(
            "unknown-template",
            _("A template is one of: %(templates)s.") % {"templates": ", ".join(TEMPLATES)},
            status=422,
            templates=list(TEMPLATES),
        )
    template = TEMPLATES[key]
    by = actor or Actor.of_account(account)
    given: Any = {**template.details, **details}
    event = create_event(account, name, starts_on, actor=actor, is_practice=is_practice, **given)
    names = [_(team.name) for team in template.teams]
    for team, name, emblem in zip(template.teams, names, emblems(names), strict=True):
        looks = {"color_one": team.color_one, "color_two": team.color_two, "division": team.division}
        add_team(event, by, name, **looks, emblem=emblem)
    made = [create_tournament(event, by, _(each.name), dict(each.settings)) for each in template.tournaments]
    if template.other_games or template.adds_up_teams:
        disciplines = [
            *({"kind": "tournament", "id": str(each.pk)} for each in made),
            *({"kind": "other", "name": _(game)} for game in template.other_games),
        ]
        jokers = 1 if template.other_games else 0
        set_up_palio(event, by, {"disciplines": disciplines, "jokers_each": jokers})
    return event


def emblems(names: Sequence[str]) -> list[str]:
    """The first letter of each name, or the first two where several begin with the same."""
    letters = Counter(name[0] for name in names)
    return [name[0] if letters[name[0]] == 1 else name[:2] for name in names]


@transaction.atomic
def copy_event(
    source: Event,
    account: Account,
    name: str,
    starts_on: date,
    *,
    actor: Actor | None = None,
    place: str | None = None,
    is_practice: bool = False,
    with_referees: bool = False,
) -> Event:
    """A new event with the teams, looks, settings, tournaments, palio and tables of another one.

    Never its players, draws or results. It lasts as many days. Referees are volunteers by name: they come
    along only if that is asked for.
    """
    by = actor or Actor.of_account(account)
    details: EventDetails = {
        **{field: getattr(source, field) for field in COPIED},  # type: ignore[typeddict-item]
        "place": source.place if place is None else place,
        "ends_on": starts_on + (source.ends_on - source.starts_on),
    }
    event = create_event(account, name, starts_on, actor=actor, is_practice=is_practice, **details)
    teams: dict[UUID, Team] = {}
    for team in source.teams.order_by("number"):
        looks: Any = {look: getattr(team, look) for look in LOOKS}
        teams[team.pk] = add_team(event, by, team.name, **looks)
    tournaments = {
        each.pk: create_tournament(event, by, each.name, each.settings).pk
        for each in source.tournaments.order_by("created_at")
    }
    _copy_palio(source, event, by, tournaments)
    put_up_tables(event, by, source.tables.values_list("number", flat=True))
    timetable = Timetable.objects.filter(event=source).first()
    if timetable is not None and timetable.settings:
        # Its days are counted from the event's first.
        audit.create(Timetable(event=event, settings=timetable.settings), by, event.pk)
    if with_referees:
        for referee in source.referees.order_by("first_name", "last_name"):
            own = teams.get(referee.team_id) if referee.team_id else None
            add_referee(event, by, referee.first_name, referee.last_name, own)
    return event


def _copy_palio(source: Event, event: Event, by: Actor, tournaments: dict[UUID, UUID]) -> None:
    """The palio with its weights and rules: over the copied tournaments, and its other games."""
    palio = Palio.objects.filter(event=source).first()
    if palio is None or not palio.rules.get("disciplines"):
        return
    names = dict(OtherGame.objects.filter(palio=palio).values_list("pk", "name"))
    disciplines = []
    for each in palio.rules["disciplines"]:
        known, copied = UUID(each["id"]), {key: value for key, value in each.items() if key != "id"}
        if each["kind"] == "tournament":
            if known in tournaments:
                disciplines.append(copied | {"id": str(tournaments[known])})
        elif known in names:
            disciplines.append(copied | {"name": names[known]})
    if disciplines:
        set_up_palio(event, by, {**palio.rules, "disciplines": disciplines})
