"""Addresses that aren't: answered in the API's own way, not with a page."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from api.endpoint import Endpoint
from api.permissions import nothing_here
from people.access import anyone, declares


@extend_schema(exclude=True)
@declares(anyone)
class Nowhere(Endpoint):
    """Whatever the method, 404 `not-found`."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Before anything is asked of the caller, in the language that the request asks for."""
        self.use_language(request)
        raise nothing_here()


# It is refused before any action is looked for.
nowhere = Nowhere.as_view({"get": "initial"})
