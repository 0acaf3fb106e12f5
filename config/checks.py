"""System checks over the whole: a view that doesn't declare who may open it can't be deployed."""

from collections.abc import Iterator
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.urls import URLPattern, URLResolver, get_resolver

# Pages of Django's own that carry their own checks: the admin asks for staff at each of its pages.
TRUSTED_NAMESPACES = {"admin"}


def url_patterns(resolver: URLResolver | None = None, route: str = "") -> Iterator[tuple[str, Any]]:
    """Every address of the service with its view, but those of namespaces that check for themselves."""
    for entry in (resolver or get_resolver()).url_patterns:
        path = route + str(entry.pattern)
        if isinstance(entry, URLPattern):
            yield path, entry.callback
        elif entry.namespace not in TRUSTED_NAMESPACES:
            yield from url_patterns(entry, path)


def declared_access(callback: Any) -> Any:
    """The predicate that a view declares, or None."""
    for holder in (callback, getattr(callback, "cls", None), getattr(callback, "view_class", None)):
        access = getattr(holder, "access", None)
        if access is not None:
            return access
    return None


@register(Tags.security)
def every_address_declares_its_access(**_: object) -> list[CheckMessage]:
    """`config.E001` for each address whose view declares no predicate."""
    return [
        Error(
            f"The address '{path}' doesn't declare who may open it.",
            hint="Put people.access.requires (pages) or people.access.declares (API) on its view.",
            id="config.E001",
        )
        for path, callback in url_patterns()
        if declared_access(callback) is None
    ]
