"""Template tags of the desk alone: ``{% load desk %}``."""

from django import template
from django.template import Context

from desk import guide_parts, stage_squads

register = template.Library()
register.filter("players", stage_squads.players_of)
"""``{{ side|players:book }}``: the players of a side of a match, with full names."""
register.filter("why_left", stage_squads.why_left)
"""``{{ side|why_left }}``: why a side of a match doesn't play on, beside its name."""


@register.simple_tag(takes_context=True)
def guide_address(context: Context) -> str:
    """``{% guide_address %}``: where the guide tells about this page; its beginning if nowhere."""
    match = context["request"].resolver_match
    return guide_parts.address(match.url_name)
