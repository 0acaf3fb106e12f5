"""The ledger's rows for operators: to be looked at, never to be edited."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from ledger.models import Fact, OutboxMessage, Receipt, Stream, Tombstone


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # it takes none when the program runs
    """Lists and shows rows; adds, changes and deletes none."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


@admin.register(Stream)
class StreamAdmin(ReadOnlyAdmin):
    """Streams with their heads."""

    list_display = ("id", "kind", "scope", "head_sequence")
    list_filter = ("kind",)
    search_fields = ("id", "scope")


@admin.register(Fact)
class FactAdmin(ReadOnlyAdmin):
    """Facts in the order of recording, the newest first."""

    list_display = ("recorded_at", "stream_id", "sequence", "type")
    search_fields = ("stream__id", "type")
    ordering = ("-recorded_at",)


@admin.register(OutboxMessage)
class OutboxMessageAdmin(ReadOnlyAdmin):
    """What is due."""

    list_display = ("id", "topic", "group", "stream", "sequence", "created")
    list_filter = ("topic",)


@admin.register(Receipt)
class ReceiptAdmin(ReadOnlyAdmin):
    """Receipts, the newest first."""

    list_display = ("made_at", "scope", "number", "root")
    search_fields = ("scope", "root")
    ordering = ("-made_at",)


@admin.register(Tombstone)
class TombstoneAdmin(ReadOnlyAdmin):
    """Scopes that were deleted whole."""

    list_display = ("deleted_at", "scope", "streams", "facts", "receipt_root")
    ordering = ("-deleted_at",)
