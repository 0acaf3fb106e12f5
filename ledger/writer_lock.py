"""A lock against all writers of facts, for what must not happen between two of them."""

from django.db import connection

from ledger.models import Stream


def keep_writers_waiting() -> None:
    """Let running writers finish and new ones wait until the transaction ends. Every writer begins with its
    stream's row, so nobody deadlocks.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {connection.ops.quote_name(Stream._meta.db_table)} IN EXCLUSIVE MODE")
    # SQLite: BEGIN IMMEDIATE has locked everybody out already.
