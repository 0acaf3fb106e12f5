"""Pictures of half-played brackets, into var/brackets.

Usage: `python -m tests.rendering.components.bracket_pictures [NAME …]`

They are the component as pages include it, on a phone, a desk and a projector, by day and by night.
"""

import sys
from base64 import b64encode

from tests.support import ROOT
from tests.support.run import environment
from tests.support.services import chromium
from tests.support.services.chromium import started

FOLDER = ROOT / "var" / "brackets"
WIDTHS = {"phone": (360, 740), "desk": (1280, 800)}
SHEETS = ("tokens", "base", "components", "bracket", "projector")


def page_of(name: str, *, theme: str, projector: bool = False, piece: int = 0, language: str = "it") -> str:
    """A whole page with one bracket (on the projector one piece of it), its styles written in."""
    from django.template.loader import render_to_string
    from django.utils import translation

    from tests.rendering.components.brackets import shown_pieces

    with translation.override(language):
        shown = shown_pieces(name)
        if projector:
            shown = shown[piece : piece + 1]
        body = render_to_string("components/bracket.html", {"pieces": shown})
    font = b64encode((ROOT / "static" / "fonts" / "piazzolla.woff2").read_bytes()).decode()
    styles = "".join((ROOT / "static" / "css" / f"{sheet}.css").read_text("utf-8") for sheet in SHEETS)
    styles = styles.replace("../fonts/piazzolla.woff2", f"data:font/woff2;base64,{font}")
    view = ' data-view="projector"' if projector else ""
    main = (
        f'<main><div class="screen"><h1>Briscola</h1>{body}</div></main>'
        if projector
        else (f'<main class="wrap"><h1>Briscola</h1>{body}</main>')
    )
    return (
        f'<!doctype html><html lang="{language}" data-theme="{theme}"{view}><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{name}</title>'
        f"<style>{styles}</style></head>"
        f"<body>{main}</body></html>"
    )


def main() -> int:
    """The exit status."""
    environment.prepare()
    import django

    django.setup()
    from tests.rendering.components.brackets import FORMS, shown_pieces

    path = chromium.executable()
    if path is None:
        sys.stderr.write("There is no Chromium here: install it (apt install chromium).\n")
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with started(path) as browser:
        page = browser.new_page(reduced_motion="reduce")
        for name in sys.argv[1:] or FORMS:
            for theme in ("light", "dark"):
                for view, (width, height) in WIDTHS.items():
                    page.set_viewport_size({"width": width, "height": height})
                    page.set_content(page_of(name, theme=theme))
                    page.screenshot(path=FOLDER / f"{name}-{view}-{theme}.png", full_page=True)
                page.set_viewport_size({"width": 1920, "height": 1080})
                for piece in range(len(shown_pieces(name))):
                    page.set_content(page_of(name, theme=theme, projector=True, piece=piece))
                    page.screenshot(path=FOLDER / f"{name}-projector-{piece + 1}-{theme}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
