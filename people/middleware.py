"""Find out who is acting, lazily, and leave it on the request as `request.actor`."""

from typing import Any

from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject

from people.actors import Actor
from people.pairings import pairing_of_request


def actor_of_request(request: Any) -> Actor:
    """A signed-in account before a paired phone: an organizer's own phone stays the organizer's."""
    if request.user.is_authenticated:
        return Actor.of_account(request.user)
    pairing = pairing_of_request(request)
    return Actor.of_pairing(pairing) if pairing else Actor.public()


class ActorMiddleware(MiddlewareMixin):
    """Sets `request.actor`; costs no query on pages that never ask. Once one has, `request.known_actor` is
    there, too.
    """

    def process_request(self, request: Any) -> None:
        """Leave the actor on the request."""

        def find() -> Actor:
            request.known_actor = actor_of_request(request)
            found: Actor = request.known_actor
            return found

        request.actor = SimpleLazyObject(find)
