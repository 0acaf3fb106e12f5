"""Template tags of drawings and small components: ``{% load components %}``.

A wrong value raises at once, in tests and on the page alike. A drawing that quietly leaves out a card or a
team would be a wrong picture of a game.
"""

import re
from collections.abc import Sequence
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.urls import translate_url
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import get_language_info, gettext, ngettext, pgettext

from games.engine.card_names import card_title
from games.engine.telling import Part
from rendering.components.component_inputs import LookStep, LookTeam, ShownSeat, Way, look
from rendering.components.playing_cards import drawn_card, drawn_color
from rendering.components.states import STATES
from rendering.components.table_alt_text import table_words
from rendering.svg import bracket as brackets
from rendering.svg import card as cards
from rendering.svg import chart as charts
from rendering.svg import icons
from rendering.svg import table as tables
from rendering.svg import team_banner as banners
from rendering.text import days, numbers
from rendering.text.active_language import reader_language
from rendering.text.numbers import spoken

register = template.Library()


@register.filter(expects_localtime=True)
def day(moment: date, form: str = "j F Y") -> str:
    """``{{ event.starts_on|day }}``: a date in words; ``|day:"j F Y, H:i"`` with its time."""
    return days.day(moment, form)


@register.filter
def ago(moment: datetime | None) -> str:
    """How long ago a moment was, as one would say it; a dash where there is none."""
    if moment is None:
        return "–"
    minutes = int((timezone.now() - moment).total_seconds() // 60)
    if minutes < 1:
        return gettext("just now")
    if minutes < 60:
        return ngettext("%(count)d minute ago", "%(count)d minutes ago", minutes) % {"count": minutes}
    hours = minutes // 60
    if hours < 24:
        return ngettext("%(count)d hour ago", "%(count)d hours ago", hours) % {"count": hours}
    days = hours // 24
    return ngettext("%(count)d day ago", "%(count)d days ago", days) % {"count": days}


@register.filter
def number(value: Fraction | str | None) -> str:
    """``{{ row.total|number }}``: as people read it, fractions as written by hand (7½); empty for none."""
    return "" if value is None or value == "" else spoken(str(value))


@register.filter
def bent_by(value: Fraction | str) -> int:
    """``{{ row.total|bent_by }}``: the number that the words after `number` follow."""
    return numbers.bent_by(str(value))


@register.filter
def ordinal(place: int) -> str:
    """``{{ side.place|ordinal }}``: "1st", "1º"."""
    return numbers.ordinal(place)


@register.filter
def unbroken(name: str) -> str:
    """``{{ side.players|unbroken }}``: no line begins with the number of "Superiore 2"."""
    return re.sub(r" (?=\d)", "\u00a0", name)


@register.filter
def parted(name: str) -> SafeString:
    """``{{ team.name|parted }}``: a name such as "S.Bartolomeo" breaks after its point, not in a word."""
    return format_html_join(
        mark_safe("<wbr>"), "{}", ((part,) for part in re.split(r"(?<=[./])(?=\w)", name))
    )


@lru_cache(maxsize=1000)
def _drawn_banner(colors: tuple[str, str], division: str, emblem: str, shape: str, label: str) -> SafeString:
    """A page shows the same few banners again and again."""
    return SafeString(banners.banner(colors, division, emblem, shape, label))


def _unseen(words: str) -> SafeString:
    """Words for who hears the page."""
    return format_html('<span class="unseen"> {}</span>', words)


@register.simple_tag
def banner(team: LookTeam, shape: str = "shield", label: str | None = None) -> SafeString:
    """``{% banner team "drape" %}``: a banner called by the team's name; with ``label=""`` it is ornament."""
    return _drawn_banner(*look(team), shape, team.name if label is None else label)


@register.simple_tag
def team(team: LookTeam, href: str = "", long: bool = False) -> SafeString:
    """``{% team team %}``: shield and short name, never one without the other.

    ``long=True`` shows the full name; with ``href`` the name is a link.
    """
    name = team.name if long else getattr(team, "short_name", "") or team.name
    shield = banner(team, label="")
    if href:
        return format_html('<a class="team" href="{}">{}<span>{}</span></a>', href, shield, name)
    return format_html('<span class="team">{}<span>{}</span></span>', shield, name)


@register.simple_tag
def card(code: str) -> SafeString:
    """``{% card "R7" %}``."""
    return SafeString(drawn_card(code, reader_language()))


@register.simple_tag
def color_sign(color: str) -> SafeString:
    """``{% color_sign "R" %}``: a colour of the cards with its shape and letter, for naming it."""
    return SafeString(drawn_color(color, reader_language()))


@register.filter
def card_name(code: str) -> str:
    """``{{ code|card_name }}``: "7 rosso", "Red 7"."""
    return card_title(code, reader_language())


@register.simple_tag
def told(parts: Sequence[Part]) -> SafeString:
    """``{% told line.parts %}``: a sentence about a game, each card in it with the mark of its colour."""
    pieces = ((part.text if part.card is None else _card_word(part),) for part in parts)
    return format_html('<span class="told">{}</span>', format_html_join("", "{}", pieces))


def _card_word(part: Part) -> SafeString:
    color = part.color or cards.color_of(part.card or "")
    mark = SafeString(cards.color_mark(color)) if color else ""
    return format_html('<span class="card-word">{}{}</span>', mark, part.text)


@register.simple_tag
def sign(name: str) -> SafeString:
    """``{% sign "undo" %}``: a small sign before a word; never instead of it."""
    return SafeString(icons.sign(name))


@register.simple_tag
def chip(state: str, text: str = "") -> SafeString:
    """``{% chip "playing" %}``: a state as sign and word; ``text`` says it in other words. KeyError if
    unknown."""
    known = STATES[state]
    drawn = SafeString(icons.sign(known.sign))
    return format_html('<span class="chip chip-{}">{}{}</span>', known.tone, drawn, text or str(known.word))


@register.simple_tag
def movement(places: int | None) -> SafeString:
    """``{% movement row.movement %}``: places gained (above 0) or lost since before; nothing for None.

    Who stayed is told to who hears the page alone: a sign that says nothing would need an explanation.
    """
    if places is None:
        return SafeString("")
    if places == 0:
        return format_html('<span class="movement">{}</span>', _unseen(pgettext("movement", "same place")))
    words = (
        ngettext("up %(count)d place", "up %(count)d places", places)
        if places > 0
        else ngettext("down %(count)d place", "down %(count)d places", -places)
    )
    way = "up" if places > 0 else "down"
    return format_html(
        '<span class="movement movement-{}">{}<span aria-hidden="true">{}</span>{}</span>',
        way,
        SafeString(icons.sign(way)),
        abs(places),
        _unseen(words % {"count": abs(places)}),
    )


@register.simple_tag
def place(number: int, tied: bool = False) -> SafeString:
    """``{% place row.place tied=row.tied %}``: a place; a shared one has the sign = and says so."""
    if not tied:
        return format_html('<span class="place">{}</span>', number)
    return format_html(
        '<span class="place is-tied">{}<span aria-hidden="true">=</span>{}</span>',
        number,
        _unseen(pgettext("place", "shared")),
    )


@register.simple_tag
def table_view(
    seats: Sequence[ShownSeat],
    turn: int | None = None,
    direction: int = 1,
    top: str | None = None,
    color: str | None = None,
    is_flat: bool = False,
) -> SafeString:
    """``{% table_view seats turn=state.turn direction=state.direction top=state.top color=state.color
    %}``; ``is_flat=True`` for a page that leaves it little height."""
    names = [seat.name for seat in seats]
    drawn = [
        tables.DrawnSeat(
            name=seat.name,
            banner=look(seat.team) if seat.team else None,
            hand=seat.hand,
            out=seat.out,
        )
        for seat in seats
    ]
    return SafeString(
        tables.table_view(
            drawn,
            label=table_words(names, turn, direction, top, color, reader_language()),
            turn=turn,
            direction=direction,
            pile=drawn_card(top, reader_language(), color or None) if top else "",
            is_flat=is_flat,
        )
    )


@register.simple_tag
def day_chart(ways: Sequence[Way], moments: Sequence[str], is_wide: bool = False) -> SafeString:
    """``{% day_chart ways moments %}``: each team's places through the day; ``moments`` are what is written
    below. ``is_wide=True`` for the projector.
    """
    lines = [charts.ChartPath(way.name, look(way.team), way.places) for way in ways]
    label = gettext("How the places changed through the day")
    return SafeString(charts.day_chart(lines, moments, label=label, is_wide=is_wide))


@register.simple_tag
def bracket(columns: Sequence[brackets.BracketColumn]) -> SafeString:
    """``{% bracket piece.columns %}``: a piece of a bracket (``bracket_view.pieces``), as ornament: the list
    beside it says the same.
    """
    return SafeString(brackets.bracket(columns))


@register.inclusion_tag("components/podium.html")
def podium(rows: Sequence[LookStep]) -> dict[str, Any]:
    """``{% podium rows %}``: the steps of a closed palio: rows with place 1 to 3, ``team`` and maybe
    ``points``.

    Equal places stand equally high; rows below the third place are left out.
    """
    return {"rows": [row for row in rows if row.place <= 3]}


@register.simple_tag
def language_name(language: str) -> str:
    """``{% language_name "en" %}``: a language in its own words; else as the settings name it."""
    try:
        name = str(get_language_info(language)["name_local"])
    except KeyError:
        name = str(dict(settings.LANGUAGES)[language])
    return capfirst(name)


@register.simple_tag(takes_context=True)
def page_in(context: Context, language: str) -> str:
    """``{% page_in "en" %}``: the address of this page in another language.

    The page is the context's ``path`` where a page is written without a request, else the request's address.
    Without either it is the site's front page.
    """
    request = context.get("request")
    path = context.get("path") or (request.get_full_path() if request else "/")
    return translate_url(str(path), language)
