"""Who may open what: every page, file, feed and download, by every role, opened and sent to.

The expected answers stand in `tests.desk.page_access`. What is refused tells nothing and stores nothing.
"""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib import admin
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse
from django.utils import translation

from tests.desk.every_page import PAGES, World, browser_as
from tests.desk.page_access import ANSWERS, HIDDEN, ROLES
from tests.support import factories
from tests.support.named_addresses import GROUPS, make_values
from tests.support.writes import nothing_written

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

# Named by number, page or place of the event itself: none of another event's.
OWN = {"event_slug", "number", "line", "screen", "reader", "preset", "slip", "code", "token_id"}
# Others are refused by the same reasons as these; their forms, too.
SENDING = ("public", "stranger", "operator", "phone")
# Opened, they lead back to the table.
LEADING_BACK = ("referee:confirm-result", "referee:enter", "referee:put-right")


@pytest.fixture(scope="module")
def world(committed: None) -> World:
    """For all requests of this module: each is rolled back."""
    # A rehearsal is an event like others, and nobody's but its organizer's.
    hidden = make_values("nascosto", is_published=False, is_practice=True)
    return World(make_values("qui"), make_values("altrove"), hidden)


@pytest.fixture(autouse=True)
def _in_italian() -> Any:
    """Addresses without a prefix."""
    with translation.override("it"):
        yield


def answered(response: Any) -> str:
    """What an answer comes to, in the table's words; `other` where a page isn't opened, or takes no form."""
    if response.status_code == 302 and response["Location"].startswith(reverse("desk:sign-in") + "?"):
        return "door"
    return {401: "no", 403: "no", 404: "none", 405: "other"}.get(response.status_code, "in")


def asked(client: Client, method: str, path: str, *, refused: bool) -> tuple[str, str]:
    """What is answered, and what is wrong with a refusal: data in it, or something stored."""
    with transaction.atomic(), nothing_written() as written:
        response: Any = getattr(client, method)(path)
        body = b"".join(response) if response.streaming else response.content
        transaction.set_rollback(True)
    # 503 is what health says.
    assert response.status_code in range(200, 500) or response.status_code == 503, path
    # A session keeps the sentence that nothing was stored.
    stored = [each for each in written if "django_session" not in each]
    text = body.decode(errors="replace") + response.get("Location", "").partition("?")[0]
    wrong = [word for word in (factories.FIRST_NAME, factories.LAST_NAME, "di nascosto") if word in text]
    return answered(response), " ".join(wrong + stored) if refused else ""


def test_every_page_has_a_row_in_the_access_table() -> None:
    """A new page says in `tests.desk.page_access` who may open it."""
    assert sorted(page.name for page in PAGES if not page.group) == []
    assert sorted(set(GROUPS) - {page.name for page in PAGES}) == []
    assert set(ANSWERS) == set(GROUPS.values())
    assert all(set(answers) == set(ROLES) for answers in (*ANSWERS.values(), HIDDEN))


@pytest.mark.parametrize("role", ROLES)
def test_role_opens_what_the_table_says_and_nothing_else(role: str, world: World) -> None:
    """Opened, and where it is refused also sent to; pages for everybody only by the public."""
    client = browser_as(role, world.here, world.there)
    found: dict[str, set[tuple[str, str]]] = {}
    wanted: dict[str, set[tuple[str, str]]] = {}
    for page in PAGES:
        answer = ANSWERS[page.group][role]
        if page.group in ("everybody", "public pages of an event") and role != "public":
            continue
        refused = answer != "in"
        path = page.path(world.here)
        methods = ("get", "post") if refused and role in SENDING else ("get",)
        found[page.name] = {asked(client, method, path, refused=refused) for method in methods}
        wanted[page.name] = {(answer, "")}
        if not refused and found[page.name] in ({("none", "")}, {("other", "")}):
            # Not in this tournament's format, nothing of the kind yet, or for forms alone: not a refusal.
            wanted[page.name] = found[page.name]

    assert found == wanted


@pytest.mark.parametrize("role", ROLES)
def test_unpublished_event_tells_nothing_on_its_public_pages(role: str, world: World) -> None:
    client = browser_as(role, world.hidden, world.there)
    refused = HIDDEN[role] != "in"
    hiding = [page for page in PAGES if page.group == "public pages of an event"]
    table = next(page for page in PAGES if page.name == "referee:game")
    assert asked(client, "get", table.path(world.hidden), refused=refused) == (ANSWERS["table"][role], "")
    if not refused:
        hiding = [page for page in hiding if page.name in ("publishing:event", "publishing:standings")]
    found = {
        page.name: asked(client, method, page.path(world.hidden), refused=refused)
        for page in hiding
        for method in (("get", "post") if role == "public" else ("get",))
    }
    assert found == {page.name: (HIDDEN[role], "") for page in hiding}


MIXED = [page for page in PAGES if page.group not in ("everybody", "accounts") and set(page.arguments) - OWN]


@pytest.mark.parametrize("role", ["organizer", "phone", "public"])
def test_event_s_address_with_another_s_id_finds_nothing(role: str, world: World) -> None:
    """Whoever may see both: each id alone is the other event's, the rest is right."""
    client = browser_as(role, world.here, world.there)
    found = {}
    for page in MIXED:
        if ANSWERS[page.group][role] != "in":
            continue
        for argument in set(page.arguments) - OWN:
            path = page.path(world.here | {argument: world.there[argument]})
            for method in ("post",) if page.name in LEADING_BACK else ("get", "post"):
                answer = asked(client, method, path, refused=True)
                if answer not in (("none", ""), ("other", "")):
                    found[f"{method} {page.name} {argument}"] = answer
    assert found == {}


def test_removed_event_is_a_404_for_its_former_organizer(world: World) -> None:
    client = browser_as("organizer", world.here, world.there)
    gone = world.here | {"event_slug": "non-c-e-piu"}
    paths = [page.path(gone) for page in PAGES if "event_slug" in page.arguments]
    assert {asked(client, "get", path, refused=True) for path in paths} == {("none", "")}


def test_operators_pages_are_the_operators(world: World) -> None:
    """Whoever they aren't for is sent to the door, which then refuses accounts."""
    patterns = [each for each in admin.site.urls[0] if isinstance(each, URLPattern | URLResolver)]
    assert len(patterns) > 5
    paths = ["/operator/", "/operator/password_change/", "/operator/jsi18n/", "/operator/autocomplete/"]
    for model in admin.site._registry:
        base = f"/operator/{model._meta.app_label}/{model._meta.model_name}/"
        paths += [base, f"{base}add/", f"{base}{uuid4()}/change/", f"{base}{uuid4()}/delete/"]
    for role in ("public", "token", "organizer", "phone"):
        client = browser_as(role, world.here, world.there)
        for path in paths:
            response = client.get(path)
            assert (response.status_code, response["Location"].split("?")[0]) == (302, "/operator/login/")
            assert client.post(path).status_code == 302
    assert browser_as("operator", world.here, world.there).get("/operator/").status_code == 200
