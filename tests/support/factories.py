"""Rows for tests, as small as they can be: each function makes one thing with sensible defaults.

Persons have names that no page may show: `Ortensia Zampognari` and her like are looked for in answers.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from functools import cache
from itertools import count
from typing import Any

from django.contrib.auth.hashers import make_password
from django.utils import timezone

from people.actors import Actor, new_secret, secret_hash
from people.event_days import today
from people.models import Account, ApiToken, Entry, Event, Organizer, Pairing, Person, Referee, Team
from people.pairings import ask
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.set_up import create_tournament
from tournaments.models import Match, MatchGame, Table, Tournament

TEAM_NAMES = ("Superiore", "Centro", "Inferiore", "Poggio", "Fonte", "Castello", "Piano", "Borgo")
FIRST_NAME, LAST_NAME = "Ortensia", "Zampognari"
DAY = date(2026, 9, 5)
PASSWORD = "tendone-di-prova"
SEED = "3f5a-90c2-71de"

_serial = count(1)


def make_account(username: str = "", **fields: Any) -> Account:
    """An account with the password `PASSWORD`."""
    serial = next(_serial)
    name = username or f"conto{serial}"
    return Account.objects.create(username=name, password=password_hash(), **fields)


@cache
def password_hash() -> str:
    """Hashing is slow on purpose, so it is done once."""
    return make_password(PASSWORD)


def make_event(organizer: Account | None = None, **fields: Any) -> Event:
    """A festival on one Saturday; published unless said otherwise."""
    serial = next(_serial)
    given = {
        "slug": f"palio-{serial}",
        "name": f"Palio {serial}",
        "place": "Borgo Alto",
        "starts_on": DAY,
        "ends_on": DAY,
        "is_published": True,
        **fields,
    }
    event = Event.objects.create(**given)
    if organizer is not None:
        Organizer.objects.create(event=event, account=organizer)
    return event


def make_team(event: Event, number: int | None = None, **fields: Any) -> Team:
    """The event's next team."""
    chosen = number or event.teams.count() + 1
    name = TEAM_NAMES[(chosen - 1) % len(TEAM_NAMES)] + ("" if chosen <= len(TEAM_NAMES) else f" {chosen}")
    given = {"name": name, "short_name": name[:12], **fields}
    return Team.objects.create(event=event, number=chosen, **given)


def make_person(event: Event, serial: int = 1, **fields: Any) -> Person:
    """A child of ten."""
    given = {
        "first_name": FIRST_NAME,
        "last_name": f"{LAST_NAME}{serial}",
        "birth_date": event.starts_on - timedelta(days=3700),
        **fields,
    }
    return Person.objects.create(event=event, **given)


def make_entry(team: Team, number: int | None = None, **person: Any) -> Entry:
    """The team's next entry, with its person."""
    chosen = number or team.entries.count() + 1
    return Entry.objects.create(team=team, number=chosen, person=make_person(team.event, chosen, **person))


def make_entries(team: Team, entries: int) -> list[Entry]:
    """So many entries of a team."""
    return [make_entry(team, number) for number in range(1, entries + 1)]


def make_field(event: Event, teams: int = 3, entries: int = 2) -> list[Team]:
    """Teams with as many entries each."""
    made = [make_team(event) for _ in range(teams)]
    for team in made:
        make_entries(team, entries)
    return made


def make_table(event: Event, number: int | None = None) -> Table:
    """The event's next table."""
    return Table.objects.create(event=event, number=number or event.tables.count() + 1)


def make_referee(event: Event, **fields: Any) -> Referee:
    """A volunteer without a team."""
    return Referee.objects.create(event=event, **{"first_name": "Ivo", "last_name": "Fischietti", **fields})


def make_place() -> str:
    """A network address that nobody else has."""
    return f"192.0.2.{next(_serial)}"


def make_pairing(
    event: Event, referee: Referee | None = None, *, admitted: bool = True
) -> tuple[Pairing, str]:
    """A referee's phone and its secret; admitted unless said otherwise."""
    pairing, secret = ask(referee or make_referee(event), make_place())
    # Whatever day it is: its referee means what is entered.
    pairing.other_day = today(event)
    pairing.save()
    if admitted:
        pairing.admitted_at = timezone.now()
        pairing.admitted_by = Pairing.AdmittedBy.PIN
        pairing.save()
    return pairing, secret


def make_token(account: Account, scope: str = ApiToken.Scope.MANAGE, **fields: Any) -> tuple[ApiToken, str]:
    """A program's token and its secret."""
    secret = new_secret()
    token = ApiToken.objects.create(
        account=account, name="prova", scope=scope, secret_hash=secret_hash(secret), **fields
    )
    return token, secret


def make_tournament(event: Event, name: str = "Torneo", **settings: Any) -> Tournament:
    """A tournament that is being set up."""
    return create_tournament(event, Actor.command(), name, settings)


def drawn_tournament(
    event: Event, teams: int = 3, entries: int = 2, *, published: bool = True, **settings: Any
) -> Tournament:
    """A tournament with its field, drawn with `SEED` and published; teams that are there already take
    part.
    """
    if not event.teams.exists():
        make_field(event, teams, entries)
    tournament = make_tournament(event, **settings)
    make_draw(tournament, Actor.command(), SEED)
    if published:
        publish_draw(tournament, Actor.command())
    tournament.refresh_from_db()
    return tournament


def small_tournament() -> Tournament:
    """A published event's, of three teams with one entry each."""
    return drawn_tournament(make_event(), entries=1)


def games_of(tournament: Tournament) -> list[MatchGame]:
    """The games in the order in which they are played."""
    games: Iterable[MatchGame] = (
        MatchGame.objects.filter(match__stage__tournament=tournament)
        .select_related("game", "match__table", "match__stage__tournament__event")
        .order_by("match__round", "match__wave", "match__table__number", "number")
    )
    return list(games)


def matches_of(tournament: Tournament) -> list[Match]:
    """The matches in the order in which they are played."""
    return list(Match.objects.filter(stage__tournament=tournament).order_by("round", "wave", "table__number"))
