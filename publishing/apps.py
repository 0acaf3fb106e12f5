"""The publishing layer as a Django app."""

from django.apps import AppConfig
from django.db.models.signals import pre_delete


class PublishingConfig(AppConfig):
    """Registers `publishing`."""

    name = "publishing"

    def ready(self) -> None:
        """Have the ledger's outbox wake the writing of pages, and withdraw those that may say too much."""
        from ledger import outbox
        from people import public_changes
        from publishing import publication, tasks
        from publishing.models import Publication

        outbox.subscribe(public_changes.LOOKS, publication.withdraw)
        for topic in publication.TOPICS:
            outbox.subscribe(topic, tasks.wake)
        pre_delete.connect(publication.forget, sender=Publication)
