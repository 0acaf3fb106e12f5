"""Access to the API: its caller, the row that an address names, and what the caller may do with it.

A call is let through only where the predicate that its view declares admits the caller.

A view class is marked by `people.access.declares(predicate, find_event)`; an action that asks for more is
marked by itself (`@declares(organizes)`). Who isn't known is told so first, wherever nobody unknown
is ever let in; what the caller may not even know of is a 404, whatever the method.
"""

from http import HTTPStatus
from operator import attrgetter
from typing import Any, cast

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rules.predicates import Predicate

from api.problems import Problem
from integrations.models import Webhook
from people.access import is_open, organizes, reads_event, scope_to_write
from people.actors import Actor, ActorKind, actor_of_token
from people.models import Account, Announcement, Entry, Event, Pairing, Referee, Team
from people.pairings import Sighting, pairing_of_secret
from tournaments.models import Match, MatchGame, Squad, Table, Tournament


def nothing_here() -> Http404:
    """The same answer for what isn't there and for what the caller may not know of."""
    return Http404()


class Subject:
    """Finds the row of an address. As a callable it is a `find_event` of `people.access`.

    `argument` is the name in the address, `lookup` the column that it names. `event` is the dotted way from
    the row to its event, empty where the row is the event. `related` is what else is read along. `drawn` is
    for rows that only the organizer sees before the draw is published, None for all others: the dotted way to
    the tournament, empty where the row is one.
    """

    def __init__(
        self,
        model: type[Model],
        argument: str,
        event: str = "",
        lookup: str = "pk",
        *,
        related: str = "",
        drawn: str | None = None,
    ) -> None:
        self.model = model
        self.argument = argument
        self.event = event
        self.lookup = lookup
        self.drawn = drawn
        self.related = [*related.split(), *([event.replace(".", "__")] if event else [])]

    def find(self, **kwargs: Any) -> tuple[Any, Event]:
        """The row and its event, or 404."""
        rows = self.model._default_manager.filter(**{self.lookup: kwargs[self.argument]}).order_by("pk")
        row = (rows.select_related(*self.related) if self.related else rows).first()
        if row is None:
            raise nothing_here()
        event = cast(Event, attrgetter(self.event)(row) if self.event else row)
        return row, event

    def is_hidden(self, row: Any, actor: Actor, event: Event) -> bool:
        """Whether the row belongs to a draw that isn't published yet, and the actor isn't the organizer."""
        if self.drawn is None:
            return False
        tournament: Tournament = attrgetter(self.drawn)(row) if self.drawn else row
        return tournament.status not in Tournament.PUBLIC and not organizes.test(actor, event)

    def __call__(self, **kwargs: Any) -> Event:
        """The event alone."""
        return self.find(**kwargs)[1]


EVENT = Subject(Event, "event_id")
TEAM = Subject(Team, "team_id", "event")
ENTRY = Subject(Entry, "entry_id", "team.event", related="person")
REFEREE = Subject(Referee, "referee_id", "event")
PAIRING = Subject(Pairing, "pairing_id", "event", related="referee")
ANNOUNCEMENT = Subject(Announcement, "announcement_id", "event")
WEBHOOK = Subject(Webhook, "webhook_id", "event")
TABLE = Subject(Table, "table_id", "event")
TOURNAMENT = Subject(Tournament, "tournament_id", "event")
DRAWN_TOURNAMENT = Subject(Tournament, "tournament_id", "event", drawn="")
CLOCK = Subject(Tournament, "tournament_id", "event", related="clock", drawn="")
SQUAD = Subject(Squad, "squad_id", "stage.tournament.event", drawn="stage.tournament")
MATCH = Subject(Match, "match_id", "stage.tournament.event", drawn="stage.tournament")
GAME = Subject(
    MatchGame,
    "game_id",
    "match.stage.tournament.event",
    "game_id",
    related="game",
    drawn="match.stage.tournament",
)


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
        if isinstance(find_event, Subject) and event and find_event.is_hidden(view.subject, actor, event):
            raise nothing_here()
        if not access.test(actor, event):
            refuse(actor, event)
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


class ActorAuthentication(BaseAuthentication):
    """Sets `request.user` to the account (or nobody) and `request.auth` to the actor.

    Three ways, in this order: `Authorization: Bearer <token>`; `Authorization: Pairing <secret>`; cookies.
    Asking for a pairing returns its secret. With the cookies of the pages writing asks for the CSRF token.
    """

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
                if actor := actor_of_token(secret.strip()):
                    return actor
                raise AuthenticationFailed(_("This token isn't valid, or no longer."))
            case "pairing":
                if pairing := pairing_of_secret(secret.strip(), Sighting.of(request)):
                    return Actor.of_pairing(pairing)
                raise AuthenticationFailed(_("This pairing isn't valid, or no longer."))
        raise AuthenticationFailed(_("Use `Authorization: Bearer <token>`."))

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return 'Bearer realm="tendone"'


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
