"""Accounts, the events they organize, and tokens for programs."""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from people.models.events import Event


class Account(AbstractUser):
    """Somebody with a password: an organizer or an operator. Its id is the `by` of what it does."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    sessions = models.UUIDField(
        default=uuid.uuid4, editable=False, help_text="Part of what every session is signed by."
    )

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        # Django ends a session where this differs: after another password, and with another value here.
        key = "people.Account.sessions"
        return salted_hmac(
            key, f"{self.password} {self.sessions}", secret=secret, algorithm="sha256"
        ).hexdigest()


class SecondFactor(models.Model):
    """The secret that an account shares with an app on somebody's phone, which shows six digits each half
    minute (TOTP, RFC 6238). Signing in takes them, too.
    """

    account = models.OneToOneField(
        Account, on_delete=models.CASCADE, primary_key=True, related_name="second_factor"
    )
    key = models.CharField(max_length=40, help_text="Twenty bytes in hexadecimal.")
    last_step = models.BigIntegerField(
        default=-1, help_text="The half minute whose digits were taken last: they are taken once."
    )
    set_up_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.account_id)


class RecoveryCode(models.Model):
    """A code on paper that stands in for the phone once. Only its keyed hash is kept."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="recovery_codes")
    code_hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "code_hash"], name="recovery_code_once_of_account")
        ]

    def __str__(self) -> str:
        return str(self.account_id)


class Organizer(models.Model):
    """This account organizes this event."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="organizers")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="organizes")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "account"], name="organizer_once_in_event")]

    def __str__(self) -> str:
        return f"{self.account_id} of {self.event_id}"


class ApiToken(models.Model):
    """A program's key: acts for its account, within its scope, at one event or at all that the account
    organizes. Only the hash of its secret is kept.
    """

    class Scope(models.TextChoices):
        """What a token may do."""

        READ = "read", _("read")
        RESULTS = "results", _("read and enter results")
        MANAGE = "manage", _("everything that you may")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="tokens")
    event = models.ForeignKey(
        Event,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="tokens",
        help_text="The only event that it opens; null for all that the account organizes.",
    )
    name = models.CharField(max_length=60)
    scope = models.CharField(max_length=10, choices=Scope, default=Scope.READ)
    secret_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(
        null=True, blank=True, help_text="When a program last showed it; noted once a minute at most."
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name
