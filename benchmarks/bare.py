"""What Django itself takes: one view behind three middlewares that answers with fixed, compressed bytes.

A WSGI application for comparison, no part of the service. `BENCHMARK_BODY` names the file with the bytes.
"""

import os
from pathlib import Path

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import condition

ETAG = '"bare"'
BODY = Path(os.environ["BENCHMARK_BODY"]).read_bytes()


def _etag(_request: HttpRequest) -> str:
    return ETAG


@condition(etag_func=_etag)
def page(_request: HttpRequest) -> HttpResponse:
    """The bytes."""
    return HttpResponse(BODY, headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})


urlpatterns = [path("", page)]

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    ROOT_URLCONF=__name__,
    SECRET_KEY="signs nothing",
)
application = get_wsgi_application()
