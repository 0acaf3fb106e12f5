"""The rows of the ledger. Facts are never changed nor deleted: see `triggers.py`."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from ledger.hashing import GENESIS


class Stream(models.Model):
    """A row of facts about one subject; its id is the subject's own."""

    id = models.UUIDField(primary_key=True, editable=False)
    kind = models.CharField(max_length=32, help_text="What the subject is, in a word of its owner.")
    scope = models.UUIDField(
        null=True,
        help_text="The whole it belongs to: everything of a scope is found, sealed and deleted together.",
    )
    head_sequence = models.PositiveIntegerField(
        default=0, help_text="The sequence of the last fact; 0 for none."
    )
    head_hash = models.CharField(max_length=64, default=GENESIS, help_text="The hash of the last fact.")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["scope"], name="ledger_stream_scope")]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Fact(models.Model):
    """One fact, chained to the one before it by its hash; the foreign key keeps its stream in place."""

    id = models.UUIDField(primary_key=True, editable=False, help_text="Follows from the hash.")
    stream = models.ForeignKey(Stream, on_delete=models.DO_NOTHING, related_name="facts", db_index=False)
    sequence = models.PositiveIntegerField(help_text="Its place in the stream, from 1.")
    type = models.CharField(max_length=64)
    text = models.TextField(help_text="Canonical JSON.")
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    recorded_at = models.DateTimeField(
        help_text="When it was recorded; UTC microseconds are part of the hash."
    )
    client_id = models.UUIDField(null=True, help_text="The client's own id of the entry.")
    client_digest = models.CharField(
        max_length=64,
        blank=True,
        help_text="SHA-256 of what the client sent; tells a repetition from another body.",
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["stream", "sequence"], name="ledger_fact_stream_sequence"),
            models.UniqueConstraint(
                fields=["client_id"], condition=Q(client_id__isnull=False), name="ledger_fact_client_id"
            ),
            models.CheckConstraint(condition=Q(sequence__gte=1), name="ledger_fact_sequence_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.stream_id} {self.sequence} {self.type}"


class OutboxMessage(models.Model):
    """A due row: `group` has something new to work from. Inserted, and deleted by who has worked; never
    updated.
    """

    id = models.BigAutoField(primary_key=True)
    topic = models.CharField(max_length=64)
    group = models.UUIDField(help_text="For whom it is due.")
    stream = models.UUIDField()
    sequence = models.PositiveIntegerField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["topic", "group"], name="ledger_outbox_topic_group")]

    def __str__(self) -> str:
        return f"{self.topic} {self.group}"


class Receipt(models.Model):
    """One root hash over all heads of a scope; what was printed of it can't be rewritten afterwards."""

    id = models.BigAutoField(primary_key=True)
    scope = models.UUIDField()
    number = models.PositiveIntegerField(help_text="From 1 in its scope.")
    previous_root = models.CharField(max_length=64)
    root = models.CharField(max_length=64)
    heads = models.TextField(help_text="Canonical JSON: a list of [stream, sequence, hash], by stream.")
    made_at = models.DateTimeField(help_text="UTC microseconds are part of the root.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["scope", "number"], name="ledger_receipt_number")
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.number} {self.root}"


class Tombstone(models.Model):
    """What is left of a scope that was deleted whole: its last receipt, and how much there was."""

    scope = models.UUIDField(primary_key=True, editable=False)
    deleted_at = models.DateTimeField(help_text="When its last receipt was made.")
    streams = models.PositiveIntegerField(help_text="How many with facts.")
    facts = models.PositiveIntegerField()
    receipt_number = models.PositiveIntegerField()
    receipt_previous_root = models.CharField(max_length=64)
    receipt_root = models.CharField(max_length=64)
    receipt_heads = models.TextField()
    receipt_made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.scope} {self.receipt_root}"


class Compatibility(models.Model):
    """The one row that says which code may read and write this database: see `ledger.needed_code_version`."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    needs = models.PositiveSmallIntegerField(default=1, help_text="The reading version that it needs.")
    served = models.PositiveSmallIntegerField(
        default=0, help_text="The highest reading version of the embedded services that have served it."
    )
    projected = models.PositiveSmallIntegerField(
        default=0, help_text="The version of projections that its rows were built by."
    )

    class Meta:
        verbose_name_plural = "compatibility"

    def __str__(self) -> str:
        return f"reading version {self.needs}"
