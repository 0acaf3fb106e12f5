"""The publishing floor as a Django app."""

from typing import Any
from uuid import UUID

from django.apps import AppConfig
from django.db.models.signals import pre_delete


class PublishingConfig(AppConfig):
    """Registers `publishing`."""

    name = "publishing"

    def ready(self) -> None:
        """Have the ledger's outbox wake the writing of pages, and withdraw those that may say too much."""
        from ledger import outbox
        from people import seen
        from publishing import publication
        from publishing.models import Publication

        outbox.subscribe(seen.LOOKS, publication.withdraw)
        for topic in publication.TOPICS:
            outbox.subscribe(topic, wake)
        pre_delete.connect(_forget, sender=Publication)


def _forget(instance: Any, **_: object) -> None:
    from publishing.publication import forget

    forget(instance)


def wake(event_id: UUID) -> None:
    """Send the message that wakes a worker; lost or doubled, it changes nothing but the hour."""
    from publishing.tasks import publish

    publish.delay(str(event_id))
