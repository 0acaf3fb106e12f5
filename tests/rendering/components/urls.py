"""Two pages, to see the base page and its language switch without any other part of the service."""

from django.conf.urls.i18n import i18n_patterns
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path


def page(request: HttpRequest) -> HttpResponse:
    return render(request, "base.html")


urlpatterns = i18n_patterns(
    path("", page, name="home"),
    path("palio/", page, name="palio"),
    prefix_default_language=False,
)
