"""The tour of the README, followed word for word in a browser, in both languages."""

import json
import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Locator, Page, expect

from tests.support import ROOT
from tests.support.doc_pages import section

pytestmark = pytest.mark.django_db(transaction=True)

TOUR = section(ROOT / "README.md", "A tour of ten minutes")
LABELS = dict(re.findall(r"\*\*([^*]+)\*\*\s+\(([^)]+)\)", TOUR))
"""Every label of the tour in Italian, with the English one that stands in brackets."""


class Reader:
    """Somebody who reads the tour in a language, and ticks off each label."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.ticked: set[str] = set()

    def says(self, label: str) -> str:
        """A label of the tour as this reader sees it."""
        self.ticked.add(label)
        return label if self.language == "it" else LABELS[label]

    def link(self, page: Page | Locator, label: str) -> Locator:
        return page.get_by_role("link", name=self.says(label), exact=True)

    def button(self, page: Page | Locator, label: str) -> Locator:
        return page.get_by_role("button", name=self.says(label))

    def address(self, base: str, path: str) -> str:
        return base + path if self.language == "it" else f"{base}/{self.language}{path}"


# The pages are the same, and that they say the English labels is held by `test_docs_labels`.
@pytest.mark.parametrize("language", ["it", pytest.param("en", marks=pytest.mark.long)])
def test_tour_of_the_readme_can_be_followed(
    live_server: Any, open_page: Callable[..., Page], embedded_tasks: None, language: str
) -> None:
    output = StringIO()
    call_command("demo", json=True, stdout=output)
    made = json.loads(output.getvalue())
    reader, base = Reader(language), live_server.url
    desk, phone = open_page(), open_page()
    public = reader.address(base, made["public"])

    look_and_replay(reader, desk, public)
    let_the_phone_in(reader, desk, phone, base, made)
    enter_a_game(reader, desk, phone, public)
    correct_and_verify(reader, desk, reader.address(base, made["desk"]))

    assert reader.ticked == set(LABELS)


def look_and_replay(reader: Reader, desk: Page, public: str) -> None:
    desk.goto(public)
    reader.link(desk, "Tutta la classifica").click()
    desk.get_by_text(reader.says("Le partite"), exact=True).first.click()
    expect(desk.locator("details[open] a").first).to_be_visible()
    reader.link(desk, "Mini-tornei").first.click()
    reader.link(desk, "Giro 1").click()
    reader.link(desk, "Tavolo 2").first.click()
    reader.link(desk, "Partita 1").first.click()
    reader.link(desk, "Inizio").click()
    reader.link(desk, "Avanti").click()
    expect(desk.locator(".replay-place b")).to_have_text("1")
    # On a busy machine a step is a page of its own, which knows keys once its script has run.
    expect(desk.locator("[data-player].is-without")).to_have_count(0)
    desk.keyboard.press("ArrowRight")
    expect(desk.locator(".replay-place b")).to_have_text("2")


def let_the_phone_in(reader: Reader, desk: Page, phone: Page, base: str, made: dict[str, str]) -> None:
    phone.goto(reader.address(base, made["referee"]))
    reader.link(phone, "Abbina questo telefono").click()
    phone.get_by_role("button", name="Anna B.").click()
    word = phone.locator(".check-word").inner_text()
    assert re.fullmatch(r"\w+ \w+ \d+", word)
    desk.goto(reader.address(base, made["desk"]))
    desk.locator("[name=username]").fill(made["account"])
    desk.locator("[name=password]").fill(made["password"])
    reader.button(desk, "Accedi").click()
    reader.link(desk, "Arbitri").first.click()
    waiting = desk.get_by_role("listitem").filter(has_text=word)
    reader.button(waiting, "Ammetti").click()


def enter_a_game(reader: Reader, desk: Page, phone: Page, public: str) -> None:
    reader.link(phone, "Inserisci la partita 2").click()
    expect(phone.get_by_role("heading", name=reader.says("Chi ha vinto?"))).to_be_visible()
    phone.locator("a.winner").first.click()
    reader.button(phone, "Sì, inserisci").click()
    expect(phone.locator(".last-entry")).to_be_visible()
    desk.goto(public)
    played = "58 partite" if reader.language == "it" else "58 of"
    # The standings are computed after the answer to the phone, and an open page takes them by itself.
    expect(desk.get_by_text(played)).to_be_visible()
    reader.link(phone, "Annulla").click()
    reader.button(phone, "Il vincitore è sbagliato").click()
    phone.locator("a.winner").last.click()
    reader.button(phone, "Sì, inserisci").click()


def correct_and_verify(reader: Reader, desk: Page, address: str) -> None:
    desk.goto(address)
    reader.link(desk, "Regia").first.click()
    desk.locator(".board tr.is-now a.match").first.click()
    reader.link(desk.locator("#game-1"), "Correggi il risultato").click()
    desk.locator("input[name=winner]:not(:checked)").first.check()
    desk.locator("select[name=reason]").select_option("wrong-winner")
    reader.button(desk, "Guarda che cosa cambia").click()
    expect(desk.locator("del").first).to_be_visible()
    reader.button(desk, "Correggi").click()
    desk.get_by_role("link", name="Torneo di carte").click()
    reader.link(desk, "Classifica").click()
    reader.button(desk, "Verifica che niente sia stato alterato").click()
    expect(desk.get_by_role("status")).to_be_visible()
    assert desk.get_by_role("alert").count() == 0
    reader.link(desk, "Cronologia").click()
    expect(desk.get_by_role("row").nth(3)).to_be_visible()
    reader.link(desk, "Le mie manifestazioni").click()
    reader.link(desk, "Nuova manifestazione").click()
    desk.locator("[name=name]").fill("Palio di primavera")
    desk.locator("[name=starts_on]").fill("2027-05-01")
    desk.locator("main form button").click()
    expect(desk.locator(".way .is-next")).to_have_count(1)
