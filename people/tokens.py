"""Tokens by which programs act for an account: shown once, kept as a hash, revocable."""

from datetime import datetime, timedelta

from django.utils import timezone

from people.actors import Actor, new_secret, secret_hash
from people.models import Account, ApiToken, Event

# So that a token that was published by mistake is found by those who look for such things.
PREFIX = "tdn_"
USED_EVERY = timedelta(minutes=1)


def make_token(
    account: Account,
    name: str,
    scope: ApiToken.Scope,
    *,
    event: Event | None = None,
    expires_at: datetime | None = None,
) -> tuple[ApiToken, str]:
    """A new token, for one event or all of the account's, and its secret, which nobody can be shown again."""
    secret = PREFIX + new_secret()
    token = ApiToken.objects.create(
        account=account,
        name=name,
        scope=scope,
        event=event,
        secret_hash=secret_hash(secret),
        expires_at=expires_at,
    )
    return token, secret


def revoke_token(token: ApiToken) -> None:
    """Shut the program out, at once and for good."""
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])


def actor_of_token(secret: str) -> Actor | None:
    """The program that holds this secret; None if it is unknown, revoked or expired. Notes, once a minute at
    most, that it was used.
    """
    token = (
        ApiToken.objects.select_related("account")
        .filter(secret_hash=secret_hash(secret), revoked_at__isnull=True, account__is_active=True)
        .first()
    )
    now = timezone.now()
    if token is None or (token.expires_at is not None and token.expires_at <= now):
        return None
    if token.last_used_at is None or now - token.last_used_at >= USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return Actor.of_token(token)
