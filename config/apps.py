"""The top layer as a Django app: it registers the system checks, and what the metrics count."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Registers the system checks of `config.checks`, and the metrics where they are served."""

    name = "config"

    def ready(self) -> None:
        from django.conf import settings

        from config import checks  # noqa: F401  # registering is what the import is for

        if settings.METRICS_ADDRESS:
            from config import metrics

            metrics.listen()
