"""The publishing floor as a Django app."""

from django.apps import AppConfig


class PublishingConfig(AppConfig):
    """Registers `publishing`."""

    name = "publishing"
