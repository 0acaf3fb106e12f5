"""Where the desk's forms stand."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

from django.forms import BaseForm

import desk


def _below(cls: type) -> Iterator[type]:
    for each in cls.__subclasses__():
        yield each
        yield from _below(each)


def test_every_form_of_the_desk_stands_in_its_forms() -> None:
    for module in walk_packages(desk.__path__, "desk."):
        import_module(module.name)
    elsewhere = {
        f"{form.__module__}.{form.__qualname__}"
        for form in _below(BaseForm)
        if form.__module__.startswith("desk.") and not form.__module__.startswith("desk.forms.")
    }

    assert elsewhere == set()
