"""Whatever a form is filled in with, the answer is a page: taken or refused, never a fault.

Every form of every page that a browser of this role can open, and every address that only takes forms: with
its fields as they stand on the page, and some of them with what nobody would type.
"""

import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.utils import translation

from tests.desk.every_page import PAGES, World, browser_as
from tests.support.forms import fields_of
from tests.support.hostile_files import FILES, changed
from tests.support.named_addresses import Page, make_values
from tests.support.page_reading import Element, read
from tests.support.run import long

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

GROUPS = {"organizer": ("desk", "accounts"), "phone": ("table",), "public": ("everybody",)}
TIMES = 40 if long.asked else 1
"""How often each form is sent."""
# Ends the session of all that come after.
LEFT_OUT = {"desk:sign-out", "desk:sign-out-everywhere"}

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


def answered(client: Client, form: Form, sent: dict[str, Any]) -> int:
    """The status of the answer; whatever was done is undone."""
    cookies = deepcopy(client.cookies)
    with transaction.atomic():
        response: Any = getattr(client, form.method)(form.path, sent)
        if response.streaming:
            b"".join(response)
        transaction.set_rollback(True)
    client.cookies = cookies
    status: int = response.status_code
    return status


@pytest.fixture(scope="module")
def world(committed: None) -> World:
    """For all forms of this module: each is rolled back."""
    values = make_values("qui")
    return World(values, values, values)


@pytest.fixture(autouse=True)
def _in_italian() -> Iterator[None]:
    with translation.override("it"):
        yield


def forms_at(client: Client, page: Page, path: str) -> list[Form]:
    """The forms of a page; an address that only takes forms is one by itself."""
    response: Any = client.get(path)
    if response.status_code == 405:
        return [Form(path)]
    is_page = response.status_code == 200 and response["Content-Type"].startswith("text/html")
    if response.streaming:
        # Its file is closed at its end.
        b"".join(response)
    return list(forms_of(read(response), path)) if is_page else []


@pytest.mark.parametrize("role", GROUPS)
def test_form_filled_in_with_anything_never_ends_in_a_server_error(role: str, world: World) -> None:
    client = browser_as(role, world.here, world.there)
    # A fault is told with the form that led to it, and the others are sent all the same.
    wrong, sent_to = [], set()
    for page in PAGES:
        if page.group not in GROUPS[role] or page.name in LEFT_OUT:
            continue
        for number, form in enumerate(forms_at(client, page, page.path(world.here))):
            seen = (form.path, form.method, *form.fields, *form.buttons)
            if seen in sent_to:
                continue
            sent_to.add(seen)
            for again in range(TIMES):
                sent = filled(form, random.Random(f"{page.name} {number} {again}"))
                try:
                    status = answered(client, form, sent)
                except Exception as error:
                    status = 500
                    wrong.append(f"{page.name}: {form.method} {form.path} {sent!r:.600}: {error!r:.300}")
                if status >= 500 and not wrong:
                    wrong.append(f"{page.name}: {form.method} {form.path} {sent!r:.600}: {status}")

    assert "\n".join(wrong) == ""
    assert len(sent_to) >= {"organizer": 60, "phone": 2, "public": 2}[role]
