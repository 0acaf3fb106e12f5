"""What browsers are told for safety, and what the service does for nobody; each with its twin.

A protection is asked for by one function. The twin switches the protection off by its setting, or takes its
middleware out, and the same function has to find that it is gone.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, override_settings

from config.checks import url_patterns
from tests.support import ROOT, factories
from tests.support.run.environment import GOOD
from tournaments.models import Tournament

PHRASE = "four words that count"
VALUES = {
    "uuid": "0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11",
    "int": "1",
    "slug": "palio",
    "str": "palio",
    "root": "0" * 64,
}


def without(middleware: str) -> dict[str, Any]:
    """Settings in which a middleware is missing."""
    assert middleware in settings.MIDDLEWARE
    return {"MIDDLEWARE": [each for each in settings.MIDDLEWARE if each != middleware]}


@dataclass(frozen=True)
class Header:
    """A header that every page bears, and the settings under which it doesn't."""

    name: str
    holds: str
    off: dict[str, Any]
    on: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}: {self.holds}"


CSP = without("csp.middleware.CSPMiddleware")
OURS = without("config.middleware.ProtectionMiddleware")
HEADERS = [
    Header("Content-Security-Policy", "default-src 'none'", CSP),
    Header("Content-Security-Policy", "script-src 'self'", CSP),
    Header("Content-Security-Policy", "style-src 'self'", CSP),
    Header("Content-Security-Policy", "frame-ancestors 'none'", CSP),
    Header("Content-Security-Policy", "form-action 'self'", CSP),
    Header("Content-Security-Policy", "base-uri 'none'", CSP),
    Header("X-Frame-Options", "DENY", without("django.middleware.clickjacking.XFrameOptionsMiddleware")),
    Header("X-Content-Type-Options", "nosniff", {"SECURE_CONTENT_TYPE_NOSNIFF": False}),
    Header("Referrer-Policy", "same-origin", {"SECURE_REFERRER_POLICY": None}),
    Header("Cross-Origin-Opener-Policy", "same-origin", {"SECURE_CROSS_ORIGIN_OPENER_POLICY": None}),
    Header("Cross-Origin-Resource-Policy", "same-origin", OURS),
    Header("Permissions-Policy", "camera=()", OURS),
    Header("X-Robots-Tag", "noindex", OURS),
    Header(
        "Strict-Transport-Security",
        "max-age=31536000",
        {"SECURE_HSTS_SECONDS": 0},
        {"SECURE_HSTS_SECONDS": 31_536_000},
    ),
]


def bears(header: Header, address: str) -> bool:
    """Whether the answer at an address has the header."""
    said = Client().get(address, secure=True).get(header.name, "")
    if header.name == "Content-Security-Policy":
        return header.holds in said.split("; ")
    return header.holds in said


@pytest.mark.parametrize("header", HEADERS, ids=str)
def test_security_header_is_on_every_kind_of_answer(header: Header, db: None) -> None:
    with override_settings(**header.on):
        # A page, one to sign in, an answer of the API, Django's own, and one that there isn't.
        for address in ("/", "/desk/sign-in/", "/api/v1/events/", "/operator/login/", "/nowhere/at/all/"):
            assert bears(header, address), address
    with override_settings(**{**header.on, **header.off}):
        assert not bears(header, "/desk/sign-in/")


def secure_settings(**environment: str) -> dict[str, Any]:
    """What the service in full says of its cookies and of HTTPS, in a process of its own."""
    names = [
        *("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"),
        *("SESSION_COOKIE_HTTPONLY", "CSRF_COOKIE_HTTPONLY", "SESSION_COOKIE_SAMESITE"),
        *(
            "SESSION_COOKIE_DOMAIN",
            "SESSION_COOKIE_PATH",
            "SECURE_SSL_REDIRECT",
            "SECURE_HSTS_SECONDS",
            "SECURE_HSTS_INCLUDE_SUBDOMAINS",
            "SECURE_HSTS_PRELOAD",
            "DEBUG",
        ),
    ]
    values = f"{{n: getattr(s, n, None) for n in {names}}}"
    code = f"import json; from config import settings as s; print(json.dumps({values}))"
    told = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **GOOD, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(told.stdout)
    return found


def test_full_mode_binds_cookies_to_the_host_and_redirects_to_https() -> None:
    bound = {
        "SESSION_COOKIE_NAME": "__Host-session",
        "CSRF_COOKIE_NAME": "__Host-csrf",
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "CSRF_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        # A cookie of this prefix with another domain or path is refused by browsers.
        "SESSION_COOKIE_DOMAIN": None,
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 31_536_000,
        "DEBUG": False,
    }
    told = secure_settings()
    assert {name: told[name] for name in bound} == bound
    plain = secure_settings(HTTPS="false")
    assert (plain["SESSION_COOKIE_NAME"], plain["SECURE_HSTS_SECONDS"]) == ("session", 0)


def test_hsts_covers_subdomains_only_if_the_operator_says_so() -> None:
    found = [
        (told["SECURE_HSTS_SECONDS"], told["SECURE_HSTS_INCLUDE_SUBDOMAINS"], told["SECURE_HSTS_PRELOAD"])
        for told in (secure_settings(**said) for said in ({}, {"HSTS": "subdomains"}, {"HSTS": "preload"}))
    ]
    assert found == [(31_536_000, False, False), (31_536_000, True, False), (31_536_000, True, True)]


class Inline(HTMLParser):
    """Collects what a policy without `unsafe-inline` keeps a browser from running."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Scripts without a file, styles, handlers, and addresses that are scripts."""
        given = dict(attrs)
        data = given.get("type") in ("application/json", "application/ld+json")
        if tag == "style" or (tag == "script" and not given.get("src") and not data):
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            if (
                name == "style"
                or name.startswith("on")
                or (value or "").strip().lower().startswith("javascript:")
            ):
                self.found.append(f"<{tag} {name}={value!r}>")


def inline(html: str) -> list[str]:
    """What is inline in a page."""
    parser = Inline()
    parser.feed(html)
    return parser.found


ADMIN = [
    "",
    "people/account/",
    "people/account/add/",
    "people/event/",
    "people/event/add/",
    "password_change/",
]


def test_pages_have_no_inline_script_and_no_inline_style(db: None) -> None:
    tournament, client = played(), Client()
    event = tournament.event
    account = event.organizers.get().account
    account.is_staff = account.is_superuser = True
    account.save()
    client.force_login(account)
    pages = {f"/operator/{page}" for page in ADMIN} | {"/api/v1/docs/"} | set(addresses(tournament))
    read = 0
    for address in sorted(pages):
        answer = client.get(address)
        body = b"".join(answer) if answer.streaming else answer.content
        # Where no worker is, the work's health says so.
        assert answer.status_code < 500 or address == "/health/tasks/", address
        if answer.get("Content-Type", "").startswith("text/html"):
            read += answer.status_code == 200
            assert inline(body.decode()) == [], address

    assert read > 40
    assert inline('<p style="a"><a onclick="b" href="javascript:c"><script>d</script><style>')


def played() -> Tournament:
    """A tournament with a result, in a published event."""
    return factories.drawn_tournament(factories.make_event(factories.make_account(), slug="palio"))


def addresses(tournament: Tournament) -> Iterator[str]:
    """Every page's address that names an event at most, and those of its tournament."""
    names = {"event_slug": "palio", "tournament_slug": tournament.slug, "number": 1, "screen": 1}
    names |= {"code": tournament.event.tables.get(number=1).code, "reader": "organizers", "preset": "palio"}
    for route, _ in url_patterns():
        wanted = re.findall(r"<(?:\w+:)?(\w+)>", route)
        if set(wanted) <= set(names) and not route.startswith("api/"):
            yield "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(names[found[1]]), route)


def test_desk_pages_are_sent_with_no_store(db: None) -> None:
    tournament, client = played(), Client()
    client.force_login(tournament.event.organizers.get().account)
    code = tournament.event.tables.get(number=1).code

    def kept() -> list[str]:
        pages = ["/desk/", *(f"/desk/palio/{page}" for page in ("", "people/", "entries/", "referees/"))]
        answers = {page: client.get(page) for page in [*pages, f"/t/{code}/", "/operator/login/"]}
        return [page for page, each in answers.items() if "no-store" not in each.get("Cache-Control", "")]

    assert kept() == []
    with override_settings(**OURS):
        client = Client()
        client.force_login(tournament.event.organizers.get().account)
        assert kept() != []


def test_form_without_its_csrf_token_is_refused_everywhere(db: None) -> None:
    """At every address that isn't the API's: those of pages ask for the token before anything else."""

    def taken() -> list[str]:
        client = Client(enforce_csrf_checks=True)
        found = []
        for route, _ in url_patterns():
            if not route.startswith(("api/", "health/")):
                address = "/" + re.sub(r"<(?:(\w+):)?\w+>", lambda part: VALUES[part[1] or "str"], route)
                if client.post(address, {"name": "x"}).status_code != 403:
                    found.append(route)
        return found

    assert taken() == []
    with override_settings(**without("django.middleware.csrf.CsrfViewMiddleware")):
        assert taken() != []


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "testserver@evil.example", ""])
def test_host_header_of_another_host_is_refused(db: None, host: str) -> None:
    answer = Client(raise_request_exception=False).get("/desk/sign-in/", headers={"host": host})
    assert (answer.status_code, "evil" in answer.content.decode()) == (400, False)
    with override_settings(ALLOWED_HOSTS=["*"]):
        assert Client().get("/desk/sign-in/", headers={"host": "evil.example"}).status_code == 200


ELSEWHERE = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "javascript:alert(1)",
    "\t//evil.example",
]


@pytest.mark.parametrize("wanted", ELSEWHERE)
def test_sign_in_redirects_to_no_other_site(db: None, wanted: str) -> None:
    account = factories.make_account("ada")
    account.set_password(PHRASE)
    account.save()
    form = {"username": "ada", "password": PHRASE, "next": wanted}
    answer = Client().post("/desk/sign-in/", form)

    assert answer.status_code == 302
    assert re.match(r"/[a-z]", answer["Location"]), answer["Location"]
    # The twin: an address of ours is followed.
    assert Client().post("/desk/sign-in/", {**form, "next": "/en/desk/"})["Location"] == "/en/desk/"


@pytest.mark.parametrize("name", ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"])
def test_method_override_headers_are_ignored(db: None, name: str) -> None:
    team = played().event.teams.get(number=1)
    headers = {name: "DELETE", "authorization": bearer(team.event.organizers.get().account)}
    address = f"/api/v1/teams/{team.pk}/"
    for query in ("", "?_method=DELETE"):
        answer = Client().post(address + query, {"_method": "DELETE"}, "application/json", headers=headers)
        assert answer.status_code == 405

    # The twin: with the method itself the call comes through, and is refused for what it is.
    assert Client().delete(address, headers=headers).status_code == 409


def bearer(account: Any) -> str:
    """A header of a token for everything."""
    return f"Bearer {factories.make_token(account)[1]}"


@pytest.mark.parametrize(
    ("address", "content_type"),
    [("/", "text/html; charset=utf-8"), ("/api/v1/events/", "application/problem+json")],
)
def test_internal_error_tells_nothing_of_the_code(
    db: None, address: str, content_type: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object, **_options: object) -> None:
        raise RuntimeError("a secret of the database")

    monkeypatch.setattr("people.models.Event.objects.filter", broken)
    quiet = Client(raise_request_exception=False)
    answer = quiet.get(address)
    told = answer.content.decode()
    assert (answer.status_code, answer["Content-Type"]) == (500, content_type)
    assert ("internal-error" in told) == address.startswith("/api/")
    for word in ("secret", "Traceback", "RuntimeError", "people/models", "SECRET_KEY", "Django"):
        assert word not in told
