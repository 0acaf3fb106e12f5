"""Encryption of webhooks' secrets, with a key made of `SECRET_KEY`.

The service signs with it, so it has to be read again, and a hash wouldn't do. Encrypted, a copy of the
database or a backup alone signs nothing. If `SECRET_KEY` is changed the secrets can't be read any more; their
webhooks are disabled, and get new ones on the desk.
"""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


class UnreadableSecretError(Exception):
    """The secret was kept under another `SECRET_KEY`."""


def encrypt(secret: str) -> str:
    """The secret as it is stored."""
    return _box().encrypt(secret.encode()).decode()


def decrypt(stored: str) -> str:
    """The secret itself; UnreadableSecretError where it can't be had."""
    try:
        return _box().decrypt(stored.encode()).decode()
    except InvalidToken as error:
        raise UnreadableSecretError from error


def _box() -> Fernet:
    key = HKDF(SHA256(), 32, salt=None, info=b"tendone webhooks").derive(settings.SECRET_KEY.encode())
    return Fernet(urlsafe_b64encode(key))
