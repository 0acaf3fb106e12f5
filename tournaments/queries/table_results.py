"""Results of tables of many: the place and points of each side."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain, count

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.places import places_of
from rendering.text.numbers import ordinal
from tournaments.formats.format import Format, PlayedRound, RoundPairing, RoundPlan
from tournaments.formats.table_result import ResultKind, TableResult
from tournaments.queries.match_views import MatchView
from tournaments.settings.stage import stage_format
from tournaments.standings import GameClosing


def came_in(
    names: Sequence[str],
    places: Sequence[int] | None,
    points: Sequence[int] | None,
    absent: Collection[int] = (),
) -> str:
    """The sides of a table in the order in which they came in: `1st Ada · 2nd Bea`, with points of cards
    `1st Ada, 0 points · 2nd Bea, 25 points`. Without places few points are good; empty without either. Who of
    those noted as absent wasn't there comes at the end: `Cleo wasn’t there`.
    """
    entered = TableResult(
        GameClosing.PLAYED,
        None,
        None if points is None else tuple(points),
        None if places is None else tuple(places),
        frozenset(absent),
    )
    kind = ResultKind.POINTS if places is None else ResultKind.PLACES
    missing = sorted(entered.missing(kind))
    here = [at for at in range(len(names)) if at not in missing]
    came = entered.among(here)
    ranking = came.places
    if ranking is None and came.points is not None:
        ranking = places_of(came.points)
    if ranking is None:
        return ""
    told = []
    for place, at in sorted(zip(ranking, here, strict=True)):
        side = f"{ordinal(place)} {names[at]}"
        if points is not None:
            counted = ngettext("%(count)d point", "%(count)d points", points[at]) % {"count": points[at]}
            side = f"{side}, {counted}"
        told.append(side)
    told += [_("%(name)s wasn’t there") % {"name": names[at]} for at in missing]
    return " · ".join(told)


def depends_on_others(view: MatchView) -> bool:
    """Whether its points may follow from the other tables of its round: by cards, it wasn't played out, or
    somebody wasn't there.
    """
    if not view.adds_points or view.result_kind is not ResultKind.POINTS:
        return False
    result = _result(view)
    return result is not None and (not result.closing.is_played or bool(result.absent))


def with_table_results(views: Sequence[MatchView], others: Sequence[MatchView]) -> list[MatchView]:
    """These matches, those at tables of many with each side's place and points.

    `others` are all matches of the rounds in which one of them depends on others.
    """
    return [_with_result(view, others) if view.adds_points else view for view in views]


def _with_result(view: MatchView, others: Sequence[MatchView]) -> MatchView:
    if view.drawn_in is None or _result(view) is None:
        return view
    form = stage_format(view.drawn_in)
    at_once = [view]
    if depends_on_others(view):
        of_round = (each for each in others if (each.drawn_in, each.round) == (view.drawn_in, view.round))
        at_once += [each for each in of_round if each.id != view.id]
    played, annulled = _round_of(form, at_once)
    outcome = played.outcomes[0]
    if outcome is None:
        return view
    absent_points = form.points_absent(played, annulled)
    sides = [
        replace(side, is_absent=True, table_points=absent_points)
        if at in outcome.absent
        else replace(side, is_absent=False)
        for at, side in enumerate(view.sides)
    ]
    counted = form.counted(played, annulled)[0]
    if counted is not None and counted[1] is not None:
        for at, side in enumerate(counted[0].sides):
            place, points = counted[1].place(at), counted[1].points[at]
            sides[side] = replace(sides[side], place=place, table_points=points)
    return replace(view, sides=tuple(sides))


def _round_of(form: Format, views: Sequence[MatchView]) -> tuple[PlayedRound, set[int]]:
    """These matches as a round, and who of it is annulled; its sides are numbered from 0, match by match."""
    numbers = count()
    pairings = tuple(RoundPairing("", tuple(next(numbers) for _ in each.sides)) for each in views)
    plan = RoundPlan(views[0].round, "", (), pairings, ())
    sides = chain.from_iterable(each.sides for each in views)
    annulled = {number for number, side in enumerate(sides) if side.is_annulled}
    results = [_numbered(_result(view), pairing) for view, pairing in zip(views, pairings, strict=True)]
    return PlayedRound(plan, tuple(form.outcomes(plan, results))), annulled


def _numbered(result: TableResult | None, pairing: RoundPairing) -> TableResult | None:
    """A result with its winner's number in this pairing."""
    if result is None or result.winner is None:
        return result
    return replace(result, winner=pairing.sides[result.winner])


def _result(view: MatchView) -> TableResult | None:
    """How its one game ended; None while that doesn't count."""
    game = next((game for game in view.games if game.counts), None)
    if game is None:
        return None
    absent = frozenset(at for at, side in enumerate(view.sides) if side.is_absent)
    return TableResult(game.end.closed, game.end.winner, game.points, game.places, absent)
