"""The service's own clock: its last believed reading, which begins with the newest of what was recorded."""

from django.db import migrations, models


def begin_with_what_was_recorded(apps, schema_editor):
    """Store the time of the newest fact or audit row, if there is one."""
    facts = apps.get_model("ledger", "Fact").objects.aggregate(at=models.Max("recorded_at"))["at"]
    audit = apps.get_model("people", "AuditEntry").objects.aggregate(at=models.Max("at"))["at"]
    recorded = [at for at in (facts, audit) if at is not None]
    if recorded:
        apps.get_model("people", "ServiceClock").objects.create(seen_at=max(recorded))


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0001_initial'),
        ('people', '0011_check_words_that_are_unique'),
    ]

    operations = [
        migrations.CreateModel(
            name='ServiceClock',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('seen_at', models.DateTimeField(help_text='The last believed reading, to the hour.')),
                ('excused_until', models.DateTimeField(help_text='What was recorded until then is no reason to doubt the clock any more.', null=True)),
                ('held', models.JSONField(default=list, help_text="What is due and isn't erased: words of `Held`.")),
                ('reason', models.CharField(blank=True, choices=[('gap', 'Gap'), ('behind', 'Behind')], max_length=10)),
                ('held_since', models.DateTimeField(null=True)),
                ('newest', models.DateTimeField(help_text='The newest fact, audit row or backup when this was held.', null=True)),
            ],
        ),
        migrations.RunPython(begin_with_what_was_recorded, migrations.RunPython.noop),
    ]
