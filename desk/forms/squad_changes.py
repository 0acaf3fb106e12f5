"""Forms for who leaves a tournament, and for squads that come late."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.display_names import NameBook
from people.models import Entry
from tournaments.commands.squad_changes import usual_place
from tournaments.facts.reasons import GONE_REASONS
from tournaments.projections.removed_squads import REMOVED_PLACES, Removal
from tournaments.standings import RemovedPlace


class PlacementForm(forms.Form):
    """What becomes of the place of who doesn't play on: of `offered`, or the usual where no `reason` is known
    yet.
    """

    def __init__(
        self, offered: Sequence[RemovedPlace], data: Any = None, *, reason: str = "", **options: Any
    ) -> None:
        super().__init__(data, **options)
        usual: list[tuple[str, Any]] = []
        told, initial = "", ""
        if reason:
            initial = usual_place(reason, offered).value
        elif RemovedPlace.LAST in offered:
            usual = [("", gettext_lazy("As usual"))]
            told = _(
                "As usual: who is disqualified comes last, without placement points; anybody else keeps what "
                "they have."
            )
        choices = [*usual, *((each.value, REMOVED_PLACES[each]) for each in offered)]
        self.fields["place"] = forms.ChoiceField(
            label=gettext_lazy("What becomes of its place"),
            choices=choices,
            required=False,
            help_text=told,
            initial=initial,
        )


class RemovalForm(PlacementForm):
    """Why a squad or a team doesn't play on, and what becomes of its place."""

    reason = forms.ChoiceField(
        label=gettext_lazy("What happened"), choices=[("", gettext_lazy("choose")), *GONE_REASONS.items()]
    )

    def __init__(
        self, offered: Sequence[RemovedPlace], data: Any = None, before: Removal | None = None
    ) -> None:
        super().__init__(offered, data, initial={} if before is None else before.to_json())

    def chosen(self) -> tuple[str, str | None]:
        """The reason, and the place if one was chosen."""
        return self.cleaned_data["reason"], self.cleaned_data["place"] or None


class LateForm(forms.Form):
    """A squad that comes late: as many entries of one team as sit together, of those who don't play yet."""

    def __init__(self, entries: Sequence[Entry], size: int, book: NameBook, data: Any = None) -> None:
        super().__init__(data)
        self.entries = {str(entry.pk): entry for entry in entries}
        by_team: dict[str, list[tuple[str, str]]] = {}
        for entry in entries:
            by_team.setdefault(entry.team.name, []).append((str(entry.pk), book[entry.pk]))
        choices: list[Any] = [("", gettext_lazy("choose")), *by_team.items()]
        for seat in range(1, size + 1):
            label = _("Who comes") if size == 1 else _("Player %(number)d") % {"number": seat}
            self.fields[f"entry_{seat}"] = forms.ChoiceField(label=label, choices=choices)

    def chosen(self) -> list[Entry]:
        """The entries, in the order in which they sit."""
        return [self.entries[self.cleaned_data[name]] for name in self.fields]
