"""The drawings: well formed, safe to put on any page, and readable without seeing colours."""

import re
from itertools import pairwise, product
from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.card_names import card_title, color_letter
from rendering.components.playing_cards import drawn_card, drawn_color
from rendering.svg.card import COLORS, card
from rendering.svg.chart import ChartPath, day_chart
from rendering.svg.icons import SIGNS, sign
from rendering.svg.markup import contrast, luminance
from rendering.svg.table import DrawnSeat, table_view
from rendering.svg.team_banner import DIVISIONS, SHAPES, Polygon, banner, cut, emblem_colors
from tests.rendering.components.drawn import parts, texts

DECK = [
    *(f"{color}{value}" for color in "RYGB" for value in (*"0123456789SR", "+2")),
    "W",
    "W+4",
]
HEX = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")
NAMES = st.text(max_size=20)


@pytest.mark.parametrize(("division", "shape"), list(product(DIVISIONS, SHAPES)))
def test_banner_shows_both_colours_and_an_outline(division: str, shape: str) -> None:
    elements = parts(banner(("#aa0000", "#ffee00"), division, "S", shape, "Superiore"))
    fills = [part.get("fill") for part in elements if part.tag == "polygon"]
    assert set(fills) == ({"#aa0000"} if division == "plain" else {"#aa0000", "#ffee00"})
    outline = [part for part in elements if part.get("stroke") == "currentColor" and part.tag == "path"]
    assert outline, "a banner of the page's own colour would not be seen"
    assert elements[0].get("class") == f"banner banner-{shape}"


@given(one=HEX, two=HEX, division=st.sampled_from(DIVISIONS))
def test_emblem_can_be_read_on_every_pair_of_colours(one: str, two: str, division: str) -> None:
    plate, letter = emblem_colors((one, two), division)
    assert contrast(plate or one, letter) >= (4.5 if plate else 3)


@given(label=NAMES, emblem=st.text(max_size=2), one=HEX, two=HEX)
def test_banner_and_table_view_escape_what_people_type(label: str, emblem: str, one: str, two: str) -> None:
    first = banner((one, two), "per_bend", emblem, "shield", label)
    assert first == banner((one, two), "per_bend", emblem, "shield", label)
    parts(first)
    parts(table_view([DrawnSeat(label), DrawnSeat(emblem)], label=label))


def test_banner_escapes_its_name_and_emblem() -> None:
    svg = banner(("#000000", "#ffffff"), "plain", "<&", "shield", '<script>"&')
    assert [part.text for part in parts(svg) if part.tag == "title"] == ['<script>"&']
    assert texts(svg) == ["<&"]


def test_banner_without_label_is_ornament() -> None:
    labelled, ornament = (parts(banner(("#000", "#fff"), label=label))[0] for label in ("Centro", ""))
    assert (labelled.get("role"), labelled.get("aria-hidden")) == ("img", None)
    assert (ornament.get("role"), ornament.get("aria-hidden")) == (None, "true")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((("red", "#ffffff"),), "not a colour: 'red'"),
        ((("#ffffff", "#12345"),), "not a colour: '#12345'"),
        ((("#000000\n", "#fff"),), "not a colour"),
        ((("#000000", "#ffffff"), "saltire"), "not a division: 'saltire'"),
        ((("#000000", "#ffffff"), "plain", "ABC"), "at most 2 characters: 'ABC'"),
        ((("#000000", "#ffffff"), "plain", "A", "flag"), "not a shape: 'flag'"),
    ],
)
def test_wrong_banner_is_refused(arguments: tuple[tuple[str, str], str], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        banner(*arguments)


def area(polygon: Polygon) -> float:
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*polygon, polygon[0])))) / 2


@given(turn=st.floats(0, 6.28), x=st.floats(-9, 9), y=st.floats(-9, 9))
def test_shape_cut_in_two_halves_keeps_its_area(turn: float, x: float, y: float) -> None:
    far_x, far_y = 1000 * cos(turn), 1000 * sin(turn)
    one, other, side = (x + far_x, y + far_y), (x - far_x, y - far_y), (-far_y, far_x)
    halves = [
        (one, (one[0] + side[0], one[1] + side[1]), (other[0] + side[0], other[1] + side[1]), other),
        (other, (other[0] - side[0], other[1] - side[1]), (one[0] - side[0], one[1] - side[1]), one),
    ]
    shape = tuple((10 * cos(angle), 10 * sin(angle)) for angle in (pi * corner / 20 for corner in range(40)))

    assert sum(area(piece) for half in halves if (piece := cut(shape, half))) == pytest.approx(area(shape))


@pytest.mark.parametrize("code", DECK)
@pytest.mark.parametrize("language", ["it", "en"])
def test_every_card_is_drawn_and_named(code: str, language: str) -> None:
    svg = drawn_card(code, language)
    assert [part.text for part in parts(svg) if part.tag == "title"] == [card_title(code, language)]
    assert svg == drawn_card(code, language)


def outline(color: str) -> str:
    """The shape on a card of that colour, without where and how big it is."""
    middle = next(
        part
        for part in parts(drawn_card(f"{color}7", "it"))
        if part.get("fill") == "#fffaf0" and part.tag in {"circle", "path"}
    )
    return middle.tag + "".join(re.findall("[A-Za-z]", middle.get("d", "")))


def test_cards_can_be_told_apart_without_colour() -> None:
    assert len({outline(color) for color in COLORS}) == 4
    for language, letters in (("it", "RGVB"), ("en", "RYGB")):
        assert [color_letter(color, language) for color in "RYGB"] == list(letters)
        for color, letter in zip("RYGB", letters, strict=True):
            assert texts(drawn_card(f"{color}7", language)) == ["7", "7", letter]


def test_card_values_are_told_apart() -> None:
    for color in COLORS:
        faces = {drawn_card(code, "it") for code in DECK if code[0] == color}
        assert len(faces) == 13


def test_card_letters_and_numbers_can_be_read() -> None:
    for color in COLORS:
        *_, letter = (part for part in parts(drawn_card(f"{color}7", "it")) if part.tag == "text")
        assert contrast(letter.attrib["fill"], COLORS[color]) >= 4.5


def test_card_colours_are_too_close_in_grey_to_do_without_shapes() -> None:
    """Why the shapes exist: in a greyscale print red, green and blue can't be told by their field."""
    greys = sorted(luminance(COLORS[color]) for color in "RGB")
    assert all((later + 0.05) / (earlier + 0.05) < 3 for earlier, later in pairwise(greys))


@pytest.mark.parametrize(
    ("code", "color", "italian", "english"),
    [
        ("R7", None, "7 rosso", "Red 7"),
        ("GS", None, "Salta verde", "Green Skip"),
        ("BR", None, "Inverti blu", "Blue Reverse"),
        ("Y+2", None, "Pesca due giallo", "Yellow Draw Two"),
        ("W", None, "Jolly", "Wild"),
        ("W+4", "B", "Jolly Pesca quattro (blu)", "Wild Draw Four (blue)"),
    ],
)
def test_card_titles_are_in_italian_and_english(
    code: str, color: str | None, italian: str, english: str
) -> None:
    assert card_title(code, "it", color) == italian
    assert card_title(code, "en-gb", color) == english


@pytest.mark.parametrize(
    ("code", "color"), [("X7", None), ("R10", None), ("", None), ("R7\n", None), ("R7", "G"), ("W", "P")]
)
def test_wrong_card_is_refused(code: str, color: str | None) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(code))):
        card(code, color, label="", letter="")


def test_named_wild_has_the_field_and_letter_of_its_colour() -> None:
    fills = {part.get("fill") for part in parts(drawn_card("W+4", "it", "G")) if part.tag == "rect"}
    assert COLORS["G"] in fills
    assert "V" in texts(drawn_card("W+4", "it", "G"))


def test_colour_signs_have_shape_letter_and_name() -> None:
    assert [texts(drawn_color(color, "it")) for color in "RYGB"] == [["R"], ["G"], ["V"], ["B"]]
    titles = [
        part.text for color in "RYGB" for part in parts(drawn_color(color, "en")) if part.tag == "title"
    ]
    assert titles == ["red", "yellow", "green", "blue"]


@pytest.mark.parametrize("name", SIGNS)
def test_signs_are_ornament(name: str) -> None:
    assert parts(sign(name))[0].get("aria-hidden") == "true"


def test_unknown_sign_is_refused() -> None:
    with pytest.raises(ValueError, match="not a sign: 'smile'"):
        sign("smile")


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 9, 10])
def test_table_view_keeps_its_seats_inside_and_apart(count: int) -> None:
    svg = table_view(
        [DrawnSeat(f"Name {i}", hand=7) for i in range(count)],
        label="x",
        turn=count - 1,
        pile=drawn_card("R7", "it"),
    )
    root, *elements = parts(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    places = [part for part in elements if part.get("class") == "seat-place"]
    centers = [(float(part.attrib["cx"]), float(part.attrib["cy"])) for part in places]
    radius = float(places[0].attrib["r"])
    assert len(centers) == count
    for x, y in centers:
        assert radius <= x <= width - radius
        assert radius <= y <= height - radius
    for (ax, ay), (bx, by) in product(centers, centers):
        assert (ax, ay) == (bx, by) or (ax - bx) ** 2 + (ay - by) ** 2 > (2 * radius) ** 2
    plates = [part for part in elements if part.get("class") == "seat-plate"]
    assert all(
        float(plate.attrib["x"]) >= 0
        and float(plate.attrib["x"]) + float(plate.attrib["width"]) <= width
        and float(plate.attrib["y"]) >= 0
        and float(plate.attrib["y"]) + float(plate.attrib["height"]) <= height
        for plate in plates
    )


def test_table_view_seats_go_clockwise_from_the_bottom() -> None:
    places = [
        part
        for part in parts(
            table_view([DrawnSeat("a"), DrawnSeat("b"), DrawnSeat("c"), DrawnSeat("d")], label="x")
        )
        if part.get("class") == "seat-place"
    ]
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = (
        (float(part.attrib["cx"]), float(part.attrib["cy"])) for part in places
    )
    assert ay > by == dy > cy
    assert bx < ax == cx < dx


def shown(svg: str, name: str) -> list[int]:
    """Which of the drawing's parts with that class or attribute are not hidden, in order."""
    found = [part for part in parts(svg) if part.get("class") == name or name in part.attrib]
    return [index for index, part in enumerate(found) if part.get("visibility") != "hidden"]


def test_table_view_marks_and_points_at_the_seat_to_play() -> None:
    seats = [DrawnSeat("a"), DrawnSeat("b", out=True), DrawnSeat("c")]
    for turn in (0, 1, 2, None):
        svg = table_view(seats, label="x", turn=turn)
        marked = [part.get("data-seat") for part in parts(svg) if "is-turn" in part.get("class", "").split()]
        assert marked == ([] if turn is None else [str(turn)])
        assert shown(svg, "table-beam") == ([] if turn is None else [turn])


def test_table_view_draws_the_direction_of_play() -> None:
    seats = [DrawnSeat("a"), DrawnSeat("b"), DrawnSeat("c")]
    assert shown(table_view(seats, label="x", direction=1), "data-way") == [0]
    assert shown(table_view(seats, label="x", direction=-1), "data-way") == [1]
    with pytest.raises(ValueError, match="not a direction: 0"):
        table_view(seats, label="x", direction=0)
    with pytest.raises(ValueError, match="not a seat: 3"):
        table_view(seats, label="x", turn=3)


LOOK = (("#aa0000", "#ffee00"), "plain", "S")


def ways(svg: str) -> list[list[tuple[float, float]]]:
    """The marked points of each line of a chart, in the order of the drawing."""
    lines = [part for part in parts(svg) if part.tag == "g" and part.find("circle") is not None]
    return [
        [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in line.findall("circle")]
        for line in lines
    ]


def test_day_chart_goes_through_the_places_of_the_day() -> None:
    svg = day_chart(
        [ChartPath("A", LOOK, [2, 1, 1]), ChartPath("B", LOOK, [None, 2, 3])],
        ["14:00", "15:00", "16:00"],
        label="x",
    )
    second, first = ways(svg)  # the leader is drawn last, so on top
    (x0, y2), (x1, y1), (x2, y1_again) = first

    assert x0 < x1 < x2
    assert y1 == y1_again < y2
    assert [x for x, _ in second] == [x1, x2]
    assert y2 == second[0][1] < second[1][1]
    assert {"14:00", "15:00", "16:00", "A", "B"} <= set(texts(svg))


def test_day_chart_writes_names_of_teams_that_share_a_place_apart() -> None:
    svg = day_chart(
        [ChartPath("A", LOOK, [1]), ChartPath("B", LOOK, [1]), ChartPath("C", LOOK, [3])],
        ["14:00"],
        label="x",
    )
    heights = {part.text: part.get("y") for part in parts(svg) if part.text in {"A", "B", "C"}}
    assert len(set(heights.values())) == 3


def test_day_chart_of_a_long_day_writes_few_times() -> None:
    moments = [f"{10 + i // 6}:{i % 6}0" for i in range(40)]
    shown = set(texts(day_chart([ChartPath("A", LOOK, [1] * 40)], moments, label="x"))) & set(moments)

    assert moments[0] in shown
    assert moments[-1] in shown
    assert len(shown) <= 5


def test_day_chart_of_nothing_is_empty_and_a_wrong_one_refused() -> None:
    assert texts(day_chart([], [], label="x")) == []
    with pytest.raises(ValueError, match="'A' has 1 places for 2 moments"):
        day_chart([ChartPath("A", LOOK, [1])], ["14:00", "15:00"], label="x")
