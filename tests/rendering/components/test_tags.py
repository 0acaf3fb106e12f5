"""The template tags, and the base page that all others stand on."""

import re
from collections.abc import Iterator
from datetime import date

import pytest
from django.core.paginator import Paginator
from django.forms import BooleanField, CharField, ChoiceField, Form, RadioSelect
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import Client, override_settings
from django.utils import translation

from games.engine.telling import Part
from rendering.components.playing_cards import drawn_card
from rendering.components.states import STATES
from rendering.svg.card import color_mark
from tests.rendering.components.teams import Row, Seat, Team, Way

SUPERIORE = Team()
CENTRO = Team("Centro", "Centro", "#1c5d3a", "#ffffff", "per_pale", "C")


def rendered(source: str, **context: object) -> str:
    return Template("{% load components %}" + source).render(Context(context))


def words(html: str) -> str:
    """What a page says, without tags and drawings."""
    bare = re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", bare).split())


def test_banner_tag_has_the_team_s_name_as_title_or_none() -> None:
    assert "<title>Contrada Superiore</title>" in rendered("{% banner team 'drape' %}", team=SUPERIORE)
    assert "<title>" not in rendered("{% banner team 'shield' '' %}", team=SUPERIORE)


def test_team_tag_is_a_shield_and_a_name() -> None:
    html = rendered("{% team team %}", team=SUPERIORE)
    assert html.count("<svg") == 1
    assert words(html) == "Superiore"
    assert words(rendered("{% team team long=True %}", team=SUPERIORE)) == "Contrada Superiore"


@pytest.mark.parametrize(
    ("language", "said"), [("it", "sabato 17 settembre 2022"), ("en", "Saturday 17 September 2022")]
)
def test_day_filter_writes_a_date_as_in_a_sentence(language: str, said: str) -> None:
    with translation.override(language):
        assert rendered("{{ day|day:'l j F Y' }}", day=date(2022, 9, 17)) == said


def test_team_tag_escapes_name_and_address() -> None:
    html = rendered("{% team team href=href %}", team=Team("<b>", "<b>"), href='/"><script>')
    assert "<b>" not in html
    assert "<script>" not in html
    assert 'href="/&quot;&gt;&lt;script&gt;"' in html


@pytest.mark.parametrize("language", ["it", "en"])
def test_card_tag_speaks_the_reader_s_language(language: str) -> None:
    with translation.override(language):
        assert rendered("{% card 'G7' %}") == drawn_card("G7", language)
        assert rendered("{{ 'G7'|card_name }}") == {"it": "7 verde", "en": "Green 7"}[language]


def test_sentence_has_its_cards_marked_with_their_colour_and_is_escaped() -> None:
    parts = [
        Part("<Anna>"),
        Part(" gioca il "),
        Part("7 rosso", card="R7"),
        Part(", un "),
        Part("Jolly", card="W", color="G"),
        Part(" e un "),
        Part("Jolly", card="W"),
        Part("."),
    ]
    html = rendered("{% told parts %}", parts=parts)

    assert re.sub("<[^>]*>", "", html) == "&lt;Anna&gt; gioca il 7 rosso, un Jolly e un Jolly."
    assert html.count('class="card-word"') == 3
    assert [mark in html for mark in (color_mark("R"), color_mark("G"), color_mark("B"))] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("state", STATES)
def test_state_chip_is_a_word_and_a_sign(state: str) -> None:
    html = rendered("{% chip state %}", state=state)
    assert html.count("<svg") == 1
    assert words(html) == str(STATES[state].word)
    assert words(rendered("{% chip state 'altro' %}", state=state)) == "altro"


@pytest.mark.parametrize(
    ("places", "said"),
    [
        (2, "2 up 2 places"),
        (1, "1 up 1 place"),
        (0, "same place"),
        (-1, "1 down 1 place"),
        (-3, "3 down 3 places"),
        (None, ""),
    ],
)
def test_movement_tag_says_how_many_places_up_or_down(places: int | None, said: str) -> None:
    with translation.override("en"):
        assert words(rendered("{% movement places %}", places=places)) == said


def test_unbroken_filter_keeps_a_number_with_its_name() -> None:
    assert rendered("{{ name|unbroken }}", name="Superiore 2, Borgo Alto 11") == (
        "Superiore\u00a02, Borgo Alto\u00a011"
    )


def test_place_tag_shows_and_says_that_a_place_is_shared() -> None:
    with translation.override("en"):
        assert words(rendered("{% place 3 %}")) == "3"
        assert words(rendered("{% place 3 tied=True %}")) == "3 = shared"


def test_table_view_title_says_what_it_shows() -> None:
    seats = [Seat("Anna", SUPERIORE, 4), Seat("Ivo", CENTRO, 1), Seat("Bo", out=True)]
    with translation.override("en"):
        html = rendered("{% table_view seats turn=1 direction=-1 top='W' color='G' %}", seats=seats)
    title = re.search("<title>(.*?)</title>", html)

    assert title
    assert title[1] == (
        "Table seen from above: Anna, Ivo, Bo. To play: Ivo. Going anticlockwise. On the pile: Wild (green)."
    )


def test_day_chart_tag_names_teams_and_times() -> None:
    ways = [Way(SUPERIORE, "Superiore", (2, 1)), Way(CENTRO, "Centro", (1, 2))]
    html = rendered("{% day_chart ways moments %}", ways=ways, moments=["14:00", "14:30"])
    assert [name for name in ("Superiore", "Centro", "14:00", "14:30") if f">{name}<" not in html] == []


def test_podium_escapes_a_name_once() -> None:
    html = rendered("{% podium rows %}", rows=[Row(1, Team("Sant'Andrea"), 30)])
    assert re.findall('<strong class="step-name">(.*?)</strong>', html) == ["Sant&#x27;Andrea"]


def test_podium_keeps_ties_and_leaves_out_the_fourth() -> None:
    rows = [Row(1, SUPERIORE, 30), Row(1, CENTRO, 30), Row(3, SUPERIORE, 10), Row(4, CENTRO, 5)]
    html = rendered("{% podium rows %}", rows=rows)
    assert re.findall(r"step step-(\d)", html) == ["1", "1", "3"]


def test_standings_say_place_name_reason_and_points() -> None:
    rows = [
        Row(1, SUPERIORE, 1, reason="ahead by the direct match", movement=1, details=("Table 3: 1–0",)),
        Row(2, CENTRO, 0, tied=True),
    ]
    with translation.override("en"):
        html = render_to_string("components/standings.html", {"rows": rows})
    assert words(html) == (
        "1 Contrada Superiore ahead by the direct match 1 up 1 place 1 point The games Table 3: 1–0 "
        "2 = shared Centro 0 points"
    )


class Entry(Form):
    name = CharField(help_text="As on the list.")
    note = CharField(required=False)
    shown = ChoiceField(choices=[("a", "A"), ("b", "B")], widget=RadioSelect)


def test_form_field_is_tied_to_its_help_and_its_error() -> None:
    with translation.override("en"):
        html = render_to_string("components/form.html", {"form": Entry({"note": "x"})})
    ids = re.findall(r'\bid="([^"]+)"', html)

    assert len(ids) == len(set(ids))
    for described in re.findall(r'aria-describedby="([^"]+)"', html):
        assert set(described.split()) <= set(ids)
    assert html.count('aria-invalid="true"') == 3
    assert "Nothing was stored yet" in html


class Consent(Form):
    shown = BooleanField(label="Shown", help_text="By name.", required=False)


def test_checkbox_stands_within_its_label_and_asks_for_nothing_else() -> None:
    with translation.override("en"):
        html = render_to_string("components/form.html", {"form": Consent()})
    assert words(html) == "Shown By name."
    assert re.findall(r"<label[^>]*>\s*<input[^>]+type=\"checkbox\"[^>]*>", html) != []
    assert html.count("<input") == 1


def test_pagination_leads_to_the_page_before_and_after() -> None:
    page = Paginator(range(30), 10).page(2)
    html = render_to_string("components/pagination.html", {"page": page, "query": "&team=1"})
    assert re.findall(r'href="([^"]+)"', html) == ["?page=1&amp;team=1", "?page=3&amp;team=1"]


@pytest.fixture
def two_pages() -> Iterator[Client]:
    with override_settings(
        ROOT_URLCONF="tests.rendering.components.urls",
        MIDDLEWARE=["django.middleware.locale.LocaleMiddleware"],
    ):
        yield Client()


def test_base_page_has_its_language_and_is_not_for_search_engines(two_pages: Client) -> None:
    html = two_pages.get("/palio/?page=2").content.decode()
    assert '<html lang="it" dir="ltr">' in html
    assert '<meta name="robots" content="noindex, nofollow">' in html
    assert re.findall(r'<a href="([^"]+)" lang="(..)"', html) == [
        ("/palio/?page=2", "it"),
        ("/en/palio/?page=2", "en"),
    ]


def test_language_switch_leads_back(two_pages: Client) -> None:
    html = two_pages.get("/en/palio/").content.decode()
    assert '<html lang="en" dir="ltr">' in html
    assert re.findall(r'<a href="([^"]+)" lang="(..)"', html) == [("/palio/", "it"), ("/en/palio/", "en")]


def test_language_switch_needs_no_request(two_pages: Client) -> None:
    with translation.override("it"):
        assert rendered("{% page_in 'en' %}", path="/palio/") == "/en/palio/"
        assert rendered("{% page_in 'en' %}") == "/en/"


def test_pages_have_no_inline_styles_or_scripts(two_pages: Client) -> None:
    html = two_pages.get("/").content.decode() + rendered(
        "{% podium rows %}{% table_view seats turn=0 %}{% include 'components/standings.html' %}",
        rows=[Row(1, SUPERIORE, 3, movement=-1)],
        seats=[Seat("Anna", SUPERIORE, 4), Seat("Ivo")],
    )
    assert not re.findall(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script>", html)
