"""Template tags of the desk alone: ``{% load desk %}``."""

from django import template
from django.template import Context

from desk import guide_parts, stage_squads
from people.display_names import NameBook
from tournaments.projections.removed_squads import why_left
from tournaments.queries.match_views import GameView, MatchView
from tournaments.queries.table_results import came_in

register = template.Library()
register.filter("players", stage_squads.players_of)
"""``{{ side|players:book }}``: the players of a side of a match, with full names."""
register.filter("why_left", why_left)
"""``{{ side.left|why_left }}``: why a side doesn't play on, beside its name."""


@register.simple_tag(takes_context=True)
def guide_address(context: Context) -> str:
    """``{% guide_address %}``: where the guide tells about this page; its beginning if nowhere."""
    match = context["request"].resolver_match
    return guide_parts.address(match.url_name)


@register.simple_tag
def table_result(match: MatchView, game: GameView, book: NameBook) -> str:
    """``{% table_result match game book %}``: who came where at a table of many, with full names.

    Empty where that isn't known, and for any other match.
    """
    if not match.adds_points:
        return ""
    sides = [match.sides[number] for number in game.sides]
    names = [stage_squads.players_of(side, book) for side in sides]
    return came_in(names, game.places, game.points, [at for at, side in enumerate(sides) if side.is_absent])
