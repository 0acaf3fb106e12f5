"""Forms for signing in, and for the account's password and second factor."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from desk.page import account_of
from people.access import EventRequest
from people.client_network import place_of
from people.rate_limits import RateLimitedError
from people.sign_in_limits import PASSWORD, attempt, proves


class SignInForm(AuthenticationForm):
    """Name and password, with rate limits on guessing: `limited` is set where a try wasn't looked at."""

    limited: RateLimitedError | None = None
    request: HttpRequest

    def clean(self) -> dict[str, Any]:
        """As Django's, unless there were too many wrong tries."""
        try:
            tried = attempt(PASSWORD, self.cleaned_data.get("username", ""), place_of(self.request))
        except RateLimitedError as limited:
            self.limited = limited
            raise ValidationError(limited.sentence, "limited") from limited
        cleaned: dict[str, Any] = super().clean()
        tried.was_right()
        return cleaned


class CodeForm(forms.Form):
    """What the app shows, or a code from paper."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autofocus": True}),
        help_text=gettext_lazy("The six digits that the app shows now, or one of your codes on paper."),
    )


class ProofForm(forms.Form):
    """The password once more: who finds a laptop open mustn't lock its owner out."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: EventRequest) -> None:
        super().__init__(request.POST if request.method == "POST" else None)
        self.account, self.place = account_of(request), place_of(request)

    def clean_password(self) -> str:
        """It is the account's; limited like signing in."""
        password: str = self.cleaned_data["password"]
        try:
            if not proves(self.account, password, self.place):
                raise ValidationError(_("This isn’t your password."), "wrong")
        except RateLimitedError as limited:
            raise ValidationError(limited.sentence, "limited") from limited
        return password


class SetUpForm(ProofForm):
    """The digits that show that the app has the secret, and the password."""

    code = forms.CharField(
        label=gettext_lazy("The six digits that the app shows now"),
        max_length=7,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )
    field_order = ("code", "password")


class OtherPasswordForm(PasswordChangeForm):
    """Django's, limited like signing in."""

    def __init__(self, request: EventRequest) -> None:
        super().__init__(account_of(request), request.POST if request.method == "POST" else None)
        self.place = place_of(request)
        self.fields["new_password1"].help_text = _(
            "At least ten characters, not only digits, and no word that many people use."
        )

    def clean_old_password(self) -> str:
        """As Django's, unless there were too many wrong tries."""
        try:
            tried = attempt(PASSWORD, self.user.get_username(), self.place)
        except RateLimitedError as limited:
            raise ValidationError(limited.sentence, "limited") from limited
        old: str = super().clean_old_password()
        tried.was_right()
        return old
