"""Compares what the service answers and sends with its description, by JSON Schema 2020-12."""

import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema_rs import Draft202012Validator

COMMITTED = Path(__file__).parents[2] / "docs" / "openapi.yaml"
JSON = {"application/json", "application/problem+json"}
OPEN = {"Problem"}
"""Components that have further members, as their texts say."""


@cache
def description() -> dict[str, Any]:
    """The committed description."""
    read: dict[str, Any] = yaml.load(COMMITTED.read_text(), Loader=yaml.CSafeLoader)
    return read


@cache
def closed_components() -> dict[str, Any]:
    """Its components; an object whose members are named has no others."""
    components: dict[str, Any] = deepcopy(description()["components"])
    for name, schema in components["schemas"].items():
        if "properties" in schema and name not in OPEN:
            schema.setdefault("additionalProperties", False)
    return components


def validator_of(schema: dict[str, Any]) -> Draft202012Validator:
    """A validator of a schema that may name components."""
    return Draft202012Validator({**schema, "components": closed_components()}, validate_formats=True)


def faults(validator: Draft202012Validator, value: Any) -> list[str]:
    """What of a value isn't as described: where, and what."""
    return [
        f"{'/'.join(map(str, each.instance_path))}: {each.message[:200]}"
        for each in validator.iter_errors(value)
    ]


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    # What has fewer parameters comes first: `pairings/current` isn't a pairing's id.
    paths = sorted(description()["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)) + "/?"), path) for path in paths]


def path_of(address: str) -> str | None:
    """The described path that an address without its parameters is of."""
    return next((path for pattern, path in _patterns() if pattern.fullmatch(address)), None)


@cache
def validator_of_answer(path: str, method: str, status: int, media: str) -> Draft202012Validator | str | None:
    """What an answer is compared with; None where none is described, a sentence where it may not be."""
    operation = description()["paths"][path].get(method.lower())
    described = operation["responses"].get(str(status)) if operation else None
    if described is None:
        return f"{status} isn't described"
    content = described.get("content")
    if content is None:
        return None
    if media not in content:
        return f"{media} isn't described"
    return validator_of(content[media]["schema"])


def faults_of_answer(method: str, address: str, answer: Any) -> list[str]:
    """What of an answer of the service isn't as described; addresses that aren't described have no faults.

    Of files no more than their kind is compared.
    """
    path = path_of(address)
    if path is None or answer.status_code in (304, 405, 500, 503) or method in ("HEAD", "OPTIONS"):
        return []
    media = answer.headers.get("Content-Type", "").partition(";")[0]
    found = validator_of_answer(path, method, answer.status_code, media)
    if found is None or isinstance(found, str):
        return [found] if found else ["nothing is described"] if has_content(answer) else []
    return faults(found, answer.json()) if media in JSON and not answer.streaming else []


def has_content(answer: Any) -> bool:
    """Whether anything was answered."""
    return answer.streaming or bool(answer.content)


def nulls(value: Any, path: str = "") -> set[str]:
    """Where a value holds null; places in lists aren't told apart."""
    if value is None:
        return {path}
    if isinstance(value, dict):
        return {found for key, each in value.items() for found in nulls(each, f"{path}.{key}")}
    if isinstance(value, list):
        return {found for each in value for found in nulls(each, f"{path}[]")}
    return set()
