"""The desk's addresses, below /desk/."""

from typing import Any

from django.urls import URLPattern

app_name = "desk"
urlpatterns: list[URLPattern | Any] = []
