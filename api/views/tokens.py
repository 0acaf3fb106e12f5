"""Tokens of the calling account, and who calls."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import nothing_here
from api.problems import Problem
from api.schema import changes, lists, reads
from api.shapes.tokens import CallerShape, MadeTokenShape, NewTokenBody, TokenShape
from people.access import anyone, declares, signed_in
from people.actors import ActorKind, make_token, revoke_token
from people.models import Account, ApiToken, Event

TAG = "tokens"


@declares(signed_in)
class Tokens(Endpoint):
    """The tokens of the calling account."""

    account: Account

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Let only a person change them: a token that makes tokens couldn't be got rid of."""
        super().initial(request, *args, **kwargs)
        account = self.actor.account
        if account is None or (
            self.actor.kind is not ActorKind.ACCOUNT and request.method not in SAFE_METHODS
        ):
            raise Problem(
                403, "account-only", _("Tokens are made and revoked by a person who has signed in.")
            )
        self.account = account

    @lists("tokens_list", TAG, TokenShape, "List your tokens")
    def list_all(self) -> Response:
        """The newest first, revoked ones too."""
        rows = ApiToken.objects.filter(account=self.account).order_by("-created_at", "pk")
        return self.page(rows, TokenShape)

    @changes("tokens_create", TAG, MadeTokenShape, "Make a token", NewTokenBody, status=201, etag=False)
    def make(self, name: str, scope: str, event: UUID | None, expires_at: datetime | None) -> Response:
        """Its secret is told once. For persons only (403 `account-only`)."""
        own = Event.objects.filter(pk__in=[event], organizers__account=self.account).first()
        if event is not None and own is None:
            raise nothing_here()
        token, secret = make_token(
            self.account, name, ApiToken.Scope(scope), event=own, expires_at=expires_at
        )
        return Response(MadeTokenShape(token, context={"secret": secret}).data, status=201)

    @changes("tokens_revoke", TAG, TokenShape, "Revoke a token")
    def revoke(self) -> Response:
        """At once and for good. For persons only (403 `account-only`)."""
        token = ApiToken.objects.filter(pk=self.kwargs["token_id"], account=self.account).first()
        if token is None:
            raise nothing_here()
        revoke_token(token)
        return self.answer(token, TokenShape)


@declares(anyone)
class OwnAccess(Endpoint):
    """Who calls."""

    @reads("caller_read", TAG, CallerShape, "Who am I?", etag=False)
    def read(self) -> Response:
        """As the service sees it."""
        return Response(CallerShape(self.actor).data)
