"""A tournament's settings, and the reasons that decisions are given."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from desk.forms.fields import Whole
from desk.forms.rules import PRESETS, chosen_rules, rule_fields
from games.engine import Ruleset
from people.models import Event, Team
from tournaments.actions.adjust import MOST_POINTS
from tournaments.actions.set_up import CHANGEABLE_AFTER_PUBLICATION
from tournaments.bell import BELL_RULES
from tournaments.decisions import REASONS
from tournaments.formats import FORMATS
from tournaments.formats.model import MAX_ROUNDS, MAX_SQUAD
from tournaments.kinship import KEEP_APART
from tournaments.offered import every_metric, every_tie_policy
from tournaments.settings import MAX_MINUTES, MAX_TABLES, TournamentSettings

_PLACES = 4
_ORDER = gettext_lazy("What decides the order")


class MetricsField(forms.MultiValueField):
    """What decides the order, one after another, in so many places."""

    def __init__(self, places: int = _PLACES) -> None:
        choices = [("", "–"), *((key, gettext_lazy(metric.name)) for key, metric in every_metric().items())]
        fields = [forms.ChoiceField(choices=choices, required=False) for _place in range(places)]
        widget = _Metrics(
            [
                forms.Select(choices=choices, attrs={"aria-label": format_lazy("{} {}", _ORDER, place)})
                for place in range(1, places + 1)
            ]
        )
        super().__init__(
            fields=fields,
            widget=widget,
            require_all_fields=False,
            label=_ORDER,
            help_text=format_lazy(
                "{} {}",
                gettext_lazy("The second is asked among those who are level by the first, and so on."),
                gettext_lazy(
                    "Card points need rules that count points, and somebody who writes them down with each "
                    "result; penalty cards are only known of games written down card by card. Of a team with "
                    "a game of which they aren’t known they can’t tell, and the next is asked."
                ),
            ),
        )

    def compress(self, data_list: Sequence[str] | None) -> list[str]:
        """The keys that were chosen, in order."""
        return [key for key in data_list or () if key]


class _Metrics(forms.MultiWidget):
    use_fieldset = True

    def decompress(self, value: Sequence[str] | None) -> list[str]:
        return [*(value or ()), *[""] * len(self.widgets)][: len(self.widgets)]


class ScaleField(forms.CharField):
    """Placement points, from the first place on."""

    def prepare_value(self, value: Any) -> Any:
        """As a row of numbers."""
        return value if isinstance(value, str) else ", ".join(map(str, value or ()))

    def clean(self, value: Any) -> Any:
        """The numbers."""
        text = super().clean(value)
        try:
            return [int(part) for part in text.replace(";", " ").replace(",", " ").split()]
        except ValueError as error:
            raise forms.ValidationError(
                _("Write whole numbers with commas between, for example 30, 20, 10.")
            ) from error


def _radio(texts: dict[str, Any]) -> list[tuple[str, str]]:
    return [(key, f"{_(text.name)}. {_(text.explanation)}") for key, text in texts.items()]


class SettingsForm(forms.Form):
    """All settings of a tournament; once its draw is published, those that can still be decided anew."""

    format = forms.ChoiceField(
        label=gettext_lazy("How they meet"), choices=lambda: _radio(dict(FORMATS)), widget=forms.RadioSelect
    )
    squad_size = Whole(
        1,
        MAX_SQUAD,
        label=gettext_lazy("Players of a team at a table"),
        help_text=gettext_lazy("Usually one."),
    )
    tables = Whole(1, MAX_TABLES, label=gettext_lazy("Tables"))
    rounds = Whole(
        1,
        MAX_ROUNDS,
        label=gettext_lazy("Rounds"),
        required=False,
        help_text=gettext_lazy("Left empty: as many as the format proposes."),
    )
    keep_apart = forms.MultipleChoiceField(
        label=gettext_lazy("Who is kept apart in the draw"),
        choices=list(KEEP_APART.items()),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "By the family, the class and the mark that stand in the entries, as far as it can be done."
        ),
    )
    starts_at = forms.CharField(
        label=gettext_lazy("Begins at"), max_length=5, widget=forms.TextInput(attrs={"type": "time"})
    )
    minutes_per_game = Whole(1, MAX_MINUTES, label=gettext_lazy("Minutes for a game"))
    minutes_between = Whole(0, MAX_MINUTES, label=gettext_lazy("Minutes between two matches"))
    scale = ScaleField(
        label=gettext_lazy("What places are worth"),
        max_length=300,
        help_text=gettext_lazy("Placement points from the first place on."),
    )
    metrics = MetricsField()
    tie_policy = forms.ChoiceField(
        label=gettext_lazy("Who is still level"),
        choices=lambda: _radio(every_tie_policy()),
        widget=forms.RadioSelect,
    )
    preset = forms.ChoiceField(label=gettext_lazy("Rules of the game"), choices=PRESETS)
    bell = forms.ChoiceField(
        label=gettext_lazy("Still level when the bell rings"),
        choices=BELL_RULES,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "A game that the bell ends is won by who holds the fewest cards, then by who has the fewest "
            "points in hand. This is for who is level in both; it is printed on the rules sheet."
        ),
    )

    def __init__(self, settings: TournamentSettings, data: Any = None, *, is_public: bool = False) -> None:
        current = settings.to_json()
        self.current = current
        self.is_public = is_public
        preset = Ruleset.read(current["ruleset"]).preset
        super().__init__(data, initial={**current, "preset": preset})
        self.fields.update(rule_fields(current["ruleset"]))
        # A program can have set more than the form has room for; none may be lost.
        self.fields["metrics"] = MetricsField(max(_PLACES, len(current["metrics"])))
        if is_public:
            for name in set(self.fields) - CHANGEABLE_AFTER_PUBLICATION:
                del self.fields[name]
            self.fields["reason"] = reason_field()

    def rules(self) -> list[forms.BoundField]:
        """The fields of the rule set, which are many and usually left alone."""
        return [self[name] for name in self.fields if name.startswith("rule_")]

    def has_wrong_rules(self) -> bool:
        """Whether something is wrong among them, so that they have to be seen."""
        return any(name.startswith("rule_") for name in self.errors)

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """All other fields, by what they are about."""
        groups = [
            (title, [self[name] for name in names if name in self.fields]) for title, names in self._groups()
        ]
        return [(title, fields) for title, fields in groups if fields]

    def _groups(self) -> list[tuple[str, tuple[str, ...]]]:
        return [
            (_("What and how"), ("name", "preset", "format", "squad_size", "keep_apart")),
            (
                _("When and where"),
                ("starts_at", "tables", "rounds", "minutes_per_game", "minutes_between", "bell"),
            ),
            (_("Who is ahead"), ("scale", "metrics", "tie_policy")),
            (_("Why it is decided anew"), ("reason",)),
        ]

    def settings(self) -> dict[str, Any]:
        """The settings as they were filled in."""
        given = {name: value for name, value in self.cleaned_data.items() if name in self.current}
        if not self.is_public:
            given["ruleset"] = chosen_rules(self.cleaned_data)
        return {**self.current, **given}


class NewTournamentForm(SettingsForm):
    """A tournament's name and settings."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)

    field_order = ("name",)


def reason_field() -> forms.ChoiceField:
    """Why something is decided or corrected: facts keep a code, since free text could hold a name."""
    return forms.ChoiceField(
        label=gettext_lazy("Reason"), choices=[("", gettext_lazy("choose")), *REASONS.items()]
    )


class ReasonForm(forms.Form):
    """Only the reason."""

    reason = reason_field()


class AdjustForm(forms.Form):
    """Points for a team by decision."""

    team = forms.ModelChoiceField(Team.objects.none(), label=gettext_lazy("Team"), empty_label=None)
    points = Whole(
        -MOST_POINTS,
        MOST_POINTS,
        label=gettext_lazy("Points"),
        help_text=gettext_lazy("Below zero they are taken away."),
    )
    reason = reason_field()

    def __init__(self, event: Event, data: Any = None) -> None:
        super().__init__(data)
        teams = self.fields["team"]
        assert isinstance(teams, forms.ModelChoiceField)  # noqa: S101  # declared above; for the type checker
        teams.queryset = event.teams.order_by("number")


class PlayOffForm(forms.Form):
    """The places in which teams that were level came out of their play-off, each team one of its own.

    `order` is what was entered before; with one, a reason is asked for.
    """

    def __init__(self, teams: Sequence[Team], order: Sequence[UUID] | None = None, data: Any = None) -> None:
        super().__init__(data, auto_id=f"play-off-{teams[0].number}-%s" if teams else True)
        self.teams = teams
        self.order = order
        places = [("", gettext_lazy("choose")), *((str(n), str(n)) for n in range(1, len(teams) + 1))]
        for team in teams:
            before = "" if order is None else str(order.index(team.pk) + 1)
            self.fields[f"place_{team.pk}"] = forms.ChoiceField(
                label=team.name, choices=places, initial=before
            )
        if order is not None:
            self.fields["reason"] = reason_field()

    def clean(self) -> dict[str, Any]:
        """Every place once."""
        given: dict[str, Any] = super().clean() or {}
        places = [given.get(f"place_{team.pk}") for team in self.teams]
        if all(places) and len(set(places)) < len(places):
            raise forms.ValidationError(
                _("A play-off gives every team a place of its own; one stands here twice.")
            )
        return given

    def order_given(self) -> list[UUID]:
        """The teams, the winner first."""
        return [
            team.pk
            for team in sorted(self.teams, key=lambda team: int(self.cleaned_data[f"place_{team.pk}"]))
        ]
