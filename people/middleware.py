"""Find out who is acting, lazily, and leave it on the request as `request.actor`."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponseBase
from django.utils.functional import SimpleLazyObject

from people.actors import Actor
from people.pairings import pairing_of_request


def actor_of_request(request: Any) -> Actor:
    """A signed-in account before a paired phone: an organizer's own phone stays the organizer's."""
    if request.user.is_authenticated:
        return Actor.of_account(request.user)
    pairing = pairing_of_request(request)
    return Actor.of_pairing(pairing) if pairing else Actor.public()


class ActorMiddleware:
    """Sets `request.actor`; costs no query on pages that never ask. Once one has, `request.known_actor` is
    there, too.
    """

    def __init__(self, get_response: Callable[[Any], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponseBase:
        """Pass the request on with its actor."""

        def find() -> Actor:
            request.known_actor = actor_of_request(request)
            found: Actor = request.known_actor
            return found

        request.actor = SimpleLazyObject(find)
        return self.get_response(request)
