"""Authentication of calls: a token, a paired phone or a signed-in account becomes an `Actor`.

Three ways, in this order: `Authorization: Bearer <token>`; `Authorization: Pairing <secret>` (what asking for
a pairing returns); the cookies of the pages, for which writing asks for the CSRF token as the pages do.
"""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from people.actors import Actor, ActorKind
from people.models import Account
from people.pairings import Sighting, pairing_of_secret
from people.tokens import actor_of_token


class ActorAuthentication(BaseAuthentication):
    """Sets `request.user` to the account (or nobody) and `request.auth` to the actor."""

    def authenticate(self, request: Request) -> tuple[Account | AnonymousUser, Actor] | None:
        """The caller, or None for the public. A header that can't be honoured is refused, not ignored."""
        actor = self.actor(request)
        if actor is None or actor.kind is ActorKind.PUBLIC:
            return None
        # For the log's line about the request.
        request._request.known_actor = actor  # type: ignore[attr-defined]  # a request takes attributes
        return actor.account or AnonymousUser(), actor

    def actor(self, request: Request) -> Actor | None:
        """By the header if there is one, else by cookies."""
        header = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return by_cookies(request)
        scheme, _space, secret = header.partition(" ")
        match scheme.lower():
            case "bearer":
                return by_token(secret.strip())
            case "pairing":
                return by_pairing(secret.strip(), Sighting.of(request))
        raise AuthenticationFailed(_("Use `Authorization: Bearer <token>`."))

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return 'Bearer realm="tendone"'


def by_token(secret: str) -> Actor:
    """The program that holds this token, unless it is revoked or expired or its account isn't active."""
    actor = actor_of_token(secret)
    if actor is None:
        raise AuthenticationFailed(_("This token isn't valid, or no longer."))
    return actor


def by_pairing(secret: str, sighting: Sighting) -> Actor:
    """The phone that holds this pairing's secret, admitted or not, until it is revoked."""
    pairing = pairing_of_secret(secret, sighting)
    if pairing is None:
        raise AuthenticationFailed(_("This pairing isn't valid, or no longer."))
    return Actor.of_pairing(pairing)


def by_cookies(request: Request) -> Actor | None:
    """Whoever the pages' cookies say; browsers send them unasked, so writing asks for the CSRF token too."""
    django_request: Any = request._request
    actor: Actor = django_request.actor
    if actor.kind is ActorKind.PUBLIC:
        return None
    try:
        SessionAuthentication().enforce_csrf(request)
    except PermissionDenied as error:
        # The framework says it in English, with the words of its log.
        raise PermissionDenied(
            _("A call with the cookies of the pages sends their CSRF token, too, in the header X-CSRFToken.")
        ) from error
    return actor
