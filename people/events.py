"""Setting up an event: its settings, teams, organizers and referees, each change checked and audited."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, TypedDict, Unpack
from zoneinfo import available_timezones

from django.conf import settings
from django.db import transaction
from django.db.models import Max, RestrictedError
from django.utils.text import slugify

from people import audit
from people.actors import Actor
from people.entries import lock_event
from people.input_problems import BadInputError, Code, InputProblem, Param
from people.intake.cell_text import clean, fold, has_odd_characters, shown
from people.intake.columns import field_of
from people.intake.entry_fields import EntryField
from people.intake.rows import MAX_NAME
from people.models import Account, Event, Organizer, Referee, Team
from people.models.events import COLOR

# First words of other addresses: an event of such a name gets a longer slug.
RESERVED_SLUGS = frozenset(
    {"api", "desk", "files", "guide", "health", "live", "operator", "rules", "s", "static", "t"}
    | {language for language, _name in settings.LANGUAGES}
)
HIGHEST_AGE = 120
LATEST_PURGE = 400
"""Days after an event: names are kept until the next year's at most."""
EVENT_TEXT = 120
TEAM_LENGTHS = {"name": 60, "short_name": 12, "emblem": 2}
_JOINING = re.compile(
    r"^(?:d(?:i|el|ello|ella|ei|egli|elle|e)\s+|dell['’]\s*|of\s+(?:the\s+)?)", re.IGNORECASE
)


class EventDetails(TypedDict, total=False):
    """What an organizer can set of an event but its name and first day; what isn't given keeps its value."""

    place: str
    ends_on: date
    time_zone: str
    language: str
    team_word: str
    names_shown: str
    min_age: int
    max_age: int
    is_published: bool
    allow_search_engines: bool
    purge_after_days: int


class EventSettings(EventDetails, total=False):
    """All that an organizer can set of an event."""

    name: str
    starts_on: date


class TeamLooks(TypedDict, total=False):
    """What can be set of a team but its name."""

    short_name: str
    color_one: str
    color_two: str
    division: str
    emblem: str


class TeamSettings(TeamLooks, total=False):
    """All that can be set of a team."""

    name: str


@transaction.atomic
def create_event(
    account: Account,
    name: str,
    starts_on: date,
    *,
    actor: Actor | None = None,
    is_practice: bool = False,
    **values: Unpack[EventDetails],
) -> Event:
    """Make an event with its address, organized by this account (who is the actor, unless another one is
    given).

    It lasts one day unless `ends_on` says otherwise. Raises `BadInputError` with everything that is wrong.
    """
    given: dict[str, Any] = {"ends_on": starts_on, **values, "name": name, "starts_on": starts_on}
    event = Event(is_practice=is_practice)
    for field, value in _checked_event(event, given).items():
        setattr(event, field, value)
    event.slug = _free_slug(event.name, starts_on.year)
    event.save(force_insert=True)
    organizer = Organizer.objects.create(event=event, account=account)
    by = actor or Actor.of_account(account)
    audit.keep(audit.created(row, by, event.pk) for row in (event, organizer))
    return event


@transaction.atomic
def edit_event(event: Event, actor: Actor, **values: Unpack[EventSettings]) -> bool:
    """Change settings; the address stays. False if nothing changed; raises `BadInputError`."""
    lock_event(event)
    checked = _checked_event(event, dict(values))
    return audit.change(event, actor, event.pk, checked)


@transaction.atomic
def add_team(event: Event, actor: Actor, name: str, **values: Unpack[TeamLooks]) -> Team:
    """Add a team with the next number; without a short name it gets one made of its name."""
    lock_event(event)
    others = list(event.teams.all())
    team = Team(event=event)
    given: dict[str, Any] = {**values, "name": name}
    if not given.get("short_name"):
        given["short_name"] = _short_name(clean(name), others)
    for field, value in _checked_team(given, others).items():
        setattr(team, field, value)
    team.number = 1 + (event.teams.aggregate(highest=Max("number"))["highest"] or 0)
    audit.create(team, actor, event.pk)
    return team


@transaction.atomic
def edit_team(team: Team, actor: Actor, **values: Unpack[TeamSettings]) -> bool:
    """Change a team's names or looks. False if nothing changed; raises `BadInputError`."""
    lock_event(team.event)
    others = list(team.event.teams.exclude(pk=team.pk))
    return audit.change(team, actor, team.event_id, _checked_team(dict(values), others))


@transaction.atomic
def remove_team(team: Team, actor: Actor) -> None:
    """Remove a team that nobody is entered for; raises `BadInputError` if somebody is, or if the overall
    table counts it.
    """
    lock_event(team.event)
    if team.entries.exists():
        raise BadInputError(InputProblem(Code.TEAM_IN_USE, value=shown(team.name)))
    try:
        audit.delete(team, actor, team.event_id)
    except RestrictedError as error:
        # Another layer's table counts it.
        raise BadInputError(InputProblem(Code.TEAM_COUNTED, value=shown(team.name))) from error


@transaction.atomic
def add_referee(
    event: Event, actor: Actor, first_name: str, last_name: str = "", team: Team | None = None
) -> Referee:
    """Add a volunteer; `team` is the own team, which the referee never judges. Raises `BadInputError`."""
    problems: list[InputProblem] = []
    referee = Referee(event=event, team=team)
    referee.first_name = _text("first_name", first_name, MAX_NAME, problems)
    referee.last_name = _text("last_name", last_name, MAX_NAME, problems, required=False)
    if team is not None and team.event_id != event.pk:
        problems.append(InputProblem(Code.OF_ANOTHER_EVENT, column=EntryField.TEAM.value))
    if problems:
        raise BadInputError(*problems)
    audit.create(referee, actor, event.pk)
    return referee


@transaction.atomic
def add_referee_once(
    event: Event, actor: Actor, first_name: str, last_name: str = "", team: Team | None = None
) -> Referee:
    """As `add_referee`; one of the same names and team who is there already isn't added again."""
    lock_event(event)
    there = event.referees.filter(first_name=first_name, last_name=last_name, team=team).first()
    return there or add_referee(event, actor, first_name, last_name, team)


def _checked_event(event: Event, values: dict[str, Any]) -> dict[str, Any]:
    """These settings cleaned; checked together with what the event has already."""
    problems: list[InputProblem] = []
    for field in {"name", "place"} & values.keys():
        values[field] = _text(field, values[field], EVENT_TEXT, problems, required=field == "name")
    choices: Mapping[str, Iterable[str]] = {
        "names_shown": Event.NamesShown.values,
        "team_word": Event.TeamWord.values,
        "language": dict(settings.LANGUAGES),
    }
    for field, allowed in choices.items():
        if field in values and values[field] not in allowed:
            problems.append(_problem(Code.NOT_A_CHOICE, field, values[field], choices=tuple(allowed)))
    if "time_zone" in values and values["time_zone"] not in available_timezones():
        problems.append(_problem(Code.NOT_A_CHOICE, "time_zone", values["time_zone"], choices=()))

    def now(field: str) -> Any:
        return values.get(field, getattr(event, field))

    if now("ends_on") < now("starts_on"):
        params = {day: now(day).isoformat() for day in ("starts_on", "ends_on")}
        problems.append(_problem(Code.ENDS_BEFORE_START, "ends_on", **params))
    if not 0 <= now("min_age") <= now("max_age") <= HIGHEST_AGE:
        params = {"min": now("min_age"), "max": now("max_age")}
        problems.append(_problem(Code.AGES_OUT_OF_ORDER, "min_age", **params))
    if not 1 <= now("purge_after_days") <= LATEST_PURGE:
        params = {"min": 1, "max": LATEST_PURGE}
        problems.append(_problem(Code.OUT_OF_RANGE, "purge_after_days", **params))
    if problems:
        raise BadInputError(*problems)
    return values


def _checked_team(values: dict[str, Any], others: Iterable[Team]) -> dict[str, Any]:
    """These settings cleaned; names differ from all names of the other teams, by whatever spelling."""
    problems: list[InputProblem] = []
    for field in {"name", "short_name", "emblem"} & values.keys():
        values[field] = _text(field, values[field], TEAM_LENGTHS[field], problems, required=field != "emblem")
    taken = {fold(each) for team in others for each in (team.name, team.short_name)}
    for field in {"name", "short_name"} & values.keys():
        name = values[field]
        if name and not fold(name):
            problems.append(_problem(Code.NO_LETTERS, field, name))
        elif name and fold(name) in taken:
            problems.append(_problem(Code.NAME_TAKEN, field, name))
    for field in {"color_one", "color_two"} & values.keys():
        values[field] = str(values[field]).lower()
        if not re.match(COLOR.regex, values[field]):
            problems.append(_problem(Code.NOT_A_COLOR, field, values[field]))
    if "division" in values and values["division"] not in Team.Division.values:
        choices = tuple(Team.Division.values)
        problems.append(_problem(Code.NOT_A_CHOICE, "division", values["division"], choices=choices))
    if problems:
        raise BadInputError(*sorted(problems, key=lambda problem: problem.column))
    return values


def _text(field: str, text: str, limit: int, problems: list[InputProblem], *, required: bool = True) -> str:
    cleaned = clean(text)
    if required and not cleaned:
        problems.append(_problem(Code.MISSING, field))
    elif has_odd_characters(text):
        problems.append(_problem(Code.ODD_CHARACTERS, field, text))
    elif len(cleaned) > limit:
        problems.append(_problem(Code.TOO_LONG, field, text, limit=limit))
    return cleaned


def _problem(code: Code, field: str, value: str = "", **params: Param) -> InputProblem:
    return InputProblem(code, column=field, value=shown(value), params={"field": field, **params})


def _short_name(name: str, others: Iterable[Team]) -> str:
    """The name without a word for teams in front, cut, and numbered if another team has it.

    What joins that word to the name goes with it: of “Rione della Fonte” it is “Fonte”.
    """
    words = name.split()
    if len(words) > 1 and field_of(words[0]) is EntryField.TEAM:
        named = _JOINING.sub("", " ".join(words[1:]))
        words = (named or words[1]).split()
    limit = TEAM_LENGTHS["short_name"]
    base = " ".join(words)[:limit].strip()
    taken = {fold(each) for team in others for each in (team.name, team.short_name)}
    short, number = base, 2
    while base and fold(short) in taken and fold(name) not in taken:
        short = f"{base[: limit - len(str(number)) - 1].strip()} {number}"
        number += 1
    return short


def _free_slug(name: str, year: int) -> str:
    """An address made of the name; with the year, then with a number, if another event has it."""
    base = slugify(name)[:48].strip("-") or "palio"
    taken = set(Event.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | RESERVED_SLUGS
    candidate, number = base, 2
    if candidate in taken and str(year) not in base:
        base = candidate = f"{base}-{year}"
    while candidate in taken:
        candidate = f"{base}-{number}"
        number += 1
    return candidate
