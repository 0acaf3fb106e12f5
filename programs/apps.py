"""The floor on which what has happened is put in order for programs outside."""

from django.apps import AppConfig


class ProgramsConfig(AppConfig):
    """The change feed and webhooks."""

    name = "programs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have webhooks told whenever the public can be shown something new (the sweep finds the rest), and
        feeds verified.
        """
        from ledger import outbox
        from programs import tasks, verifying
        from tournaments.facts import topics
        from tournaments.verification import verify

        outbox.subscribe(topics.SHOWN, tasks.wake)
        verify.FURTHER.append(verifying.wrong_changes)
