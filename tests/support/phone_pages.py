"""How a browser comes to each page of a referee's phone; knows nothing of the database."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Page


@dataclass(frozen=True, slots=True)
class State:
    """A page: its address in Italian, who opens it, and what a form on it sends, if it answers one."""

    name: str
    path: str
    cookies: Mapping[str, str] = field(default_factory=dict)
    sent: Mapping[str, str] | None = None
    sent_to: str = ""


SEND = """([address, fields]) => {
  const form = document.createElement("form");
  form.method = "post";
  form.action = address || location.href;
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  for (const [name, value] of Object.entries({ ...fields, csrfmiddlewaretoken: token })) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(form);
  form.submit();
}"""
"""What a form sends where no script has it in hand: the answer is a page."""


def show(page: Page, base: str, language: str, state: State) -> None:
    """Open a state in a browser; `language` is the beginning of its addresses, empty for Italian."""
    page.context.clear_cookies()
    cookies = state.cookies.items()
    page.context.add_cookies([{"name": name, "value": value, "url": base} for name, value in cookies])
    page.goto(f"{base}{language}{state.path}")
    if state.sent is not None:
        with page.expect_navigation():
            page.evaluate(SEND, [state.sent_to and f"{language}{state.sent_to}", dict(state.sent)])


def without_network(page: Page, base: str, language: str, states: Sequence[State]) -> Iterator[str]:
    """What a phone shows without a network, page by page, and what it shows when an entry was refused: the
    name of each once it is there. Begins at the state called `kept`, a table with three open games. The phone
    can't run the engine: cards are written down unguided.
    """
    page.add_init_script("delete window.Worker;")
    kept = next(state for state in states if state.name == "kept")
    show(page, base, language, kept)
    page.locator("html[data-kept]").wait_for()
    page.evaluate("() => navigator.serviceWorker?.ready")
    page.context.set_offline(True)
    tap(page, "main a.tap.main", "a.winner")
    yield "offline-game"
    tap(page, "a[href$='/end/']", "a[href*='reason=forfeit']")
    yield "offline-end"
    tap(page, "a.back", "a.winner")
    tap(page, "a.winner", "form button.main")
    yield "offline-confirm"
    tap(page, "form button.main", ".game-list")
    page.locator("#line.is-waiting").wait_for()
    yield "offline-match"
    tap(page, "main a.tap.main", "a.winner")
    tap(page, "a[href$='/cards/']", "[data-recorder]")
    yield "offline-cards"
    tap(page, "[data-tab][data-open=cards]", "[data-panel=cards]:not([hidden])")
    for color in ("R", "W"):
        tap(page, f"[data-color={color}]", f"[data-of={color}]:not([hidden])")
        yield f"recorder-{color.lower()}"
    for panel in ("draws", "calls", "end", "start"):
        tap(page, f"[data-tab][data-open={panel}]", f"[data-panel={panel}]:not([hidden])")
        yield f"recorder-{panel}"
    tap(page, "a.where", ".entries")
    yield "offline-entries"
    page.evaluate("address => { location.href = address; }", f"{language}/t/XXXXXX/")
    page.locator("[data-decide=again]").wait_for()
    yield "offline-nothing"
    page.context.set_offline(False)
    yield from _refused(page, base, language, kept)


def _refused(page: Page, base: str, language: str, kept: State) -> Iterator[str]:
    """Two pages of one phone enter different winners of the last game."""
    late, soon = page, page.context.new_page()
    for each, winner in ((late, 0), (soon, 1)):
        each.goto(f"{base}{language}{kept.path}")
        tap(each, ".game-list li:last-child a", "a.winner")
        tap(each, f"a.winner:nth-child({winner + 1})", "form button.main")
    tap(soon, "form button.main", ".last-entry")
    soon.close()
    tap(late, "form button.main", "[data-decide=withdraw]")
    yield "entries-refused"
    tap(late, "[data-decide=withdraw]", "main:not(:has([data-decide]))")
    yield "entries"


def tap(page: Page, selector: str, shows: str) -> None:
    """Tap the first that fits, and wait for what is there then."""
    page.locator(selector).first.click()
    page.locator(shows).first.wait_for(state="attached")
