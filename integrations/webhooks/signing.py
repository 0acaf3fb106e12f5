"""Signatures as the Standard Webhooks specification has them (https://www.standardwebhooks.com, version 1).

A message has three headers. `webhook-id` is the same however often it is sent. `webhook-timestamp` has the
seconds of this try. `webhook-signature` has, for each secret that is good, `v1,` and the base64 of the
HMAC-SHA256 of `id.timestamp.body`, divided by blanks. A secret is written `whsec_` and the base64 of its
bytes.
"""

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable

PREFIX = "whsec_"
_BYTES = 32
"""The specification asks for 24 to 64."""


def new_secret() -> str:
    """A new random secret."""
    return PREFIX + b64encode(secrets.token_bytes(_BYTES)).decode()


def signature(secret: str, message: str, timestamp: int, body: bytes) -> str:
    """The signature of one try by one secret."""
    key = b64decode(secret.removeprefix(PREFIX), validate=True)
    signed = f"{message}.{timestamp}.".encode() + body
    return "v1," + b64encode(hmac.digest(key, signed, "sha256")).decode()


def headers(good: Iterable[str], message: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The headers of one try, signed by each secret that is good: while one takes the place of another, both
    are.
    """
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(secret, message, timestamp, body) for secret in good),
    }
