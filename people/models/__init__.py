"""Reference rows, a file for each subject."""

from people.models.accounts import Account, ApiToken, Organizer, RecoveryCode, SecondFactor, Try
from people.models.announcements import Announcement
from people.models.answers import StoredAnswer
from people.models.audit import AuditEntry
from people.models.entries import Entry, Person, SlipTry
from people.models.events import Event, Team
from people.models.pending_erasures import PendingErasure, ServiceClock
from people.models.referees import Pairing, PinAttempt, Referee

__all__ = [
    "Account",
    "Announcement",
    "ApiToken",
    "AuditEntry",
    "Entry",
    "Event",
    "Organizer",
    "Pairing",
    "PendingErasure",
    "Person",
    "PinAttempt",
    "RecoveryCode",
    "Referee",
    "SecondFactor",
    "ServiceClock",
    "SlipTry",
    "StoredAnswer",
    "Team",
    "Try",
]
