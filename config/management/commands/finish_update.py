"""`manage.py finish_update`: the last step of an update, once no older version runs any more."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from ledger import needed_code_version
from tournaments.projections.rebuild import rebuild


class Command(BaseCommand):
    """Have the database need this version from now on."""

    help = (
        "Say that every process runs this version and none goes back to the one before: projections are "
        "built again, and the database needs this version from now on."
    )

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Project anew, raise the reading version, and say both."""
        if wrong := needed_code_version.refusal_here():
            raise CommandError(wrong)
        self.stdout.write(f"Tournaments built again: {rebuild()}.")
        if needed_code_version.rise():
            self.stdout.write(f"The database needs reading version {needed_code_version.KNOWN} from now on.")
        else:
            self.stdout.write(f"The database needed reading version {needed_code_version.needed()} already.")
