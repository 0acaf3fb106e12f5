"""Log events, as the game log's paper writes them: the description is made from the engine's own classes."""

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers

from api.parsers import MAX_INTEGER
from api.shapes.tournaments import RULESET
from games.engine import Ruleset, Seat
from games.engine.event_json import EVENT_FIELDS, NEEDED
from games.engine.events import EVENT_CLASSES

WHOLE = {"type": "integer", "minimum": 0, "maximum": MAX_INTEGER}
BY_SEAT = {"type": "string", "pattern": "^[0-9]$"}
SEAT = {
    "title": "LogSeat",
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "team": {"type": "string"}},
}
PLAIN: dict[Any, dict[str, Any]] = {
    int: WHOLE,
    str: {"type": "string"},
    bool: {"type": "boolean"},
    Ruleset: RULESET,
    Seat: SEAT,
}
NULLABLE = {("game_closed", "winner")}


class LogEventShape(serializers.BaseSerializer[Any]):
    """One log event. The engine reads it, so that what is malformed is said in the engine's words."""

    same_both_ways = True

    def to_internal_value(self, data: Any) -> Any:
        """As it came."""
        return data

    def to_representation(self, instance: Any) -> Any:
        """As it is stored, with names in place of ids."""
        return instance


class LogEventSchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # the base is untyped
    """Describes a log event as one of the engine's classes."""

    target_class = LogEventShape

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """One schema for each type of event."""
        names = {each.type: f"#/components/schemas/{each.__name__}" for each in EVENT_CLASSES}
        return {
            "oneOf": [event_schema(each) for each in EVENT_CLASSES],
            "discriminator": {"propertyName": "type", "mapping": names},
        }


def event_schema(event: Any) -> dict[str, Any]:
    """The object that one class of events is written as."""
    hints = get_type_hints(event)
    properties: dict[str, Any] = {"type": {"type": "string", "const": event.type}}
    required = ["type"]
    for name in EVENT_FIELDS[event]:
        described = value_schema(hints[name])
        if (event.type, name) in NULLABLE:
            described = {**described, "type": [described["type"], "null"]}
        if name == "at":
            described = {"type": "string", "format": "date-time"}
        properties[name] = described
        if name in NEEDED[event]:
            required.append(name)
    return {
        "type": "object",
        "title": event.__name__,
        "description": (event.__doc__ or "").strip(),
        "required": required,
        "properties": properties,
        "additionalProperties": False,
    }


def value_schema(hint: Any) -> dict[str, Any]:
    """A field's type as JSON writes it: tuples as lists, dicts from seats as objects with texts as keys."""
    if hint in PLAIN:
        return PLAIN[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return value_schema(next(each for each in inner if each is not NoneType))
    if origin is tuple:
        return {"type": "array", "items": value_schema(inner[0])}
    if origin is Mapping:
        return {"type": "object", "propertyNames": BY_SEAT, "additionalProperties": value_schema(inner[1])}
    raise TypeError(f"no JSON form is known for {hint!r}")
