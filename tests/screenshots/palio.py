"""A palio that counts, from an empty event to the podium: pages with nothing yet, pages that are final."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from tests.screenshots.projector import screens
from tests.screenshots.visitor import Visitor

PALIO = "/palio-dei-rioni/"
DESK = f"/desk/events{PALIO}"
CARDS = "torneo-di-carte/"
BORN = "05/03/2015"
PLAYERS = {"Borgo Alto": "Bianchi;Ada", "Piazza": "Moretti;Pio", "Ponte": "Sala;Ivo"}
SUBMIT = "main form button.button"


def palio(visitor: Visitor) -> Iterator[str]:
    """Three teams, one table, three games: the first beats both others, the second the third."""
    visitor.sign_in()
    visitor.go("/desk/new/")
    visitor.page.locator("[name=name]").fill("Palio dei rioni")
    visitor.page.locator("[name=starts_on]").fill(datetime.now(ZoneInfo("Europe/Rome")).date().isoformat())
    visitor.press(SUBMIT)
    yield "nothing-event"
    for path in (
        "teams",
        "entries",
        "import",
        "referees",
        "tables",
        "board",
        "print",
        "export",
        "people",
        "history",
    ):
        visitor.go(f"{DESK}{path}/")
        yield f"nothing-{path}"
    visitor.press_in("form[action$='/public/']", DESK)
    visitor.go(PALIO)
    yield "nothing-public"
    yield from _set_up(visitor)
    yield from _played(visitor)
    yield from _closed(visitor)


def _set_up(visitor: Visitor) -> Iterator[str]:
    for name in PLAYERS:
        visitor.go(f"{DESK}teams/")
        visitor.page.locator("[name=name]").fill(name)
        visitor.press("main form:not([action]) button.button")
    visitor.go(f"{DESK}import/")
    rows = [f"{player};{BORN};{team}" for team, player in PLAYERS.items()]
    visitor.page.locator("[name=pasted]").fill("\n".join(["Cognome;Nome;Nato il;Contrada", *rows]))
    visitor.press(SUBMIT)
    yield "import-all-good"
    visitor.press("button[name=confirm]")
    visitor.go(f"{DESK}tournaments/new/")
    visitor.page.locator("[name=name]").fill("Torneo di carte")
    visitor.page.locator("[name=tables]").fill("1")
    visitor.press(SUBMIT)
    visitor.go(f"{PALIO}{CARDS}")
    yield "not-drawn-standings"
    visitor.go(f"{PALIO}{CARDS}matches/")
    yield "not-drawn-matches"
    draw = f"{DESK}tournaments/{CARDS}draw/"
    visitor.press_in("form[action$='/make/']", draw)
    visitor.press_in("form[action$='/publish/']", draw)
    yield "draw-published"


def _played(visitor: Visitor) -> Iterator[str]:
    visitor.go(f"{PALIO}{CARDS}")
    yield "not-played-standings"
    yield from screens(visitor, PALIO + CARDS, "projector-not-played")
    visitor.go(f"{DESK}board/")
    match = visitor.addresses(r"/matches/[0-9a-f-]{36}/$")[0]
    order = list(PLAYERS)
    for _game in range(3):
        visitor.go(match)
        form = visitor.page.locator("form[action$='/result/']").first
        names = form.locator(".pick b").all_inner_texts()
        form.locator("input[name=winner]").nth(names.index(min(names, key=order.index))).check()
        visitor.press("form[action$='/result/'] button.button")
    visitor.go(f"{DESK}tournaments/{CARDS}standings/")
    yield "to-close"


def _closed(visitor: Visitor) -> Iterator[str]:
    standings = f"{DESK}tournaments/{CARDS}standings/"
    visitor.press_in("form[action$='/close/']", standings)
    yield "closed-desk-standings"
    for path, name in (("", "event"), ("board/", "board"), (f"tournaments/{CARDS}", "tournament")):
        visitor.go(DESK + path)
        yield f"closed-desk-{name}"
    for path, name in (("", "event"), (CARDS, "standings"), (f"{CARDS}matches/", "matches")):
        visitor.go(PALIO + path)
        yield f"closed-{name}"
    visitor.go("/")
    yield "closed-home"
    yield from screens(visitor, PALIO + CARDS, "projector-closed")
