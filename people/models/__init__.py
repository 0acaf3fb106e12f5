"""Reference rows, a file for each subject."""

from people.models.accounts import Account, ApiToken, Organizer, RecoveryCode, SecondFactor
from people.models.announcements import Announcement
from people.models.answers import StoredAnswer
from people.models.audit import AuditEntry
from people.models.entries import Entry, Person
from people.models.events import Event, Team
from people.models.pending_erasures import PendingErasure, ServiceClock
from people.models.referees import Pairing, Referee
from people.models.tries import Try

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
    "RecoveryCode",
    "Referee",
    "SecondFactor",
    "ServiceClock",
    "StoredAnswer",
    "Team",
    "Try",
]
