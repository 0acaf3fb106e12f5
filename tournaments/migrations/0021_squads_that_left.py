"""Stages know which squads don't play on; of stages that are there already, by the facts."""

import json

from django.db import migrations, models


def fill(apps, schema_editor):
    """What projecting the facts would have written."""
    Stage = apps.get_model("tournaments", "Stage")
    facts = apps.get_model("ledger", "Fact").objects.filter(type__in=("squad_gone", "squad_back"))
    for fact in facts.order_by("stream", "sequence"):
        body = json.loads(fact.text)
        stage = Stage.objects.filter(tournament=fact.stream_id).order_by("number").last()
        squad = stage and stage.squads.filter(team=body["team"], number=body["squad"]).first()
        if squad is None:
            continue
        stage.left.pop(str(squad.pk), None)
        if fact.type == "squad_gone":
            stage.left[str(squad.pk)] = body["reason"]
        stage.save(update_fields=["left"])


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0020_annulled_squads'),
        ('ledger', '0005_compatibility'),
    ]

    operations = [
        migrations.AddField(
            model_name='stage',
            name='left',
            field=models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict, help_text="Of the stage that is on: who doesn't play on, by the squads' ids, each with the reason."),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
