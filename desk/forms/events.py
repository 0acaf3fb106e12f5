"""Forms for an event, its teams, its tables and its referees."""

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from desk.forms.fields import CompletedForm, DayField, RowForm, WholeNumberField
from people.events import HIGHEST_AGE, LATEST_PURGE
from people.intake.cell_text import clean
from people.models import Account, Event, Team
from tournaments.settings.event_templates import TEMPLATES
from tournaments.settings.tournament import MAX_TABLES

MOST_EARLIER = 30
"""So many earlier events are offered to be copied."""


class NewEventForm(CompletedForm):
    """What an event begins with; everything else has a default that can be changed later."""

    name = forms.CharField(label=_("Name"), max_length=120, help_text=_("For example: Palio dei rioni"))
    place = forms.CharField(label=_("Place"), max_length=120, required=False)
    starts_on = DayField(label=_("Day"), help_text=_("Ages are checked on this day."))
    is_practice = forms.BooleanField(
        label=_("This event is for practice"),
        required=False,
        help_text=_("It is marked as practice everywhere, and may be deleted whole."),
    )

    begin_with = forms.ChoiceField(
        label=_("Begin with"),
        required=False,
        help_text=_(
            "Teams, tournaments and settings are ready then, and can all be changed. Never people or results."
        ),
    )
    with_referees = forms.BooleanField(
        label=_("Of an earlier event: take the referees along, too"), required=False
    )

    def __init__(self, account: Account, data: Any = None) -> None:
        super().__init__(data)
        mine = Event.objects.filter(organizers__account=account).order_by("-starts_on", "name")
        self.earlier = {f"copy:{event.pk}": event for event in mine[:MOST_EARLIER]}
        choices: list[Any] = [("", _("Nothing: I add everything myself"))]
        choices.append((_("A template"), [(key, gettext(each.name)) for key, each in TEMPLATES.items()]))
        if self.earlier:
            told = [(key, f"{event.name}, {event.starts_on.year}") for key, event in self.earlier.items()]
            choices.append((_("A copy of"), told))
        else:
            del self.fields["with_referees"]
        self.fields["begin_with"].choices = choices

    def clean_name(self) -> str:
        """The name as it will be stored, so that a form that is sent twice finds what it made."""
        return clean(self.cleaned_data["name"])

    def clean_place(self) -> str:
        """The place as it will be stored."""
        return clean(self.cleaned_data["place"])


class EventForm(RowForm):
    """All settings of an event."""

    name = forms.CharField(label=_("Name"), max_length=120)
    place = forms.CharField(label=_("Place"), max_length=120, required=False)
    starts_on = DayField(label=_("First day"), help_text=_("Ages are checked on this day."))
    ends_on = DayField(label=_("Last day"))
    min_age = WholeNumberField(0, HIGHEST_AGE, label=_("Lowest age"))
    max_age = WholeNumberField(0, HIGHEST_AGE, label=_("Highest age"))
    team_word = forms.ChoiceField(label=_("What are the teams called?"), choices=Event.TeamWord.choices)
    language = forms.ChoiceField(
        label=_("Language of the QR codes"),
        choices=lambda: settings.LANGUAGES,
        help_text=_("In which language a table’s page opens first."),
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"), choices=lambda: [(zone, zone) for zone in sorted(available_timezones())]
    )
    names_shown = forms.ChoiceField(
        label=_("How players are shown to the public"),
        choices=Event.NamesShown.choices,
        widget=forms.RadioSelect,
        help_text=_("The desk always sees full names, referees first name and initial."),
    )
    allow_search_engines = forms.BooleanField(
        label=_("Search engines may show the public pages"), required=False
    )
    purge_after_days = WholeNumberField(
        1,
        LATEST_PURGE,
        label=_("Days after the event until names are erased"),
        help_text=_(
            "Names, dates of birth and everything else that is known of players and referees go by "
            "themselves then; results stay, with team and number. Print certificates before."
        ),
    )


class TeamForm(RowForm):
    """A team's names and banner."""

    name = forms.CharField(label=_("Name"), max_length=60)
    short_name = forms.CharField(
        label=_("Short name"),
        max_length=12,
        required=False,
        help_text=_("For tables and phones; made of the name if left empty."),
    )
    color_one = forms.CharField(label=_("First colour"), widget=forms.TextInput(attrs={"type": "color"}))
    color_two = forms.CharField(label=_("Second colour"), widget=forms.TextInput(attrs={"type": "color"}))
    division = forms.ChoiceField(label=_("Division of the banner"), choices=Team.Division.choices)
    emblem = forms.CharField(
        label=_("Emblem"), max_length=2, required=False, help_text=_("One or two letters on the shield.")
    )

    def settings(self) -> dict[str, Any]:
        """What was filled in; an empty short name is left to whoever stores the team."""
        return {name: value for name, value in self.cleaned_data.items() if name != "short_name" or value}


class TablesForm(forms.Form):
    """How many tables there are."""

    count = WholeNumberField(
        1,
        MAX_TABLES,
        label=_("How many tables are there?"),
        help_text=_("Tables that are there already keep their codes."),
    )


class RefereeForm(CompletedForm):
    """A volunteer."""

    first_name = forms.CharField(label=_("First name"), max_length=60)
    last_name = forms.CharField(label=_("Last name"), max_length=60, required=False)
    team = forms.ModelChoiceField(
        Team.objects.none(),
        label=_("Own team"),
        required=False,
        empty_label=_("none"),
        help_text=_("Whose games this person doesn’t judge."),
    )

    def __init__(self, event: Event, data: Any = None) -> None:
        super().__init__(data)
        self.fields["team"].queryset = event.teams.order_by("number")
