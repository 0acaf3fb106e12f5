"""The api layer as a Django app."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Registers `api`, and what the OpenAPI document says of signing in."""

    name = "api"

    def ready(self) -> None:
        """Extensions of the description register themselves when they are imported."""
        from api import openapi  # noqa: F401  # registering is what the import is for
