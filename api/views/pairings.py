"""Pairings: asked for by a phone, admitted by the desk or the day's PIN, revoked."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import EVENT, PAIRING, nothing_here
from api.problems import Problem
from api.schema import changes, lists, reads
from api.shapes.pairings import (
    AskBody,
    AskedPairingShape,
    DayPinShape,
    PairingShape,
    PinBody,
    ReplaceBody,
)
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

    @lists("pairings_list", TAG, PairingShape, "List pairings")
    def list_all(self) -> Response:
        """In the order in which they asked; revoked ones too."""
        return self.page(self.event.pairings.order_by("asked_at", "pk"), PairingShape)

    @declares(anyone)
    @changes(
        "pairings_ask",
        TAG,
        AskedPairingShape,
        "Ask for a pairing",
        AskBody,
        status=201,
        problems=[429],
        etag=False,
    )
    def ask(self, referee: UUID) -> Response:
        """Nobody needs to be known for this; the phone can do nothing until it is admitted. Requests that
        aren't admitted are deleted after two hours. Within ten minutes an address may make 10 requests as
        one referee and 60 in all; beyond that, 429 `too-many-asked`.
        """
        found = Referee.objects.select_related("event").filter(pk=referee, event=self.event).first()
        if found is None:
            raise nothing_here()
        pairing, secret = ask(found, place_of(self.request))
        return Response(AskedPairingShape(pairing, context={"secret": secret}).data, status=201)

    @changes("pairings_set_day_pin", TAG, DayPinShape, "Make a new PIN", etag=False)
    def set_day_pin(self) -> Response:
        """Told once, since only its hash is kept; the former one is void, phones that are in stay in."""
        return Response(DayPinShape({"pin": set_day_pin(self.event, self.actor)}).data)


@declares(organizes, PAIRING)
class PairingDetail(Endpoint):
    """A phone."""

    subject: Pairing
    shape = PairingShape

    @reads("pairings_read", TAG, PairingShape, "Read a pairing")
    def read(self) -> None:
        """For the desk."""

    @changes("pairings_admit", TAG, PairingShape, "Admit a phone")
    def admit(self) -> None:
        """Compare the check word with the phone's first. Doing it twice is doing it once."""
        account = self.actor.account
        if account is None:
            raise nothing_here()
        if not admit(self.subject, account):
            raise Problem(409, "pairing-revoked", _("This pairing was revoked; the phone has to ask again."))

    @changes("pairings_revoke", TAG, PairingShape, "Revoke a pairing")
    def revoke(self) -> None:
        """At once and for good. Doing it twice is doing it once."""
        revoke(self.subject, self.actor)

    @changes("pairings_replace", TAG, PairingShape, "Replace a phone", ReplaceBody)
    def replace(self, by: UUID) -> Response:
        """This pairing ends, and the one that waits (`by`, of the same referee) is admitted, both or neither;
        answers with the new one. Doing it twice is doing it once. 409 `other-referee`, `not-waiting`,
        `not-admitted` or `pairing-revoked` where that can't be.
        """
        new = Pairing.objects.filter(pk=by, event=self.event).first()
        if new is None or self.actor.account is None:
            raise nothing_here()
        replace(self.subject, new, self.actor.account)
        new.refresh_from_db()
        return self.answer(new, PairingShape)


@declares(anyone)
class OwnPairing(Endpoint):
    """The phone that calls."""

    subject: Pairing
    shape = PairingShape

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Find the calling phone's pairing, or 401."""
        super().initial(request, *args, **kwargs)
        if self.actor.pairing is None:
            raise NotAuthenticated
        self.subject = self.actor.pairing

    @reads("pairings_current", TAG, PairingShape, "Read the calling phone's pairing")
    def read(self) -> None:
        """Whether it was admitted meanwhile."""

    @changes(
        "pairings_admit_by_pin",
        TAG,
        PairingShape,
        "Admit the calling phone by PIN",
        PinBody,
        problems=[429],
        once=False,
    )
    def admit_by_pin(self, pin: str) -> None:
        """A wrong one is 422 `wrong-pin`; after too many of them at an event, 429 `pin-paused`."""
        if self.subject.admitted_at is None and not admit_by_pin(self.subject, pin):
            if seconds := pin_pause(self.subject.event):
                paused = Problem(
                    429, "pin-paused", _("Too many wrong PINs: for a while only the desk lets phones in.")
                )
                paused.wait = seconds
                raise paused
            raise Problem(422, "wrong-pin", _("This isn't the day's PIN."))
