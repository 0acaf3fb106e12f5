"""The referee layer as a Django app."""

from django.apps import AppConfig


class RefereeConfig(AppConfig):
    """Registers `referee`."""

    name = "referee"
