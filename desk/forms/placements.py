"""Forms for the places in which some came out of what isn't played game by game here."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from desk.forms.tournaments import reason_field
from desk.stage_squads import RankedContestant


class PlacesForm(forms.Form):
    """A place for each; shared ones as 1, 2, 2, 4. With places that were entered `before`, a reason is asked
    for.
    """

    other_choices: Sequence[tuple[str, Any]] = ()
    """What can be chosen besides a place."""

    def __init__(
        self,
        ranked: Sequence[RankedContestant],
        before: Mapping[UUID, int] | None,
        data: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(data, **options)
        self.ranked = ranked
        numbers = [(str(place), str(place)) for place in range(1, len(ranked) + 1)]
        choices = [("", gettext_lazy("choose")), *numbers, *self.other_choices]
        # Who isn't among those that were entered before has what can be chosen last, if anything can.
        missing = self.other_choices[-1][0] if before and self.other_choices else ""
        for each in ranked:
            self.fields[f"place_{each.pk}"] = forms.ChoiceField(
                label=each.name, choices=choices, initial=str((before or {}).get(each.pk, missing))
            )
        if before is not None:
            self.fields["reason"] = reason_field()

    def chosen(self) -> list[tuple[UUID, str]]:
        """What was chosen for each."""
        return [(each.pk, self.cleaned_data[f"place_{each.pk}"]) for each in self.ranked]

    @property
    def reason(self) -> str | None:
        """Why the places change, where there were some before."""
        return self.cleaned_data.get("reason")

    def places(self) -> list[tuple[UUID, int]]:
        """The place of each."""
        return [(pk, int(place)) for pk, place in self.chosen()]


class PlayOffForm(PlacesForm):
    """The places in which those that were level came out of their play-off, each one of its own.

    `order` is what was entered before.
    """

    def __init__(
        self, ranked: Sequence[RankedContestant], order: Sequence[UUID] | None = None, data: Any = None
    ) -> None:
        self.order = order
        before = None if order is None else {pk: place for place, pk in enumerate(order, start=1)}
        super().__init__(ranked, before, data, auto_id=f"play-off-{ranked[0].pk.hex}-%s" if ranked else True)

    def clean(self) -> dict[str, Any]:
        """Every place once."""
        given: dict[str, Any] = super().clean() or {}
        places = [given.get(f"place_{each.pk}") for each in self.ranked]
        if all(places) and len(set(places)) < len(places):
            raise forms.ValidationError(
                _("A play-off gives every team a place of its own; one stands here twice.")
            )
        return given

    def order_given(self) -> list[UUID]:
        """Who was level, the winner first."""
        return [pk for pk, _place in sorted(self.places(), key=lambda each: each[1])]


class PlacementsForm(PlacesForm):
    """The place of each team in another game, or that it took no part."""

    other_choices = [("-", gettext_lazy("took no part"))]

    def placements(self) -> list[tuple[UUID, int | None]]:
        """What was filled in."""
        return [(team, None if place == "-" else int(place)) for team, place in self.chosen()]
