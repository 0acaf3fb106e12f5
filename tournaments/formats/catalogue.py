"""The registry of formats, with what an organizer can choose in each: names, words, limits.

One list that forms, the API and the documents read. What is chosen is plain JSON by the options' keys.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from tournaments.standings import Data

from .choice import RESULT_POINTS, FormatChoice
from .duel import DUEL
from .elimination.format import MOST_CONTESTANTS, DoubleElimination, SingleElimination
from .elimination.spread import METHOD as ELIMINATION_METHOD
from .errors import gettext_noop
from .format import Format
from .mini_tournament_format import MiniTournament
from .model import MAX_ROUNDS, equalize
from .options import FormatOption, OneOf, PlacePoints, Points, WholeOption, YesNo
from .places_by_hand import BY_HAND
from .points import MatchPoints
from .round_robin.format import MAX_LEGS, RoundRobin
from .round_robin.groups import Grouping
from .round_robin.lots import METHOD as ROUND_ROBIN_METHOD
from .swiss.criteria import FIRST_METHOD as FIRST_SWISS_METHOD
from .swiss.criteria import METHOD as SWISS_METHOD
from .swiss.criteria import NOTES
from .swiss.format import Swiss
from .table_elimination.format import FEWEST_SEATS, MOST_SEATS, TableElimination
from .table_elimination.tables import METHOD as TABLE_ELIMINATION_METHOD
from .tables.format import PlannedTables, TablesByStanding
from .tables.lot_order import METHOD as TABLES_METHOD
from .tables.sizes import FEWEST_SEATS as FEWEST_AT_TABLE
from .tables.sizes import MOST_SEATS as MOST_AT_TABLE
from .triangle import TRIANGLE

MOST_GROUPS = 64
MOST_TARGET = 10_000
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


# With many more, pages and papers of a whole day take minutes.
_MOST_ROUNDS_AT_TABLES: Final = 30
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
        WholeOption(1, _MOST_ROUNDS_AT_TABLES, or_none=True, stored_most=MAX_ROUNDS),
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
            *RESULT_POINTS,
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
            *RESULT_POINTS,
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
