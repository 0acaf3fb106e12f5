"""The choices that an organizer has when a tournament is set up."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.schema import describes
from api.shapes.registry import FormatsShape, MetricsShape, formats_row, metrics_row
from people.access import anyone, declares

TAG = "formats"


@declares(anyone)
class Formats(Endpoint):
    """Formats."""

    @describes("formats_list", TAG, {200: FormatsShape}, summary="List formats", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """With their options, what orders them, and the kinds of match."""
        return self.answer(formats_row(), FormatsShape)


@declares(anyone)
class Metrics(Endpoint):
    """Metrics."""

    @describes("metrics_list", TAG, {200: MetricsShape}, summary="List metrics", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """With the rules for ties."""
        return self.answer(metrics_row(), MetricsShape)
