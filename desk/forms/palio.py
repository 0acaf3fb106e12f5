"""The palio's rules, jokers, and places in other games."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from desk.forms.fields import WholeNumberField
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
    PalioRules,
)
from tournaments.standings import OVERALL_METRICS

NEW_GAMES = 2


class DisciplineLineForm:
    """The fields of one discipline that can be one: a tournament, another game, or a new one."""

    def __init__(
        self, form: "PalioForm", prefix: str, kind: DisciplineKind, title: str, discipline_id: UUID | None
    ) -> None:
        self.form = form
        self.prefix = prefix
        self.kind = kind
        self.title = title
        self.id = discipline_id

    def fields(self) -> list[forms.BoundField]:
        """Its fields, in order."""
        names = ("counts", "name", "order", "weight", "scale")
        return [
            self.form[f"{self.prefix}_{name}"]
            for name in names
            if f"{self.prefix}_{name}" in self.form.fields
        ]

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
            scale = known.scale if known is not None and known.scale else DEFAULT_SCALE
            weight = str(known.weight) if known is not None else "1"
            line = DisciplineLineForm(self, f"d{pk.hex}", kind, name, pk)
            self.fields[f"{line.prefix}_counts"] = forms.BooleanField(
                label=_("It counts"), required=False, initial=known is not None or palio is None
            )
            if kind is DisciplineKind.OTHER:
                self._name(line, name)
            self._how(line, place, weight, scale)
            self.lines.append(line)
        for number in range(1, NEW_GAMES + 1):
            line = DisciplineLineForm(self, f"new{number}", DisciplineKind.OTHER, _("Another game"), None)
            self._name(line, "")
            self._how(line, len(candidates) + number, "1", DEFAULT_SCALE)
            self.lines.append(line)
        self._rest(rules, [(str(pk), name) for pk, name, _kind in candidates], has_begun)

    def _name(self, line: DisciplineLineForm, name: str) -> None:
        self.fields[f"{line.prefix}_name"] = forms.CharField(
            label=_("Name"),
            max_length=MAX_NAME,
            required=line.id is not None,
            initial=name,
            help_text="" if line.id else _("A sack race, tug of war: its places are written down by hand."),
        )

    def _how(self, line: DisciplineLineForm, place: int, weight: str, scale: Sequence[int]) -> None:
        self.fields[f"{line.prefix}_order"] = WholeNumberField(
            1, MAX_DISCIPLINES, label=_("Column"), initial=place, required=False
        )
        self.fields[f"{line.prefix}_weight"] = forms.CharField(
            label=_("Weight"), max_length=20, initial=weight, required=False
        )
        if line.kind is DisciplineKind.OTHER:
            self.fields[f"{line.prefix}_scale"] = ScaleField(
                label=_("What places are worth"), max_length=300, initial=list(scale), required=False
            )

    def _rest(self, rules: PalioRules, names: list[tuple[str, str]], has_begun: bool) -> None:
        self.fields["jokers_each"] = WholeNumberField(
            0,
            MAX_JOKERS,
            label=_("Jokers of a team"),
            initial=rules.jokers_each,
            help_text=_("Announced before a discipline begins, it counts the team’s points there twice."),
        )
        self.fields["metrics"] = OverallMetricsField(names, len(rules.metrics), initial=list(rules.metrics))
        self.fields["tie_policy"] = forms.ChoiceField(
            label=_("Who is still level"),
            choices=[(str(key), f"{_(name)}. {_(told)}") for key, (name, told) in TIE_RULES.items()],
            widget=forms.RadioSelect,
            initial=str(rules.tie_policy),
        )
        if has_begun:
            self.fields["reason"] = reason_field()

    def rest(self) -> list[forms.BoundField]:
        """What isn't of one discipline."""
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


class OverallMetricsField(MetricsField):
    """What decides the order over all disciplines, one after another."""

    def __init__(self, disciplines: Sequence[tuple[str, str]], there: int, **options: Any) -> None:
        super().__init__(max(4, there))
        total, places, place_in, lots = (
            OVERALL_METRICS[key] for key in ("total", "places", "place_in", "lots")
        )
        choices = [
            ("", "–"),
            (total.key, _(total.name)),
            *(
                (f"{places.key}:{place}", _("How often in place %(place)d") % {"place": place})
                for place in (1, 2, 3)
            ),
            *(
                (f"{place_in.key}:{key}", _("Place in “%(name)s”") % {"name": name})
                for key, name in disciplines
            ),
            (lots.key, _(lots.name)),
        ]
        for field, widget in zip(self.fields, self.widget.widgets, strict=True):
            assert isinstance(field, forms.ChoiceField)  # noqa: S101  # for the type checker
            field.choices = choices
            widget.choices = choices
        self.initial = options.get("initial")
        self.help_text = _("The second is asked among those who are level by the first, and so on.")


class JokerForm(forms.Form):
    """A team's joker on a discipline that hasn't begun."""

    def __init__(
        self, teams: Sequence[Team], disciplines: Sequence[DisciplineView], data: Any = None
    ) -> None:
        super().__init__(data)
        self.fields["team"] = forms.ChoiceField(
            label=gettext_lazy("Team"), choices=[(str(team.pk), team.name) for team in teams]
        )
        self.fields["discipline"] = forms.ChoiceField(
            label=gettext_lazy("Discipline"), choices=[(str(each.id), each.name) for each in disciplines]
        )


class PlacementsForm(forms.Form):
    """The place of each team in another game, or that it took no part; a reason where there were some."""

    def __init__(self, teams: Sequence[Team], before: dict[UUID, int], data: Any = None) -> None:
        super().__init__(data)
        self.teams = teams
        choices = [
            ("", gettext_lazy("choose")),
            *((str(place), str(place)) for place in range(1, len(teams) + 1)),
            ("-", gettext_lazy("took no part")),
        ]
        for team in teams:
            there = str(before.get(team.pk, "-")) if before else ""
            self.fields[f"place_{team.pk}"] = forms.ChoiceField(
                label=format_lazy("{}", team.name), choices=choices, initial=there
            )
        if before:
            self.fields["reason"] = reason_field()

    def places(self) -> list[tuple[UUID, int | None]]:
        """What was filled in."""
        given = [(team.pk, self.cleaned_data[f"place_{team.pk}"]) for team in self.teams]
        return [(team, None if place == "-" else int(place)) for team, place in given]
