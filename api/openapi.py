"""The OpenAPI document, made from the endpoints; registered when the app is ready."""

from collections.abc import Iterable
from copy import deepcopy
from http import HTTPStatus
from typing import Any

from django.utils import translation
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS

from api import webhook_messages
from api.fields import Body
from api.pagination import Pages
from api.permissions import declared
from games.engine.translations import SOURCE_LANGUAGE
from people.access import is_open, scope_to_write
from people.models import ApiToken


class ApiSchema(AutoSchema):
    """Names components by what they are of, and closes the bodies that take no unknown fields."""

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        """The operation in English, whatever language was asked for: there is one document for all. A body
        that is a file is required.
        """
        with translation.override(SOURCE_LANGUAGE):
            operation = super().get_operation(*args, **kwargs)
        if operation:
            self._name_scope(operation)
        body = operation.get("requestBody", {}) if operation else {}
        if body and "application/json" not in body["content"]:
            body["required"] = True
        return operation

    def _name_scope(self, operation: dict[str, Any]) -> None:
        """Say which scope a token needs at least, in words and as `x-token-scope`: `security` has no place
        for it, since tokens come from no OAuth.
        """
        scope = _least_scope(self.view, self.method)
        operation["x-token-scope"] = scope
        needs = f"A token needs the scope `{scope}`."
        operation["description"] = f"{operation.get('description', '')}\n\n{needs}".strip()

    def get_serializer_name(self, serializer: serializers.Serializer[Any], direction: Any) -> str:
        """`Entry` for `EntryShape` and `EntryBody`; of the two the framework calls the body `…Request`."""
        name: str = super().get_serializer_name(serializer, direction)
        return name.removesuffix("Shape").removesuffix("Body")

    def _get_serializer_name(self, serializer: Any, direction: Any, bypass_extensions: bool = False) -> str:
        if getattr(serializer, "same_both_ways", False):
            direction = "response"
        name: str = super()._get_serializer_name(serializer, direction, bypass_extensions)
        return name

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]  # of theirs
        if isinstance(serializer, Body):
            schema["additionalProperties"] = False
        return schema

    def _is_list_view(self, serializer: Any = None) -> bool:
        # An answer that could be a list has a plain status as its key; a problem has a media type, too.
        answers: Any = self.get_response_serializers() if serializer is None else serializer
        if isinstance(answers, dict):
            answers = {code: each for code, each in answers.items() if isinstance(code, int)}
        return bool(super()._is_list_view(answers))

    def _get_paginator(self) -> Pages | None:
        view: Any = self.view
        return Pages() if getattr(view, view.action).in_pages else None

    def _get_format_parameters(self) -> list[Any]:
        # The media type is asked for with `Accept`, and no other parameter is taken.
        return []


TAGS = {
    "announcements": "Sentences that stand on all pages for a while.",
    "changes": "The change feed: what has happened, in one order that never changes.",
    "clocks": "The clock of a tournament, and the bell.",
    "confirmations": "Results that somebody else has to confirm, and disputes.",
    "entries": "Who takes part: entered by hand or by import, withdrawn, absent.",
    "events": "Festivals.",
    "exports": "Files to take away, and archives of whole events.",
    "formats": "The formats and metrics that a tournament can have.",
    "games": "One table’s games: state, log, results and corrections.",
    "matches": "Who meets whom, where and when.",
    "pairings": "Referees’ phones.",
    "palio": "The table of the whole event.",
    "receipts": "Root hashes over all facts, and verification.",
    "referees": "Volunteers who enter results.",
    "rounds": "Tournaments that are drawn round by round.",
    "squads": "Those of a team who play together.",
    "stages": "Parts of a tournament that follow each other.",
    "standings": "Who is ahead, and why.",
    "tables": "The tables of an event, and their codes.",
    "teams": "The contrade of an event.",
    "timetables": "Which match is played when and where.",
    "tokens": "Access of programs.",
    "tournaments": "Competitions: settings, draw, ties, closing.",
    "webhooks": "Messages to programs outside.",
}
"""What each tag is about."""


def add_the_rest(result: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    """Add what the endpoints don't say: the tags’ words, and what webhooks send. Paths have no last slash.

    Raises ValueError for a tag without words, and for words of no tag.
    """
    operations = [each for methods in result["paths"].values() for each in methods.values()]
    used = {tag for operation in operations for tag in operation["tags"]}
    if used != set(TAGS):
        raise ValueError(f"tags without words, or words without a tag: {sorted(used ^ set(TAGS))}")
    schemas = {**result["components"]["schemas"], **webhook_messages.components()}
    shared = _share_answers(operations)
    return {
        **result,
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": {path.rstrip("/"): methods for path, methods in result["paths"].items()},
        "webhooks": webhook_messages.webhooks(),
        "components": {**result["components"], **shared, "schemas": dict(sorted(schemas.items()))},
    }


def _share_answers(operations: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Replace parts of answers by references to components, and return these components.

    The parts are headers, and answers without content of their own (304 and problems). The result has
    `headers` by their names and `responses` by what their status is called.

    Raises ValueError where operations describe one of them differently.
    """
    headers: dict[str, Any] = {}
    responses: dict[str, Any] = {}
    for operation in operations:
        for status, answer in operation["responses"].items():
            for name, header in answer.get("headers", {}).items():
                answer["headers"][name] = _shared("headers", headers, name, header)
            if int(status) >= HTTPStatus.MULTIPLE_CHOICES:
                name = HTTPStatus(int(status)).phrase.title().replace(" ", "")
                operation["responses"][status] = _shared("responses", responses, name, answer)
    return {"headers": dict(sorted(headers.items())), "responses": dict(sorted(responses.items()))}


def _shared(section: str, found: dict[str, Any], name: str, made: dict[str, Any]) -> dict[str, str]:
    if found.setdefault(name, made) != made:
        raise ValueError(f"two of the {section} are called {name}")
    return {"$ref": f"#/components/{section}/{name}"}


BESIDE = ("readOnly", "writeOnly", "default")
"""Keys that describe a field, and not the schema that it has."""


def name_titled(result: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    """Make a component of each schema that has a `title`, and name it wherever it stands.

    Generated clients then make one class of it, where they would make one for each place.
    """
    # The schemas are those of the shapes themselves: made twice, the description has to be the same.
    result = deepcopy(result)
    schemas: dict[str, Any] = result["components"]["schemas"]
    found: dict[str, Any] = {}
    for schema in list(schemas.values()):
        _name_inside(schema, found)
    for name, schema in found.items():
        if schemas.setdefault(name, schema) != schema:
            raise ValueError(f"two schemas are called {name}")
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


def _name_inside(node: Any, found: dict[str, Any]) -> None:
    """Replace the titled schemas below this node by references, and collect them."""
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for each in inner:
        _name_inside(each, found)
    if not isinstance(node, dict) or not isinstance(node.get("title"), str):
        return
    name = node.pop("title")
    schema = {key: value for key, value in node.items() if key not in BESIDE}
    if found.setdefault(name, schema) != schema:
        raise ValueError(f"two schemas are called {name}")
    for key in schema:
        del node[key]
    node["$ref"] = f"#/components/schemas/{name}"


class ActorScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the base is untyped
    """The three security schemes of `ActorAuthentication`."""

    target_class = "api.permissions.ActorAuthentication"
    name = ["token", "pairing", "session"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        """One definition for each scheme, in the order of `name`."""
        return [
            {
                "type": "http",
                "scheme": "bearer",
                "description": "A token, made on the pages, for one event or all that its account organizes. "
                "Its scope is `read`, `results` (enters, corrects and confirms results too) or `manage` "
                "(does everything that the account may); each operation names the least that it needs as "
                "`x-token-scope`.",
            },
            {
                "type": "apiKey",
                "in": "header",
                "name": "Authorization",
                "description": "`Pairing` and the secret that asking for a pairing returned.",
            },
            {
                "type": "apiKey",
                "in": "cookie",
                "name": "session",
                "description": "The pages' cookies; writing asks for `X-CSRFToken` too.",
            },
        ]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[str]]]:
        """Any one of the schemes; none where everybody may call once an event is published."""
        access = declared(auto_schema.view, auto_schema.method)
        requirements: list[dict[str, list[str]]] = [{name: []} for name in self.name]
        return [*requirements, {}] if is_open(access) else requirements


def _least_scope(view: Any, method: str) -> str:
    """The scope that a token needs at least for a method."""
    reads = method in SAFE_METHODS
    return ApiToken.Scope.READ.value if reads else scope_to_write(declared(view, method)).value
