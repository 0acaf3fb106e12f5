"""Tournaments: stages, matches, decisions, standings as stored."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """The layer that joins formats and standings to facts."""

    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have the ledger's outbox wake the computing of standings."""
        from tournaments.facts import outbox_topics

        outbox_topics.subscribe()
