"""All rows that the API could change."""

from typing import Any

from django.db import connection


def everything() -> dict[str, list[Any]]:
    """All rows of all tables, to compare."""
    found: dict[str, list[Any]] = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(only_existing=True):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} ORDER BY 1")
            found[table] = cursor.fetchall()
    return found
