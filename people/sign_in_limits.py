"""Sign-in: the password with its rate limits, and an end to all sessions of an account."""

import unicodedata
import uuid
from datetime import timedelta

from people.models import Account
from people.rate_limits import CountedAttempt, RateLimit, begin

# The first limit is for who guesses one account from one address, the second for one account from many. The
# third is for who tries many accounts from one address: people in a tent who mistype don't come near it.
PASSWORD = (
    RateLimit("password-here", 5, timedelta(minutes=10)),
    RateLimit("password", 50, timedelta(hours=1)),
    RateLimit("password-place", 100, timedelta(minutes=10)),
)
# Six digits, of which three are good at a time: 480 tries a day find them in one day of seven hundred.
CODE = (
    RateLimit("code-here", 5, timedelta(minutes=10)),
    RateLimit("code", 20, timedelta(hours=1)),
    RateLimit("code-place", 100, timedelta(minutes=10)),
)


def attempt(limits: tuple[RateLimit, RateLimit, RateLimit], username: str, place: str) -> CountedAttempt:
    """Note a try at the password or code of a name, known or not; raises `RateLimitedError`."""
    name = unicodedata.normalize("NFKC", username).casefold().strip()
    here, everywhere, from_place = limits
    return begin((here, f"{name} {place}"), (everywhere, name), (from_place, place))


def proves(account: Account, password: str, place: str) -> bool:
    """Whether this is the password of a signed-in account; raises `RateLimitedError`."""
    tried = attempt(PASSWORD, account.get_username(), place)
    if not account.check_password(password):
        return False
    tried.was_right()
    return True


def end_sessions(account: Account) -> None:
    """Sign the account out wherever it is signed in; who goes on has to be given a new session."""
    account.sessions = uuid.uuid4()
    account.save(update_fields=["sessions"])
