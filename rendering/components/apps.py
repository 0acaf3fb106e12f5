"""The app that holds the shared template tags."""

from django.apps import AppConfig


class ComponentsConfig(AppConfig):
    """No models; it is installed for its tags."""

    name = "rendering.components"
