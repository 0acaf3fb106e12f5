"""Games: one table, its seats, its log, its snapshot."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """The layer that joins the rules engine to the ledger."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
