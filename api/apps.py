"""The api floor as a Django app."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Registers `api`."""

    name = "api"
