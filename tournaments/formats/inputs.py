"""Inputs of a draw as they are published, so that anybody can repeat it on a command line."""

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from .catalogue import FORMATS
from .constraints import Constraints, DrawField
from .errors import CannotDraw, gettext_noop
from .format import Contestant, StageProgress
from .layout import as_draw
from .match_kind import mini_tournament
from .mini_tournament import MiniTournament
from .model import DrawnRounds, DrawSquad, Player, Settings, check_settings

PROGRAM = "python -m tournaments.formats draw"
MAX_ENTRY = 9_999

_RANGE = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")
_PLAYER = re.compile(r"(\d{1,4})/(\d{1,4})")


def get_format(key: str) -> MiniTournament:
    """The format of mini-tournaments of that key; raises CannotDraw if there is none."""
    choice = FORMATS.get(key)
    form = None if choice is None else choice.build(choice.complete({}))
    if not isinstance(form, MiniTournament):
        known = [key for key, choice in FORMATS.items() if choice.ranks_teams]
        raise CannotDraw(
            "format",
            gettext_noop("There is no format %(given)s; there are %(known)s."),
            given=repr(key),
            known=", ".join(known),
        )
    return form


@dataclass(frozen=True, slots=True)
class DrawInputs:
    """All that decides the draw of a field of teams; `method` None is that of new draws."""

    format: MiniTournament
    field: DrawField
    settings: Settings
    seed: str
    method: str | None = None

    @property
    def form(self) -> MiniTournament:
        """The format as it draws this field."""
        method = self.method or self.format.methods(self.field)[0]
        return replace(self.format, rounds=self.settings.rounds, method=method)

    def squads(self) -> tuple[tuple[DrawSquad, ...], ...]:
        """The squads of each team; raises CannotDraw."""
        check_settings(self.settings)
        return self.form.squads(self.field, self.settings.squad_size, self.seed)

    def draw(self) -> DrawnRounds:
        """The squads and who meets whom; the same inputs give the same draw anywhere. Raises CannotDraw."""
        squads = dict(enumerate(chain.from_iterable(self.squads()), start=1))
        form, kind = self.form, mini_tournament(self.format.games)
        contestants = tuple(Contestant(number, squad.team) for number, squad in squads.items())
        rounds = form.coming_rounds(StageProgress(contestants), self.seed)
        return as_draw(form, form.method, self.seed, contestants, squads, rounds, kind, self.settings.tables)

    def arguments(self) -> list[str]:
        """The arguments of `PROGRAM` that repeat this draw."""
        settings, constraints = self.settings, self.field.constraints
        found = ["--format", self.format.key, f"--seed={self.seed}"]
        for roster in self.field.rosters:
            found += ["--team", write_numbers(roster)]
        squad_size = settings.squad_size if settings.squad_size != 1 else None
        numbers = (("--squad-size", squad_size), ("--rounds", settings.rounds), ("--tables", settings.tables))
        for name, number in numbers:
            found += [] if number is None else [name, str(number)]
        for members in constraints.groups:
            found += ["--apart", write_players(members)]
        if constraints.strong:
            found += ["--strong", write_players(constraints.strong)]
        if self.method not in (None, self.format.methods(self.field)[0]):
            found += ["--method", str(self.method)]
        return found

    def command(self) -> str:
        """The whole command line, for a shell."""
        return f"{PROGRAM} {shlex.join(self.arguments())}"


def field_of(rosters: Iterable[str], apart: Iterable[str] = (), strong: str = "") -> DrawField:
    """The field as it is written on a command line; raises CannotDraw for what can't be read."""
    constraints = Constraints(tuple(read_players(text) for text in apart), read_players(strong))
    return DrawField(tuple(read_numbers(text) for text in rosters), constraints)


def write_numbers(numbers: Iterable[int]) -> str:
    """`1-3,5` for 1, 2, 3 and 5, in any order."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def read_numbers(text: str) -> tuple[int, ...]:
    """The numbers that `1-3,5` stands for, as they come."""
    numbers: list[int] = []
    for word in text.split(","):
        found = _RANGE.fullmatch(word.strip())
        if found is None or (found[2] and int(found[2]) < int(found[1])):
            raise CannotDraw(
                "unreadable_numbers",
                gettext_noop("Entries are written like 1-9,11 (numbers up to %(most)d), not %(given)s."),
                most=MAX_ENTRY,
                given=repr(word),
            )
        numbers += range(int(found[1]), int(found[2] or found[1]) + 1)
    return tuple(numbers)


def write_players(players: Sequence[Player]) -> str:
    """`1/3,2/5` for entry 3 of team 1 and entry 5 of team 2."""
    return ",".join(f"{player.team}/{player.entry}" for player in players)


def read_players(text: str) -> tuple[Player, ...]:
    """The entries that `1/3,2/5` stands for; none for an empty text."""
    found = []
    for word in text.split(",") if text else ():
        parts = _PLAYER.fullmatch(word.strip())
        if parts is None:
            raise CannotDraw(
                "unreadable_entries",
                gettext_noop("Entries of teams are written like 1/3,2/5 (team/entry), not %(given)s."),
                given=repr(word),
            )
        found.append(Player(int(parts[1]), int(parts[2])))
    return tuple(found)
