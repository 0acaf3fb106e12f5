"""A referee's addresses, below /t/."""

from typing import Any

from django.urls import URLPattern

app_name = "referee"
urlpatterns: list[URLPattern | Any] = []
