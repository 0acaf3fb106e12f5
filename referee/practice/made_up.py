"""Players of the practice table: made-up teams and children, in rows that are never stored."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final
from uuid import UUID, uuid5

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.engine import Refusal, Ruleset, replay
from games.engine.events import GameOpened
from games.engine.events import Seat as LogSeat
from games.models import Game, Seat
from people.models import Event, Team
from referee.practice.memory import Memory
from tournaments.formats.triangle import TRIANGLE
from tournaments.models import Match, MatchGame, Stage, Table, Tournament

CODE: Final = "practice"
"""Stands in the address where a table's code does; no table has a code of this length."""

_SPACE: Final = UUID("8d6f6a0e-6d0c-4b52-9a55-0f3f4a7b1c21")
_TEAMS: Final = (
    (gettext_noop("Owls"), "#1f5c8b", "#f4e8c8", Team.Division.PER_BEND),
    (gettext_noop("Foxes"), "#8c2131", "#f2c94c", Team.Division.PER_PALE),
    (gettext_noop("Wolves"), "#2f6b3a", "#f7f3e8", Team.Division.CHEVRON),
)
_CHILDREN: Final = (
    ("Ada O.", "Berto O.", "Cleo O.", "Duccio O.", "Elsa O."),
    ("Fosca V.", "Gino V.", "Ilda V.", "Lapo V.", "Mina V."),
    ("Nilo L.", "Orsola L.", "Pio L.", "Quinta L.", "Rocco L."),
)
MOST_A_SIDE: Final = len(_CHILDREN[0])


def id_of(*what: object) -> UUID:
    """The id of something at the practice table: the same on every phone, and nowhere else."""
    return uuid5(_SPACE, " ".join(map(str, what)))


def fitting_size(ruleset: Ruleset, wished: int) -> int | None:
    """How many of each side sit down, as near to what is wished as the rules let two sides; None if they let
    none.
    """
    for size in sorted(range(1, MOST_A_SIDE + 1), key=lambda size: abs(size - wished)):
        seats = tuple(LogSeat(str(seat), str(seat % 2)) for seat in range(2 * size))
        try:
            replay([GameOpened(ruleset, seats)])
        except Refusal:
            continue
        return size
    return None


def teams() -> list[Team]:
    """The three teams, called in the active language."""
    return [
        Team(
            id=id_of("team", number),
            number=number,
            name=_(name),
            short_name=_(name),
            color_one=one,
            color_two=two,
            division=division,
            emblem=_(name)[0],
        )
        for number, (name, one, two, division) in enumerate(_TEAMS, start=1)
    ]


def table() -> Table:
    """The table, at an event of its own."""
    day = date(2000, 1, 1)
    event = Event(id=id_of("event"), slug=CODE, name="", starts_on=day, ends_on=day, is_practice=True)
    return Table(id=id_of("table"), event=event, number=1, code=CODE)


def match(at: Table, memory: Memory) -> Match:
    """The mini-tournament that is on."""
    tournament = Tournament(
        id=id_of("tournament"),
        event=at.event,
        name=_("Practice"),
        slug=CODE,
        status=Tournament.Status.PUBLISHED,
        settings={"ruleset": memory.ruleset, "bell": memory.bell, "format": TRIANGLE.key},
    )
    stage = Stage(id=id_of("stage"), tournament=tournament, number=1, format=TRIANGLE.key)
    return Match(id=id_of("match"), stage=stage, round=1, wave=1, table=at)


def games(of: Match, memory: Memory) -> list[MatchGame]:
    """Its games, each side against each."""
    return [
        MatchGame(
            id=number,
            match=of,
            number=number,
            sides=list(sides),
            game=Game(id=id_of("game", number), ruleset=memory.ruleset),
        )
        for number, sides in enumerate(TRIANGLE.games, start=1)
    ]


def seats(game: MatchGame, of: Iterable[Team], size: int) -> tuple[list[Seat], Mapping[UUID, str]]:
    """Who sits down for a game, the teams in turns around the table, and what they are called."""
    by_side = [list(of)[side] for side in game.sides]
    seated, names = [], {}
    for number in range(size * len(by_side)):
        team = by_side[number % len(by_side)]
        place = number // len(by_side)
        entry = id_of("entry", team.number, place)
        names[entry] = _CHILDREN[team.number - 1][place]
        seated.append(Seat(number=number, entry=entry, team=team.pk))
    return seated, names
