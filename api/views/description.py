"""The OpenAPI description, and a page that shows it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import BaseRenderer

from people.access import anyone, declares, requires


@declares(anyone)
class Description(SpectacularAPIView):
    """The description itself, as YAML or JSON by the `Accept` header."""

    find_event = None
    renderer_classes: list[type[BaseRenderer]] = [OpenApiYamlRenderer, OpenApiJsonRenderer]


@requires(anyone)
def viewer(request: HttpRequest) -> HttpResponse:
    """The description in a reader that is served from here and runs no inline script."""
    return render(request, "api/viewer.html")
