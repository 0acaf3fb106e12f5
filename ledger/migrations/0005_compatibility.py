from typing import Any

from django.db import migrations, models


def say(apps: Any, schema_editor: Any) -> None:
    """A database that was there before needs what code knew that didn't ask."""
    apps.get_model("ledger", "Compatibility").objects.create(pk=1, needs=1)


class Migration(migrations.Migration):
    dependencies = [("ledger", "0004_facts_of_a_stream")]

    operations = [
        migrations.CreateModel(
            name="Compatibility",
            fields=[
                ("id", models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ("needs", models.PositiveSmallIntegerField(default=1, help_text="The reading version that it needs.")),
                (
                    "served",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="The highest reading version of the embedded services that have served it.",
                    ),
                ),
                (
                    "projected",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="The version of projections that its rows were built by."
                    ),
                ),
            ],
            options={"verbose_name_plural": "compatibility"},
        ),
        migrations.RunPython(say, migrations.RunPython.noop),
    ]
