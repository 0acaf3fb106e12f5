"""Events (festivals) and their teams (contrade)."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

COLOR = RegexValidator(
    r"^#[0-9a-f]{6}\Z", _("A colour is written as # and six hexadecimal digits, for example #b3261e.")
)


class Event(models.Model):
    """A festival: one place, one or more days, its teams and tournaments."""

    class NamesShown(models.TextChoices):
        """How a player is shown to the public; the safest is the default."""

        NUMBER = "number", _("team and number")
        INITIAL = "initial", _("first name and initial, with the parents' consent")

    class TeamWord(models.TextChoices):
        """What the teams of this event are called."""

        CONTRADA = "contrada", _("contrada")
        SQUADRA = "squadra", pgettext_lazy("word for the teams", "team")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    place = models.CharField(max_length=120, blank=True)
    starts_on = models.DateField()
    ends_on = models.DateField()
    time_zone = models.CharField(max_length=60, default="Europe/Rome")
    language = models.CharField(max_length=5, default=settings.LANGUAGE_CODE)
    team_word = models.CharField(max_length=10, choices=TeamWord, default=TeamWord.CONTRADA)
    names_shown = models.CharField(max_length=10, choices=NamesShown, default=NamesShown.NUMBER)
    min_age = models.PositiveSmallIntegerField(default=7, validators=[MaxValueValidator(120)])
    max_age = models.PositiveSmallIntegerField(default=14, validators=[MaxValueValidator(120)])
    is_practice = models.BooleanField(default=False)
    is_published = models.BooleanField(default=False)
    allow_search_engines = models.BooleanField(default=False)
    purge_after_days = models.PositiveSmallIntegerField(
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(400)],
        help_text="So many days after the last one everybody's names are erased.",
    )
    purged_at = models.DateTimeField(null=True, blank=True, help_text="When they were, for the last time.")
    day_pin = models.CharField(
        max_length=128, blank=True, help_text="The hash of the day's PIN; empty while none is set."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    audit_hides: ClassVar = frozenset({"day_pin"})

    # How many announcements are up, where whoever has read the event asked for that, too.
    announced: int | None = None

    class Meta:
        ordering = ["-starts_on", "name"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__gte=models.F("starts_on")), name="event_ends_after_start"
            ),
            models.CheckConstraint(
                condition=models.Q(max_age__gte=models.F("min_age")), name="event_ages_in_order"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Team(models.Model):
    """A contrada: a name, a number within its event, and a banner (two colours, a division, an emblem)."""

    class Division(models.TextChoices):
        """How the banner's two colours are laid out."""

        PLAIN = "plain", _("plain")
        PER_PALE = "per_pale", _("halved upright")
        PER_FESS = "per_fess", _("halved across")
        PER_BEND = "per_bend", _("halved slantwise")
        CHEVRON = "chevron", _("chevron")
        QUARTERED = "quartered", _("quartered")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="teams")
    number = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    name = models.CharField(max_length=60)
    short_name = models.CharField(max_length=12)
    color_one = models.CharField(max_length=7, validators=[COLOR], default="#8c2f39")
    color_two = models.CharField(max_length=7, validators=[COLOR], default="#f2e3c6")
    division = models.CharField(max_length=10, choices=Division, default=Division.PER_PALE)
    emblem = models.CharField(max_length=2, blank=True)

    class Meta:
        ordering = ["event", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="team_number_once_in_event"),
            models.UniqueConstraint(fields=["event", "name"], name="team_name_once_in_event"),
        ]

    def __str__(self) -> str:
        return self.name
