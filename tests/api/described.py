"""Compares what the service answers and sends with its description, by JSON Schema 2020-12."""

import json
import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema_rs import Draft202012Validator

COMMITTED = Path(__file__).parents[2] / "docs" / "reference" / "openapi.yaml"
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
    """A validator of a schema that may name components: with those alone, as a validator of all of them takes
    longer to make than most answers.
    """
    components: dict[str, Any] = {}
    waiting = named_in(schema)
    while waiting:
        section, name = waiting.pop()
        if name not in components.setdefault(section, {}):
            found = components[section][name] = closed_components()[section][name]
            waiting |= named_in(found)
    return Draft202012Validator({**schema, "components": components}, validate_formats=True)


def named_in(node: Any) -> set[tuple[str, str]]:
    """The components that a part of the description names itself, by section and name."""
    if isinstance(node, list):
        return {found for each in node for found in named_in(each)}
    if not isinstance(node, dict):
        return set()
    found = {component for each in node.values() for component in named_in(each)}
    if isinstance(reference := node.get("$ref"), str):
        _, _, section, name = reference.split("/")
        found.add((section, name))
    return found


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


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """A part of the description, or the component that it names."""
    if "$ref" not in node:
        return node
    _, _, section, name = node["$ref"].split("/")
    found: dict[str, Any] = description()["components"][section][name]
    return found


def described_answer(path: str, method: str, status: int) -> dict[str, Any] | None:
    """The described answer of an operation with a status; None where there is none."""
    operation = description()["paths"][path].get(method.lower())
    found = operation["responses"].get(str(status)) if operation else None
    return None if found is None else resolved(found)


def faults_of_headers(described: dict[str, Any], answer: Any) -> list[str]:
    """Which described headers an answer lacks, or has without that they are described for it, or with another
    form. Headers that are described nowhere aren't compared.
    """
    headers = {name: resolved(each) for name, each in described.get("headers", {}).items()}
    sent = {name for name in description()["components"]["headers"] if name in answer.headers}
    found = [f"the header {name} isn't described" for name in sorted(sent - set(headers))]
    for name, header in headers.items():
        if name not in sent:
            found += [f"the header {name} is missing"] if header.get("required") else []
            continue
        text = answer.headers[name]
        value = int(text) if header["schema"]["type"] == "integer" and text.isdigit() else text
        validator = validator_of_header(json.dumps(header["schema"], sort_keys=True))
        found += [f"the header {name}: {each}" for each in faults(validator, value)]
    return found


@cache
def validator_of_header(schema: str) -> Draft202012Validator:
    """A validator of a header with this schema, in JSON: every answer has some of the same few headers."""
    return validator_of(json.loads(schema))


@cache
def validator_of_answer(path: str, method: str, status: int, media: str) -> Draft202012Validator | str | None:
    """What an answer is compared with; None where none is described, a sentence where it may not be."""
    described = described_answer(path, method, status)
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

    Of files no more than their kind and headers are compared.
    """
    path = path_of(address)
    if path is None or answer.status_code == 405 or method in ("HEAD", "OPTIONS"):
        return []
    described = described_answer(path, method, answer.status_code)
    if described is not None and (wrong := faults_of_headers(described, answer)):
        return wrong
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
