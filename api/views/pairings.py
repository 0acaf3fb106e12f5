"""Pairings: asked for by a phone, admitted by the desk or the day's PIN, revoked."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle

from api.endpoint import Endpoint
from api.pagination import Pages
from api.permissions import actor_of
from api.problems import Problem
from api.schema import describes
from api.shapes.entries import NothingBody
from api.shapes.pairings import AskBody, AskedPairingShape, DayPinShape, PairingShape, PinBody
from api.subjects import EVENT, PAIRING, nothing_here
from people.access import anyone, declares, organizes
from people.models import Event, Pairing, Referee
from people.pairings import admit, admit_by_pin, ask, revoke, set_day_pin

TAG = "pairings"


class PinThrottle(SimpleRateThrottle):
    """So many attempts a minute for a whole event: phones are cheap, so they can't be what is counted."""

    scope = "day-pin"
    rate = "30/min"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        """By the event of the pairing that tries."""
        pairing = actor_of(request).pairing
        return self.cache_format % {"scope": self.scope, "ident": pairing.event_id} if pairing else None


@declares(organizes, EVENT)
class EventPairings(Endpoint):
    """The phones of an event."""

    pagination_class = Pages

    @describes("pairings_list", TAG, {200: PairingShape(many=True)}, summary="List pairings")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """In the order in which they asked; revoked ones too."""
        return self.page(Pairing.objects.filter(event=self.event).order_by("asked_at", "pk"), PairingShape)

    @declares(anyone)
    @describes("pairings_ask", TAG, {201: AskedPairingShape}, request=AskBody, summary="Ask for a pairing")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Nobody needs to be known for this; the phone can do nothing until it is admitted."""
        wanted = self.body(AskBody)["referee"]
        referee = Referee.objects.select_related("event").filter(pk=wanted, event=self.event).first()
        if referee is None:
            raise nothing_here()
        pairing, secret = ask(referee)
        return Response(AskedPairingShape(pairing, context={"secret": secret}).data, status=201)


@declares(organizes, PAIRING)
class PairingDetail(Endpoint):
    """A phone."""

    subject: Pairing

    @describes("pairings_read", TAG, {200: PairingShape}, summary="Read a pairing")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """For the desk."""
        return self.answer(self.subject, PairingShape)


@declares(organizes, PAIRING)
class PairingAdmission(Endpoint):
    """Letting a phone in at the desk."""

    subject: Pairing

    @describes(
        "pairings_admit",
        TAG,
        {200: PairingShape},
        request=NothingBody,
        problems=[409],
        summary="Admit a phone",
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Compare the check word with the phone's first. Doing it twice is doing it once."""
        self.body(NothingBody)
        account = self.actor.account
        if self.subject.revoked_at is not None:
            raise Problem(409, "pairing-revoked", _("This pairing was revoked; the phone has to ask again."))
        if self.subject.admitted_at is None and account is not None:
            admit(self.subject, account)
        return self.answer(self.subject, PairingShape)


@declares(organizes, PAIRING)
class PairingRevocation(Endpoint):
    """Shutting a phone out."""

    subject: Pairing

    @describes("pairings_revoke", TAG, {200: PairingShape}, request=NothingBody, summary="Revoke a pairing")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """At once and for good. Doing it twice is doing it once."""
        self.body(NothingBody)
        if self.subject.revoked_at is None:
            revoke(self.subject)
        return self.answer(self.subject, PairingShape)


class OwnPairing(Endpoint):
    """The phone that calls."""

    def own(self) -> Pairing:
        """Its pairing, or 401."""
        pairing = self.actor.pairing
        if pairing is None:
            raise NotAuthenticated
        return pairing


@declares(anyone)
class CurrentPairing(OwnPairing):
    """What a phone knows of itself."""

    @describes("pairings_current", TAG, {200: PairingShape}, summary="Read the calling phone's pairing")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Whether it was admitted meanwhile."""
        return self.answer(self.own(), PairingShape)


@declares(anyone)
class CurrentPairingAdmission(OwnPairing):
    """Getting in with the day's PIN."""

    throttle_classes = [PinThrottle]

    @describes(
        "pairings_admit_by_pin",
        TAG,
        {200: PairingShape},
        request=PinBody,
        problems=[429],
        summary="Admit the calling phone by PIN",
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """A wrong one is 422 `wrong-pin`; so many attempts a minute, then 429."""
        pairing = self.own()
        pin = self.body(PinBody)["pin"]
        if pairing.admitted_at is None and not admit_by_pin(pairing, pin):
            raise Problem(422, "wrong-pin", _("This isn't the day's PIN."))
        return self.answer(pairing, PairingShape)


@declares(organizes, EVENT)
class DayPin(Endpoint):
    """The PIN of the day."""

    @describes("pairings_set_day_pin", TAG, {200: DayPinShape}, request=NothingBody, summary="Make a new PIN")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Told once, since only its hash is kept; the former one is void, phones that are in stay in."""
        self.body(NothingBody)
        with transaction.atomic():
            event = Event.objects.select_for_update().get(pk=self.event.pk)
            return Response(DayPinShape({"pin": set_day_pin(event)}).data)
