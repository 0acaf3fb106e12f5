"""The ledger as a Django app: its checks, and the triggers that come back after each migration."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LedgerConfig(AppConfig):
    name = "ledger"

    def ready(self) -> None:
        from ledger import checks  # noqa: F401  (importing registers them; models are loaded only now)
        from ledger.triggers import put_back

        post_migrate.connect(put_back, sender=self, dispatch_uid="ledger.triggers.put_back")
