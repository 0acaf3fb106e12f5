"""Where the shapes of the API stand."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

from rest_framework.serializers import BaseSerializer

from api import views


def _below(cls: type) -> Iterator[type]:
    for each in cls.__subclasses__():
        yield each
        yield from _below(each)


def test_no_shape_stands_among_the_views() -> None:
    for module in walk_packages(views.__path__, "api.views."):
        import_module(module.name)
    found = {
        f"{shape.__module__}.{shape.__qualname__}"
        for shape in _below(BaseSerializer)
        if shape.__module__.startswith("api.views.")
    }

    assert found == set()
