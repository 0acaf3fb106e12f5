"""The desk layer as a Django app."""

from django.apps import AppConfig


class DeskConfig(AppConfig):
    """Registers `desk`."""

    name = "desk"
