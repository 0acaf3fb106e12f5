"""The desk on the day: who is here, and the slip with a number and a private code for the parents."""

import secrets

from django.db import transaction
from django.utils import timezone

from people import audit
from people.actors import Actor, secret_hash
from people.models import Entry

# No letter or figure that could be taken for another one; 12 of 31 are 59 bits, beyond guessing over a
# network.
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_GROUPS, _GROUP_LENGTH = 3, 4


@transaction.atomic
def check_in(entry: Entry, actor: Actor) -> str:
    """Note that the child is here, and return the private code for the slip, for example `7KQM-2ZXA-WD4P`.

    The code is shown this once; checking in again keeps the first time, and its new code replaces the old
    one.
    """
    code = "-".join("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP_LENGTH)) for _ in range(_GROUPS))
    values = {"checked_in_at": entry.checked_in_at or timezone.now(), "code_hash": _hash(code)}
    audit.change(entry, actor, entry.team.event_id, values)
    return code


@transaction.atomic
def undo_check_in(entry: Entry, actor: Actor) -> None:
    """The child isn't here after all; the slip's code opens nothing any more."""
    audit.change(entry, actor, entry.team.event_id, {"checked_in_at": None, "code_hash": None})


def entry_of_code(code: str) -> Entry | None:
    """The entry whose slip has this code, typed with or without hyphens and capitals; None if none has."""
    return Entry.objects.select_related("team__event").filter(code_hash=_hash(code)).first()


def _hash(code: str) -> str:
    return secret_hash("".join(c for c in code.upper() if c in _ALPHABET))
