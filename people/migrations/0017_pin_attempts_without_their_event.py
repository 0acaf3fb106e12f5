"""Tries at slips and PINs of before are forgotten, and hold up the deletion of no event."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Delete what was counted."""
    for name in ("PinAttempt", "SlipTry"):
        apps.get_model("people", name)._default_manager.using(schema_editor.connection.alias).all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0016_announcements_by_language'),
    ]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='pinattempt',
            name='event',
            field=models.ForeignKey(
                db_constraint=False, on_delete=django.db.models.deletion.CASCADE,
                related_name='pin_attempts', to='people.event',
            ),
        ),
    ]
