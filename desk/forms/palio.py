"""Forms for the palio: which disciplines count and how, and jokers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from desk.forms.fields import CompletedForm, WholeNumberField
from desk.forms.tournaments import MetricsField, ScaleField, reason_field
from people.models import Team
from tournaments.commands.palio_set_up import MAX_NAME
from tournaments.models import Palio, Tournament
from tournaments.queries.palio import DisciplineView
from tournaments.settings.palio import (
    DEFAULT_SCALE,
    MAX_DISCIPLINES,
    MAX_JOKERS,
    TIE_RULES,
    DisciplineKind,
    DisciplineRules,
    PalioRules,
)
from tournaments.standings import OVERALL_METRICS

NEW_GAMES = 2


@dataclass(frozen=True, slots=True)
class DisciplineLineForm:
    """The fields of one discipline that can be one: a tournament, another game, or a new one."""

    form: "PalioForm"
    prefix: str
    kind: DisciplineKind
    title: str
    id: UUID | None

    def fields(self) -> list[forms.BoundField]:
        """Its fields, in order."""
        return [self.form[name] for name in self.form.fields if name.startswith(f"{self.prefix}_")]

    def given(self) -> dict[str, Any] | None:
        """The discipline as it was filled in; None where it doesn't count."""
        data = {
            name: self.form.cleaned_data.get(f"{self.prefix}_{name}")
            for name in ("counts", "name", "weight", "scale")
        }
        if not (data["name"] if self.id is None else data["counts"]):
            return None
        found: dict[str, Any] = {"kind": str(self.kind), "weight": data["weight"] or "1"}
        if self.id is not None:
            found["id"] = str(self.id)
        if self.kind is DisciplineKind.OTHER:
            found |= {"name": data["name"], "scale": data["scale"] or list(DEFAULT_SCALE)}
        return found

    def order(self) -> int:
        """Where it stands in the table."""
        return self.form.cleaned_data.get(f"{self.prefix}_order") or MAX_DISCIPLINES


class PalioForm(forms.Form):
    """Which disciplines count and how, jokers, and what decides the order; a reason once one has begun."""

    def __init__(
        self,
        palio: Palio | None,
        tournaments: Sequence[Tournament],
        games: Sequence[tuple[UUID, str]],
        data: Any = None,
        *,
        has_begun: bool = False,
    ) -> None:
        rules = PalioRules.from_json(palio.rules) if palio is not None else PalioRules()
        super().__init__(data)
        self.lines: list[DisciplineLineForm] = []
        there = {each.id: (place, each) for place, each in enumerate(rules.disciplines, start=1)}
        candidates = [(each.pk, each.name, DisciplineKind.TOURNAMENT) for each in tournaments]
        candidates += [(pk, name, DisciplineKind.OTHER) for pk, name in games]
        candidates.sort(key=lambda each: there[each[0]][0] if each[0] in there else MAX_DISCIPLINES)
        for number, (pk, name, kind) in enumerate(candidates, start=1):
            place, known = there.get(pk, (number, None))
            line = DisciplineLineForm(self, f"d{pk.hex}", kind, name, pk)
            self._add(line, place, known, counts=known is not None or palio is None)
        for number in range(1, NEW_GAMES + 1):
            line = DisciplineLineForm(self, f"new{number}", DisciplineKind.OTHER, _("Another game"), None)
            self._add(line, len(candidates) + number, None)
        self._rest(rules, [(str(pk), name) for pk, name, _kind in candidates], has_begun)

    def _add(
        self, line: DisciplineLineForm, place: int, known: DisciplineRules | None, *, counts: bool = False
    ) -> None:
        """A discipline with its fields; what is `known` of it is what the rules say now."""
        fields: dict[str, forms.Field] = {}
        if line.id is not None:
            fields["counts"] = forms.BooleanField(label=_("It counts"), required=False, initial=counts)
        if line.kind is DisciplineKind.OTHER:
            fields["name"] = forms.CharField(
                label=_("Name"),
                max_length=MAX_NAME,
                required=line.id is not None,
                initial=line.title if line.id else "",
                help_text=""
                if line.id
                else _("A sack race, tug of war: its places are written down by hand."),
            )
        fields["order"] = WholeNumberField(
            1, MAX_DISCIPLINES, label=_("Column"), initial=place, required=False
        )
        fields["weight"] = forms.CharField(
            label=_("Weight"), max_length=20, initial=str(known.weight) if known else "1", required=False
        )
        if line.kind is DisciplineKind.OTHER:
            scale = known.scale if known is not None and known.scale else DEFAULT_SCALE
            fields["scale"] = ScaleField(
                label=_("What places are worth"), max_length=300, initial=list(scale), required=False
            )
        self.fields.update({f"{line.prefix}_{name}": field for name, field in fields.items()})
        self.lines.append(line)

    def _rest(self, rules: PalioRules, names: list[tuple[str, str]], has_begun: bool) -> None:
        self.fields["jokers_each"] = WholeNumberField(
            0,
            MAX_JOKERS,
            label=_("Jokers of a team"),
            initial=rules.jokers_each,
            help_text=_("Announced before a discipline begins, it counts the team’s points there twice."),
        )
        self.fields["metrics"] = MetricsField(
            _overall_metrics(names),
            max(4, len(rules.metrics)),
            initial=list(rules.metrics),
            help_text=_("The second is asked among those who are level by the first, and so on."),
        )
        self.fields["tie_policy"] = forms.ChoiceField(
            label=_("Who is still level"),
            choices=[(str(key), f"{_(name)}. {_(told)}") for key, (name, told) in TIE_RULES.items()],
            widget=forms.RadioSelect,
            initial=str(rules.tie_policy),
        )
        if has_begun:
            self.fields["reason"] = reason_field()

    def rest(self) -> list[forms.BoundField]:
        """The fields that aren't of one discipline."""
        return [
            self[name] for name in ("jokers_each", "metrics", "tie_policy", "reason") if name in self.fields
        ]

    def rules(self) -> dict[str, Any]:
        """The rules as they were filled in."""
        lines = sorted(self.lines, key=lambda line: line.order())
        return {
            "disciplines": [given for line in lines if (given := line.given()) is not None],
            "metrics": self.cleaned_data["metrics"],
            "tie_policy": self.cleaned_data["tie_policy"],
            "jokers_each": self.cleaned_data["jokers_each"],
        }


def _overall_metrics(disciplines: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """What can decide the order over all disciplines."""
    total, places, place_in, lots = (OVERALL_METRICS[key] for key in ("total", "places", "place_in", "lots"))
    yield total.key, _(total.name)
    for place in (1, 2, 3):
        yield f"{places.key}:{place}", _("How often in place %(place)d") % {"place": place}
    for key, name in disciplines:
        yield f"{place_in.key}:{key}", _("Place in “%(name)s”") % {"name": name}
    yield lots.key, _(lots.name)


class JokerForm(CompletedForm):
    """A team's joker on a discipline that hasn't begun."""

    team = forms.ChoiceField(label=gettext_lazy("Team"))
    discipline = forms.ChoiceField(label=gettext_lazy("Discipline"))

    def __init__(self, teams: Sequence[Team], disciplines: Sequence[DisciplineView]) -> None:
        super().__init__()
        self.fields["team"].choices = [(str(team.pk), team.name) for team in teams]
        self.fields["discipline"].choices = [(str(each.id), each.name) for each in disciplines]
