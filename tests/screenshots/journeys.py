"""The ways through the service that lead past every page: each yields the name of a page once it is there.

Nothing here reads words, so that the same ways work in both languages.
"""

from collections.abc import Iterator
from pathlib import Path

from tests.screenshots.account import account
from tests.screenshots.palio import palio
from tests.screenshots.projector import screens
from tests.screenshots.stage import stage
from tests.screenshots.visitor import Journey, Visitor
from tests.support.phone_pages import show, without_network

LISTS = Path(__file__).parents[1] / "data"
PALIO = "/palio-delle-contrade/"
TOURNAMENT = PALIO + "torneo-di-carte/"
DESK = "/desk/events/palio-delle-contrade/"
DESK_TOURNAMENT = DESK + "tournaments/torneo-di-carte/"
REPLAY = "[data-replay]"


def public(visitor: Visitor) -> Iterator[str]:
    """What everybody sees."""
    visitor.go("/")
    yield "home"
    visitor.go("/?all")
    yield "home-all"
    visitor.go(PALIO)
    yield "event"
    visitor.go(TOURNAMENT)
    yield "standings"
    visitor.page.locator("details summary").first.click()
    yield "standings-open"
    games = visitor.addresses(r"/games/")
    visitor.go(f"{TOURNAMENT}?at=00:01")
    yield "standings-before"
    visitor.go(f"{PALIO}receipts/")
    yield "receipts"
    visitor.go(f"{TOURNAMENT}open/")
    yield "still-open"
    visitor.go(f"{TOURNAMENT}open/what-if/")
    yield "what-if"
    visitor.go(f"{TOURNAMENT}matches/")
    yield "matches"
    visitor.go(f"{PALIO}teams/1/")
    yield "team"
    visitor.go(f"{TOURNAMENT}day/")
    yield "day"
    for path in ("", "team/1/", "table/1/"):
        visitor.go(f"{PALIO}timetable/{path}")
        yield "-".join(("timetable", *path.split("/")[:1])).rstrip("-")
    visitor.go("/s/")
    yield "slip-door"
    for reader in ("organizers", "referees"):
        visitor.go(f"/guide/{reader}/")
        yield f"guide-{reader}"
    visitor.go(f"{TOURNAMENT}matches/round/3/")
    yield "matches-of-a-round"
    visitor.go(visitor.addresses(r"/matches/[0-9a-f-]{36}/")[0])
    yield "match"
    visitor.go(f"{TOURNAMENT}rules/")
    yield "rules"
    visitor.go("/rules/")
    yield "presets"
    visitor.go("/rules/house/")
    yield "preset"
    for name, is_replay in (("game", True), ("game-result", False)):
        for address in games:
            visitor.go(address)
            if bool(visitor.page.locator(REPLAY).count()) == is_replay:
                break
        yield name
        if is_replay:
            last = int(visitor.page.locator(".replay-place").inner_text().rpartition("/")[2])
            visitor.go(f"{address}?step={last // 2}")
            yield "game-middle"
    yield from screens(visitor, TOURNAMENT)


def errors(visitor: Visitor) -> Iterator[str]:
    """What can't be shown."""
    visitor.go("/nowhere/at/all/")
    yield "404"
    visitor.go(f"{TOURNAMENT}?at=yesterday")
    yield "400"
    visitor.go("/desk/sign-in/")
    visitor.unchecked()
    visitor.context.clear_cookies()
    visitor.press("main form button")
    yield "403"


def referee(visitor: Visitor) -> Iterator[str]:
    """A phone at a table of the sample, from a stranger's to one that writes."""
    visitor.sign_in()
    visitor.go(f"{DESK}referees/")
    visitor.press("form[action$='/pin/'] button")
    pin = visitor.page.locator(".code-shown").inner_text()
    visitor.go(f"{DESK}tables/")
    codes = visitor.page.locator(".table-code").all_inner_texts()
    visitor.context.clear_cookies()
    visitor.go(f"/t/{codes[0]}/")
    yield "stranger"
    visitor.press("a.tap.main")
    yield "names"
    visitor.press("button[name=referee]")
    yield "waiting"
    visitor.go(f"/t/{codes[0]}/pair/pin/")
    visitor.page.locator("#pin").fill(pin)
    visitor.press("form button.main")
    yield "match"
    visitor.press("a.tap.main")
    yield "game"
    for code in codes:
        visitor.go(f"/t/{code}/")
        visitor.press("a.tap.main")
        if visitor.page.locator("a.winner").count() == 0:
            break
    yield "cards"


def phone(visitor: Visitor) -> Iterator[str]:
    """Every page of a referee's phone in every state, with the network and without."""
    prefix = "" if visitor.language == "it" else f"/{visitor.language}"
    states = stage(visitor.service, "phone")
    for state in states:
        show(visitor.page, visitor.service.base, prefix, state)
        yield state.name
    yield from without_network(visitor.page, visitor.service.base, prefix, states)


def days(visitor: Visitor) -> Iterator[str]:
    """Other formats, ties, a palio of several games, timetables: pages of the desk and of everybody."""
    states = stage(visitor.service, "days")
    visitor.sign_in()
    for state in states:
        visitor.go(state.path)
        yield state.name
    visitor.go(next(state.path for state in states if state.name == "timetable-found"))
    visitor.press("form[action$='/keep/'] button")
    yield "timetable-kept"


def desk(visitor: Visitor) -> Iterator[str]:
    """The organizer's desk, in the order in which an event is made."""
    visitor.go("/desk/")
    yield "sign-in"
    visitor.sign_in()
    yield "home"
    visitor.go("/desk/new/")
    yield "event-new"
    visitor.go(DESK)
    yield "event"
    for path in (
        "settings/",
        "teams/",
        "entries/",
        "check-in/",
        "referees/",
        "tables/",
        "timetable/",
        "board/",
        "call/",
        "announcements/",
        "rehearsal/",
        "print/",
        "export/",
        "people/",
        "history/",
        "tournaments/new/",
    ):
        visitor.go(DESK + path)
        yield path.strip("/").replace("/", "-")
    for path in ("", "settings/", "draw/", "paper/3/", "standings/"):
        visitor.go(DESK_TOURNAMENT + path)
        yield f"tournament-{path.partition('/')[0] or 'set'}"
    visitor.press("form[action$='/verify/'] button")
    yield "verified"
    visitor.go(f"{DESK}teams/")
    visitor.go(visitor.addresses(r"/teams/[0-9a-f-]{36}/$")[0])
    yield "team"
    visitor.go(f"{DESK}entries/")
    visitor.go(visitor.addresses(r"/entries/[0-9a-f-]{36}/$")[0])
    yield "entry"
    visitor.go(visitor.addresses(r"/erase/$")[0])
    yield "entry-erase"
    visitor.go(f"{DESK}people/erase/")
    yield "people-erase"
    visitor.go(f"{DESK}history/?kind=results")
    yield "history-narrowed"
    for path in ("tokens", "keys", "archive"):
        visitor.go(f"/desk/{path}/")
        yield path
    yield from _webhooks(visitor)
    yield from _arrivals(visitor)
    yield from _lists(visitor)
    yield from _games(visitor)
    yield from _second_tournament(visitor)


def _webhooks(visitor: Visitor) -> Iterator[str]:
    """A program is told: nobody answers at its address."""
    visitor.go(f"{DESK}webhooks/")
    yield "webhooks-none"
    visitor.page.locator("[name=url]").fill("https://scoreboard.invalid/tendone")
    visitor.press("main form button.button")
    yield "webhook-secret"
    visitor.go(f"{DESK}webhooks/")
    yield "webhooks"
    visitor.go(visitor.addresses(r"/webhooks/[0-9a-f-]{36}/$")[0])
    visitor.press("form[action$='/test/'] button")
    yield "webhook"


def _arrivals(visitor: Visitor) -> Iterator[str]:
    """Somebody is here: the slip, and what the parents see with its code."""
    visitor.go(f"{DESK}check-in/")
    visitor.press(".arrivals form[action$='/check-in/'] button")
    visitor.press(".arrivals form[action$='/slips/'] button")
    yield "slips"
    code = visitor.page.locator("p.slip-code").inner_text()
    visitor.go(f"/s/{code}/")
    yield "slip"


def _lists(visitor: Visitor) -> Iterator[str]:
    visitor.go(f"{DESK}import/")
    yield "import"
    visitor.page.locator("input[type=file]").set_input_files(LISTS / "iscritti-inferiore-con-errori.csv")
    visitor.press("main form button.button")
    yield "import-preview"


def _games(visitor: Visitor) -> Iterator[str]:
    visitor.go(f"{DESK}board/")
    matches = visitor.addresses(r"/matches/[0-9a-f-]{36}/$")
    for address in matches:
        visitor.go(address)
        if visitor.addresses(r"/log/$") and visitor.page.locator("form[action$='/result/']").count():
            break
    yield "match"
    logs = visitor.addresses(r"/log/$")
    for address in matches:
        visitor.go(address)
        logs += visitor.addresses(r"/log/$")
        if visitor.page.locator("form[action$='/result/']").count() == 0:
            break
    yield "match-done"
    visitor.press("a[href*='/log/'].button")
    yield "result"
    visitor.page.locator("input[name=winner]:not(:checked)").first.check()
    yield from _corrected(visitor, "wrong-winner", "result-preview")
    for address in logs:
        visitor.go(address)
        if len(visitor.addresses(r"/log/\d+/$")) > 12:
            break
    yield "log"
    visitor.go(visitor.addresses(r"/log/\d+/$")[8])
    yield "correct"
    visitor.page.locator("input[value=nothing]").check()
    yield from _corrected(visitor, "typing-error", "correct-preview")


def _corrected(visitor: Visitor, reason: str, name: str) -> Iterator[str]:
    visitor.page.locator("select[name=reason]").select_option(reason)
    visitor.press("main form button.button")
    yield name


def _rules_preview(visitor: Visitor) -> Iterator[str]:
    """It opens beside the form."""
    with visitor.context.expect_page() as opened:
        visitor.page.locator("button[formaction]").click()
    with opened.value as beside:
        form, visitor.page = visitor.page, beside
        yield "rules-preview"
        visitor.page = form


def _second_tournament(visitor: Visitor) -> Iterator[str]:
    visitor.go(f"{DESK}tournaments/new/")
    visitor.page.locator("input[name=name]").fill("Secondo torneo")
    visitor.page.locator("[name=rounds]").fill("0")
    visitor.unchecked()
    visitor.press("main form button.button")
    yield "tournament-new-wrong"
    visitor.page.locator("[name=rounds]").fill("3")
    yield from _rules_preview(visitor)
    visitor.press("main form button.button")
    yield "tournament-not-drawn"
    visitor.go(f"{DESK}tournaments/secondo-torneo/draw/?seed=tendone")
    yield "draw-preview"
    visitor.press("form[action$='/make/'] button")
    yield "draw-kept"
    visitor.go(f"{DESK}tournaments/secondo-torneo/draw/edit/")
    yield "draw-edit"
    for name, nth in (("one", 1), ("other", 2)):
        visitor.page.locator(f"select[name={name}]").select_option(index=nth)
    visitor.press("main form button.button")
    yield "draw-edit-preview"
    visitor.go(f"{DESK}tournaments/secondo-torneo/standings/")
    yield "standings-not-yet"


JOURNEYS: dict[str, Journey] = {
    "public": public,
    "errors": errors,
    "referee": referee,
    "phone": phone,
    "desk": desk,
    "account": account,
    "palio": palio,
    "days": days,
}
