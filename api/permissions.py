"""Let a call through only where the predicate that its view declares admits the caller.

A view class is marked by `people.access.declares(predicate, find_event)`; an action that asks for more is
marked by itself (`@declares(organizes)`). Who isn't known is told so first, wherever nobody unknown
is ever let in; what the caller may not even know of is a 404, whatever the method.
"""

from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rules.predicates import Predicate

from api.problems import Problem
from api.subjects import Subject, nothing_here
from people.access import is_open, reads_event, scope_to_write
from people.actors import Actor, ActorKind
from people.models import Event


class DeclaredAccess(BasePermission):
    """Finds the row that the address names with its event, and asks the predicate."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """True, or raises the refusal: 401 where nobody is known, 403, or 404 where nothing is revealed."""
        actor, access = actor_of(request), declared(view, request.method)
        if actor.kind is ActorKind.PUBLIC and not is_open(access):
            raise NotAuthenticated
        find_event = view.find_event
        event: Event | None = None
        if isinstance(find_event, Subject):
            view.subject, event = find_event.find(**view.kwargs)
        elif find_event is not None:
            event = find_event(**view.kwargs)
        view.event = request._request.event = event  # type: ignore[attr-defined]  # a request takes attributes
        if not access.test(actor, event):
            refuse(actor, event)
        if isinstance(find_event, Subject) and event and find_event.is_hidden(view.subject, actor, event):
            raise nothing_here()
        check_scope(request, actor, access)
        return True


def actor_of(request: Request) -> Actor:
    """The caller as an actor; the public where nobody is known."""
    return request.auth if isinstance(request.auth, Actor) else Actor.public()


def check_scope(request: Request, actor: Actor, check: Predicate) -> None:
    """Raise 403 `scope-too-narrow` for a token that isn't for what the method does."""
    if request.method in SAFE_METHODS:
        return
    needed = scope_to_write(check)
    if not actor.has_scope(needed):
        sentence = _("This token is for less than that: it would have to have the scope “%(scope)s”.")
        raise Problem(
            HTTPStatus.FORBIDDEN, "scope-too-narrow", sentence % {"scope": needed.value}, needed=needed.value
        )


def declared(view: Any, method: str | None) -> Predicate:
    """The predicate of the action that the method is, else of the view; of the address's first action for a
    method that it doesn't have.
    """
    action = view.action_map.get((method or "").lower()) or next(iter(view.action_map.values()))
    predicate: Predicate = getattr(getattr(view, action), "access", view.access)
    return predicate


def refuse(actor: Actor, event: Event | None) -> None:
    """Raise the refusal for a caller whom the predicate doesn't admit."""
    if event is not None and not reads_event.test(actor, event):
        raise nothing_here()
    if actor.kind is ActorKind.PUBLIC:
        raise NotAuthenticated
    raise PermissionDenied
