"""Contrast of the colours, measured from the style sheets themselves (WCAG 2.2: 1.4.3, 1.4.6, 1.4.11)."""

import re
from pathlib import Path

import pytest

from rendering.svg.markup import contrast

CSS = Path(__file__).parents[3] / "static" / "css"
Tokens = dict[str, str]

TEXT = [
    *(
        (ink, ground)
        for ink in ("ink", "soft", "accent", "good", "warn", "bad")
        for ground in ("paper", "sheet")
    ),
    ("on-accent", "accent"),
    ("paper", "ink"),
]
"""Text on its ground. Where ink and paper change places (a live state, a step) the pair is the same."""

FRAME_TEXT = [("on-band", "band"), ("sheet", "accent-deep")]
"""The site's header, and a button under the mouse."""

LINES = [("edge", "paper"), ("edge", "sheet"), ("accent", "paper"), ("ink", "paper")]
"""Edges of fields, focus rings: seen, not read."""


def blocks(file: str) -> dict[str, Tokens]:
    """The colours of each rule that sets any, by its selector."""
    found: dict[str, Tokens] = {}
    sheet = re.sub(r"/\*.*?\*/", "", (CSS / file).read_text(), flags=re.DOTALL)
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
        colors = dict(re.findall(r"--([a-z-]+):\s*(#[0-9a-f]{6});", body))
        if colors:
            found[selector.strip()] = colors
    return found


DAY = blocks("tokens.css")[":root"]
NIGHT = blocks("tokens.css")[':root[data-theme="dark"]']
REFEREE_DAY = DAY | blocks("referee.css")["body.referee"]
REFEREE_NIGHT = NIGHT | blocks("referee.css")[':root[data-theme="dark"] body.referee']


def ratios(tokens: Tokens, pairs: list[tuple[str, str]]) -> dict[tuple[str, str], float]:
    return {pair: contrast(tokens[pair[0]], tokens[pair[1]]) for pair in pairs}


def below(tokens: Tokens, pairs: list[tuple[str, str]], least: float) -> dict[tuple[str, str], float]:
    return {pair: ratio for pair, ratio in ratios(tokens, pairs).items() if ratio < least}


@pytest.mark.parametrize("tokens", [DAY, NIGHT], ids=["day", "night"])
def test_text_contrast_is_aa(tokens: Tokens) -> None:
    assert below(tokens, TEXT + FRAME_TEXT, 4.5) == {}


@pytest.mark.parametrize("tokens", [DAY, NIGHT, REFEREE_DAY, REFEREE_NIGHT])
def test_edge_contrast_is_at_least_three(tokens: Tokens) -> None:
    assert below(tokens, LINES, 3) == {}


@pytest.mark.parametrize("tokens", [REFEREE_DAY, REFEREE_NIGHT], ids=["day", "night"])
def test_text_contrast_of_referee_pages_is_aaa(tokens: Tokens) -> None:
    assert below(tokens, TEXT, 7) == {}


def test_contrast_measure_finds_a_pale_text() -> None:
    assert below({"ink": "#777777", "paper": "#f6efe0"}, [("ink", "paper")], 4.5).keys() == {("ink", "paper")}


def test_contrast_measure_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize(
    ("file", "chosen", "device"),
    [
        ("tokens.css", ':root[data-theme="dark"]', ':root:not([data-theme="light"])'),
        (
            "referee.css",
            ':root[data-theme="dark"] body.referee',
            ':root:not([data-theme="light"]) body.referee',
        ),
    ],
)
def test_night_colours_are_the_same_by_choice_and_by_device(file: str, chosen: str, device: str) -> None:
    night = re.findall(r"prefers-color-scheme: dark\) \{(.*?\})\s*\}", (CSS / file).read_text(), re.DOTALL)
    assert len(night) == 1
    by_device = dict(re.findall(r"--([a-z-]+):\s*(#[0-9a-f]{6});", night[0]))
    assert device in night[0]
    assert by_device == blocks(file)[chosen]


def test_colours_are_set_in_tokens_only() -> None:
    for sheet in CSS.glob("*.css"):
        outside = re.sub(r"--[a-z-]+:[^;]+;", "", sheet.read_text())
        assert set(re.findall(r"#[0-9a-fA-F]{3,8}\b", outside)) <= {"#555"}, (
            sheet.name
        )  # the cut line in print


def test_every_css_token_that_is_used_is_defined() -> None:
    text = "".join(sheet.read_text() for sheet in CSS.glob("*.css"))
    assert set(re.findall(r"var\(--([a-z-]+)\)", text)) <= set(re.findall(r"--([a-z-]+):", text))
