"""Whatever a form is filled in with, the answer is a page: taken or refused, never a fault.

Every form of every page that a browser of this role can open, and every address that only takes forms: with
its fields as they stand on the page, and some of them with what nobody would type. Every field, and every
parameter of an address, that can hold a number: with numbers that nobody would type.
"""

import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.utils import translation

from tests.desk.every_page import PAGES, World, browser_as
from tests.support.forms import fields_of
from tests.support.hostile_files import FILES, changed
from tests.support.named_addresses import make_values
from tests.support.odd_numbers import ODD_NUMBERS, TOO_LONG, names_asked
from tests.support.page_reading import Element, read
from tests.support.run import long

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

GROUPS = {
    "organizer": ("desk", "accounts"),
    "phone": ("table",),
    "public": ("everybody", "public pages of an event"),
}
TIMES = 40 if long.asked else 1
"""How often each form is sent."""
# Ends the session of all that come after.
LEFT_OUT = {"desk:sign-out", "desk:sign-out-everywhere"}
# 503 is what health says without workers.
FAULTS = {*range(500, 600)} - {503}

STRANGE = [
    *("", " ", "0", "-1", "1", "2", "99999999999999999999", "1e309", "0.5", "NaN", "true", "on", "x" * 300),
    *("x" * 70_000, "\0", "a\0b", "\ud83d".encode("utf-16", "surrogatepass").decode("utf-16", "replace")),
    *("’", "‮", "２", "²", "١", "<script>", "{{ 7 }}", "%s%d%(x)s", "';--", "../../etc/passwd", "\r\n"),
    *("2026-02-30", "2026-09-05", "05/09/2026", "0000-00-00", "9999-12-31T23:59", "24:60", "25:00", "14:00"),
    *("https://example.org/", "//example.org", "/qui/", "[]", "{}", "null", "[1, 2", '{"a": ' * 500, "1,2,3"),
    *("palio", "round_robin", "typing-error", "all", "none", "yes", "R7", "it", "x@example.org"),
]


@dataclass
class Form:
    """Where a form goes, what it would send, its buttons, and which of its fields take files."""

    path: str
    method: str = "post"
    fields: dict[str, Any] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def forms_of(page: Element, path: str) -> Iterator[Form]:
    """All forms of a page."""
    for form in page.all("form"):
        named = [each for each in form.all("button") if each.attributes.get("name")]
        yield Form(
            urlsplit(form.attributes.get("action") or path).path,
            form.attributes.get("method", "get").lower(),
            fields_of(form),
            [(each.attributes["name"], each.attributes.get("value", "")) for each in named],
            [
                each.attributes["name"]
                for each in form.all("input")
                if each.attributes.get("type") == "file" and each.attributes.get("name")
            ],
        )


def filled(form: Form, chance: random.Random) -> dict[str, Any]:
    """What is sent: the form's own, one to four of it changed, left out or doubled, a button and files."""
    sent = dict(form.fields)
    for _ in range(chance.randint(1, 4)):
        name = chance.choice([*form.fields, "client_id", "expected_version", "next"])
        match chance.randrange(5):
            case 0:
                sent.pop(name, None)
            case 1:
                sent[name] = [chance.choice(STRANGE) for _each in range(3)]
            case 2:
                sent[name] = chance.choice([str(uuid4()), *map(str, form.fields.values())])
            case _:
                sent[name] = chance.choice(STRANGE)
    if form.buttons:
        name, value = chance.choice(form.buttons)
        sent[name] = value
    for name in form.files:
        data, _reader = FILES[chance.choice(list(FILES))]
        changed_or_not = chance.choice((data, changed(data, chance.randrange(10_000))))
        sent[name] = SimpleUploadedFile(chance.choice(("a.csv", "b.xlsx", "../c", "é\n.zip")), changed_or_not)
    return sent


def answered(client: Client, form: Form, sent: dict[str, Any]) -> tuple[int, str]:
    """The status of the answer, and its page if it is one; whatever was done is undone."""
    cookies = deepcopy(client.cookies)
    with transaction.atomic():
        response: Any = getattr(client, form.method)(form.path, sent)
        body = b"".join(response) if response.streaming else response.content
        transaction.set_rollback(True)
    client.cookies = cookies
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    return response.status_code, body.decode() if is_page else ""


@pytest.fixture(scope="module")
def world(committed: None) -> World:
    """For all forms of this module: each is rolled back."""
    values = make_values("qui")
    return World(values, values, values)


@pytest.fixture(autouse=True)
def _in_italian() -> Iterator[None]:
    with translation.override("it"):
        yield


def forms_at(client: Client, path: str) -> list[Form]:
    """The forms of a page; an address that only takes forms is one by itself."""
    forms, _links = forms_and_links(client, path)
    return forms


def forms_and_links(client: Client, path: str) -> tuple[list[Form], list[Form]]:
    """The forms of a page, and its links that have a query, as forms that fill it in."""
    response: Any = client.get(path)
    if response.status_code == 405:
        return [Form(path)], []
    is_page = response.status_code == 200 and response["Content-Type"].startswith("text/html")
    if response.streaming:
        # Its file is closed at its end.
        b"".join(response)
    if not is_page:
        return [], []
    page = read(response)
    links = [urlsplit(urljoin(path, each.attributes.get("href", ""))) for each in page.all("a")]
    queries = [Form(link.path, "get", dict(parse_qsl(link.query))) for link in links if link.query]
    return list(forms_of(page, path)), queries


@pytest.mark.parametrize("role", GROUPS)
def test_form_filled_in_with_anything_never_ends_in_a_server_error(role: str, world: World) -> None:
    client = browser_as(role, world.here, world.there)
    # A fault is told with the form that led to it, and the others are sent all the same.
    wrong, sent_to = [], set()
    for page in PAGES:
        if page.group not in GROUPS[role] or page.name in LEFT_OUT:
            continue
        for number, form in enumerate(forms_at(client, page.path(world.here))):
            seen = (form.path, form.method, *form.fields, *form.buttons)
            if seen in sent_to:
                continue
            sent_to.add(seen)
            for again in range(TIMES):
                sent = filled(form, random.Random(f"{page.name} {number} {again}"))
                try:
                    status, _page = answered(client, form, sent)
                except Exception as error:
                    status = 500
                    wrong.append(f"{page.name}: {form.method} {form.path} {sent!r:.600}: {error!r:.300}")
                if status >= 500 and not wrong:
                    wrong.append(f"{page.name}: {form.method} {form.path} {sent!r:.600}: {status}")

    assert "\n".join(wrong) == ""
    assert len(sent_to) >= {"organizer": 60, "phone": 2, "public": 2}[role]


MANY = 10
"""Of a form with more numbers than that one in six is tried by itself; all with `--long`."""


def asking(client: Client, role: str, world: World) -> Iterator[Form]:
    """What a role can fill in, each once: the queries and forms of its pages, and of the pages to which their
    links with a query lead.
    """
    seen = set()
    for page in PAGES:
        if page.group not in GROUPS[role] or page.name in LEFT_OUT:
            continue
        path = page.path(world.here)
        found, queries = forms_and_links(client, path)
        for form in [Form(path, "get"), *found, *queries]:
            key = (form.path, form.method, *sorted(form.fields))
            if key in seen:
                continue
            seen.add(key)
            yield form
            if form in queries:
                behind = forms_at(client, f"{form.path}?{urlencode(form.fields)}")
                yield from (each for each in behind if each.path != form.path)


def faults_of(client: Client, form: Form, turn: int = 0) -> tuple[list[str], list[str]]:
    """Send a number of many digits in each field that can hold one, and another odd number, of which this is
    the turn, in all of them. With `--long` each odd number in each field.

    Fields are those of the form, and those that its view looks for besides. Returns them, and each fault.
    """
    others = list(ODD_NUMBERS.values())
    with names_asked() as names:
        wrong = fault_of(client, form, {})
        fields: list[str] = []
        while found := sorted({*names, *form.fields} - {"csrfmiddlewaretoken", *fields}):
            fields += found
            numbers = [name for name in found if can_be_number(form.fields.get(name, ""))]
            wrong += fault_of(client, form, dict.fromkeys(numbers, others[turn % len(others)]))
            step = 6 if len(numbers) > MANY and not long.asked else 1
            for name in numbers[::step]:
                for number in others if long.asked else [TOO_LONG]:
                    wrong += fault_of(client, form, {name: number})
    return fields, wrong


def can_be_number(value: Any) -> bool:
    """Whether what stands in a field is a number, or nothing yet."""
    return isinstance(value, str) and (not value.strip() or value.strip().isdecimal())


def fault_of(client: Client, form: Form, changed_fields: dict[str, str]) -> list[str]:
    """The fault in which a form ends with some of its fields filled in otherwise, if it does; or a refusal on
    a page without a heading.
    """
    sent = f"{form.method} {form.path} {changed_fields!r:.60}"
    try:
        status, page = answered(client, form, form.fields | changed_fields)
    except Exception as error:
        return [f"{sent}: {error!r:.300}"]
    is_clear = status < 400 or not page or "<h1" in page
    return [f"{sent}: {status}"] if status in FAULTS or not is_clear else []


@pytest.mark.parametrize("role", GROUPS)
def test_odd_number_in_a_field_never_ends_in_a_server_error(role: str, world: World) -> None:
    client = browser_as(role, world.here, world.there)
    tried, wrong = set(), []
    for turn, form in enumerate(asking(client, role, world)):
        fields, faults = faults_of(client, form, turn)
        tried |= {(form.path, form.method, name) for name in fields}
        wrong += faults

    assert "\n".join(wrong) == ""
    assert len(tried) >= {"organizer": 600, "phone": 20, "public": 20}[role]


@pytest.mark.parametrize("role", GROUPS)
def test_odd_number_in_an_address_never_ends_in_a_server_error(role: str, world: World) -> None:
    client = browser_as(role, world.here, world.there)
    numbered = [
        (page, name)
        for page in PAGES
        for name in page.arguments
        if page.group in GROUPS[role] and isinstance(world.here[name], int)
    ]
    paths = [page.path(world.here | {name: each}) for page, name in numbered for each in ODD_NUMBERS.values()]

    wrong = [
        fault for path in paths for way in ("get", "post") for fault in fault_of(client, Form(path, way), {})
    ]

    assert "\n".join(wrong) == ""
    assert len(numbered) >= {"organizer": 3, "phone": 0, "public": 8}[role]


def test_odd_number_ends_in_a_fault_where_a_view_takes_any_length(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = browser_as("phone", world.here, world.there)
    (form, *_more) = [form for form in asking(client, "phone", world) if form.path.endswith("/enter/")]
    monkeypatch.setattr("referee.batches.whole_number", int)

    _fields, wrong = faults_of(client, form)

    faults = "\n".join(wrong)
    assert ["{'version': '999" in faults, "{'absent': '999" in faults] == [True, True]
