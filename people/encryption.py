"""Encryption of what has to be read again, with keys that are made of `SECRET_KEY`."""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def fernet_for(purpose: bytes) -> Fernet:
    """What encrypts and decrypts for one purpose, with a key of its own."""
    key = HKDF(SHA256(), 32, salt=None, info=purpose).derive(settings.SECRET_KEY.encode())
    return Fernet(urlsafe_b64encode(key))
