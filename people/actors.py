"""Actors: an account, a referee's paired phone, a program's token, the command line, or nobody.

A program's token acts for an account; it is shown once, kept as a hash, and revocable.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from people.models import Account, ApiToken, Event, Pairing
from people.refusals import Refused


class ActorKind(StrEnum):
    """The kinds of actors, as stored with facts and in the audit trail."""

    PUBLIC = "public"
    ACCOUNT = "account"
    PAIRING = "pairing"
    TOKEN = "token"  # noqa: S105  # a kind of actor, not a secret
    COMMAND = "command"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody or something that reads or changes; `id` is what facts keep as `by`."""

    kind: ActorKind
    account: Account | None = None
    pairing: Pairing | None = None
    token: ApiToken | None = None

    @classmethod
    def public(cls) -> Self:
        """Somebody of whom nothing is known."""
        return cls(ActorKind.PUBLIC)

    @classmethod
    def command(cls) -> Self:
        """The operator's command line."""
        return cls(ActorKind.COMMAND)

    @classmethod
    def service(cls) -> Self:
        """The service itself, for what follows from results without anybody's asking."""
        return cls(ActorKind.SERVICE)

    @classmethod
    def of_account(cls, account: Account) -> Self:
        """A signed-in account."""
        return cls(ActorKind.ACCOUNT, account=account)

    @classmethod
    def of_pairing(cls, pairing: Pairing) -> Self:
        """A paired phone."""
        return cls(ActorKind.PAIRING, pairing=pairing)

    @classmethod
    def of_token(cls, token: ApiToken) -> Self:
        """A program that shows a token; it acts for the token's account."""
        return cls(ActorKind.TOKEN, account=token.account, token=token)

    @property
    def id(self) -> UUID | None:
        """The id that facts and the audit trail keep; None for public, command line and service."""
        for holder in (self.pairing, self.token, self.account):
            if holder is not None:
                return holder.pk
        return None

    @property
    def may_write(self) -> bool:
        """Whether this actor may change anything at all (a token may be for reading only)."""
        return self.has_scope(ApiToken.Scope.RESULTS)

    def has_scope(self, needed: ApiToken.Scope) -> bool:
        """Whether this actor's token, if it is one, goes as far as this; each scope holds those before it."""
        order = list(ApiToken.Scope)
        return self.token is None or order.index(ApiToken.Scope(self.token.scope)) >= order.index(needed)

    def reaches(self, event: Event | None) -> bool:
        """Whether this actor's token, if it is one, is for this event.

        A token without an event is for whatever there is. A token of one event is nobody's elsewhere.
        """
        bound = self.token.event_id if self.token else None
        return bound is None or (event is not None and bound == event.pk)


def new_secret() -> str:
    """A fresh secret for a pairing or a token: 32 random bytes as text for a cookie or header."""
    return secrets.token_urlsafe(32)


def secret_hash(secret: str) -> str:
    """What is kept of a secret. It has 256 random bits, so that a plain hash can't be guessed back."""
    return hashlib.sha256(secret.encode()).hexdigest()


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


@transaction.atomic
def make_named_token(account: Account, name: str, scope: ApiToken.Scope, **limits: Any) -> str:
    """The secret of a new token, made by `make_token`, with the same limits.

    Raises `Refused("name-taken")` where the account has a good one of this name: a form was sent twice, or
    the name is a slip.
    """
    Account.objects.select_for_update().get(pk=account.pk)
    still_good = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    if account.tokens.filter(still_good, name=name, revoked_at=None).exists():
        told = _("There is a token of this name. If you didn’t note it down, revoke it and make a new one.")
        raise Refused("name-taken", told, problems=[{"field": "name", "expected": told}])
    return make_token(account, name, scope, **limits)[1]


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
