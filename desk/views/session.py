"""The desk's door: the password, the second factor where there is one, and the way out.

Nobody is signed in before both are right: between the two the session only says who has given the password.
"""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from desk.forms.account import CodeForm, SignInForm
from people.access import anyone, declares, requires
from people.client_network import place_of
from people.models import Account
from people.rate_limits import RateLimitedError
from people.second_factor import accepts, is_set_up
from people.sign_in_limits import CODE, attempt

HALF = "half-signed-in"
"""In a session: who has given the password, and hasn't given the code yet."""
HALF_FOR = timedelta(minutes=5)
BACKEND = "django.contrib.auth.backends.ModelBackend"


class _SignIn(LoginView):
    template_name = "desk/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in, or ask for the code where the account has a second factor."""
        account = form.get_user()
        if not is_set_up(account):
            return super().form_valid(form)
        session = self.request.session
        session.cycle_key()
        session[HALF] = {
            "account": str(account.pk),
            "proof": account.get_session_auth_hash(),
            "since": timezone.now().isoformat(),
            "next": self.get_success_url(),
        }
        return redirect("desk:sign-in-code")

    def form_invalid(self, form: Any) -> HttpResponse:
        """Say what is wrong; 429 and for how long where it wasn't looked at."""
        answer: HttpResponse = super().form_invalid(form)
        return _limited(answer, form.limited)


sign_in = declares(anyone)(_SignIn.as_view())
sign_out = declares(anyone)(LogoutView.as_view())


@requires(anyone)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest) -> HttpResponseBase:
    """The second step, for who has given the password in the last minutes."""
    account = half_signed_in(request)
    if account is None:
        return redirect("desk:sign-in")
    form = CodeForm(request.POST if request.method == "POST" else None)
    limited = None
    if form.is_valid():
        try:
            tried = attempt(CODE, account.get_username(), place_of(request))
            if accepts(account, form.cleaned_data["code"]):
                tried.was_right()
                wanted = request.session.pop(HALF)["next"]
                login(request, account, backend=BACKEND)
                return redirect(wanted)
            form.add_error("code", _("This code isn’t right, or it was used before. Wait for the next one."))
        except RateLimitedError as error:
            limited = error
            form.add_error(None, error.sentence)
    answer = render(request, "desk/sign_in_code.html", {"form": form}, status=422 if form.errors else 200)
    return _limited(answer, limited)


def half_signed_in(request: HttpRequest) -> Account | None:
    """Who has given the password in this session, if that was just now and still holds."""
    half = request.session.get(HALF)
    if half is None or timezone.now() - datetime.fromisoformat(half["since"]) > HALF_FOR:
        return None
    account = Account.objects.filter(pk=half["account"], is_active=True).first()
    if account is None or not constant_time_compare(half["proof"], account.get_session_auth_hash()):
        return None
    return account


def _limited(answer: HttpResponse, limited: RateLimitedError | None) -> HttpResponse:
    """The same answer; with 429 and when to come back where a limit held."""
    if limited is not None:
        answer.status_code = 429
        answer["Retry-After"] = str(limited.wait)
    return answer
