"""From here on the database refuses to change facts."""

from django.db import migrations

from ledger.triggers import install_triggers, remove_triggers


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [
        migrations.RunPython(
            lambda apps, schema_editor: install_triggers(schema_editor.connection),
            lambda apps, schema_editor: remove_triggers(schema_editor.connection),
        ),
    ]
