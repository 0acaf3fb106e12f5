"""Reference rows for operators: accounts are kept here, everything else is looked at.

Festivals are changed at the desk, where changes are checked and audited. Names and notes of persons aren't
listed: an operator keeps the service running and is no organizer.
"""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from ledger.admin import ReadOnlyAdmin
from people.models import Account, ApiToken, AuditEntry, Entry, Event, Organizer, Pairing, Team


class OrganizerInline(admin.TabularInline):  # type: ignore[type-arg]  # it takes none when the program runs
    """The events that an account organizes; an operator lets somebody in whose organizer is gone."""

    model = Organizer
    extra = 0
    autocomplete_fields = ("event",)


@admin.register(Account)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # likewise
    """Accounts with their events."""

    inlines = (OrganizerInline,)


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    """Festivals."""

    list_display = ("name", "slug", "place", "starts_on", "is_published", "is_practice")
    list_filter = ("is_published", "is_practice")
    search_fields = ("name", "slug")
    exclude = ("day_pin",)


@admin.register(Team)
class TeamAdmin(ReadOnlyAdmin):
    """Teams of all events."""

    list_display = ("name", "event", "number", "short_name")
    list_select_related = ("event",)
    search_fields = ("name", "event__slug")


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    """Entries as numbers."""

    list_display = ("id", "team", "number", "status", "checked_in_at")
    list_select_related = ("team",)
    list_filter = ("status",)
    search_fields = ("id", "team__event__slug")
    fields = ("id", "team", "number", "status", "entered_at", "checked_in_at")


@admin.register(Pairing)
class PairingAdmin(ReadOnlyAdmin):
    """Referees' phones."""

    list_display = ("id", "event", "check_word", "asked_at", "admitted_at", "revoked_at", "last_seen_at")
    list_select_related = ("event",)
    exclude = ("secret_hash", "asked_from", "referee")


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Programs' tokens."""

    list_display = (
        *("name", "account", "event", "scope"),
        *("created_at", "expires_at", "last_used_at", "revoked_at"),
    )
    list_select_related = ("account", "event")
    exclude = ("secret_hash",)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """Who changed what when, without the values."""

    list_display = ("at", "event", "actor_kind", "actor_id", "action", "model", "row_id")
    list_select_related = ("event",)
    list_filter = ("action", "model", "actor_kind")
    exclude = ("changes", "person")
