"""Check words of more combinations, once only among an event's phones that aren't shut out."""

from django.db import migrations, models

from people.check_words import draw_check_word


def draw_words_anew(apps, schema_editor):
    """Give each phone but the first of those that have one word another word."""
    pairings = apps.get_model("people", "Pairing").objects.filter(revoked_at=None)
    taken = set()
    for pairing in pairings.order_by("asked_at", "pk").only("pk", "event_id", "check_word"):
        if (pairing.event_id, pairing.check_word) in taken:
            words = {word for event, word in taken if event == pairing.event_id}
            pairing.check_word = draw_check_word(words)
            pairing.save(update_fields=["check_word"])
        taken.add((pairing.event_id, pairing.check_word))


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0010_second_factor'),
    ]

    operations = [
        migrations.AddField(
            model_name='pairing',
            name='asked_from',
            field=models.CharField(blank=True, db_default='', default='', help_text='A keyed hash of the network address, until it is admitted.', max_length=64),
        ),
        migrations.AlterField(
            model_name='pairing',
            name='check_word',
            field=models.CharField(help_text='Shown on the phone and at the desk, so that the right phone is admitted.', max_length=24),
        ),
        migrations.RunPython(draw_words_anew, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='pairing',
            constraint=models.UniqueConstraint(condition=models.Q(('revoked_at', None)), fields=('event', 'check_word'), name='check_word_once_in_event'),
        ),
    ]
