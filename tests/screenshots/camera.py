"""What takes the pictures: one page, as it stands, at every size, by day and by night."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page

from tests.screenshots.looks import faults_of

Theme = Literal["light", "dark"]
Vision = Literal["achromatopsia", "deuteranopia", "protanopia", "tritanopia"]
THEMES: tuple[Theme, ...] = ("light", "dark")
VISIONS: tuple[Vision, ...] = ("achromatopsia", "deuteranopia", "protanopia", "tritanopia")
"""How the referee's pages are seen by who sees colours otherwise: in greys, without green, red or blue."""
SIZES = {"360": (360, 780), "1280": (1280, 800)}
REFEREE = {"360": (360, 640), "1280": (1280, 800)}
"""Whoever writes at a table may have a small phone."""
PHONES = ("referee", "phone")
"""The parts that such phones show."""
PROJECTOR = {"1920": (1920, 1080)}
# What the guides show: the part and name of a page, its size, and the name of the file.
IN_GUIDES = {
    ("public", "standings", "360"): "standings-phone",
    ("public", "rules", "1280"): "rules-sheet",
    ("referee", "game", "360"): "referee-game",
    ("referee", "cards", "360"): "referee-cards",
    ("desk", "event", "1280"): "desk-overview",
    ("desk", "board", "1280"): "desk-board",
    ("desk", "result-preview", "1280"): "desk-correct",
    ("desk", "check-in", "1280"): "desk-check-in",
    ("desk", "slip", "360"): "slip-phone",
    ("desk", "timetable", "1280"): "desk-timetable",
}
TALLEST = 4
"""A picture ends after so many heights of the screen."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One file, and what it shows."""

    part: str
    name: str
    language: str
    size: str
    theme: Theme | Vision
    path: Path


@dataclass(slots=True)
class Camera:
    """Takes pictures into `folder`, those of the guides into `guides`, if given; keeps what it noticed."""

    folder: Path
    language: str
    guides: Path | None
    pictures: list[Picture] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    addresses: set[str] = field(default_factory=set)
    """Of what pictures were taken."""

    def take(self, page: Page, part: str, name: str) -> None:
        """All pictures of a page that is ready."""
        self.addresses.add(page.url)
        sizes = REFEREE if part in PHONES else SIZES
        for size, (width, height) in (PROJECTOR if name.startswith("projector") else sizes).items():
            page.set_viewport_size({"width": width, "height": height})
            for theme in THEMES:
                page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                self._take(
                    page, Picture(part, name, self.language, size, theme, self._path(part, name, size, theme))
                )

            if part in PHONES and size == "360":
                self._by_others(page, part, name)

    def _by_others(self, page: Page, part: str, name: str) -> None:
        """The page by day as others see its colours."""
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        session = page.context.new_cdp_session(page)
        for vision in VISIONS:
            session.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
            path = self._path(part, name, "360", vision)
            self._take(page, Picture(part, name, self.language, "360", vision, path))
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
        session.detach()

    def _path(self, part: str, name: str, size: str, theme: Theme | Vision) -> Path:
        return self.folder / self.language / f"{part}-{name}-{size}-{theme}.png"

    def _take(self, page: Page, picture: Picture) -> None:
        picture.path.parent.mkdir(parents=True, exist_ok=True)
        sizes = REFEREE if picture.part in PHONES else SIZES
        width, height = sizes.get(picture.size) or PROJECTOR[picture.size]
        wide, tall = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        if wide > width:
            self.faults.append(
                f"{self.language} {picture.part}-{picture.name} at {picture.size}: {wide} px wide"
            )
        page.screenshot(
            path=picture.path,
            full_page=True,
            clip={"x": 0, "y": 0, "width": width, "height": min(max(tall, height), TALLEST * height)},
        )
        self.pictures.append(picture)
        if picture.theme in THEMES:
            where = f"{self.language} {picture.part}-{picture.name} at {picture.size}, {picture.theme}"
            found = faults_of(page, painted_again=picture.theme != THEMES[0])
            self.faults += [f"{where}: {fault}" for fault in found]
        name = IN_GUIDES.get((picture.part, picture.name, picture.size))
        if name is not None and picture.theme == "light" and self.guides is not None:
            page.screenshot(path=self.guides / f"{name}-{self.language}.png")
