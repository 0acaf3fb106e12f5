"""The floor on which what has happened is put in order for programs outside."""

from django.apps import AppConfig


class ProgramsConfig(AppConfig):
    """The change feed and webhooks."""

    name = "programs"
    default_auto_field = "django.db.models.BigAutoField"
