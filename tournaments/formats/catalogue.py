"""The registry of formats, with what an organizer can choose in each: names, words, limits.

One list that forms, the API and the documents read. What is chosen is plain JSON by the options' keys.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from tournaments.standings import Data

from .by_hand import BY_HAND
from .duel import DUEL
from .elimination.format import MOST_CONTESTANTS, DoubleElimination, SingleElimination
from .elimination.spread import METHOD as ELIMINATION_METHOD
from .errors import CannotDraw, gettext_noop
from .format import Format
from .match_kind import ONE_GAME, Length, MatchKind, kind_of, mini_tournament
from .mini_tournament import MiniTournament
from .model import MAX_ROUNDS, equalize, left_over
from .points import MOST_POINTS, POINTS, MatchPoints
from .round_robin.format import MAX_LEGS, RoundRobin
from .round_robin.groups import Grouping
from .round_robin.lots import METHOD as ROUND_ROBIN_METHOD
from .swiss.criteria import FIRST_METHOD as FIRST_SWISS_METHOD
from .swiss.criteria import METHOD as SWISS_METHOD
from .swiss.criteria import NOTES
from .swiss.format import Swiss
from .table_elimination.format import FEWEST_SEATS, MOST_SEATS, TableElimination
from .table_elimination.tables import METHOD as TABLE_ELIMINATION_METHOD
from .table_result import ResultKind
from .tables.format import PlannedTables, TablesByStanding
from .tables.lots import METHOD as TABLES_METHOD
from .tables.scale import canonical_scale, is_scale, unreadable_scale
from .tables.sizes import FEWEST_SEATS as FEWEST_AT_TABLE
from .tables.sizes import MOST_SEATS as MOST_AT_TABLE
from .triangle import TRIANGLE

MOST_GROUPS = 64
MOST_TARGET = 10_000
MOST_SCALE = 40
"""The characters of the longest scale of a table's places: ten places of three digits."""


@dataclass(frozen=True, slots=True)
class WholeOption:
    """A whole number from `fewest` to `most`; with `or_none`, none leaves it to the format."""

    fewest: int
    most: int
    or_none: bool = False

    def fits(self, value: object) -> bool:
        """Whether it is one."""
        if value is None:
            return self.or_none
        return isinstance(value, int) and not isinstance(value, bool) and self.fewest <= value <= self.most


@dataclass(frozen=True, slots=True)
class Points:
    """Points of `POINTS`, as text: "3", "1/2"; with `or_none`, none for those of a win."""

    or_none: bool = False

    def fits(self, value: object) -> bool:
        """Whether it is one of them."""
        return self.or_none if value is None else isinstance(value, str) and value in POINTS


@dataclass(frozen=True, slots=True)
class PlacePoints:
    """The points of each place at a full table, as a text such as 4-2-1-0; none for the usual ones."""

    def fits(self, value: object) -> bool:
        """Whether it can be read; how many places there are hangs on the table."""
        return value is None or (isinstance(value, str) and len(value) <= MOST_SCALE and is_scale(value))


@dataclass(frozen=True, slots=True)
class YesNo:
    """Yes or no; `words` are the msgids by which settings tell it, empty where they tell name and value."""

    words: Mapping[bool, str] = field(default_factory=dict)

    def fits(self, value: object) -> bool:
        """Whether it is one of them."""
        return isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some values, each with its msgid."""

    values: Mapping[Any, str]

    def fits(self, value: object) -> bool:
        """Whether it is one of them (True isn't 1)."""
        return any(value == known and type(value) is type(known) for known in self.values)


@dataclass(frozen=True, slots=True)
class FormatOption:
    """What can be chosen in a format: name and explanation are msgids.

    `phrases` are the msgids of values that settings tell by a phrase, not by name and value.
    """

    key: str
    name: str
    explanation: str
    default: Any
    kind: WholeOption | Points | PlacePoints | YesNo | OneOf
    phrases: Mapping[Any, str] = field(default_factory=dict)


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
        return _RESULT_POINTS[0] in self.options

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
                raise _wrong_value(known[key], value)
        found = {key: given.get(key, option.default) for key, option in known.items()}
        for key, option in known.items():
            if isinstance(option.kind, PlacePoints) and found[key] is not None:
                found[key] = canonical_scale(found[key])
        return found


def _wrong_value(option: FormatOption, value: object) -> CannotDraw:
    kind = option.kind
    values: dict[str, int | str]
    if isinstance(kind, WholeOption):
        template = gettext_noop(
            "The setting %(key)s is a whole number from %(fewest)d to %(most)d, not %(given)s."
        )
        values = {"fewest": kind.fewest, "most": kind.most}
    elif isinstance(kind, Points):
        template = gettext_noop(
            "The setting %(key)s is a number of points in halves from 0 to %(most)d, as a text such as 3 "
            "or 1/2, not %(given)s."
        )
        values = {"most": MOST_POINTS}
    elif isinstance(kind, PlacePoints):
        return unreadable_scale(value)
    else:
        template = gettext_noop("The setting %(key)s is one of %(known)s, not %(given)s.")
        known = ("true", "false") if isinstance(kind, YesNo) else map(str, kind.values)
        values = {"known": ", ".join(known)}
    return CannotDraw("wrong_option", template, key=option.key, given=repr(value), **values)


_SEEDED = FormatOption(
    "seeded",
    gettext_noop("Seeds"),
    gettext_noop(
        "How many are set by their entry numbers so that they meet late; the others are drawn. "
        "0: all are drawn."
    ),
    0,
    WholeOption(0, MOST_CONTESTANTS),
    {MOST_CONTESTANTS: gettext_noop("seeded by their places")},
)
_APART = FormatOption(
    "apart",
    gettext_noop("Keep a team apart"),
    gettext_noop("Those of one team, or kept apart for another reason, meet as late as can be."),
    True,
    YesNo(
        {
            True: gettext_noop("those of one team meet as late as can be"),
            False: gettext_noop("those of one team can meet at any time"),
        }
    ),
)
_BY_PLACES: Final = {_SEEDED.key: MOST_CONTESTANTS, _APART.key: False}
"""Everybody stands where the places before say, of whatever team."""

_RESULT_POINTS = (
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
NOTHING, AS_A_DRAW = "nothing", "draw"
_DRAW_OR_NOTHING = OneOf({NOTHING: gettext_noop("Nothing"), AS_A_DRAW: gettext_noop("As many as a draw")})


def _match_points(chosen: Mapping[str, Any]) -> MatchPoints:
    return MatchPoints(*(Fraction(chosen[name]) for name in ("win", "draw", "loss")))


def _swiss(chosen: Mapping[str, Any]) -> Swiss:
    points = _match_points(chosen)
    worth = {NOTHING: Fraction(0), AS_A_DRAW: points.draw}
    return Swiss(
        rounds=chosen["rounds"],
        points=points,
        bye_points=points.win if chosen["bye"] is None else Fraction(chosen["bye"]),
        asked_points=worth[chosen["asked_bye"]],
        missed_points=worth[chosen["missed"]],
        teams_apart=chosen["teams_apart"],
        rematches=chosen["rematches"],
    )


def _choice(
    form: Format | type[Format],
    *options: FormatOption,
    build: Callable[[Mapping[str, Any]], Format] | None = None,
    **more: Any,
) -> FormatChoice:
    """A format that is built of its options by their names, if nothing else is said."""

    def by_name(chosen: Mapping[str, Any]) -> Format:
        return form(**chosen) if isinstance(form, type) else form

    more.setdefault("summary", (form.name,))
    return FormatChoice(
        form.key,
        form.name,
        form.explanation,
        options,
        build or by_name,
        is_predetermined=form.is_predetermined,
        **more,
    )


_PLACED: Final[Mapping[str, Any]] = {
    "has_places": True,
    "gives": frozenset({Data.PLACES, Data.PLAY_OFFS}),
    "default_metrics": ("stage_place",),
}
_OTHERS = gettext_noop("Others")
_AT_TABLES = gettext_noop("At tables of three and more")
_ROUNDS = FormatOption(
    "rounds",
    gettext_noop("Rounds"),
    gettext_noop("None: as many as the format proposes."),
    None,
    WholeOption(1, MAX_ROUNDS, or_none=True),
)


def _mini_tournament(form: MiniTournament) -> FormatChoice:
    return _choice(
        form,
        _ROUNDS,
        build=lambda chosen: replace(form, rounds=chosen["rounds"]),
        is_by_round=False,
        ranks_teams=True,
        gives=frozenset({Data.MINI_TOURNAMENTS, Data.PLAY_OFFS}),
        default_metrics=("points", "direct_match", "mini_tournaments"),
        pairs=form.games,
        asks=("rounds",),
        reserves=lambda entries, size, _most: equalize(entries, size).reserves,
        section=gettext_noop("Mini-tournaments between teams"),
        summary=(form.name, form.explanation),
        late=gettext_noop("In “%(name)s” it waits as a reserve: the draw is public already."),
    )


_OPTIONS_AT_TABLES: Final = (
    FormatOption(
        "seats",
        gettext_noop("Seats"),
        gettext_noop("The most at one table; where numbers don’t divide, some tables have one less."),
        4,
        WholeOption(FEWEST_AT_TABLE, MOST_AT_TABLE),
    ),
    FormatOption(
        "rounds",
        gettext_noop("Rounds"),
        gettext_noop("None: as many as a table has seats, so that everybody can have each seat once."),
        None,
        WholeOption(1, MAX_ROUNDS, or_none=True),
    ),
    FormatOption(
        "by_places",
        gettext_noop("Points by place"),
        gettext_noop(
            "Otherwise the points of the cards left in hand count, and low is good: with the house rules "
            "of the game, for example. They end a game after one deal if you change what happens when "
            "somebody is out."
        ),
        True,
        YesNo(),
    ),
    FormatOption(
        "scale",
        gettext_noop("Points of each place"),
        gettext_noop(
            "At a full table from the first place on, such as 4-2-1-0. None: one for each player left "
            "behind, and one more for the first. Smaller tables give as much on average."
        ),
        None,
        PlacePoints(),
    ),
    FormatOption(
        "sits_out",
        gettext_noop("Let some sit out"),
        gettext_noop("In turn, and as few as possible, where not all can sit; else such a round is refused."),
        True,
        YesNo(),
    ),
    FormatOption(
        "teams_apart",
        gettext_noop("Keep a team apart"),
        gettext_noop("Two of one team meet only where it can't be avoided."),
        True,
        YesNo(),
    ),
)


def _at_tables(form: type[PlannedTables | TablesByStanding], **more: Any) -> FormatChoice:
    return _choice(
        form,
        *_OPTIONS_AT_TABLES,
        build=lambda chosen: form(**{**chosen, "scale": chosen["scale"] or ""}),
        adds_points=True,
        summary=(form.name, form.explanation),
        method=TABLES_METHOD,
        gives=frozenset({Data.TABLES, Data.PLAY_OFFS}),
        default_metrics=("points", "wins", "table_places", "opponents_points"),
        gives_by_points=frozenset({Data.TABLES, Data.HAND_POINTS, Data.PLAY_OFFS}),
        metrics_by_points=("hand_points", "wins", "table_places"),
        section=_AT_TABLES,
        **more,
    )


FORMATS: Final[dict[str, FormatChoice]] = {
    choice.key: choice
    for choice in (
        _mini_tournament(TRIANGLE),
        _mini_tournament(DUEL),
        _choice(
            RoundRobin,
            FormatOption(
                "legs",
                gettext_noop("Legs"),
                gettext_noop("How often two meet, with seats changed from leg to leg."),
                1,
                WholeOption(1, MAX_LEGS),
            ),
            FormatOption(
                "groups",
                gettext_noop("Groups"),
                gettext_noop("In how many groups they play; everybody meets everybody of the own group."),
                1,
                WholeOption(1, MOST_GROUPS),
            ),
            FormatOption(
                "grouping",
                gettext_noop("How groups are made"),
                gettext_noop("From pots of as many as there are groups, in the order of entry numbers."),
                Grouping.POTS.value,
                OneOf(
                    {
                        Grouping.POTS.value: gettext_noop("Each pot gives every group one, by lot"),
                        Grouping.SNAKE.value: gettext_noop("In order, to and fro: nothing is drawn"),
                    }
                ),
            ),
            FormatOption(
                "annul",
                gettext_noop("Annul who leaves early"),
                gettext_noop(
                    "Who leaves before half of the own matches are played takes all results along; later, "
                    "the others win what is left."
                ),
                True,
                YesNo(
                    {
                        True: gettext_noop("nothing counts of who leaves before half of the own matches"),
                        False: gettext_noop("what was played counts also of who leaves early"),
                    }
                ),
            ),
            *_RESULT_POINTS,
            build=lambda chosen: RoundRobin(
                legs=chosen["legs"],
                groups=chosen["groups"],
                grouping=Grouping(chosen["grouping"]),
                annul=chosen["annul"],
                points=_match_points(chosen),
            ),
            method=ROUND_ROBIN_METHOD,
            gives=frozenset({Data.MATCHES, Data.FIXED_OPPONENTS, Data.PLAY_OFFS}),
            default_metrics=("points", "direct_match", "wins", "sonneborn_berger"),
        ),
        _choice(
            Swiss,
            FormatOption(
                "rounds",
                gettext_noop("Rounds"),
                gettext_noop("None: as many as a knockout has, so that at most one can have won all."),
                None,
                WholeOption(1, MAX_ROUNDS, or_none=True),
            ),
            FormatOption(
                "teams_apart",
                gettext_noop("Keep a team apart"),
                gettext_noop("Two of one team meet only where it can't be avoided."),
                True,
                YesNo(
                    {
                        True: gettext_noop("two of one team meet only where it can't be avoided"),
                        False: gettext_noop("two of one team can meet in any round"),
                    }
                ),
            ),
            FormatOption(
                "rematches",
                gettext_noop("Allow second meetings"),
                gettext_noop("Only where there is no other way to pair all; else such a round is refused."),
                False,
                YesNo(
                    {
                        True: gettext_noop("two meet again only where there is no other way to pair all"),
                        False: gettext_noop("nobody meets anybody twice"),
                    }
                ),
            ),
            *_RESULT_POINTS,
            FormatOption(
                "bye",
                gettext_noop("Points for a bye"),
                gettext_noop("For who is left over by the draw."),
                None,
                Points(or_none=True),
            ),
            FormatOption(
                "asked_bye",
                gettext_noop("A bye that was asked for"),
                gettext_noop("What a round gives that a squad has asked to sit out before it was drawn."),
                AS_A_DRAW,
                _DRAW_OR_NOTHING,
            ),
            FormatOption(
                "missed",
                gettext_noop("A round before one came"),
                gettext_noop("What each round gives to who came late that was drawn before."),
                NOTHING,
                _DRAW_OR_NOTHING,
            ),
            build=_swiss,
            method=SWISS_METHOD,
            notes=NOTES,
            grants_byes=True,
            earlier_methods=(FIRST_SWISS_METHOD,),
            gives=frozenset({Data.MATCHES, Data.CHOSEN_OPPONENTS, Data.PLAY_OFFS}),
            default_metrics=("points", "direct_match", "buchholz_cut_1", "buchholz"),
        ),
        _choice(
            SingleElimination,
            FormatOption(
                "played_for",
                gettext_noop("Places played for"),
                gettext_noop("Who goes out in the same round shares a place, unless it is played for."),
                4,
                OneOf(
                    {
                        2: gettext_noop("Only the final"),
                        4: gettext_noop("The final and the third place"),
                        8: gettext_noop("The places up to the eighth"),
                    }
                ),
            ),
            _SEEDED,
            _APART,
            is_decisive=True,
            has_bracket=True,
            after_stage=_BY_PLACES,
            method=ELIMINATION_METHOD,
            **_PLACED,
        ),
        _choice(
            DoubleElimination,
            FormatOption(
                "reset",
                gettext_noop("Deciding final"),
                gettext_noop("Who comes to the final without a defeat has to be beaten twice."),
                True,
                YesNo(
                    {
                        True: gettext_noop("who comes to the final without a defeat has to be beaten twice"),
                        False: gettext_noop("one final decides"),
                    }
                ),
            ),
            _SEEDED,
            _APART,
            is_decisive=True,
            has_bracket=True,
            after_stage=_BY_PLACES,
            method=ELIMINATION_METHOD,
            **_PLACED,
        ),
        _at_tables(PlannedTables),
        _at_tables(TablesByStanding, grants_byes=True),
        _choice(
            TableElimination,
            FormatOption(
                "seats",
                gettext_noop("Seats"),
                gettext_noop("The most at one table."),
                6,
                WholeOption(FEWEST_SEATS, MOST_SEATS),
            ),
            FormatOption(
                "target",
                gettext_noop("Target"),
                gettext_noop("Who has so many points leaves."),
                500,
                WholeOption(1, MOST_TARGET),
            ),
            adds_points=True,
            method=TABLE_ELIMINATION_METHOD,
            section=_AT_TABLES,
            **_PLACED,
        ),
        _choice(BY_HAND, is_played=False, section=_OTHERS, **_PLACED),
    )
}
"""By key, in the order in which they are offered."""

STAGE_FORMATS: Final = {key: choice for key, choice in FORMATS.items() if choice.is_by_round}
"""The formats that a stage among others can have."""

BRACKETS: Final = frozenset(key for key, choice in FORMATS.items() if choice.has_bracket)
PLACED: Final = frozenset(key for key, choice in FORMATS.items() if choice.has_places)
