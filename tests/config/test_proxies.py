"""Behind one proxy or several: who asks is whom the outermost was asked by, whatever a client writes."""

from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from config.middleware import ProxiesMiddleware, outermost
from people.client_network import place_of

CLIENT, EDGE, FORGED = "203.0.113.9", "10.0.0.2", "192.0.2.1"


def seen(settings: Any, proxies: int, **headers: str) -> tuple[str, bool]:
    """Where a request comes from, and whether by HTTPS, as views see it."""
    settings.TRUSTED_PROXIES = proxies
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if proxies else None
    passed: list[HttpRequest] = []

    def view(request: HttpRequest) -> HttpResponse:
        passed.append(request)
        return HttpResponse()

    ProxiesMiddleware(view)(RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", headers=headers))
    return place_of(passed[0]), passed[0].is_secure()


@pytest.mark.parametrize(
    ("proxies", "address", "scheme", "expected"),
    [
        (0, f"{FORGED}, {CLIENT}", "https", ("10.0.0.1", False)),
        (1, f"{FORGED}, {CLIENT}", "https", (CLIENT, True)),
        (1, CLIENT, "https, http", (CLIENT, False)),
        (2, f"{FORGED}, {CLIENT}, {EDGE}", "https, http, http", (CLIENT, False)),
        (2, f"{CLIENT}, {EDGE}", "https, http", (CLIENT, True)),
        # The inner one passes on what it was given.
        (2, f"{CLIENT}, {EDGE}", "https", (CLIENT, True)),
    ],
)
def test_client_address_is_that_given_by_the_outermost_proxy(
    settings: Any, proxies: int, address: str, scheme: str, expected: tuple[str, bool]
) -> None:
    headers = {"X-Forwarded-For": address, "X-Forwarded-Proto": scheme}
    assert seen(settings, proxies, **headers) == expected


def test_twin_client_address_is_wrong_with_a_wrong_number_of_proxies(settings: Any) -> None:
    """The twin: why the number has to be right."""
    written = {"X-Forwarded-For": f"{FORGED}, {CLIENT}, {EDGE}", "X-Forwarded-Proto": "https, http, http"}
    assert seen(settings, 3, **written) == (FORGED, True)
    assert seen(settings, 1, **written) == (EDGE, False)


def test_client_address_is_the_proxy_s_if_it_forwards_none(settings: Any) -> None:
    assert seen(settings, 1) == ("10.0.0.1", False)


@given(forged=st.text(), added=st.lists(st.ip_addresses().map(str), min_size=1, max_size=4))
def test_client_address_can_not_be_forged_by_a_header(forged: str, added: list[str]) -> None:
    assert outermost(",".join([forged, *added]), len(added)) == added[0]
    assert outermost(",".join(added), len(added)) == added[0]
