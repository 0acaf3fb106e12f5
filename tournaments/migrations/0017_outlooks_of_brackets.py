"""Throw sampled outlooks away: they are a cache, and earlier versions left places of brackets open."""

from django.db import migrations


def throw_away(apps, schema_editor):
    """The clock makes them anew."""
    apps.get_model("tournaments", "Outlook").objects.filter(method="sampled").delete()


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0016_outlooks_anew"),
    ]

    operations = [migrations.RunPython(throw_away, migrations.RunPython.noop)]
