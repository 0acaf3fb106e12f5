from django.db import migrations, models

import people.models.announcements


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0015_answers_of_calls_with_a_key'),
    ]

    operations = [
        migrations.AddField(
            model_name='announcement',
            name='texts',
            field=models.JSONField(
                db_default=models.Value({}, models.JSONField()),
                default=dict,
                help_text='By language.',
                validators=[people.models.announcements.check_texts],
            ),
        ),
    ]
