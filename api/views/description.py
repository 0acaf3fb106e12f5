"""The OpenAPI description, and a page that shows it."""

from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer

from people.access import anyone, requires

YAML = "application/vnd.oai.openapi; charset=utf-8"
JSON = "application/vnd.oai.openapi+json"


@cache
def rendered(renderer: type[OpenApiYamlRenderer] | type[OpenApiJsonRenderer]) -> bytes:
    """The description as bytes: making it takes a second, and it is the same until the code changes."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]  # of theirs
    described = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # of theirs
    made: bytes = renderer().render(described, renderer_context={})
    return made


@requires(anyone)
@require_safe
def description(request: HttpRequest) -> HttpResponse:
    """YAML, or JSON for whoever accepts that."""
    if "json" in request.headers.get("Accept", ""):
        answer = HttpResponse(rendered(OpenApiJsonRenderer), content_type=JSON)
    else:
        answer = HttpResponse(rendered(OpenApiYamlRenderer), content_type=YAML)
    answer["Vary"] = "Accept"
    return answer


@requires(anyone)
@require_safe
def viewer(request: HttpRequest) -> HttpResponse:
    """The description in a reader that is served from here and runs no inline script."""
    return render(request, "api/viewer.html")
