"""Tokens of the calling account, and who calls."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.pagination import Pages
from api.problems import Problem
from api.schema import describes
from api.shapes.entries import NothingBody
from api.shapes.tokens import CallerShape, MadeTokenShape, NewTokenBody, TokenShape
from api.subjects import nothing_here
from people.access import anyone, declares, signed_in
from people.actors import ActorKind
from people.models import Account, ApiToken, Event
from people.tokens import make_token, revoke_token

TAG = "tokens"


class TokenEndpoint(Endpoint):
    """What only a person does: a token that makes tokens couldn't be got rid of."""

    def account(self) -> Account:
        """The signed-in account, or 403 for programs."""
        account = self.actor.account
        if account is None or self.actor.kind is not ActorKind.ACCOUNT:
            raise Problem(
                403, "account-only", _("Tokens are made and revoked by a person who has signed in.")
            )
        return account


@declares(signed_in)
class Tokens(TokenEndpoint):
    """The tokens of the calling account."""

    pagination_class = Pages

    @describes("tokens_list", TAG, {200: TokenShape(many=True)}, summary="List your tokens")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """The newest first, revoked ones too."""
        rows = ApiToken.objects.filter(account=self.actor.account).order_by("-created_at", "pk")
        return self.page(rows, TokenShape)

    @describes("tokens_create", TAG, {201: MadeTokenShape}, request=NewTokenBody, summary="Make a token")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Its secret is told once. For persons only (403 `account-only`)."""
        account = self.account()
        body = self.body(NewTokenBody)
        scope = ApiToken.Scope(body["scope"])
        event = Event.objects.filter(pk=body["event"], organizers__account=account).first()
        if body["event"] is not None and event is None:
            raise nothing_here()
        token, secret = make_token(account, body["name"], scope, event=event, expires_at=body["expires_at"])
        return Response(MadeTokenShape(token, context={"secret": secret}).data, status=201)


@declares(signed_in)
class TokenRevocation(TokenEndpoint):
    """Shutting a program out."""

    @describes(
        "tokens_revoke", TAG, {200: TokenShape}, request=NothingBody, summary="Revoke a token", etag=True
    )
    def post(self, request: Request, token_id: Any, **_kwargs: Any) -> Response:
        """At once and for good. For persons only (403 `account-only`)."""
        account = self.account()
        self.body(NothingBody)
        token = ApiToken.objects.filter(pk=token_id, account=account).first()
        if token is None:
            raise nothing_here()
        revoke_token(token)
        return self.answer(token, TokenShape)


@declares(anyone)
class OwnAccess(Endpoint):
    """Who calls."""

    @describes("caller_read", TAG, {200: CallerShape}, summary="Who am I?")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """As the service sees it."""
        return Response(CallerShape(self.actor).data)
