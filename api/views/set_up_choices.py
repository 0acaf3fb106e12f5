"""The choices that an organizer has when a tournament is set up."""

from rest_framework.response import Response

from api.endpoint import Endpoint
from api.schema import reads
from api.shapes.set_up_choices import FormatsShape, MetricsShape, formats_row, metrics_row
from people.access import anyone, declares

TAG = "formats"


@declares(anyone)
class Registry(Endpoint):
    """Formats and metrics."""

    @reads("formats_list", TAG, FormatsShape, "List formats")
    def list_formats(self) -> Response:
        """With their options, what orders them, and the kinds of match."""
        return self.answer(formats_row(), FormatsShape)

    @reads("metrics_list", TAG, MetricsShape, "List metrics")
    def list_metrics(self) -> Response:
        """With the rules for ties."""
        return self.answer(metrics_row(), MetricsShape)
