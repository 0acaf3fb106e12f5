from django.db import migrations

MADE, DRAWN = "draw.made", "stage.drawn"


def ask_for_both(apps, schema_editor):
    """Who asked for draws of mini-tournaments hears of them as of all other draws."""
    for webhook in apps.get_model("programs", "Webhook").objects.all():
        if MADE in webhook.kinds and DRAWN not in webhook.kinds:
            webhook.kinds = [*webhook.kinds, DRAWN]
            webhook.save(update_fields=["kinds"])


class Migration(migrations.Migration):

    dependencies = [
        ('programs', '0002_webhooks'),
    ]

    operations = [
        migrations.RunPython(ask_for_both, migrations.RunPython.noop),
    ]
