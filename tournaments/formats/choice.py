"""A format as it is offered: options, what it gives and asks, and how it is built from what was chosen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tournaments.standings import Data

from .errors import CannotDraw, gettext_noop
from .format import Format
from .match_lengths import ONE_GAME, Length, MatchKind, kind_of, mini_tournament
from .model import left_over
from .options import FormatOption, PlacePoints, Points, wrong_value
from .table_result import ResultKind
from .tables.scale import canonical_scale

RESULT_POINTS = (
    FormatOption(
        "win",
        gettext_noop("Points for a win"),
        gettext_noop("Also for a match that the opponent didn’t come to."),
        "1",
        Points(),
    ),
    FormatOption(
        "draw",
        gettext_noop("Points for a draw"),
        gettext_noop("For each of the two, where a match ends level."),
        "1/2",
        Points(),
    ),
    FormatOption(
        "loss",
        gettext_noop("Points for a loss"),
        gettext_noop("Who loses without playing has none."),
        "0",
        Points(),
    ),
)


@dataclass(frozen=True, slots=True)
class FormatChoice:
    """A format as it is offered.

    `build` makes it from a value for each option. `is_decisive`: a match in it needs a winner.
    `has_places`: the format itself says the order. `is_predetermined`: as the `Format` says.
    `adds_points`: a match is one game of as many as sit at a table, and what it gives them adds up.
    `is_played`: there are games; else only places are entered. `has_bracket`: who goes on is drawn as a
    tree. `is_by_round`: squads come and go between rounds, and stages can follow. `ranks_teams`: squads
    are drawn from the entries of teams, who are ranked. `gives`: what its results are, besides what a
    game gives; a metric that needs more isn't offered with it. `default_metrics`: the order if nobody
    says. `gives_by_points` and `metrics_by_points`: both, where its options take points from games in
    place of places. `after_stage`: its options after another stage if nobody says. `pairs` are the games
    of a match by its sides, where the format says them. `method` is the named one of its lots, if it has
    any. `earlier_methods` are those by which stages of earlier versions go on and can be repeated.
    `grants_byes`: a squad can ask to sit out a round. `asks`: which settings of a tournament count with it,
    where not all do. `reserves`: how many entries of each team a draw leaves out.
    Msgids: `section` is where it is offered, `summary` what settings say of it. `late` is what becomes of
    somebody who is entered while it is played. `notes` are the sentences of a pairing's notes by their codes.
    """

    key: str
    name: str
    explanation: str
    options: tuple[FormatOption, ...]
    build: Callable[[Mapping[str, Any]], Format]
    is_decisive: bool = False
    has_places: bool = False
    is_predetermined: bool = False
    adds_points: bool = False
    is_played: bool = True
    has_bracket: bool = False
    is_by_round: bool = True
    ranks_teams: bool = False
    gives: frozenset[Data] = frozenset()
    default_metrics: tuple[str, ...] = ()
    gives_by_points: frozenset[Data] = frozenset()
    metrics_by_points: tuple[str, ...] = ()
    after_stage: Mapping[str, Any] = field(default_factory=dict)
    pairs: tuple[tuple[int, int], ...] = ()
    method: str = ""
    earlier_methods: tuple[str, ...] = ()
    grants_byes: bool = False
    asks: tuple[str, ...] = ("options", "match", "later", "squads_per_team", "draws_itself")
    reserves: Callable[[Sequence[int], int, int | None], Sequence[int]] = left_over
    section: str = gettext_noop("Round by round")
    summary: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    late: str = gettext_noop(
        "“%(name)s” is being played: take it in on the page of the squads, or it waits as a reserve."
    )

    @property
    def own_options(self) -> tuple[FormatOption, ...]:
        """The options that aren't settings of the tournament itself."""
        return tuple(option for option in self.options if option.key not in self.asks)

    @property
    def has_match_choice(self) -> bool:
        """Whether it can be chosen what a match is."""
        return self.is_played and not self.adds_points and not self.pairs

    def keeps_apart(self, kind: str) -> bool:
        """Whether its draw keeps those of a kind apart. Strong ones are spread in mini-tournaments alone:
        elsewhere they are to meet.
        """
        return kind != "strong" or self.ranks_teams

    def data_with(self, options: Mapping[str, Any] | None) -> tuple[frozenset[Data], ...]:
        """What its results are with these options; with None, all that they can be."""
        if not self.gives_by_points:
            return (self.gives,)
        if options is None:
            return self.gives, self.gives_by_points
        return (self.gives_by_points if self._takes_points(options) else self.gives,)

    def usual_order(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """The order if nobody says, with these options; raises CannotDraw."""
        by_points = bool(self.metrics_by_points) and self._takes_points(options)
        return self.metrics_by_points if by_points else self.default_metrics

    def _takes_points(self, options: Mapping[str, Any]) -> bool:
        return self.build(self.complete(options)).result_kind is ResultKind.POINTS

    @property
    def draws_later(self) -> bool:
        """Whether rounds are drawn while it is played."""
        return self.is_by_round and self.is_played and not self.is_predetermined

    @property
    def sets_points(self) -> bool:
        """Whether it can be chosen what a match gives."""
        return RESULT_POINTS[0] in self.options

    def build_by(self, method: str, chosen: Mapping[str, Any]) -> Format:
        """The format as it was when a stage was drawn by this method.

        Options that have been added since have their defaults.
        """
        return self.build(self.complete(chosen)).drawn_by(method)

    def length(self, match: Mapping[str, Any]) -> str:
        """What ends a match, of the setting; empty where there are no games to be set."""
        return Length.MINI_TOURNAMENT if self.pairs else str(match.get("length", ""))

    def kind(self, match: Mapping[str, Any]) -> MatchKind:
        """What a match is, of the setting with its `length` and `games`, one game if it is empty; raises
        CannotDraw.
        """
        if self.pairs:
            return mini_tournament(self.pairs)
        chosen = match or ONE_GAME
        return kind_of(chosen["length"], chosen["games"], decisive=self.is_decisive)

    def complete(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every option with what was given or its default; raises CannotDraw for what isn't one of them."""
        known = {option.key: option for option in self.options}
        for key, value in given.items():
            if key not in known:
                raise CannotDraw(
                    "unknown_option",
                    gettext_noop("The format %(format)s has no setting %(given)s; it has: %(known)s."),
                    format=self.key,
                    given=repr(key),
                    known=", ".join(known) or "–",
                )
            if not known[key].kind.fits(value):
                raise wrong_value(known[key], value)
        found = {key: given.get(key, option.default) for key, option in known.items()}
        for key, option in known.items():
            if isinstance(option.kind, PlacePoints) and found[key] is not None:
                found[key] = canonical_scale(found[key])
        return found
