"""Take a picture of every page of a half-played sample palio, and lay them out on contact sheets."""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser
from playwright.sync_api import Error as PlaywrightError

from tests.screenshots.camera import Camera
from tests.screenshots.journeys import JOURNEYS
from tests.screenshots.service import running
from tests.screenshots.sheets import make_sheets
from tests.screenshots.unseen import unseen
from tests.screenshots.visitor import Visitor
from tests.support import ROOT
from tests.support.services import chromium

FOLDER = ROOT / "var" / "screenshots"
GUIDES = ROOT / "docs" / "guides" / "images"
LANGUAGES = ("it", "en")
EXPECTED = ("the server responded with a status of 4", "net::ERR_INTERNET_DISCONNECTED")
"""What a browser says where a journey leads to a refusal, or takes the network away."""


def photograph(browser: Browser, language: str, parts: list[str], guides: Path | None) -> Camera:
    """Every page of these parts in one language, on a service of its own."""
    camera = Camera(FOLDER, language, guides)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as service:
        for part in parts:
            context = browser.new_context(locale=language, timezone_id="Europe/Rome")
            problems = chromium.Problems()
            chromium.watched_context(context, problems)
            visitor = Visitor(service, language, context, context.new_page())
            try:
                for name in JOURNEYS[part](visitor):
                    camera.take(visitor.page, part, name)
            except PlaywrightError as error:
                # The other parts are looked at all the same.
                camera.faults.append(f"{language} {part}: broken off at {visitor.page.url}: {error}")
            context.close()
            camera.faults += [
                f"{language} {part}: {problem}"
                for problem in problems
                if not any(words in problem for words in EXPECTED)
            ]
    return camera


def main() -> int:
    """The exit status: 1 if something didn't look right to a machine."""
    parser = argparse.ArgumentParser(prog="script/screenshots", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these: {', '.join(JOURNEYS)}")
    parser.add_argument("--language", choices=LANGUAGES, help="only this language")
    parser.add_argument(
        "--guides", action="store_true", help="put those of the guides into docs/guides/images, too"
    )
    options = parser.parse_args()
    guides = GUIDES if options.guides else None
    unknown = [part for part in options.parts if part not in JOURNEYS]
    if unknown:
        parser.error(f"{', '.join(unknown)}: there are only {', '.join(JOURNEYS)}")
    path = chromium.executable()
    if path is None:
        parser.error("There is no Chromium here: install it (apt install chromium).")
    shutil.rmtree(FOLDER, ignore_errors=True)
    GUIDES.mkdir(exist_ok=True)
    pictures, faults = [], []
    with chromium.started(path) as browser:
        for language in [options.language] if options.language else LANGUAGES:
            camera = photograph(browser, language, options.parts or list(JOURNEYS), guides)
            pictures += camera.pictures
            faults += camera.faults
            if not options.parts:
                faults += [f"{language}: no picture of {page}" for page in unseen(camera.addresses)]
        sheets = make_sheets(browser, pictures, FOLDER / "sheets")
    say(f"{len(pictures)} pictures and {len(sheets)} sheets in {FOLDER.relative_to(ROOT)}")
    for fault in dict.fromkeys(faults):
        say(fault)
    return 1 if faults else 0


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
