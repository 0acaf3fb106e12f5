"""An organizer's own account: the password, a second factor, and signing in with it."""

from base64 import b32decode
from collections.abc import Iterator

from django_otp.oath import totp  # type: ignore[import-untyped]  # it has no types

from tests.screenshots.visitor import Visitor


def account(visitor: Visitor) -> Iterator[str]:
    """From a password alone to a second factor and back; a code on paper is used, too."""
    visitor.sign_in()
    visitor.go("/desk/account/")
    yield "account"
    visitor.go("/desk/account/password/")
    yield "password"
    visitor.go("/desk/account/second-factor/")
    yield "second-factor"
    key = visitor.page.locator(".token-shown code").text_content() or ""
    digits = totp(b32decode(key.replace(" ", "")))
    visitor.page.locator("[name=code]").fill(f"{digits:06}")
    _prove(visitor)
    yield "codes"
    code = visitor.page.locator(".codes-shown code").first.inner_text()
    visitor.go("/desk/account/")
    yield "account-with-a-factor"
    visitor.context.clear_cookies()
    visitor.sign_in()
    yield "sign-in-code"
    visitor.page.locator("[name=code]").fill(code)
    visitor.press("main form button.button")
    visitor.go("/desk/account/recovery-codes/")
    yield "new-codes"
    visitor.go("/desk/account/second-factor/off/")
    yield "second-factor-off"
    _prove(visitor)


def _prove(visitor: Visitor) -> None:
    visitor.page.locator("[name=password]").fill(visitor.service.password)
    visitor.press("main form button.button")
