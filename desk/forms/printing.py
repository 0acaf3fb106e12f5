"""Forms for what is printed: certificates and score sheets."""

from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from desk import paper_pdfs
from desk.forms.fields import CompletedForm, WholeNumberField
from games.models import Seat
from people.models import Entry, Event, Team
from rendering.pdf.certificates import SIZES
from tournaments.models import Palio, Tournament

OF_PALIO = "palio"


class CertificatesForm(CompletedForm):
    """For whom, for what, on which paper."""

    of = forms.ChoiceField(label=_("For what"))
    whose = forms.ChoiceField(
        label=_("One for"),
        choices=[
            ("players", _("each player who has played")),
            ("reserves", _("each one entered who hasn’t played")),
            ("teams", _("each team that has played")),
        ],
    )
    team = forms.ModelChoiceField(
        Team.objects.none(), label=_("Of which team"), required=False, empty_label=_("all")
    )
    entry = forms.ModelChoiceField(
        Entry.objects.none(),
        label=_("Only this player"),
        required=False,
        empty_label=pgettext_lazy("players", "all"),
        help_text=_("The text says whether this one has played, or was a reserve."),
    )
    size = forms.ChoiceField(label=_("Paper"), choices=[(size, size.upper()) for size in SIZES])
    signature = forms.CharField(
        label=_("Below the line for the signature"),
        max_length=60,
        required=False,
        help_text=_("For example: The mayor of the upper village."),
    )

    def __init__(self, event: Event, tournaments: list[Tournament], data: Any = None) -> None:
        super().__init__(data)
        choices = [(each.slug, each.name) for each in tournaments]
        if Palio.objects.filter(event=event).exists():
            choices.insert(0, (OF_PALIO, event.name))
        self.tournaments = {each.slug: each for each in tournaments}
        self.fields["of"].choices = choices
        self.fields["team"].queryset = event.teams.order_by("number")
        self.fields["entry"].queryset = nameable(event)
        self.fields["entry"].label_from_instance = lambda entry: (
            f"{entry.team.short_name} {entry.number} · {entry.person}"
        )


def nameable(event: Event) -> QuerySet[Entry]:
    """Who may be given a certificate, by team and number: who is entered or was seated at a game."""
    seated = Exists(Seat.objects.filter(entry=OuterRef("pk")))
    there = Entry.objects.filter(Q(status=Entry.Status.ENTERED) | seated, team__event=event)
    return (
        there.filter(person__isnull=False).select_related("team", "person").order_by("team__number", "number")
    )


class SheetsForm(forms.Form):
    """How many blank sheets come along."""

    round = WholeNumberField(1, 999, label=_("Only round"), required=False)
    spares = WholeNumberField(0, paper_pdfs.MOST_SPARES, label=_("Blank ones besides"), required=False)
