"""Tell PostgreSQL that a stream has some twenty facts, however many streams there are.

It estimates this from a sample of pages, and the facts of a stream are written side by side: it takes them for
many times more than they are, and reads all facts that there are where an index leads to those of one event.
"""

from typing import Any

from django.db import migrations


def tell(n_distinct: str) -> Any:
    """What sets, or takes back, how many different streams there are for each fact (a negative share)."""

    def work(apps: Any, schema_editor: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"ALTER TABLE ledger_fact ALTER COLUMN stream_id {n_distinct}")

    return work


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_what_tombstones_count")]

    operations = [migrations.RunPython(tell("SET (n_distinct = -0.05)"), tell("RESET (n_distinct)"))]
