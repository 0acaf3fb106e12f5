"""Which app names addresses of which other one: the page on architecture lists all of these links."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.urls import get_resolver

from tests.docs.module_list import PACKAGES
from tests.support import ROOT

PAGE = ROOT / "docs" / "development" / "architecture.md"
NAME = r"([a-z-]+):[\w-]*"
ABOVE_ALL = "config"
"""It knows every app by import, so its links need no list."""


def owners() -> dict[str, str]:
    """The package of each namespace; the top layer's where no module has its addresses."""
    found = get_resolver().namespace_dict.items()
    modules = {name: getattr(resolver.urlconf_name, "__name__", ABOVE_ALL) for name, (_, resolver) in found}
    return {name: module.partition(".")[0] for name, module in modules.items()}


def namespaces_in_python(source: str) -> set[str]:
    """The namespaces of all texts that are the name of an address, or begin one (`f"api:{name}"`)."""
    texts = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    named = (re.fullmatch(NAME, text) for text in texts if isinstance(text, str))
    return {match[1] for match in named if match}


def namespaces_in_template(source: str) -> set[str]:
    """The namespaces of all names of addresses that stand in quotation marks."""
    return set(re.findall(rf"[\"']{NAME}[\"']", source))


READERS = {".py": namespaces_in_python, ".html": namespaces_in_template}


def app_of_template(path: Path) -> str:
    """Whose a template is: its folder's; what all pages share is the components'."""
    folder = path.relative_to(ROOT / "templates").parts[0]
    return {"errors": "publishing"}.get(folder, folder if folder in PACKAGES else "rendering/components")


def files() -> Iterator[tuple[str, Path]]:
    """All modules and templates, each with its app."""
    for package in PACKAGES:
        yield from ((package, path) for path in (ROOT / package).rglob("*.py"))
        yield from ((package, path) for path in (ROOT / package).rglob("*.html"))
    yield from ((app_of_template(path), path) for path in (ROOT / "templates").rglob("*.html"))


def links() -> set[tuple[str, str]]:
    """Each app and one whose addresses it names."""
    of = owners()
    return {
        (app, of[name])
        for app, path in files()
        for name in READERS[path.suffix](path.read_text("utf-8"))
        if name in of
    }


def test_apps_name_only_the_addresses_that_the_architecture_lists() -> None:
    table = PAGE.read_text().partition("| links from | to | for |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([\w/]+)` \| (.*?) \|", table, re.MULTILINE)
    listed = {(app, other) for app, others in rows for other in re.findall(r"`(\w+)`", others)}

    found = {(app, other) for app, other in links() if other != app != ABOVE_ALL}

    assert found == listed


def test_twin_link_is_found_in_python_and_in_templates() -> None:
    source = 'reverse("desk:home"); redirect(f"api:{name}"); print("see api: all", "publishing")'
    template = (
        """<a href="{% url 'desk:event' slug %}">api:home</a>{% include "x.html" with to="live:event" %}"""
    )

    assert namespaces_in_python(source) == {"desk", "api"}
    assert namespaces_in_template(template) == {"desk", "live"}
    assert owners() == {
        "admin": "config",
        "api": "api",
        "desk": "desk",
        "live": "publishing",
        "no-api": "config",
        "publishing": "publishing",
        "referee": "referee",
        "slip": "publishing",
    }
