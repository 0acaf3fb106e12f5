"""How the OpenAPI document is made of the endpoints; registered when the app is ready."""

from copy import deepcopy
from typing import Any

from django.utils import translation
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS

from api.fields import Body
from api.permissions import declared
from people.access import is_open, scope_to_write
from people.models import ApiToken


class ApiSchema(AutoSchema):
    """Names components by what they are of, and closes the bodies that take no unknown fields."""

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        """In English, whatever language was asked for: the document is one. A file that is sent isn't left
        out.
        """
        with translation.override("en"):
            operation = super().get_operation(*args, **kwargs)
        body = operation.get("requestBody", {}) if operation else {}
        if body and "application/json" not in body["content"]:
            body["required"] = True
        return operation

    def get_serializer_name(self, serializer: serializers.Serializer[Any], direction: Any) -> str:
        """`Entry` for `EntryShape`; bodies are told apart by the framework's `…Request`."""
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
        # The answer to a success has a plain status as its key, problems have a media type too.
        answers: Any = self.get_response_serializers() if serializer is None else serializer
        if isinstance(answers, dict):
            answers = {code: each for code, each in answers.items() if isinstance(code, int)}
        return bool(super()._is_list_view(answers))

    def _get_format_parameters(self) -> list[Any]:
        # The media type is asked for with `Accept`, and no other parameter is taken.
        return []


BESIDE = ("readOnly", "writeOnly", "default")
"""What is said of a field and not of the schema that it has."""


def name_titled(result: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    """Make a component of each schema that has a `title`, and name it wherever it stands: generated clients
    make one class of it, where they would make one for each place.
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
    """The three ways of `ActorAuthentication`."""

    target_class = "api.authentication.ActorAuthentication"
    name = ["token", "pairing", "session"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        """In the order of `name`."""
        return [
            {
                "type": "http",
                "scheme": "bearer",
                "description": "A token, made on the pages, for one event or all that its account organizes. "
                "Its scope is `read`, `results` (enters, corrects and confirms results too) or `manage` "
                "(does everything that the account may); each operation names the least that it needs.",
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
        """Any one of them, of a token with the scope that it takes; none where everybody may call once an
        event is published.
        """
        access = declared(auto_schema.view, auto_schema.method)
        reads = auto_schema.method in SAFE_METHODS
        scope = ApiToken.Scope.READ if reads else scope_to_write(access)
        scopes = {"token": [scope.value]}
        requirements: list[dict[str, list[str]]] = [{name: scopes.get(name, [])} for name in self.name]
        return [*requirements, {}] if is_open(access) else requirements
