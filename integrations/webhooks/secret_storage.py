"""Encryption of webhooks' secrets, with a key made of `SECRET_KEY`.

The service signs with it, so it has to be read again, and a hash wouldn't do. Encrypted, a copy of the
database or a backup alone signs nothing. If `SECRET_KEY` is changed the secrets can't be read any more; their
webhooks are disabled, and get new ones on the desk.
"""

from cryptography.fernet import Fernet, InvalidToken

from people.encryption import fernet_for


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
    return fernet_for(b"tendone webhooks")
