"""System checks over the whole: what can't be deployed."""

from collections.abc import Iterator
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.urls import URLPattern, URLResolver, get_resolver

from config import catalogues, static_files

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
    holders = (callback, getattr(callback, "cls", None), getattr(callback, "view_class", None))
    declared = (getattr(holder, "access", None) for holder in holders)
    return next((access for access in declared if access is not None), None)


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


@register(Tags.staticfiles, deploy=True)
def static_files_are_collected(**_: object) -> list[CheckMessage]:
    """`config.E002` where static files are missing without which no page can be rendered."""
    complaint = static_files.complaint()
    return [Error(complaint, id="config.E002")] if complaint else []


@register(Tags.translation)
def translations_are_compiled(**_: object) -> list[CheckMessage]:
    """`config.E003` where a catalogue is missing or of other texts: pages would show English in its place."""
    complaint = catalogues.complaint()
    return [Error(complaint, id="config.E003")] if complaint else []
