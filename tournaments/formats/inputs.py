"""Inputs of a draw as they are published, so that anybody can repeat it on a command line."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

from .catalogue import FORMATS
from .constraints import Constraints, DrawField
from .edits import ContestantSwap, swapped_plans
from .entry_numbers import read_numbers, read_players, write_numbers, write_players
from .errors import CannotDraw, gettext_noop
from .format import Contestant, StageProgress
from .match_lengths import mini_tournament
from .mini_tournament_format import MiniTournament
from .model import DrawnRounds, DrawSquad, Settings, check_settings
from .table_layout import as_draw

PROGRAM = "python -m tournaments.formats draw"


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

    def contestants(self) -> dict[int, DrawSquad]:
        """The squads of all teams by their numbers as contestants; raises CannotDraw."""
        return dict(enumerate(chain.from_iterable(self.squads()), start=1))

    def draw(self, swaps: Iterable[tuple[int, ContestantSwap]] = ()) -> DrawnRounds:
        """The squads and who meets whom; the same inputs give the same draw anywhere. Each of the `swaps`
        then changes the round of its number by hand. Raises CannotDraw.
        """
        squads = self.contestants()
        form, kind = self.form, mini_tournament(self.format.games)
        contestants = tuple(Contestant(number, squad.team) for number, squad in squads.items())
        rounds = swapped_plans(form.coming_rounds(StageProgress(contestants), self.seed), swaps)
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
