"""One's own account: the password, the second factor, and signing out everywhere."""

from collections.abc import Callable
from typing import Any

import segno
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from desk.forms.account import OtherPasswordForm, ProofForm, SetUpForm
from desk.page import account_of
from desk.views.session import BACKEND
from people.access import EventRequest, requires, signed_in
from people.models import Account
from people.second_factor import (
    app_address,
    codes_left,
    is_set_up,
    new_key,
    new_recovery_codes,
    remove,
    set_up,
    typed_key,
)
from people.sign_in_limits import end_sessions

KEY = "key-of-second-factor"
"""In a session: the secret that is being set up. It counts once its digits were typed."""


def own_page(view: Callable[..., HttpResponse]) -> Any:
    """A page for whoever is signed in, which no browser keeps."""
    return requires(signed_in)(never_cache(view))


@own_page
def account(request: EventRequest) -> HttpResponse:
    """What there is to it."""
    mine = account_of(request)
    context = {"account": mine, "has_factor": is_set_up(mine), "codes_left": codes_left(mine)}
    return render(request, "desk/account.html", context)


@own_page
def password(request: EventRequest) -> HttpResponse:
    """Another password; whoever is signed in elsewhere is signed out."""
    form = OtherPasswordForm(request)
    if form.is_valid():
        # Django ends all other sessions by it, and gives this one another key.
        update_session_auth_hash(request, form.save())
        messages.success(request, _("The password is changed. You are signed out everywhere else."))
        return redirect("desk:account")
    return _form(request, "desk/account_password.html", form)


@own_page
def second_factor(request: EventRequest) -> HttpResponse:
    """Setting it up: the picture for the app, then its digits and the password; once it is, what there is."""
    mine = account_of(request)
    if is_set_up(mine):
        return redirect("desk:account")
    key = request.session.setdefault(KEY, new_key())
    form = SetUpForm(request)
    if form.is_valid():
        codes = set_up(mine, key, form.cleaned_data["code"])
        if codes is not None:
            del request.session[KEY]
            return _codes(request, mine, codes)
        form.add_error("code", _("These aren’t the digits of now. Is the time of the phone right?"))
    address = segno.make(app_address(mine, key), error="m", micro=False)
    return _form(
        request,
        "desk/second_factor.html",
        form,
        qr=address.svg_data_uri(scale=4, border=4, dark="#000", light="#fff"),
        key=typed_key(key),
    )


@own_page
def recovery_codes(request: EventRequest) -> HttpResponse:
    """New codes for paper, shown in the answer and nowhere again."""
    mine = _with_factor(request)
    form = ProofForm(request)
    if form.is_valid():
        return _codes(request, mine, new_recovery_codes(mine))
    return _form(request, "desk/recovery_codes.html", form, codes_left=codes_left(mine))


@own_page
def second_factor_off(request: EventRequest) -> HttpResponse:
    """The password alone again."""
    mine = _with_factor(request)
    form = ProofForm(request)
    if form.is_valid():
        remove(mine)
        _stay(request, mine)
        messages.success(request, _("Signing in takes the password alone again."))
        return redirect("desk:account")
    return _form(request, "desk/second_factor_off.html", form)


@requires(signed_in)
@require_POST
def sign_out_everywhere(request: EventRequest) -> HttpResponse:
    """End all sessions of the account but this one."""
    mine = account_of(request)
    end_sessions(mine)
    _stay(request, mine)
    messages.success(request, _("You are signed out everywhere else."))
    return redirect("desk:account")


def _with_factor(request: EventRequest) -> Account:
    mine = account_of(request)
    if not is_set_up(mine):
        raise Http404
    return mine


def _codes(request: EventRequest, account: Account, codes: list[str]) -> HttpResponse:
    _stay(request, account)
    return render(request, "desk/recovery_codes_shown.html", {"codes": codes})


def _stay(request: EventRequest, account: Account) -> None:
    """Go on here, with another session, when all of the account were ended."""
    login(request, account, backend=BACKEND)


def _form(request: EventRequest, template: str, form: Any, **context: Any) -> HttpResponse:
    return render(request, template, {"form": form} | context, status=422 if form.errors else 200)
