"""Integrations: the change feed and webhooks, by which other programs hear what has happened."""

from django.apps import AppConfig


class IntegrationsConfig(AppConfig):
    """The change feed and webhooks. Tables, tasks and archives know them by the label `programs`."""

    name = "integrations"
    label = "programs"
    verbose_name = "integrations"

    def ready(self) -> None:
        """Wake webhooks whenever the public can be shown something new, and have `verify` check change feeds.

        The sweep finds what no message woke.
        """
        from integrations import tasks
        from integrations.change_feed import verification
        from ledger import outbox
        from tournaments.facts import outbox_topics
        from tournaments.verification import verify

        outbox.subscribe(outbox_topics.SHOWN, tasks.wake)
        verify.FURTHER.append(verification.wrong_changes)
