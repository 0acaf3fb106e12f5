"""Stages know which squads don't play on; of stages that are there already, when rows are built again."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0020_annulled_squads'),
    ]

    operations = [
        migrations.AddField(
            model_name='stage',
            name='left',
            field=models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict, help_text="Of the stage that is on: who doesn't play on, by the squads' ids, each with the reason."),
        ),
    ]
