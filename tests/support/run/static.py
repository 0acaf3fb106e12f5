"""Static files in tests: looked for once, though each test client begins by looking for them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from whitenoise.base import WhiteNoise  # type: ignore[import-untyped]  # it has no types
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]  # it has no types

Look = Callable[..., None]


@contextmanager
def looked_for_once() -> Iterator[None]:
    """Have WhiteNoise keep what it found in a folder, or through the finders.

    Every `Client` makes the middleware anew, which reads all folders of static files.
    """
    found: dict[tuple[Any, ...], dict[str, Any]] = {}

    def once(look: Look) -> Look:
        def looking(self: WhiteNoise, *arguments: Any) -> None:
            key = (look.__name__, arguments, self.max_age)
            if key not in found:
                before, self.files = self.files, {}
                look(self, *arguments)
                found[key], self.files = self.files, before
            self.files |= found[key]

        return looking

    with (
        mock.patch.object(WhiteNoise, "update_files_dictionary", once(WhiteNoise.update_files_dictionary)),
        mock.patch.object(
            WhiteNoiseMiddleware, "add_files_from_finders", once(WhiteNoiseMiddleware.add_files_from_finders)
        ),
    ):
        yield
