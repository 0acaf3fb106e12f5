"""Findings of the verification, each with its code and its sentence."""

from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _


class FindingCode(StrEnum):
    """Codes of findings; stable, for programs."""

    ALTERED = "altered"
    DOWNGRADED = "downgraded"
    ID = "id"
    PREVIOUS_HASH = "previous-hash"
    GAP = "gap"
    REPEATED = "repeated"
    OTHER_STREAM = "other-stream"
    NOT_CANONICAL = "not-canonical"
    HEAD_SEQUENCE = "head-sequence"
    HEAD_HASH = "head-hash"
    NO_STREAM = "no-stream"
    RECEIPT_ROOT = "receipt-root"
    RECEIPT_PREVIOUS = "receipt-previous"
    RECEIPT_MISSING = "receipt-missing"
    RECEIPT_PRINTED = "receipt-printed"
    SEALED_OTHERWISE = "sealed-otherwise"
    SEALED_MISSING = "sealed-missing"
    TOMBSTONE = "tombstone"
    NOT_DELETED = "not-deleted"
    UNGUARDED = "unguarded"
    UNREADABLE = "unreadable"
    COMPATIBILITY = "compatibility"


_SENTENCES = {
    FindingCode.ALTERED: _(
        "The fact was altered: its hash belongs to another stream, place, type, text, time or client’s id."
    ),
    FindingCode.DOWNGRADED: _("The fact has an earlier encoding than one before it in the stream."),
    FindingCode.ID: _("The fact's id isn't the one that follows from its hash."),
    FindingCode.PREVIOUS_HASH: _("The fact doesn't follow the one before it: the previous hash is another."),
    FindingCode.GAP: _("Facts are missing from here up to %(until)s."),
    FindingCode.REPEATED: _("The place in the stream is taken twice."),
    FindingCode.OTHER_STREAM: _("The fact belongs to another stream."),
    FindingCode.NOT_CANONICAL: _("The text isn't canonical JSON."),
    FindingCode.HEAD_SEQUENCE: _("The stream's head is at %(head)s, its last fact at %(last)s."),
    FindingCode.HEAD_HASH: _("The stream's head has another hash than its last fact."),
    FindingCode.NO_STREAM: _("The fact's stream isn't there."),
    FindingCode.RECEIPT_ROOT: _(
        "Receipt %(number)s was altered: its root belongs to other heads or another time."
    ),
    FindingCode.RECEIPT_PREVIOUS: _("Receipt %(number)s doesn't follow the one before it."),
    FindingCode.RECEIPT_MISSING: _("Receipt %(number)s is missing."),
    FindingCode.RECEIPT_PRINTED: _("Receipt %(number)s has another root than the printed one."),
    FindingCode.SEALED_OTHERWISE: _("The fact isn't the one that receipt %(number)s sealed."),
    FindingCode.SEALED_MISSING: _("The fact that receipt %(number)s sealed is missing."),
    FindingCode.TOMBSTONE: _("What is kept of a deleted scope was altered: it doesn’t fit its last receipt."),
    FindingCode.NOT_DELETED: _("The stream belongs to a scope that was deleted."),
    FindingCode.UNGUARDED: _("The database would let facts be changed: its triggers are missing or altered."),
    FindingCode.UNREADABLE: _(
        "Something stored can’t be read: a column was altered and isn’t of its type any more."
    ),
    FindingCode.COMPATIBILITY: _("The database says an earlier reading version than its facts need."),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and where: a stream and a sequence in it, where it has them.

    `details` are the numbers in the sentence, by name.
    """

    wrong: FindingCode
    stream: UUID | None = None
    sequence: int | None = None
    details: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the sentence in the current language."""
        return gettext(_SENTENCES[self.wrong]) % self.details
