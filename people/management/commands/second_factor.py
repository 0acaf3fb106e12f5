"""`manage.py second_factor ACCOUNT [--remove]`: let somebody in again who has lost phone and codes."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from people.models import Account
from people.second_factor import codes_left, is_set_up, remove


class Command(BaseCommand):
    """Tell whether an account has a second factor, or take it away."""

    help = "Tells whether signing in to an account takes a second factor; --remove takes it away."

    def add_arguments(self, parser: CommandParser) -> None:
        """The account, and what to do."""
        parser.add_argument("account", help="the name with which somebody signs in")
        parser.add_argument("--remove", action="store_true", help="take it away, and sign out everywhere")

    def handle(self, *args: Any, account: str, remove: bool, **options: Any) -> None:
        """Make sure by another way who asks before removing it."""
        found = Account.objects.filter(username=account).first()
        if found is None:
            raise CommandError(f"There is no account '{account}'.")
        if remove:
            self.stdout.write(_removed(found))
        elif is_set_up(found):
            self.stdout.write(f"Signing in takes a code; {codes_left(found)} codes on paper are left.")
        else:
            self.stdout.write("Signing in takes the password alone.")


def _removed(account: Account) -> str:
    if not remove(account):
        return "There was no second factor: signing in takes the password alone."
    return "Removed: signing in takes the password alone. The account is signed out everywhere."
