"""Files that a phone stores for use without a network: assets and the offline page."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.translation import ngettext, override

from games.engine.cards import CARDS, COLOR, COLORS, POINTS
from games.engine.events import NEEDED
from games.engine.translations import translate
from referee.offers import PLAIN_ASIDES
from referee.pocket import modules
from referee.pocket.plural_forms import plural_forms
from referee.sentences import color_word
from rendering.text.active_language import reader_language

ASSETS = (
    "css/tokens.css",
    "css/base.css",
    "css/components.css",
    "css/referee.css",
    "css/phone.css",
    "fonts/piazzolla.woff2",
    "img/mark.svg",
    "img/icon-192.png",
    "js/theme.js",
    "js/clock.js",
    "js/counter.js",
    "js/live.js",
    "js/referee/main.js",
    "js/referee/derived.js",
    "js/referee/offline.js",
    "js/referee/pages.js",
    "js/referee/places.js",
    "js/referee/plural.js",
    "js/referee/pocket.js",
    "js/referee/queue.js",
    "js/referee/recorder.js",
    "js/referee/series.js",
    "js/referee/store.js",
    "js/referee/ids.js",
)
"""What the pages are made of, kept by the worker."""
RUNTIME = ("micropython/micropython.mjs", "micropython/micropython.wasm")
"""What runs the engine on the phone, kept once a page is usable."""


@lru_cache
def edition(language: str) -> str:
    """A digest of all that is kept, in a language; files don't change while the service runs."""
    digest = hashlib.sha256(render_to_string("referee/offline.html", shell_context()).encode())
    digest.update(language.encode())
    digest.update(modules.digest())
    for path in (*ASSETS, *RUNTIME):
        found = finders.find(path)
        digest.update(Path(str(found)).read_bytes() if found else b"")
    return digest.hexdigest()[:16]


def shell_context() -> dict[str, Any]:
    """What a game is written down of without a network: the cards with their points, by colour, and the
    wilds. Then come the types of events without buttons of their own, each with its words and whether it
    names a card. Last come the plural forms of a hand's points.
    """

    def of(color: str | None) -> list[tuple[str, int]]:
        return [(card, POINTS[card]) for card in CARDS if COLOR[card] == color]

    asides = [
        (type_, translate(cls.words, reader_language()), "card" in NEEDED[cls])
        for type_, cls in PLAIN_ASIDES.items()
        if NEEDED[cls] in ({"seat"}, {"seat", "card"})
    ]
    colors = [(color, color_word(color), of(color)) for color in COLORS]
    points = plural_forms(lambda n: ngettext("Shows {n} point", "Shows {n} points", n))
    return {"colors": colors, "wilds": of(None), "asides": asides, "shows_points": json.dumps(points)}


@lru_cache
def line_texts(language: str) -> dict[str, str]:
    """What the line says of entries that wait and that are refused: plural forms, as JSON."""
    with override(language):
        waiting = plural_forms(lambda n: ngettext("{n} waits, will be sent", "{n} wait, will be sent", n))
        refused = plural_forms(lambda n: ngettext("{n} refused: look at it", "{n} refused: look at them", n))
    return {"waiting": json.dumps(waiting), "refused": json.dumps(refused)}
