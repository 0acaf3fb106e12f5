"""Which addresses of the service show a page."""

from collections.abc import Iterable, Iterator
from inspect import getclosurevars
from typing import Any

from django.urls import URLPattern, URLResolver


def pages(
    patterns: Iterable[URLPattern | URLResolver], route: str = "", namespace: str = ""
) -> Iterator[str]:
    """The name of each address that shows a page: no file, and nothing that is behind a button alone."""
    for each in patterns:
        path = route + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from pages(each.url_patterns, path, f"{each.namespace}:" if each.namespace else namespace)
        elif (path.endswith("/") or not path) and not takes_forms_alone(each.callback):
            yield f"{namespace}{each.name}"


def takes_forms_alone(view: Any) -> bool:
    """Whether a view is one of those behind a button, by `require_POST` somewhere around it."""
    while view is not None:
        if getclosurevars(view).nonlocals.get("request_method_list") == ["POST"]:
            return True
        view = getattr(view, "__wrapped__", None)
    return False
