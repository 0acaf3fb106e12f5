"""People: events, teams, persons, entries, referees, and who may do what."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """The floor of reference rows: editable, erasable, audited."""

    name = "people"
    default_auto_field = "django.db.models.BigAutoField"
