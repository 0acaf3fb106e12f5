"""Tokens, and who calls."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Body, Choice, Id, Moment, SecretShape, Shape, Text
from people.actors import Actor, ActorKind
from people.models import ApiToken


class TokenShape(Shape):
    """A program's key, without its secret."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    scope = serializers.ChoiceField(ApiToken.Scope.choices)
    event = serializers.UUIDField(
        source="event_id", allow_null=True, help_text="The only event that it opens; null for all of yours."
    )
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(
        allow_null=True, help_text="When a program last showed it; noted once a minute at most."
    )
    revoked_at = serializers.DateTimeField(allow_null=True)


class MadeTokenShape(TokenShape, SecretShape):
    """The answer to who made it: the only one that has the secret."""

    secret = serializers.SerializerMethodField(help_text="For `Authorization: Bearer <secret>`; told once.")


class NewTokenBody(Body):
    """A token to be made."""

    name = Text(max_length=60)
    scope = Choice(
        ApiToken.Scope.choices,
        default=ApiToken.Scope.READ,
        help_text="`read` reads; `results` also enters, corrects and confirms results; `manage` does "
        "everything that the account may. Each holds those before it.",
    )
    event = Id(
        required=False, allow_null=True, default=None, help_text="The only event that it opens, of yours."
    )
    expires_at = Moment(required=False, allow_null=True, default=None)

    def validate_expires_at(self, value: Any) -> Any:
        """Not in the past."""
        if value is not None and value <= timezone.now():
            raise serializers.ValidationError(_("This time has passed."), "in-the-past")
        return value


class CallerShape(Shape):
    """Who calls, as the service sees it."""

    kind = serializers.ChoiceField([(kind.value, kind.value) for kind in ActorKind])
    id = serializers.UUIDField(allow_null=True, help_text="What facts keep as `by`.")
    may_write = serializers.BooleanField()
    scope = serializers.ChoiceField(
        ApiToken.Scope.choices, source="token.scope", allow_null=True, help_text="A token's; else null."
    )
    username = serializers.SerializerMethodField()
    organizes = serializers.SerializerMethodField(
        help_text="The ids of events, of those that a token is for."
    )

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_username(self, actor: Actor) -> str | None:
        """The account's, for accounts and their tokens."""
        return actor.account.get_username() if actor.account else None

    @extend_schema_field(serializers.ListField(child=serializers.UUIDField()))
    def get_organizes(self, actor: Actor) -> list[str]:
        """What the account organizes."""
        if actor.account is None:
            return []
        ids = actor.account.organizes.values_list("event_id", flat=True)
        token = actor.token
        return [str(event) for event in ids if token is None or token.event_id in (None, event)]
