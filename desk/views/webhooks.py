"""Programs outside that are told what happens: registered, watched, paused, tested, told again."""

from django.db.models import Count, Q
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from desk.forms.fields import attempt
from desk.forms.webhooks import ReplayForm, WebhookForm
from desk.page import done, number_in, organizer, organizer_post, page
from integrations import tasks
from integrations.models import Delivery, Webhook
from integrations.webhooks import registration
from people.access import EventRequest

LINES = 50
WHY_DISABLED = {
    "gone": gettext_lazy("The receiver says that it is gone for good (410)."),
    "failing": gettext_lazy("For three days nothing arrived."),
    "secret-unreadable": gettext_lazy("Its secret can’t be read any more. Make a new one."),
}
ERRORS = {
    "malformed": gettext_lazy("the address can’t be read"),
    "not-https": gettext_lazy("not https"),
    "private-address": gettext_lazy("a private address: nothing is sent there"),
    "unknown-host": gettext_lazy("no such name"),
    "no-connection": gettext_lazy("nobody answers"),
    "certificate": gettext_lazy("the certificate isn’t good"),
    "timeout": gettext_lazy("no answer in time"),
    "broken": gettext_lazy("the answer can’t be read"),
    "redirect": gettext_lazy("sends elsewhere: that isn’t followed"),
    "refused": gettext_lazy("not taken"),
    "secret-unreadable": gettext_lazy("its secret can’t be read"),
}


@organizer
def webhooks(request: EventRequest) -> HttpResponseBase:
    """The event's webhooks, and a form for another one, whose secret is shown in the answer alone."""
    form = WebhookForm(request.POST or None)
    if made := attempt(
        form,
        lambda: registration.register(
            request.event, request.actor, form.cleaned_data["url"], form.cleaned_data["kinds"]
        ),
    ):
        return _shown(request, made[0], secret=made[1])
    waiting = Count("deliveries", filter=Q(deliveries__state=Delivery.State.WAITING))
    listed = Webhook.objects.filter(event=request.event).annotate(waiting=waiting)
    context = {
        "form": form,
        "listed": [(each, WHY_DISABLED.get(each.why, "")) for each in listed],
        "here": "export",
    }
    return page(request, "desk/webhooks.html", context, 422 if form.errors else 200)


@organizer
def webhook(request: EventRequest, webhook: Webhook) -> HttpResponseBase:
    """One with its log. Posting makes a new secret, which is shown in the answer alone."""
    secret = registration.rotate(webhook, request.actor) if request.method == "POST" else ""
    return _shown(request, webhook, secret=secret)


@organizer_post
def pause(request: EventRequest, webhook: Webhook) -> HttpResponse:
    """Send nothing for now."""
    registration.pause(webhook, request.actor)
    told = _("Nothing is sent for now. What happens meanwhile is sent afterwards.")
    return done(request, told, "webhook", webhook.pk)


@organizer_post
def resume(request: EventRequest, webhook: Webhook) -> HttpResponse:
    """Send again."""
    registration.resume(webhook, request.actor)
    tasks.tell.delay(str(request.event.pk))
    return done(request, _("It is being told again, from where it stopped."), "webhook", webhook.pk)


@organizer_post
def test(request: EventRequest, webhook: Webhook) -> HttpResponse:
    """Send a message that says nothing."""
    tasks.send_test.delay(registration.send_test(webhook).pk)
    told = _("A test is on its way. Open the page anew to see how it went.")
    return done(request, told, "webhook", webhook.pk)


@organizer_post
def replay(request: EventRequest, webhook: Webhook) -> HttpResponse:
    """Send a message once more, or all since a moment."""
    if "delivery" in request.POST:
        delivery = get_object_or_404(webhook.deliveries, pk=number_in(request, "delivery"))
        registration.replay(webhook, delivery)
        count = 1
    else:
        with timezone.override(request.event.time_zone):
            form = ReplayForm(request.POST)
            if not form.is_valid():
                return _shown(request, webhook, form=form)
        count = registration.replay_since(webhook, form.cleaned_data["since"])
    tasks.tell.delay(str(request.event.pk))
    told = ngettext("%(count)d message is sent once more.", "%(count)d messages are sent once more.", count)
    return done(request, told % {"count": count}, "webhook", webhook.pk)


@organizer_post
def remove(request: EventRequest, webhook: Webhook) -> HttpResponse:
    """Tell it nothing any more."""
    registration.remove(webhook, request.actor)
    return done(request, _("It is told nothing any more."), "webhooks")


def _shown(
    request: EventRequest, webhook: Webhook, *, secret: str = "", form: ReplayForm | None = None
) -> HttpResponse:
    newest = webhook.deliveries.order_by("-pk").prefetch_related("attempts")[: LINES + 1]
    lines = [
        (
            each,
            registration.KINDS.get(each.kind, _("a test")),
            [
                (one, ERRORS.get(one.error, ""), _("%(count)d ms") % {"count": one.milliseconds})
                for one in each.attempts.all()
            ],
        )
        for each in newest
    ]
    context = {
        "webhook": webhook,
        "kinds": [registration.KINDS.get(kind, kind) for kind in webhook.kinds],
        "why": WHY_DISABLED.get(webhook.why, ""),
        "lines": lines[:LINES],
        "has_older": len(lines) > LINES,
        "waiting": webhook.deliveries.filter(state=Delivery.State.WAITING).count(),
        "secret": secret,
        "form": form or ReplayForm(),
        "here": "export",
    }
    return page(request, "desk/webhook.html", context, 422 if form else 200)
