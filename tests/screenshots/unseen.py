"""Which pages no picture was taken of."""

import os
from collections.abc import Iterable
from urllib.parse import urlsplit

NAMESPACES = ("desk", "publishing", "slip")
"""Whose pages are looked at one by one; a referee's are, state by state (`tests.support.phone_states`)."""
LEAD_ON = {"paper-now", "projector", "palio-projector", "sign-out", "export-file"}
"""What shows no page of its own."""


def unseen(addresses: Iterable[str]) -> list[str]:
    """The names of pages that none of these addresses shows."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.urls import Resolver404, get_resolver, resolve
    from django.utils import translation

    from tests.support.page_addresses import pages

    seen = set()
    for address in addresses:
        path = urlsplit(address).path
        with translation.override(translation.get_language_from_path(path) or settings.LANGUAGE_CODE):
            try:
                seen.add(resolve(path).view_name)
            except Resolver404:
                continue
    there = {name for name in pages(get_resolver().url_patterns) if name.partition(":")[0] in NAMESPACES}
    return sorted(name for name in there - seen if name.partition(":")[2] not in LEAD_ON)
