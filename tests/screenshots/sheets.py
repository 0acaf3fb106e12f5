"""Contact sheets: the pictures of one part at one size, side by side, drawn by the browser."""

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from pathlib import Path

from playwright.sync_api import Browser

from tests.screenshots.camera import Picture

COLUMNS = {"360": 6, "1280": 3, "1920": 2}
WIDTH = {"360": 300, "1280": 600, "1920": 900}
ROWS = 2
TALL = {"360": 1000, "1280": 900, "1920": 520}

STYLE = """
body { margin: 8px; font: 14px sans-serif; background: #888; display: grid; gap: 8px; align-items: start }
figure { margin: 0 } figcaption { background: #222; color: #fff; padding: 2px 4px }
div { overflow: hidden } img { width: 100%; display: block }
"""


def make_sheets(browser: Browser, pictures: Iterable[Picture], folder: Path) -> list[Path]:
    """The sheets as files, a few pictures on each."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for (language, part, size, theme), group in groupby(sorted(pictures, key=_kind), key=_kind):
        for number, some in enumerate(_in_pages(list(group), COLUMNS[size] * ROWS), start=1):
            path = folder / f"{language}-{part}-{size}-{theme}-{number}.png"
            _draw(browser, some, size, path)
            made.append(path)
    return made


def _kind(picture: Picture) -> tuple[str, str, str, str]:
    return picture.language, picture.part, picture.size, picture.theme


def _in_pages(pictures: list[Picture], most: int) -> Iterator[list[Picture]]:
    return (pictures[start : start + most] for start in range(0, len(pictures), most))


def _draw(browser: Browser, pictures: list[Picture], size: str, path: Path) -> None:
    figures = "".join(
        f"<figure><figcaption>{escape(picture.name)}</figcaption>"
        f'<div style="max-height:{TALL[size]}px"><img src="{picture.path.as_uri()}"></div></figure>'
        for picture in pictures
    )
    columns = f"body {{ grid-template-columns: repeat({COLUMNS[size]}, {WIDTH[size]}px) }}"
    html = path.with_suffix(".html")
    html.write_text(f"<!doctype html><meta charset=utf-8><style>{STYLE}{columns}</style>{figures}", "utf-8")
    page = browser.new_page(viewport={"width": COLUMNS[size] * (WIDTH[size] + 8) + 8, "height": 400})
    page.goto(html.as_uri())
    page.screenshot(path=path, full_page=True)
    page.close()
    html.unlink()
