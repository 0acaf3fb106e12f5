"""Names of tournaments are cleaned as all other names are; of those that are there already, too."""

from django.db import migrations

from people.intake.cell_text import clean, has_odd_characters


def fill(apps, schema_editor):
    """Without what no archive takes in: tabs, line ends, control and broken characters."""
    for tournament in apps.get_model("tournaments", "Tournament").objects.only("name"):
        spaced = "".join(" " if has_odd_characters(letter) else letter for letter in tournament.name)
        name = clean(spaced) or "?"
        if name != tournament.name:
            tournament.name = name
            tournament.save(update_fields=["name"])


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0021_squads_that_left'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
