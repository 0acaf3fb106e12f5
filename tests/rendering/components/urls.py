"""Two pages, to see the base page and its language switch without any other part of the service."""

from django.conf.urls.i18n import i18n_patterns
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path


def page(request: HttpRequest) -> HttpResponse:
    return render(request, "base.html")


urlpatterns = i18n_patterns(
    path("", include(([path("", page, name="home")], "publishing"))),
    path("palio/", page, name="palio"),
    prefix_default_language=False,
)
