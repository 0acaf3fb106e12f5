"""The desk's door."""

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView

from people.access import anyone, declares


class _SignIn(LoginView):
    template_name = "desk/sign_in.html"
    authentication_form = AuthenticationForm
    redirect_authenticated_user = True


sign_in = declares(anyone)(_SignIn.as_view())
sign_out = declares(anyone)(LogoutView.as_view())
