"""The OpenAPI description: valid, complete, and as it was committed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import yaml
from django.conf import settings
from django.core.management import call_command
from django.urls import URLPattern, get_resolver
from openapi_spec_validator import OpenAPIV31SpecValidator
from rest_framework.test import APIClient

from api.problems import CONTENT_TYPE
from games.engine.events import EVENT_CLASSES
from people.models import ApiToken
from tests.api.described import resolved
from tournaments.transfer.archive.container import MOST_PACKED

GUIDE = Path(__file__).parents[2] / "docs" / "reference" / "api.md"
COMMITTED = Path(__file__).parents[2] / "docs" / "reference" / "openapi.yaml"
METHODS = {"get", "post", "put", "patch", "delete"}


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The description as the code says it now; a warning would fail it."""
    file = tmp_path_factory.mktemp("openapi") / "openapi.yaml"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(file))
    return file.read_text()


@pytest.fixture(scope="module")
def description(generated: str) -> dict[str, Any]:
    """The same as an object."""
    read: dict[str, Any] = yaml.safe_load(generated)
    return read


def operations(description: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Path, method and operation of everything described."""
    return [
        (path, method, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    ]


def test_description_committed_is_the_one_generated(generated: str) -> None:
    assert COMMITTED.read_text() == generated, "run: manage.py spectacular --file docs/reference/openapi.yaml"


def test_description_is_valid_openapi_3_1(description: dict[str, Any]) -> None:
    assert description["openapi"] == "3.1.0"
    assert list(OpenAPIV31SpecValidator(description).iter_errors()) == []


def test_every_api_address_is_described(description: dict[str, Any]) -> None:
    addresses = {
        "/api/v1/" + re.sub(r"<(?:uuid|int|slug):(\w+)>", r"{\1}", str(each.pattern)).rstrip("/")
        for each in get_resolver("api.urls").url_patterns
    }
    # The description doesn't describe itself, its reader, and what isn't there.
    assert addresses - {"/api/v1/schema", "/api/v1/docs", "/api/v1/"} == set(description["paths"])


def test_every_api_address_is_the_same_without_its_last_slash() -> None:
    resolver, parameters = get_resolver(), {"uuid": str(uuid4()), "int": "1", "slug": "a"}
    for pattern in get_resolver("api.urls").url_patterns[:-1]:
        assert isinstance(pattern, URLPattern)
        path = "/api/v1/" + re.sub(r"<(\w+):\w+>", lambda found: parameters[found[1]], str(pattern.pattern))
        with_slash, without = resolver.resolve(path), resolver.resolve(path.rstrip("/"))
        assert (without.url_name, without.kwargs) == (with_slash.url_name, with_slash.kwargs)
        assert without.url_name == pattern.name


def test_description_has_no_nullable_of_openapi_3_0(description: dict[str, Any]) -> None:
    def says(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            yield from node
        for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            yield from says(each)

    assert "nullable" not in set(says(description))


def test_each_operation_names_the_scope_that_a_token_needs(description: dict[str, Any]) -> None:
    scopes = {
        operation["operationId"]: operation["x-token-scope"] for _, _, operation in operations(description)
    }
    assert set(scopes.values()) == set(ApiToken.Scope.values)
    assert [scopes[name] for name in ("games_read", "games_enter_result", "draws_make")] == [
        "read",
        "results",
        "manage",
    ]
    for _path, _method, operation in operations(description):
        assert operation["description"].endswith(f"A token needs the scope `{operation['x-token-scope']}`.")


def test_every_operation_has_a_name_a_tag_and_its_problems(description: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(description)]
    assert len(names) == len(set(names))
    for path, _method, operation in operations(description):
        assert operation["summary"], path
        assert len(operation["tags"]) == 1, path
        refused = {status: each for status, each in operation["responses"].items() if status >= "400"}
        assert {"401", "403", "404", "406", "422", "500", "503"} <= set(refused), path
        for each in map(resolved, refused.values()):
            assert each["content"][CONTENT_TYPE]["schema"] == {"$ref": "#/components/schemas/Problem"}
        if "requestBody" in operation:
            assert {"400", "413", "415"} <= set(refused), path


def test_description_allows_no_unknown_fields_in_bodies(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"]
    bodies = {name for name in schemas if name.endswith("Request")}
    # These the tournaments layer checks itself, field by field.
    settings = {
        "TournamentSettingsChoiceRequest",
        "PalioRulesChoiceRequest",
        "PalioDisciplineChoiceRequest",
    }
    assert [
        name for name in bodies - settings if schemas[name].get("additionalProperties") is not False
    ] == []


def test_every_log_event_is_described(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"]
    kinds = [kind["$ref"].rpartition("/")[2] for kind in schemas["LogEvent"]["oneOf"]]
    assert kinds == [each.__name__ for each in EVENT_CLASSES]
    assert [schemas[kind]["properties"]["type"]["const"] for kind in kinds] == [
        each.type for each in EVENT_CLASSES
    ]


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("application/vnd.oai.openapi", "application/vnd.oai.openapi; charset=utf-8"),
        ("application/vnd.oai.openapi+json", "application/vnd.oai.openapi+json"),
    ],
)
def test_description_is_served_as_yaml_and_json(accept: str, content_type: str) -> None:
    answer = APIClient().get("/api/v1/schema/", headers={"Accept": accept})
    assert answer.status_code == 200
    assert answer["Content-Type"] == content_type
    assert yaml.safe_load(answer.content)["info"]["title"] == "Tendone"


def test_description_viewer_obeys_the_content_security_policy() -> None:
    answer = APIClient().get("/api/v1/docs/")
    page = answer.content.decode()

    assert answer.status_code == 200
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert re.findall(r"<script(?![^>]* src=)", page) == []
    assert re.findall(r"<style|style=|https?://", page) == []


def said_between(begin: str, end: str) -> set[str]:
    """What stands in code between two passages of the programmers' guide."""
    text = GUIDE.read_text()
    start = text.index(begin) + len(begin)
    return set(re.findall(r"`([^`]+)`", text[start : text.index(end, start)]))


def test_api_guide_names_the_lists_that_are_bare_arrays(description: dict[str, Any]) -> None:
    found = set()
    for path, method, operation in operations(description):
        content = operation["responses"].get("200", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema", {})
        if method == "get" and schema.get("type") == "array" and len(content) == 1:
            found.add(re.sub(r"\{(\w+)_id\}", r"{\1}", path.removeprefix("/api/v1/")) + "/")

    assert said_between("Five short ones are bare arrays:", "\n- ") == found


def test_api_guide_names_the_filters_of_matches(description: dict[str, Any]) -> None:
    taken = description["paths"]["/api/v1/tournaments/{tournament_id}/matches"]["get"]["parameters"]
    filters = {each["name"] for each in taken if each["in"] == "query"} - {"page", "page_size"}

    assert said_between("- `tournaments/{tournament}/matches/` takes ", "; given together") == filters


def test_api_guide_names_the_limits_of_bodies() -> None:
    text = GUIDE.read_text()

    assert f"More than 5 MiB ({settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes) is 413" in text
    assert f"At most 64 MiB ({MOST_PACKED:,} bytes; more is 413 `too-large`)" in text
