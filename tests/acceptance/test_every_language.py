"""No code knows which languages there are: one that nobody speaks has its catalogue's words everywhere.

Each page, paper and message is asked for in the language of `tests.support.pseudo_language`. A word in plain
letters that nobody gave as a name is in no catalogue.
"""

import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from http.cookies import SimpleCookie
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, URLResolver, get_resolver, resolve
from django.utils import translation
from django_otp.oath import totp  # type: ignore[import-untyped]  # it has no types

from games.engine import (
    FIELDS,
    PRESETS,
    SENTENCES,
    Refusal,
    Ruleset,
    State,
    advance,
    parse_event,
    play_random_game,
    refusal_of,
    rules_sheet,
    sentence,
)
from games.engine.rules_sheet import sheet_text
from games.engine.telling import Names, Teller
from people import second_factor
from people.models import Account, Announcement, ApiToken, Event, Pairing, Person, Referee, Team
from referee.pocket.modules import bundle
from referee.practice.made_up import _CHILDREN
from tests.screenshots.days import played
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import fields_of
from tests.support.named_addresses import Page, make_values, pages
from tests.support.page_addresses import takes_forms_alone
from tests.support.page_reading import Element, read
from tests.support.phone_states import states, write
from tests.support.pseudo_language import KEPT, TAG, registered, spoken
from tests.support.run import long
from tests.support.stored_games import BEGIN
from tests.support.visible_text import of_answer, of_page, untranslated, words_of
from tournaments.facts.reasons import REASONS
from tournaments.models import MatchGame, OtherGame, Tournament
from tournaments.settings.confirmation import DISPUTES

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

SPACES = ("desk", "publishing", "referee", "slip")
PREFIX = f"/{TAG}"
SHOWS_NOTHING = {"desk:sign-out", "publishing:mark"}
"""What leads on whoever opens it."""
NAMES: dict[Any, tuple[str, ...]] = {
    Event: ("slug", "name", "place"),
    Team: ("name", "short_name"),
    Account: ("username", "first_name", "last_name", "email"),
    ApiToken: ("name",),
    Announcement: ("texts",),
    Person: ("first_name", "last_name", "family", "school_class", "note"),
    Referee: ("first_name", "last_name"),
    Pairing: ("check_word",),
    Tournament: ("slug", "name"),
    OtherGame: ("name",),
}
"""What somebody gave as a name, or was given by chance."""
FOR_PEOPLE = {"detail", "expected", "rule", "sentence", "sentences", "explanation", "what", "why"}
"""The members of the API's answers that are for people; a problem's title says its code."""


@dataclass
class World:
    """Festivals in the language, who organizes them, and the pages of phones with who opens them."""

    values: dict[str, Any]
    organizer: Account
    protected: Account
    days: list[str]
    phones: list[Any]


@pytest.fixture(scope="module")
def _language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with registered(tmp_path_factory.mktemp("project")):
        yield


@pytest.fixture(scope="module")
def world(committed: None, _language: None) -> World:
    return make_world()


@pytest.fixture(autouse=True)
def _spoken(_language: None, _own_language: None) -> None:
    translation.activate(TAG)


def make_world() -> World:
    """All festivals, with the day's game begun, and an account with a second factor."""
    with translation.override(TAG):
        values = make_values("qui", language=TAG)
        write(MatchGame.objects.get(game_id=values["game_id"]), *BEGIN)
        days = [state.path for state in played(values["organizer"])]
        phones = states()
        protected, key = factories.make_account(), second_factor.new_key()
        second_factor.set_up(protected, key, f"{totp(bytes.fromhex(key)):06}")
    Event.objects.update(language=TAG)
    return World(values, values["organizer"], protected, days, phones)


def names() -> set[str]:
    """The words of all that somebody gave as a name, and of what only a program sends wrongly."""
    rows = (row for model, fields in NAMES.items() for row in model.objects.values_list(*fields))
    given = [str(value) for row in rows for value in row]
    made_up = chain.from_iterable(_CHILDREN)
    codes = (code.replace("-", " ") for code in (*REASONS, *DISPUTES))
    return {"AAAAAA", TAG, *words_of([*given, *made_up, *codes])}


def view_of(address: str) -> str | None:
    """The name of the page at an address; None for another service's, another language's, or none."""
    parts = urlsplit(address)
    if parts.scheme or not parts.path.startswith(f"{PREFIX}/"):
        return None
    try:
        name = resolve(parts.path).view_name
    except Resolver404:
        return None
    return name if name.partition(":")[0] in SPACES else None


def is_page(answer: Any) -> bool:
    """Whether it is a page that shows what was asked for."""
    return answer.status_code == 200 and str(answer["Content-Type"]).startswith("text/html")


def visits(client: Client, addresses: Iterable[str]) -> Iterator[tuple[str, str, Any, Element | None]]:
    """Open pages, and of those that they lead to the first of each view; of each its name, its address, the
    answer, and the page where it is one.
    """
    waiting, count, seen = deque((address, True) for address in addresses), Counter[str](), set[str]()
    while waiting:
        address, is_given = waiting.popleft()
        address = address.partition("#")[0]
        name = view_of(address)
        if name is None or address in seen or (count[name] and not is_given):
            continue
        seen.add(address)
        answer = client.get(address)
        if view_of(answer.get("Location", "")) == name:
            # To the same page with a seed.
            answer = client.get(answer["Location"])
        count[name] += answer.status_code == 200
        page = read(answer) if is_page(answer) else None
        yield name, address, answer, page
        if page is not None:
            links = (each.attributes.get("href", "") for each in page.all("a"))
            waiting.extend((urljoin(address, link), False) for link in links)


def sent_forms(client: Client, address: str, page: Element, seen: set[str]) -> Iterator[tuple[str, Any]]:
    """Send each form of a page as it is, and with nothing in it; what is stored is taken back."""
    for form in page.all("form"):
        action = urljoin(address, form.attributes.get("action", ""))
        name = view_of(action)
        if form.attributes.get("method") != "post" or name is None or name in seen:
            continue
        seen.add(name)
        filled = fields_of(form)
        for fields in (filled, dict.fromkeys(filled, "")):
            cookies = deepcopy(client.cookies)
            with transaction.atomic():
                answer = client.post(action, fields, follow=True)
                transaction.set_rollback(True)
            client.cookies = cookies
            yield name, answer


def addresses(world: World) -> list[str]:
    """An address of every page, then those of the days."""
    everywhere = [*(page.path(world.values) for page in pages()), *world.days]
    return [address for address in everywhere if view_of(address)]


def answers(world: World) -> Iterator[tuple[str, Any]]:
    """What is answered at every address, to everybody in turn who may open it."""
    sent = set[str]()

    def opened(client: Client, addresses: Iterable[str]) -> Iterator[tuple[str, Any]]:
        client.raise_request_exception = False
        for name, address, answer, page in visits(client, addresses):
            yield name, answer
            if page is not None:
                yield from sent_forms(client, address, page, sent)

    yield from opened(browser_of(world.organizer), addresses(world))
    desk = f"{PREFIX}/desk/"
    yield from opened(browser_of(world.protected), [f"{desk}account/"])
    stranger = Client()
    yield from opened(stranger, [f"{desk}sign-in/"])
    signing_in = {"username": world.protected.username, "password": factories.PASSWORD}
    yield "desk:sign-in-code", stranger.post(f"{desk}sign-in/", signing_in, follow=True)
    client = Client(raise_request_exception=False)
    for state in world.phones:
        client.cookies, address = SimpleCookie(state.cookies), PREFIX + state.path
        answer = client.get(address)
        yield str(view_of(address)), answer
        if state.sent is not None:
            target = PREFIX + (state.sent_to or state.path)
            yield str(view_of(target)), client.post(target, state.sent)
        elif is_page(answer):
            yield from sent_forms(client, address, read(answer), sent)


def look(world: World) -> tuple[dict[str, list[str]], set[str]]:
    """The words that are in no catalogue by page, and the names of all pages that were opened."""
    data, found, opened = names(), dict[str, list[str]](), set[str]()
    for name, answer in answers(world):
        is_fault = answer.status_code >= 500
        plain = [str(answer.status_code)] if is_fault else untranslated(of_answer(answer), data)
        if plain:
            found[name] = sorted({*found.get(name, ()), *plain})
        if answer.status_code in (200, 409, 422):
            opened.add(name)
    return found, opened


def looked_for() -> set[str]:
    """The names of all addresses that can be opened."""
    return {
        page.name
        for page in pages()
        if page.name.partition(":")[0] in SPACES
        and not page.name.endswith(":None")
        and not takes_forms_alone(page.view)
    } - SHOWS_NOTHING


def test_every_page_and_paper_is_in_the_language(world: World) -> None:
    found, opened = look(world)

    assert found == {}
    assert sorted(looked_for() - opened) == []


def read_whole(answer: Any) -> Any:
    """The answer, with the file read to its end, and closed, if it is one."""
    if answer.streaming:
        b"".join(answer)
    return answer


def calls(world: World) -> Iterator[tuple[str, Any]]:
    """What the API answers to a program that sends nothing, or what isn't asked for, at each address."""
    token = factories.make_token(world.organizer)[1]
    programs = [
        Client(raise_request_exception=False, headers={"Accept-Language": TAG, **more})
        for more in ({"Authorization": f"Bearer {token}"}, {})
    ]
    values = {"referee_id": uuid4(), "table": "matches", **world.values}
    resolvers = (each for each in get_resolver().url_patterns if isinstance(each, URLResolver))
    (resolver,) = (each for each in resolvers if each.namespace == "api")
    for pattern in resolver.url_patterns:
        route = f"api/v1/{pattern.pattern}"
        path = Page(route, route, "", None).path(values)
        for program in programs:
            for body in ({}, {"odd": 1}):
                with transaction.atomic():
                    answer = program.post(path, body, content_type="application/json")
                    transaction.set_rollback(True)
                yield f"POST {route}", answer
                if answer.status_code in (401, 405):
                    # What was sent isn't read.
                    break
            yield f"GET {route}", read_whole(program.get(path, {"odd": 1}))


def sentences_of(answer: Any, member: str = "") -> Iterator[str]:
    """What an answer says to people."""
    if isinstance(answer, dict):
        for name, value in answer.items():
            yield from sentences_of(value, name)
    elif isinstance(answer, list):
        for value in answer:
            yield from sentences_of(value, member)
    elif isinstance(answer, str) and member in FOR_PEOPLE:
        yield answer


def test_api_answers_are_in_the_language(world: World) -> None:
    data, found = {*names(), "GET", "POST", "application", "json"}, dict[str, list[str]]()

    for name, answer in calls(world):
        assert answer.status_code < 500, name
        is_json = answer.get("Content-Type") in ("application/json", "application/problem+json")
        if is_json and (plain := untranslated(sentences_of(answer.json()), data)):
            found[name] = plain

    assert found == {}


def test_engine_sentences_are_in_the_language() -> None:
    said = [sentence(code, TAG) for code in SENTENCES]
    said += [field.told(TAG) for field in FIELDS]
    for preset in PRESETS:
        rules = Ruleset.from_json(preset)
        said.append(sheet_text(rules_sheet(rules, TAG, "no_point")))
        teller, state = Teller(TAG, Names(("Ada", "Bea", "Carlo"))), State()
        game = play_random_game(rules, 3, 5)
        for event in game:
            said += refused(state)
            advance(state, event)
            said.append(str(teller.add(event)))

    assert untranslated(said, {"Ada", "Bea", "Carlo"}) == []


def refused(state: State) -> list[str]:
    """What is expected instead of each of some events that aren't allowed here."""
    tried = (
        {"type": "dealer_named", "seat": 9},
        {"type": "card_turned", "card": "R5"},
        {"type": "cards_played", "seat": 0, "cards": ["G4", "W"]},
        {"type": "cards_drawn", "seat": 1, "count": 7},
        {"type": "challenge_made", "seat": 0, "upheld": True},
        {"type": "uno_caught", "seat": 2},
        {"type": "penalty_given", "seat": 1, "reason": "prompting"},
        {"type": "zero_gift", "seat": 1, "to": 1},
        {"type": "game_closed", "reason": "result", "winner": 1},
    )
    found = (refusal_of(state, parse_event(event)) for event in tried)
    return [each.expected(TAG) for each in found if isinstance(each, Refusal)]


def test_phone_without_a_network_has_every_text_in_the_language() -> None:
    bundle.cache_clear()
    texts = json.loads(bundle())["texts"]
    bundle.cache_clear()

    said = [
        text for each in texts[TAG].values() for text in (each["forms"] if isinstance(each, dict) else [each])
    ]
    assert texts["it"].keys() <= texts[TAG].keys()
    assert untranslated((KEPT.sub("", text) for text in said), set()) == []


def test_language_with_half_of_its_texts_breaks_no_page(world: World, tmp_path: Path) -> None:
    organizer = browser_of(world.organizer)
    organizer.raise_request_exception = False
    # Any page shows what becomes of a text that isn't there.
    every = 1 if long.asked else 3
    some = addresses(world)[::every]

    with registered(tmp_path, every=2):
        translation.activate(TAG)
        opened = {address: read_whole(organizer.get(address)).status_code for address in some}

    assert len(opened) > 150 // every
    assert {address: status for address, status in opened.items() if status >= 500} == {}


def test_twin_untranslated_sentence_of_a_page_is_found() -> None:
    told = f'<p>{spoken("Next game")} Anna</p><p title="Who plays">2</p><p lang="en">Tea</p>'

    assert untranslated(of_page(f'<html lang="{TAG}">{told}</html>'), {"Anna"}) == ["Who", "plays"]


def test_addresses_to_open_include_desk_public_referee_and_slip() -> None:
    assert {"desk:board", "publishing:standings", "referee:cards", "slip:slip"} < looked_for()
