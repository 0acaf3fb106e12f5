"""The metrics that can order teams: each a few lines in the registry.

A metric's function gets the tally and the teams that are tied on every metric before it. It gives each of
them a value, or none to those of whom it can't tell. Then it decides nothing among them, and the next metric
has its turn. A `relative` metric compares the tied teams with each other alone. Where one that is asked
`again` separates some of them, those that are left tied are asked again among themselves, until it separates
nobody. Then the next metric has its turn, and none goes back to an earlier one.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

from . import by_opponents, by_results, by_tables
from .errors import CannotRank, gettext_noop
from .metric_inputs import Tally


class Data(StrEnum):
    """What a metric can only be worked out from, and not every tournament has."""

    MATCHES = "matches"  # teams meet two by two, round by round, and matches give points
    CHOSEN_OPPONENTS = "chosen_opponents"  # the next opponent depends on results, so not all meet the same
    FIXED_OPPONENTS = "fixed_opponents"  # everybody meets everybody, whatever the results
    MINI_TOURNAMENTS = "mini_tournaments"  # a match is several games that give points
    TABLES = "tables"  # more than two sit at a table, round by round, and each comes to a place there
    HAND_POINTS = "hand_points"  # the points of a table are those of the cards left in hand: low is good
    CARD_POINTS = "card_points"  # the games' card points are kept, and the rule set counts them
    PENALTIES = "penalties"  # the games' penalty cards are kept
    PLACES = "places"  # the format itself says who is where: a bracket, the places in groups
    PLAY_OFFS = "play_offs"  # a play-off's result can be recorded


class Follows(StrEnum):
    """What of the games to come a metric's value follows from, for those who look ahead."""

    NOTHING = "nothing"  # it is decided otherwise
    POINTS = "points"  # the points that they give to each team
    WINS = "wins"  # how many of them each team wins
    TIED_GAMES = "tied_games"  # who wins those among the teams that are tied
    LEADERS = "leaders"  # who takes the most points of each match
    WINNERS = "winners"  # all that winners tell but which of alike games they win
    CARDS = "cards"  # the cards in them, which nobody knows before


# One registry serves every kind of team id, hence Any; the functions themselves are generic.
Function = Callable[[Tally[Any], Collection[Any]], dict[Any, Fraction]]


@dataclass(frozen=True, slots=True)
class Metric:
    """One way to compare teams. Name, abbreviation, explanation and `ahead` are msgids.

    `ahead` says why one stands above the next, with `%(value)s` and `%(next)s`. `needs` is what a tournament
    has to have, `lacks` what it must not have. `follows`: a metric that says less than all winners is looked
    ahead for more quickly.
    """

    key: str
    name: str
    abbreviation: str
    explanation: str
    ahead: str
    function: Function
    needs: frozenset[Data] = frozenset()
    lacks: frozenset[Data] = frozenset()
    follows: Follows = Follows.WINNERS
    highest_first: bool = True
    relative: bool = False
    again: bool = False
    # What each could have at most with what is missing.
    at_most: Function | None = None
    # What was asked before, by the last edition that did (`rules.EDITION`): the function, and `at_most`.
    before: Mapping[int, tuple[Function, Function | None]] = field(default_factory=dict)

    def asked_by(self, edition: int) -> tuple[Function, Function | None]:
        """The function and `at_most` as an edition has them."""
        last = min((each for each in self.before if each >= edition), default=None)
        return (self.function, self.at_most) if last is None else self.before[last]


_SWISS = frozenset({Data.MATCHES, Data.CHOSEN_OPPONENTS})

_DIRECT_MATCH_BEFORE: Mapping[int, tuple[Function, Function | None]] = {
    1: (by_results.direct_match_as_drawn, None),
    2: (by_results.direct_match_with_walkovers, by_results.direct_match_with_walkovers_at_most),
    3: (by_results.direct_match_as_often, by_results.direct_match_as_often_at_most),
}

METRICS: dict[str, Metric] = {
    metric.key: metric
    for metric in (
        Metric(
            "points",
            gettext_noop("Points"),
            gettext_noop("Pts"),
            gettext_noop("What games or matches gave, with what was added or taken by decision."),
            gettext_noop("Ahead on points: %(value)s to %(next)s"),
            by_results.points,
            lacks=frozenset({Data.HAND_POINTS}),
            follows=Follows.POINTS,
        ),
        Metric(
            "hand_points",
            gettext_noop("Points left in hand"),
            gettext_noop("PH"),
            gettext_noop(
                "The points of the cards left in hand, with what was added or taken by decision; who has "
                "fewest is ahead."
            ),
            gettext_noop("Ahead with fewer points left in hand: %(value)s to %(next)s"),
            by_results.points,
            needs=frozenset({Data.HAND_POINTS}),
            follows=Follows.CARDS,
            highest_first=False,
        ),
        Metric(
            "stage_place",
            gettext_noop("Place in the stage"),
            gettext_noop("Pl"),
            gettext_noop("How far one came: in a bracket, at the tables, or in the own group."),
            gettext_noop("Ahead by place in the stage: %(value)s to %(next)s"),
            by_results.stage_place,
            needs=frozenset({Data.PLACES}),
            follows=Follows.NOTHING,
            highest_first=False,
        ),
        Metric(
            "wins",
            gettext_noop("Wins"),
            gettext_noop("W"),
            gettext_noop("Games or matches won against somebody who was there."),
            gettext_noop("Ahead on wins: %(value)s to %(next)s"),
            by_results.wins,
            follows=Follows.WINS,
        ),
        Metric(
            "games_won",
            gettext_noop("Games won in matches"),
            gettext_noop("GW"),
            gettext_noop(
                "The games in the scores of the team’s matches, such as 2 of a 2–1, forfeited ones among "
                "them. A bye that gives as much as a win counts like a match won without losing a game."
            ),
            gettext_noop("Ahead on games won in matches: %(value)s to %(next)s"),
            by_results.games_won,
            needs=frozenset({Data.MATCHES}),
        ),
        Metric(
            "games_difference",
            gettext_noop("Difference of games"),
            gettext_noop("G±"),
            gettext_noop("Games in the scores of the team’s matches, less those of its opponents there."),
            gettext_noop("Ahead on the difference of games: %(value)s to %(next)s"),
            by_results.games_difference,
            needs=frozenset({Data.MATCHES}),
        ),
        Metric(
            "table_places",
            gettext_noop("Places at the tables"),
            gettext_noop("PT"),
            gettext_noop(
                "The places at all tables added up, each as at a full table; the lowest sum is ahead. A "
                "round without a table counts like the mean place, and for who wasn’t there like the last."
            ),
            gettext_noop("Ahead on places at the tables: %(value)s to %(next)s"),
            by_tables.table_places,
            needs=frozenset({Data.TABLES}),
            highest_first=False,
            before={8: (by_tables.table_places_of_absent_shared, None)},
        ),
        Metric(
            "opponents_points",
            gettext_noop("Strength of those met"),
            gettext_noop("SM"),
            gettext_noop("The average points of all whom the team met at its tables; each meeting counts."),
            gettext_noop("Ahead on the average points of those met: %(value)s to %(next)s"),
            by_tables.opponents_points,
            needs=frozenset({Data.TABLES}),
            lacks=frozenset({Data.HAND_POINTS}),
        ),
        Metric(
            "direct_match",
            gettext_noop("Direct match"),
            gettext_noop("DM"),
            gettext_noop(
                "Points in the games among those who are tied, asked again among those who stay tied. Where "
                "some met more often than others, each two count with their average. While some of these "
                "games are missing, only who is ahead whatever they give. In a Swiss a walkover counts as "
                "missing."
            ),
            gettext_noop("Ahead by the direct match: %(value)s to %(next)s"),
            by_results.direct_match,
            follows=Follows.TIED_GAMES,
            relative=True,
            again=True,
            at_most=by_results.direct_match_at_most,
            before=_DIRECT_MATCH_BEFORE,
        ),
        Metric(
            "direct_match_once",
            gettext_noop("Direct match, asked once"),
            gettext_noop("DM1"),
            gettext_noop(
                "Points in the games among those who are tied; who stays tied is not asked again. Where some "
                "met more often than others, each two count with their average. While some of these games "
                "are missing, only who is ahead whatever they give. In a Swiss a walkover counts as missing."
            ),
            gettext_noop("Ahead by the direct match: %(value)s to %(next)s"),
            by_results.direct_match,
            follows=Follows.TIED_GAMES,
            relative=True,
            at_most=by_results.direct_match_at_most,
            before=_DIRECT_MATCH_BEFORE,
        ),
        Metric(
            "card_points_difference",
            gettext_noop("Difference of card points"),
            gettext_noop("CP±"),
            gettext_noop("Points taken in cards, less those that the others took at the same tables."),
            gettext_noop("Ahead on the difference of card points: %(value)s to %(next)s"),
            by_results.card_points_difference,
            needs=frozenset({Data.CARD_POINTS}),
            follows=Follows.CARDS,
        ),
        Metric(
            "card_points_for",
            gettext_noop("Card points"),
            gettext_noop("CP"),
            gettext_noop("Points taken in cards: what the others were left holding."),
            gettext_noop("Ahead on card points: %(value)s to %(next)s"),
            by_results.card_points_for,
            needs=frozenset({Data.CARD_POINTS}),
            follows=Follows.CARDS,
        ),
        Metric(
            "penalties",
            gettext_noop("Fewest penalty cards"),
            gettext_noop("Pen"),
            gettext_noop("Cards drawn as penalties; who has drawn fewest is ahead."),
            gettext_noop("Ahead with fewer penalty cards: %(value)s to %(next)s"),
            by_results.penalties,
            needs=frozenset({Data.PENALTIES}),
            follows=Follows.CARDS,
            highest_first=False,
        ),
        Metric(
            "buchholz",
            gettext_noop("Buchholz"),
            gettext_noop("BH"),
            gettext_noop(
                "The points of all whom the team met. A round that it didn't play counts as one against a "
                "dummy that ends level with it (FIDE C.07 of March 2026, article 16)."
            ),
            gettext_noop("Ahead on Buchholz, the points of those they met: %(value)s to %(next)s"),
            by_opponents.buchholz,
            needs=_SWISS,
        ),
        Metric(
            "buchholz_cut_1",
            gettext_noop("Buchholz cut 1"),
            gettext_noop("BH-C1"),
            gettext_noop(
                "Buchholz without its lowest value; a round that the team chose not to play is left out "
                "first (FIDE C.07 of March 2026, article 16.5)."
            ),
            gettext_noop("Ahead on Buchholz without the lowest value: %(value)s to %(next)s"),
            by_opponents.buchholz_cut_1,
            needs=_SWISS,
        ),
        Metric(
            "median_buchholz",
            gettext_noop("Median Buchholz"),
            gettext_noop("BH-M"),
            gettext_noop("Buchholz without its lowest and its highest value."),
            gettext_noop("Ahead on Buchholz without the lowest and highest value: %(value)s to %(next)s"),
            by_opponents.median_buchholz,
            needs=_SWISS,
        ),
        Metric(
            "average_buchholz",
            gettext_noop("Average Buchholz of opponents"),
            gettext_noop("AOB"),
            gettext_noop(
                "The average Buchholz of those whom the team played; walkovers and byes don’t count."
            ),
            gettext_noop("Ahead on the average Buchholz of those they played: %(value)s to %(next)s"),
            by_opponents.average_buchholz,
            needs=_SWISS,
        ),
        Metric(
            "sonneborn_berger",
            gettext_noop("Sonneborn-Berger"),
            gettext_noop("SB"),
            gettext_noop(
                "The points of each whom the team met, times the points it took there; a round that it "
                "didn't play counts as in Buchholz."
            ),
            gettext_noop("Ahead on Sonneborn-Berger, the points of those they beat: %(value)s to %(next)s"),
            by_opponents.sonneborn_berger,
            needs=frozenset({Data.MATCHES}),
        ),
        Metric(
            "sonneborn_berger_cut_1",
            gettext_noop("Sonneborn-Berger cut 1"),
            gettext_noop("SB-C1"),
            gettext_noop(
                "Sonneborn-Berger without the opponent that has the fewest points; a round that the team "
                "chose not to play is left out instead if that takes away as much or more (FIDE C.07 of "
                "March 2026, article 16.5)."
            ),
            gettext_noop("Ahead on Sonneborn-Berger without the lowest opponent: %(value)s to %(next)s"),
            by_opponents.sonneborn_berger_cut_1,
            needs=frozenset({Data.MATCHES}),
        ),
        Metric(
            "koya",
            gettext_noop("Koya"),
            gettext_noop("KS"),
            gettext_noop(
                "The points taken from opponents that have at least half of the points that they could have."
            ),
            gettext_noop("Ahead on Koya, the points taken from the upper half: %(value)s to %(next)s"),
            by_opponents.koya,
            needs=frozenset({Data.MATCHES, Data.FIXED_OPPONENTS}),
        ),
        Metric(
            "progressive",
            gettext_noop("Progressive score"),
            gettext_noop("PS"),
            gettext_noop("The points after each round, added up: an early win counts more than a late one."),
            gettext_noop("Ahead on points after each round, added up: %(value)s to %(next)s"),
            by_opponents.progressive,
            needs=_SWISS,
        ),
        Metric(
            "mini_tournaments",
            gettext_noop("Mini-tournaments won"),
            gettext_noop("MT"),
            gettext_noop("Finished mini-tournaments in which the team alone took the most points."),
            gettext_noop("Ahead on mini-tournaments won: %(value)s to %(next)s"),
            by_results.mini_tournaments,
            needs=frozenset({Data.MINI_TOURNAMENTS}),
            follows=Follows.LEADERS,
        ),
        Metric(
            "play_off",
            gettext_noop("Play-off"),
            gettext_noop("PO"),
            gettext_noop("The order of a play-off among all who are tied."),
            gettext_noop("Ahead by the play-off"),
            by_results.play_off,
            needs=frozenset({Data.PLAY_OFFS}),
            follows=Follows.NOTHING,
            highest_first=False,
            relative=True,
        ),
        Metric(
            "lots",
            gettext_noop("Lots"),
            gettext_noop("Lots"),
            gettext_noop("The order in which lots were drawn among those who are tied."),
            gettext_noop("Ahead by lot: drawn before the next"),
            by_results.lots,
            follows=Follows.NOTHING,
            highest_first=False,
            relative=True,
        ),
    )
}

ADDED_UP: Final = frozenset({"points", "hand_points"})
"""The metrics that are points added up, of which a tournament's order has one at most."""


def metrics_offered(data: Collection[Data]) -> dict[str, Metric]:
    """The metrics that can be worked out from such data, by key, in the order of the registry."""
    known = frozenset(data)
    return {key: each for key, each in METRICS.items() if each.needs <= known and not each.lacks & known}


def metrics_for(keys: Sequence[str]) -> list[Metric]:
    """The metrics of these keys in order; raises CannotRank for an unknown, repeated or misplaced one."""
    for key in keys:
        if key not in METRICS:
            raise unknown_metric(key, METRICS)
    check_order(keys)
    return [METRICS[key] for key in keys]


def unknown_metric(key: str, known: Collection[str]) -> CannotRank:
    """What is said of a metric that isn't there."""
    return CannotRank(
        "unknown_metric",
        gettext_noop("There is no metric %(given)s; there are %(known)s."),
        given=repr(key),
        known=", ".join(known),
    )


def check_order(keys: Sequence[str]) -> None:
    """Raise CannotRank unless each key is there once, and lots come last."""
    if len(set(keys)) != len(keys):
        raise CannotRank(
            "repeated_metric",
            gettext_noop("Each metric is asked once, and these have one twice: %(given)s."),
            given=", ".join(keys),
        )
    if "lots" in keys[:-1]:
        raise CannotRank("lots_first", gettext_noop("Lots leave nothing to decide, so they are asked last."))
