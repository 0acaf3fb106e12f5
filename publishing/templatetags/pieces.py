"""Pieces that many pages show: ``{% load pieces %}``, drawn once as long as they say the same."""

from collections.abc import Hashable
from typing import Any

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from publishing.page_cache import KeptPage

register = template.Library()

kept = KeptPage[SafeString](most=3000)
"""Drawn pieces by all that they show; some kilobytes each."""


@register.simple_tag(takes_context=True)
def piece(context: Context, name: str, seen: tuple[Hashable, ...]) -> SafeString:
    """``{% piece "publishing/agenda_line.html" line.seen %}``: the template as `include` gives it.

    `seen` is all that it shows, beside the event's address, whether there are several tournaments, language
    and time zone.
    """
    event, several = context["event"], bool(context.get("several"))
    where = (event.slug, several, get_language(), timezone.get_current_timezone_name())

    def drawn() -> SafeString:
        engine: Any = context.template.engine  # type: ignore[union-attr]  # while a page is rendered
        return SafeString(engine.get_template(name).render(context))

    return kept.of((name, *where, *seen), drawn)
