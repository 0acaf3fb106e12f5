"""The second factor: six digits from an app on the organizer's phone (TOTP, RFC 6238), codes on paper beside.

Optional for every account. The secret has to be kept as it is, to compute the same digits; of the codes on
paper a keyed hash is kept.
"""

import secrets
import time
from base64 import b32encode
from urllib.parse import quote, urlencode

from django.db import transaction
from django.utils.crypto import salted_hmac
from django_otp.oath import TOTP  # type: ignore[import-untyped]  # it has no types

from people.models import Account, RecoveryCode, SecondFactor
from people.paper_codes import letters_of, new_code
from people.sign_in_limits import end_sessions

RECOVERY_CODES = 10
# Half a minute before and after: phones' clocks are that wrong.
TOLERANCE = 1


def new_key() -> str:
    """A secret for an app: twenty random bytes in hexadecimal."""
    return secrets.token_hex(20)


def typed_key(key: str) -> str:
    """The secret as it is typed into an app: groups of four letters."""
    letters = b32encode(bytes.fromhex(key)).decode()
    return " ".join(letters[at : at + 4] for at in range(0, len(letters), 4))


def app_address(account: Account, key: str) -> str:
    """What the picture for the app's camera says (`otpauth://`)."""
    label = quote(f"Tendone:{account.get_username()}")
    secret = typed_key(key).replace(" ", "")
    return f"otpauth://totp/{label}?" + urlencode({"secret": secret, "issuer": "Tendone"})


def is_set_up(account: Account) -> bool:
    """Whether signing in takes a code."""
    return SecondFactor.objects.filter(account=account).exists()


@transaction.atomic
def set_up(account: Account, key: str, digits: str) -> list[str] | None:
    """Ask for codes from now on, if these digits show that the app has the secret; else None.

    Returns the codes for paper, which nobody can be shown again. Whoever is signed in elsewhere is signed
    out.
    """
    Account.objects.select_for_update().get(pk=account.pk)
    step = _step_of(key, digits, after=-1)
    if step is None or is_set_up(account):
        return None
    SecondFactor.objects.create(account=account, key=key, last_step=step)
    end_sessions(account)
    return new_recovery_codes(account)


@transaction.atomic
def new_recovery_codes(account: Account) -> list[str]:
    """Ten codes like `7KQM-2ZXA-WD4P`, each good once; those before open nothing any more."""
    RecoveryCode.objects.filter(account=account).delete()
    codes = [new_code() for _ in range(RECOVERY_CODES)]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(account=account, code_hash=_hash(account, code)) for code in codes
    )
    return codes


def codes_left(account: Account) -> int:
    """How many codes on paper are still good."""
    return RecoveryCode.objects.filter(account=account).count()


@transaction.atomic
def accepts(account: Account, typed: str) -> bool:
    """Whether these are the app's digits of now, or a code from paper; each is taken once."""
    factor = SecondFactor.objects.select_for_update().filter(account=account).first()
    if factor is None:
        return False
    step = _step_of(factor.key, typed, after=factor.last_step)
    if step is not None:
        factor.last_step = step
        factor.save(update_fields=["last_step"])
        return True
    used, _models = RecoveryCode.objects.filter(account=account, code_hash=_hash(account, typed)).delete()
    return used > 0


@transaction.atomic
def remove(account: Account) -> bool:
    """Ask for the password alone again; whether there was anything to remove. Signs out everywhere."""
    RecoveryCode.objects.filter(account=account).delete()
    removed, _models = SecondFactor.objects.filter(account=account).delete()
    if removed:
        end_sessions(account)
    return removed > 0


def _step_of(key: str, digits: str, *, after: int) -> int | None:
    """The half minute of which these are the digits, if it is one of now and later than `after`."""
    plain = "".join(digits.split())
    if not (plain.isascii() and plain.isdecimal() and len(plain) == 6):
        return None
    clock = TOTP(bytes.fromhex(key))
    clock.time = time.time()
    return int(clock.t()) if clock.verify(int(plain), TOLERANCE, after + 1) else None


def _hash(account: Account, code: str) -> str:
    text = f"{account.pk} {letters_of(code)}"
    return salted_hmac("people.recovery", text, algorithm="sha256").hexdigest()
