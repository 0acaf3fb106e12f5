"""Throw sampled outlooks of brackets away: they are a cache, and earlier versions left places open."""

from django.db import migrations

BRACKETS = {"single_elimination", "double_elimination"}


def throw_away(apps, schema_editor):
    """The clock makes them anew."""
    for row in apps.get_model("tournaments", "Outlook").objects.filter(method="sampled"):
        settings = row.tournament.settings
        if BRACKETS & {each.get("format") for each in (settings, *(settings.get("later") or ()))}:
            row.delete()


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0016_outlooks_anew"),
    ]

    operations = [migrations.RunPython(throw_away, migrations.RunPython.noop)]
