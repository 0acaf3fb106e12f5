"""Tries at codes of slips and at the day's PIN are counted where all others are.

No table changes, so that code of before goes on: a later release drops those that nobody reads any more.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0017_pin_attempts_without_their_event'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(
                    name='PinAttempt',
                ),
                migrations.DeleteModel(
                    name='SlipTry',
                ),
                migrations.RemoveIndex(
                    model_name='try',
                    name='tries_of_whom',
                ),
                migrations.RenameField(
                    model_name='try',
                    old_name='brake',
                    new_name='limit',
                ),
                migrations.AlterField(
                    model_name='try',
                    name='limit',
                    field=models.CharField(db_column='brake', help_text='The name of a `RateLimit`.', max_length=24),
                ),
                migrations.AddIndex(
                    model_name='try',
                    index=models.Index(fields=['limit', 'whose', 'at'], name='tries_of_whom'),
                ),
            ],
        ),
    ]
