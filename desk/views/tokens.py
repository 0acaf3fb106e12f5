"""Keys for programs that act for the account."""

from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from desk.forms.fields import attempt
from desk.forms.tokens import TokenForm
from desk.page import account_of
from desk.views.account import own_page
from people.access import EventRequest, requires, signed_in
from people.actors import make_named_token, revoke_token
from people.models import Account


@own_page
def tokens(request: EventRequest) -> HttpResponse:
    """The account's tokens; a new one is shown in the answer to its form and nowhere again."""
    account = account_of(request)
    form = TokenForm(account, request.POST or None)
    secret = attempt(form, lambda: _made(form, account))
    now = timezone.now()
    mine = list(account.tokens.select_related("event"))
    over = [token for token in mine if token.expires_at is not None and token.expires_at <= now]
    context = {
        "form": TokenForm(account) if secret else form,
        "secret": secret,
        "valid": [token for token in mine if token.revoked_at is None and token not in over],
        "over": [token for token in over if token.revoked_at is None],
        "revoked": [token for token in mine if token.revoked_at is not None],
    }
    return render(request, "desk/tokens.html", context, status=422 if form.errors else 200)


@requires(signed_in)
@require_POST
def revoke(request: EventRequest, token_id: UUID) -> HttpResponse:
    """Shut a program out."""
    token = account_of(request).tokens.filter(pk=token_id).first()
    if token is None:
        raise Http404
    revoke_token(token)
    messages.success(request, _("The token opens nothing any more."))
    return redirect("desk:tokens")


def _made(form: TokenForm, account: Account) -> str:
    """The new token's secret."""
    given = dict(form.cleaned_data)
    days = given.pop("days")
    expires_at = timezone.now() + timedelta(days=days) if days else None
    return make_named_token(account, expires_at=expires_at, **given)
