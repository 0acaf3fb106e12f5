"""An address that doesn't declare who may open it is found, wherever it hides."""

from django.core.checks import run_checks
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import include, path
from django.views import View
from rest_framework.views import APIView

from config.checks import every_address_declares_its_access
from people.access import anyone, declares, requires


def undeclared(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


@requires(anyone)
def declared(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


class Undeclared(View):
    """A class-based page without a predicate."""


class UndeclaredEndpoint(APIView):
    """An endpoint without a predicate."""


@declares(anyone)
class DeclaredEndpoint(APIView):
    """An endpoint with one."""


class OnlyDeclared:
    """Addresses that all declare their access."""

    urlpatterns = [path("page/", declared), path("in/", include([path("api/", DeclaredEndpoint.as_view())]))]


class SomeUndeclared:
    """The twin: the same addresses and others that don't."""

    urlpatterns = [
        *OnlyDeclared.urlpatterns,
        path("open/", undeclared),
        path("nested/", include([path("<int:number>/", Undeclared.as_view())])),
        path("endpoint/", UndeclaredEndpoint.as_view()),
    ]


def test_every_address_declares_its_access() -> None:
    assert every_address_declares_its_access() == []


@override_settings(ROOT_URLCONF=OnlyDeclared)
def test_access_check_passes_declared_addresses() -> None:
    assert every_address_declares_its_access() == []


@override_settings(ROOT_URLCONF=SomeUndeclared)
def test_access_check_names_undeclared_addresses() -> None:
    found = [error for error in run_checks(tags=["security"]) if error.id == "config.E001"]
    assert [error.msg for error in found] == [
        "The address 'open/' doesn't declare who may open it.",
        "The address 'nested/<int:number>/' doesn't declare who may open it.",
        "The address 'endpoint/' doesn't declare who may open it.",
    ]
