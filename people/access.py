"""Permissions: small predicates, and the one decorator by which every address declares its own.

A predicate takes the actor and the event that the address is about (or None). `requires` puts it on the view.
It finds the event first (404 if there is none), asks the predicate, and leaves actor and event on the
request. A view without a declaration fails the system check `config.E001`, so it can't be built.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from rules.predicates import Predicate, predicate

from people.actors import Actor, ActorKind
from people.event_days import is_over
from people.models import ApiToken, Event

FindEvent = Callable[..., Event]


class EventRequest(HttpRequest):
    """A request after `requires`: who asks, and about which event."""

    actor: Actor
    event: Event


@predicate
def anyone(actor: Actor, event: Event | None) -> bool:
    """No condition at all: pages that hold nothing of an event, such as signing in."""
    return True


@predicate
def signed_in(actor: Actor, event: Event | None) -> bool:
    """An account, directly or through a token of all its events: for what belongs to no event yet."""
    return actor.account is not None and actor.account.is_active and actor.reaches(None)


@predicate
def organizes(actor: Actor, event: Event | None) -> bool:
    """An organizer of this event (operators are not organizers by themselves)."""
    return (
        event is not None
        and actor.account is not None
        and actor.account.is_active
        and actor.reaches(event)
        and event.organizers.filter(account=actor.account).exists()
    )


@predicate
def referees(actor: Actor, event: Event | None) -> bool:
    """A phone that is paired for this event, admitted, not revoked, and whose time isn't over."""
    pairing = actor.pairing
    return (
        event is not None
        and pairing is not None
        and pairing.event_id == event.pk
        and pairing.admitted_at is not None
        and pairing.revoked_at is None
        and not is_over(pairing)
    )


@predicate
def sees_published(actor: Actor, event: Event | None) -> bool:
    """Everybody, once the organizer has published the event."""
    return event is not None and event.is_published


# What the pages and the API use.
reads_event: Predicate = sees_published | organizes | referees
writes_results: Predicate = referees | organizes
copies_event: Predicate = organizes & signed_in


def is_open(check: Predicate) -> bool:
    """Whether everybody may come in once an event is published."""
    return bool(check.test(Actor.public(), Event(is_published=True)))


def scope_to_write(check: Predicate) -> ApiToken.Scope:
    """What a program's token has to be for, besides, where something is changed that this predicate guards.

    Reading asks for no more than the predicate: every token may.
    """
    return ApiToken.Scope.RESULTS if check is writes_results else ApiToken.Scope.MANAGE


def event_by_slug(*, event_slug: str, **_: object) -> Event:
    """The event whose slug stands in the address."""
    event = Event.objects.filter(slug=event_slug).first()
    if event is None:
        raise Http404
    return event


def declares(check: Predicate, find_event: FindEvent | None = None) -> Callable[[Any], Any]:
    """Only mark a view (or viewset class) with its predicate: it is checked elsewhere (DRF, admin)."""

    def mark(view: Any) -> Any:
        view.access = check
        view.find_event = staticmethod(find_event) if isinstance(view, type) and find_event else find_event
        return view

    return mark


def requires(
    check: Predicate, find_event: FindEvent | None = None
) -> Callable[[Callable[..., HttpResponseBase]], Any]:
    """Let a page be opened only by whom the predicate admits.

    Who isn't signed in and might be admitted after signing in is sent to the desk's door, before anything is
    looked up. Slugs can be guessed, so the answer is the same whether there is such an event or not.
    Everybody else gets a 403, or a 404 where even the existence of an unpublished event is nobody's business.
    """

    def decorate(view: Callable[..., HttpResponseBase]) -> Any:
        @wraps(view)
        def checked(request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
            # Who asks is looked up only where that matters.
            if not is_open(check) and request.actor.kind is ActorKind.PUBLIC:
                return refuse(request, check)
            event = find_event(**kwargs) if find_event else None
            request.event = event
            if not check.test(request.actor, event):
                return refuse(request, check)
            return view(request, *args, **kwargs)

        return declares(check, find_event)(checked)

    return decorate


def refuse(request: Any, check: Predicate) -> HttpResponseBase:
    """The answer to an actor whom a predicate doesn't admit."""
    if check is reads_event or check is sees_published:
        raise Http404
    if request.actor.kind is ActorKind.PUBLIC and check is not referees:
        return _to_the_door(request)
    raise PermissionDenied


def _to_the_door(request: HttpRequest) -> HttpResponseBase:
    """Signing in leads back to the page; a form leads back to the page that it was on, to be sent again."""
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    messages.warning(
        request, _("You weren’t signed in any more. Nothing was stored: sign in, and send it once again.")
    )
    return redirect_to_login(page_of_form(request) or request.get_full_path())


def page_of_form(request: HttpRequest) -> str | None:
    """The page that a form was on, as the browser says; None where it doesn't, or names another site."""
    came_from = request.headers.get("Referer", "")
    return came_from if came_from.startswith(request.build_absolute_uri("/")) else None
