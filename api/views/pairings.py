"""Pairings: asked for by a phone, admitted by the desk or the day's PIN, revoked."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.pagination import Pages
from api.problems import Problem
from api.schema import describes
from api.shapes.entries import NothingBody
from api.shapes.pairings import (
    AskBody,
    AskedPairingShape,
    DayPinShape,
    PairingShape,
    PinBody,
    ReplaceBody,
)
from api.subjects import EVENT, PAIRING, nothing_here
from people.access import anyone, declares, organizes
from people.client_network import place_of
from people.models import Pairing, Referee
from people.pairings import (
    admit,
    admit_by_pin,
    ask,
    pin_pause,
    replace,
    revoke,
    set_day_pin,
)

TAG = "pairings"


@declares(organizes, EVENT)
class EventPairings(Endpoint):
    """The phones of an event."""

    pagination_class = Pages

    @describes("pairings_list", TAG, {200: PairingShape(many=True)}, summary="List pairings")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """In the order in which they asked; revoked ones too."""
        return self.page(self.event.pairings.order_by("asked_at", "pk"), PairingShape)

    @declares(anyone)
    @describes(
        "pairings_ask",
        TAG,
        {201: AskedPairingShape},
        request=AskBody,
        problems=[429],
        summary="Ask for a pairing",
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Nobody needs to be known for this; the phone can do nothing until it is admitted. Requests that
        aren't admitted are deleted after two hours. Within ten minutes an address may make 10 requests as
        one referee and 60 in all; beyond that, 429 `too-many-asked`.
        """
        wanted = self.body(AskBody)["referee"]
        referee = Referee.objects.select_related("event").filter(pk=wanted, event=self.event).first()
        if referee is None:
            raise nothing_here()
        pairing, secret = ask(referee, place_of(request))
        return Response(AskedPairingShape(pairing, context={"secret": secret}).data, status=201)


@declares(organizes, PAIRING)
class PairingDetail(Endpoint):
    """A phone."""

    subject: Pairing

    @describes("pairings_read", TAG, {200: PairingShape}, summary="Read a pairing", etag=True)
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
        summary="Admit a phone",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Compare the check word with the phone's first. Doing it twice is doing it once."""
        self.body(NothingBody)
        account = self.actor.account
        if account is None:
            raise nothing_here()
        if not admit(self.subject, account):
            raise Problem(409, "pairing-revoked", _("This pairing was revoked; the phone has to ask again."))
        return self.answer(self.subject, PairingShape)


@declares(organizes, PAIRING)
class PairingRevocation(Endpoint):
    """Shutting a phone out."""

    subject: Pairing

    @describes(
        "pairings_revoke",
        TAG,
        {200: PairingShape},
        request=NothingBody,
        summary="Revoke a pairing",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """At once and for good. Doing it twice is doing it once."""
        self.body(NothingBody)
        revoke(self.subject, self.actor)
        return self.answer(self.subject, PairingShape)


@declares(organizes, PAIRING)
class PairingReplacement(Endpoint):
    """A phone that broke, and the next one in its place."""

    subject: Pairing

    @describes(
        "pairings_replace",
        TAG,
        {200: PairingShape},
        request=ReplaceBody,
        summary="Replace a phone",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """This pairing ends, and the one that waits (`by`, of the same referee) is admitted, both or neither;
        answers with the new one. Doing it twice is doing it once. 409 `other-referee`, `not-waiting`,
        `not-admitted` or `pairing-revoked` where that can't be.
        """
        wanted = self.body(ReplaceBody)["by"]
        by = Pairing.objects.filter(pk=wanted, event=self.event).first()
        if by is None or self.actor.account is None:
            raise nothing_here()
        replace(self.subject, by, self.actor.account)
        by.refresh_from_db()
        return self.answer(by, PairingShape)


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

    @describes(
        "pairings_current", TAG, {200: PairingShape}, summary="Read the calling phone's pairing", etag=True
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Whether it was admitted meanwhile."""
        return self.answer(self.own(), PairingShape)


@declares(anyone)
class CurrentPairingAdmission(OwnPairing):
    """Getting in with the day's PIN."""

    @describes(
        "pairings_admit_by_pin",
        TAG,
        {200: PairingShape},
        request=PinBody,
        problems=[429],
        summary="Admit the calling phone by PIN",
        has_key=False,
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """A wrong one is 422 `wrong-pin`; after too many of them at an event, 429 `pin-paused`."""
        pairing = self.own()
        pin = self.body(PinBody)["pin"]
        if pairing.admitted_at is None and not admit_by_pin(pairing, pin):
            if seconds := pin_pause(pairing.event):
                paused = Problem(
                    429, "pin-paused", _("Too many wrong PINs: for a while only the desk lets phones in.")
                )
                paused.wait = seconds
                raise paused
            raise Problem(422, "wrong-pin", _("This isn't the day's PIN."))
        return self.answer(pairing, PairingShape)


@declares(organizes, EVENT)
class DayPin(Endpoint):
    """The PIN of the day."""

    @describes("pairings_set_day_pin", TAG, {200: DayPinShape}, request=NothingBody, summary="Make a new PIN")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Told once, since only its hash is kept; the former one is void, phones that are in stay in."""
        self.body(NothingBody)
        return Response(DayPinShape({"pin": set_day_pin(self.event, self.actor)}).data)
