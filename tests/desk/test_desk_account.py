"""One's own account: signing in with a second factor, rate limits on guessing, and ending sessions."""

import re
from base64 import b32decode
from datetime import timedelta
from io import StringIO
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp  # type: ignore[import-untyped]  # it has no types

from config.tasks import erase_what_is_due
from people import second_factor
from people.models import Account, RecoveryCode, SecondFactor, Try
from people.sign_in_limits import CODE, PASSWORD
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.factories import PASSWORD as SECRET
from tests.support.forms import address, errors, fields_of, form_to, open_page, send
from tests.support.page_reading import read

pytestmark = pytest.mark.django_db

CODE_SHOWN = re.compile(r"[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}")


@pytest.fixture
def organizer() -> Account:
    return factories.make_account("organizzatrice")


def digits(account: Account, steps: int = 0) -> str:
    """What the app shows, or will in so many half minutes."""
    key = bytes.fromhex(SecondFactor.objects.get(account=account).key)
    return f"{totp(key, t0=-30 * steps):06}"


def protect(account: Account) -> list[str]:
    """Set the second factor up; the codes for paper."""
    key = second_factor.new_key()
    codes = second_factor.set_up(account, key, f"{totp(bytes.fromhex(key)):06}")
    assert codes is not None
    # The digits of now were just used; the app goes on.
    SecondFactor.objects.update(last_step=-1)
    account.refresh_from_db()
    return codes


def give_password(client: Client, password: str = SECRET, **more: Any) -> Any:
    """Send the sign-in form."""
    fields = {"username": "organizzatrice", "password": password, **more}
    return client.post(address("sign-in"), fields)


def is_in(client: Client) -> bool:
    """Whether somebody is signed in there."""
    return client.get(address("home")).status_code == 200


def test_second_factor_is_set_up_asked_for_and_taken_away(organizer: Account) -> None:
    desk, elsewhere = browser_of(organizer), browser_of(organizer)
    page = open_page(desk, address("second-factor"))
    picture = page.one("img.qr-shown").attributes["src"]
    assert picture.startswith("data:image/svg+xml")
    # The key stands on the page for who can't take the picture.
    typed = page.one(".token-shown").text.replace(" ", "")
    key = b32decode(typed)
    asked = parse_qs(urlsplit(second_factor.app_address(organizer, key.hex())).query)
    assert (asked["secret"], asked["issuer"]) == ([typed], ["Tendone"])
    code = f"{totp(key):06}"
    wrong = send(desk, address("second-factor"), {"code": code, "password": "falsa"}, 422)
    assert "This isn’t your password." in errors(read(wrong))
    assert not SecondFactor.objects.exists()
    shown = send(desk, address("second-factor"), {"code": code, "password": SECRET}, 200).content.decode()
    codes = CODE_SHOWN.findall(shown)
    assert (len(codes), is_in(desk), is_in(elsewhere)) == (10, True, False)
    # The digits that set it up are used up; the password alone opens nothing.
    other = Client()
    wanted = address("tokens")
    assert give_password(other, next=wanted)["Location"] == address("sign-in-code")
    assert not is_in(other)
    assert send(other, address("sign-in-code"), {"code": code}, 422)
    assert send(other, address("sign-in-code"), {"code": codes[0].lower()})["Location"] == wanted
    assert is_in(other)
    third = Client()
    give_password(third)
    send(third, address("sign-in-code"), {"code": codes[0]}, 422)
    send(third, address("sign-in-code"), {"code": digits(organizer, 1)})
    assert is_in(third)
    assert "9 codes on paper are left" in open_page(third, address("account")).text
    send(third, address("recovery-codes"), {"password": SECRET}, 200)
    assert not second_factor.accepts(organizer, codes[1])
    send(third, address("second-factor-off"), {"password": SECRET})
    assert (is_in(third), is_in(other), RecoveryCode.objects.count()) == (True, False, 0)
    assert give_password(Client())["Location"] == address("home")


def test_half_sign_in_ends_after_five_minutes_or_with_another_password(organizer: Account) -> None:
    protect(organizer)
    client = Client()
    give_password(client)
    session = client.session
    half = session["half-signed-in"]
    session["half-signed-in"] = half | {"since": (timezone.now() - timedelta(minutes=6)).isoformat()}
    session.save()
    assert client.post(address("sign-in-code"), {"code": digits(organizer)})["Location"] == address("sign-in")
    give_password(client)
    organizer.set_password("un-altra-parola")
    organizer.save()
    assert client.post(address("sign-in-code"), {"code": digits(organizer)})["Location"] == address("sign-in")
    assert Client().get(address("sign-in-code"))["Location"] == address("sign-in")


def test_operator_signs_in_with_a_second_factor_code_too(organizer: Account) -> None:
    organizer.is_staff = organizer.is_superuser = True
    organizer.save()
    protect(organizer)
    client = Client()
    door = client.get("/operator/", follow=True)
    assert door.redirect_chain[-1][0].startswith("/desk/sign-in/?next=/operator/")
    give_password(client, next="/operator/")
    assert client.get("/operator/").status_code == 302
    assert send(client, address("sign-in-code"), {"code": digits(organizer)})["Location"] == "/operator/"
    assert client.get("/operator/").status_code == 200
    assert browser_of(factories.make_account()).get("/operator/", follow=True).status_code == 403


def test_second_factor_command_lets_an_account_in_again(organizer: Account) -> None:
    protect(organizer)
    desk, told = browser_of(organizer), StringIO()
    call_command("second_factor", "organizzatrice", stdout=told)
    call_command("second_factor", "organizzatrice", "--remove", stdout=told)
    call_command("second_factor", "organizzatrice", "--remove", stdout=told)
    assert [line.split(":")[0].split(";")[0] for line in told.getvalue().splitlines()] == [
        "Signing in takes a code",
        "Removed",
        "There was no second factor",
    ]
    assert (is_in(desk), give_password(Client())["Location"]) == (False, address("home"))
    with pytest.raises(CommandError, match="no account 'nessuno'"):
        call_command("second_factor", "nessuno")


def test_wrong_passwords_pause_that_account_there_and_nobody_else(organizer: Account) -> None:
    factories.make_account("altro")
    for _ in range(PASSWORD[0].tries):
        assert give_password(Client(), "falsa").status_code == 200
    paused = give_password(Client())
    assert (paused.status_code, 590 < int(paused["Retry-After"]) <= 600) == (429, True)
    assert "Try again in 10 minutes" in read(paused).one(".notice-error").text
    # Beside it in the tent, and the same account from elsewhere.
    assert Client().post(address("sign-in"), {"username": "altro", "password": SECRET}).status_code == 302
    assert give_password(Client(REMOTE_ADDR="192.0.2.7")).status_code == 302
    # What wasn't looked at doesn't make the pause longer.
    Try.objects.update(at=timezone.now() - PASSWORD[0].window)
    assert give_password(Client()).status_code == 302


def test_sign_in_from_one_address_is_not_limited_while_passwords_are_right(organizer: Account) -> None:
    for _ in range(120):
        assert give_password(Client()).status_code == 302
    assert not Try.objects.exists()


def test_wrong_second_factor_codes_are_rate_limited(organizer: Account) -> None:
    protect(organizer)
    client = Client()
    give_password(client)
    for _ in range(CODE[0].tries):
        send(client, address("sign-in-code"), {"code": "000000"}, 422)
    send(client, address("sign-in-code"), {"code": digits(organizer)}, 429)

    assert not is_in(client)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "same"),
    [
        (0, "203.0.113.9", True),
        (1, "203.0.113.9", False),
        (1, "203.0.113.9, 127.0.0.1", True),
        (2, "203.0.113.9, 127.0.0.1", False),
    ],
)
def test_forwarded_address_is_believed_of_trusted_proxies_alone(
    organizer: Account, settings: Any, proxies: int, forwarded: str, same: bool
) -> None:
    settings.TRUSTED_PROXIES = proxies
    for _ in range(PASSWORD[0].tries):
        give_password(Client(HTTP_X_FORWARDED_FOR="127.0.0.1"), "falsa")
    there = give_password(Client(HTTP_X_FORWARDED_FOR=forwarded))
    assert there.status_code == (429 if same else 302)


def test_sign_in_tries_store_no_name_or_address_and_are_erased_in_time(organizer: Account) -> None:
    give_password(Client(REMOTE_ADDR="192.0.2.7"), "falsa")
    kept = str(list(Try.objects.values()))
    assert [word for word in ("organizzatrice", "192.0.2", "falsa") if word in kept] == []
    erase_what_is_due()
    assert Try.objects.count() == 3
    Try.objects.update(at=timezone.now() - timedelta(hours=2))
    erase_what_is_due()
    assert Try.objects.count() == 0


def test_new_password_and_signing_out_everywhere_end_other_sessions(organizer: Account) -> None:
    desk, first, second = (browser_of(organizer) for _ in range(3))
    key = desk.session.session_key
    page = open_page(desk, address("account"))
    send(desk, address("sign-out-everywhere"), fields_of(form_to(page, address("sign-out-everywhere"))))
    assert (is_in(desk), is_in(first), desk.session.session_key != key) == (True, False, True)
    third = browser_of(Account.objects.get())
    new = "polenta-e-salsicce"
    fields = {"old_password": SECRET, "new_password1": new, "new_password2": new}
    send(desk, address("account-password"), fields | {"old_password": "falsa"}, 422)
    send(desk, address("account-password"), fields)
    assert (is_in(desk), is_in(second), is_in(third)) == (True, False, False)
    assert give_password(Client()).status_code == 200
    assert give_password(Client(), new).status_code == 302


def test_session_key_changes_on_signing_in_and_out(organizer: Account) -> None:
    client = Client()
    client.get(address("second-factor"))
    session = client.session
    session["left"] = "by somebody else"
    session.save()
    before = client.session.session_key
    give_password(client)
    inside = client.session.session_key
    assert inside not in (before, None)
    send(client, address("sign-out"), {})
    assert client.session.session_key != inside
