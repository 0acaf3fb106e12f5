"""Forms for a tournament's settings, for points by decision, and for the reason of a decision."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from desk.forms import stages
from desk.forms.fields import CompletedForm, WholeNumberField
from desk.forms.rules import PRESETS, chosen_rules, rule_fields
from desk.stage_squads import RankedContestant
from games.engine import Refusal, Ruleset
from tournaments.commands.adjust import MOST_POINTS
from tournaments.commands.set_up import CHANGEABLE_AFTER_PUBLICATION
from tournaments.facts.reasons import REASONS
from tournaments.formats.catalogue import FORMATS, STAGE_FORMATS
from tournaments.formats.model import MAX_ROUNDS, MAX_SQUAD
from tournaments.settings.bell import BELL_RULES
from tournaments.settings.confirmation import CONFIRMATIONS
from tournaments.settings.keep_apart_labels import KEEP_APART
from tournaments.settings.tournament import (
    MAX_MINUTES,
    MAX_SQUADS,
    MAX_TABLES,
    TournamentSettings,
    default_metrics,
    every_metric,
    every_tie_policy,
    metrics_of,
    tie_policies_of,
)

_PLACES = 4
_LATER_STAGES = 2
"""How many stages can follow the first one in an empty form; stored once, there is room for more."""
_ROUNDS_KEYS = " ".join(key for key, choice in FORMATS.items() if "rounds" in choice.asks)
_DRAWN_LATER_KEYS = " ".join(key for key, choice in FORMATS.items() if choice.draws_later)
_ORDER = gettext_lazy("What decides the order")


class MetricsField(forms.MultiValueField):
    """What decides the order, one after another, in so many places."""

    def __init__(self, metrics: Iterable[tuple[str, Any]], places: int, **options: Any) -> None:
        choices = [("", "–"), *metrics]
        labels = [format_lazy("{} {}", _ORDER, place) for place in range(1, places + 1)]
        super().__init__(
            fields=[forms.ChoiceField(choices=choices, required=False) for _label in labels],
            widget=_Metrics([forms.Select(choices=choices, attrs={"aria-label": label}) for label in labels]),
            require_all_fields=False,
            label=_ORDER,
            **options,
        )

    def compress(self, data_list: Sequence[str] | None) -> list[str]:
        """The keys that were chosen, in order."""
        return [key for key in data_list or () if key]


class _Metrics(forms.MultiWidget):
    use_fieldset = True

    def decompress(self, value: Sequence[str] | None) -> list[str]:
        return [*(value or ()), *[""] * len(self.widgets)][: len(self.widgets)]


def metrics_field(places: int = _PLACES, *, required: bool = True) -> MetricsField:
    """What decides the order of a tournament."""
    return MetricsField(
        ((key, gettext_lazy(metric.name)) for key, metric in every_metric().items()),
        places,
        required=required,
        help_text=format_lazy(
            "{} {} {}",
            "" if required else gettext_lazy("Left empty: what is usual for the format."),
            gettext_lazy("The second is asked among those who are level by the first, and so on."),
            gettext_lazy(
                "Card points need rules that count points, and somebody who writes them down with each "
                "result; penalty cards are only known of games written down card by card. Of a team with "
                "a game of which they aren’t known they can’t tell, and the next is asked."
            ),
        ),
    )


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


class SettingsForm(forms.Form):
    """All settings of a tournament; once its draw is published, those that can still be decided anew."""

    format = forms.ChoiceField(
        label=gettext_lazy("How they meet"), choices=stages.format_choices, widget=forms.RadioSelect
    )
    squad_size = WholeNumberField(
        1,
        MAX_SQUAD,
        label=gettext_lazy("Players of a team at a table"),
        help_text=gettext_lazy("Usually one."),
    )
    squads_per_team = WholeNumberField(
        1,
        MAX_SQUADS,
        label=gettext_lazy("Squads of each team"),
        required=False,
        help_text=gettext_lazy("How many of each team take part; left empty: all that can be made."),
    )
    draws_itself = forms.BooleanField(
        label=gettext_lazy("Draw the next round by itself"),
        required=False,
        help_text=gettext_lazy(
            "As soon as the results are in that it follows from. Otherwise the desk draws each round, and "
            "sees it before."
        ),
    )
    tables = WholeNumberField(1, MAX_TABLES, label=gettext_lazy("Tables"))
    rounds = WholeNumberField(
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
            "By the family, the class and the mark that stand in the entries, as far as it can be done. "
            "Strong players are spread in mini-tournaments alone."
        ),
    )
    starts_at = forms.CharField(
        label=gettext_lazy("Begins at"), max_length=5, widget=forms.TextInput(attrs={"type": "time"})
    )
    minutes_per_game = WholeNumberField(1, MAX_MINUTES, label=gettext_lazy("Minutes for a game"))
    minutes_between = WholeNumberField(0, MAX_MINUTES, label=gettext_lazy("Minutes between two matches"))
    scale = ScaleField(
        label=gettext_lazy("What places are worth"),
        max_length=300,
        help_text=gettext_lazy(
            "Placement points from the first place on. Where each player has a place, the page Palio adds up "
            "those of a team: then let more places count, such as 10, 9, 8, 7, 6, 5, 4, 3, 2, 1."
        ),
    )
    metrics = metrics_field()
    confirmation = forms.ChoiceField(
        label=gettext_lazy("Who confirms a result before it counts"),
        choices=list(CONFIRMATIONS.items()),
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Asked for during play, it is asked of what is entered from then on; what is in counts on."
        ),
    )
    tie_policy = forms.ChoiceField(
        label=gettext_lazy("Who is still level"),
        choices=lambda: stages.explained(every_tie_policy()),
        widget=forms.RadioSelect,
    )
    preset = forms.ChoiceField(label=gettext_lazy("Rules of the game"), choices=PRESETS)
    bell = forms.ChoiceField(
        label=gettext_lazy("Still level when the bell rings"),
        choices=BELL_RULES,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "A game that the bell ends is won by who holds the fewest cards, then by who has the fewest "
            "points in hand. This is for who is level in both; it is printed on the rules sheet. At tables "
            "where places count they share the place, unless they play on; where card points count, "
            "everybody writes down those of the cards they hold."
        ),
    )

    shown_at = {"ruleset": "preset", "options": "format", "match": "match_length", "later": "then1_format"}
    """Where a problem of a setting is told that has no field of its name."""

    def __init__(self, settings: TournamentSettings, data: Any = None, *, is_public: bool = False) -> None:
        current = settings.to_json()
        self.current = current
        self.is_public = is_public
        preset = Ruleset.read(current["ruleset"]).preset
        super().__init__(data, initial={**current, "preset": preset})
        self.fields.update(rule_fields(current["ruleset"]))
        self._add_stages()
        # A program can have set more than the form has room for; none may be lost.
        self.fields["metrics"] = metrics_field(max(_PLACES, len(current["metrics"])))
        if is_public:
            for name in set(self.fields) - CHANGEABLE_AFTER_PUBLICATION:
                del self.fields[name]
            self.fields["reason"] = reason_field()

    def _add_stages(self) -> None:
        """The fields of the stages: of the first, and of those that follow, with room for one more."""
        current = self.current
        later = [*current["later"], {}]
        if len(later) < _LATER_STAGES:
            later.append({})
        self.later = [f"then{number}_" for number in range(1, len(later) + 1)]
        self.fields.update(stages.stage_fields("", current["format"], current, first=True))
        for prefix, stage in zip(self.later, later, strict=True):
            self.fields[f"{prefix}format"] = forms.ChoiceField(
                label=gettext_lazy("What follows"),
                choices=stages.later_choices,
                widget=forms.RadioSelect,
                initial=stage.get("format", ""),
                required=False,
            )
            self.fields.update(stages.stage_fields(prefix, stage.get("format", ""), stage, first=False))

    def stage_parts(self) -> list[stages.StagePart]:
        """The fields of all stages, by stage; none once they can’t change any more."""
        if self.is_public:
            return []
        first = stages.StagePart(
            _("The format in detail"),
            _("Only what belongs to the format that is chosen above counts."),
            "format",
            [],
            [
                stages.Panel(_("Mini-tournaments"), "format", _ROUNDS_KEYS, [self["rounds"]]),
                *stages.parts(self, "", "format", first=True),
                stages.Panel(
                    _("Who plays"),
                    "format",
                    self.by_round_keys(),
                    [self["squads_per_team"]],
                ),
                stages.Panel(
                    _("Who draws"),
                    " ".join(["format", *(f"{prefix}format" for prefix in self.later)]),
                    _DRAWN_LATER_KEYS,
                    [self["draws_itself"]],
                ),
            ],
        )
        following = [
            stages.StagePart(
                _("And then: a second stage") if number == 1 else _("And then: one more stage"),
                _("Only after a format drawn round by round, for example groups and then a knockout."),
                "format" if number == 1 else f"{self.later[number - 2]}format",
                [self[f"{prefix}format"]],
                stages.parts(self, prefix, f"{prefix}format", first=False),
            )
            for number, prefix in enumerate(self.later, start=1)
        ]
        return [first, *following]

    def clean(self) -> dict[str, Any]:
        """Drop problems of fields that belong to a format that isn’t chosen, and check the chosen stages."""
        given: dict[str, Any] = super().clean() or {}
        if self.is_public:
            return given
        chosen = given.get("format", "")
        for name in list(self.errors):
            if not self._counts(name, given, chosen) or (name == "rounds" and chosen in STAGE_FORMATS):
                del self.errors[name]
        for prefix, stage in self._stages(given):
            names = [name for name in self.errors if name.startswith(prefix or stages.OPTION_PREFIXES)]
            if names:
                continue
            found = stages.wrong(prefix, stage, first=not prefix)
            if found is not None:
                self.add_error(*found)
            elif prefix and bool(given.get(f"{prefix}best_count")) != bool(given.get(f"{prefix}best_place")):
                self.add_error(f"{prefix}best_place", _("Say how many, and of which place."))
        return given

    def _counts(self, name: str, given: dict[str, Any], chosen: str) -> bool:
        """Whether a field plays a part, as it is filled in."""
        prefix = next((each for each in self.later if name.startswith(each)), "")
        own = name.removeprefix(prefix)
        if prefix and (own == "format" or chosen not in STAGE_FORMATS):
            return own == "format"
        is_option = own.startswith((*stages.OPTION_PREFIXES, "match_"))
        return not (prefix or is_option) or stages.counts(own, given.get(f"{prefix}format", ""))

    def _stages(self, given: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """The stages as they were filled in, each with what its fields begin with."""
        chosen = given.get("format", "")
        if chosen not in STAGE_FORMATS:
            return []
        following = [(prefix, key) for prefix in self.later if (key := given.get(f"{prefix}format"))]
        later = [(prefix, stages.read_stage(prefix, given, key, first=False)) for prefix, key in following]
        return [("", stages.read_stage("", given, chosen, first=True)), *later]

    def rules(self) -> list[forms.BoundField]:
        """The fields of the rule set, which are many and usually left alone."""
        return [self[name] for name in self.fields if name.startswith("rule_")]

    def has_wrong_rules(self) -> bool:
        """Whether something is wrong among them, so that they have to be seen."""
        return any(name.startswith("rule_") for name in self.errors)

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """All other fields, by what they are about."""
        when = ("starts_at", "tables", "minutes_per_game", "minutes_between", "bell", "confirmation")
        groups = [
            (_("When and where"), self._fields(when)),
            (_("Who is ahead"), self._fields(("scale", "metrics", "tie_policy"))),
            (_("Why it is decided anew"), self._fields(("reason",))),
        ]
        return [(title, fields) for title, fields in groups if fields]

    def _fields(self, names: Iterable[str]) -> list[forms.BoundField]:
        return [self[name] for name in names if name in self.fields]

    def by_round_keys(self) -> str:
        """The keys of the formats that are drawn round by round."""
        return " ".join(STAGE_FORMATS)

    def first_group(self) -> list[forms.BoundField]:
        """What comes before the format in detail."""
        return self._fields(("name", "preset", "format", "squad_size", "keep_apart"))

    def settings(self) -> dict[str, Any]:
        """The settings as they were filled in."""
        given = {name: value for name, value in self.cleaned_data.items() if name in self.current}
        if self.is_public:
            return {**self.current, **given}
        given["ruleset"] = chosen_rules(self.cleaned_data)
        given |= self._format_settings()
        return self._fitting({**self.current, **given})

    def _format_settings(self) -> dict[str, Any]:
        """The settings of the chosen format; nothing is kept of another one."""
        found = [stage for _prefix, stage in self._stages(self.cleaned_data)]
        if not found:
            return {"options": {}, "match": {}, "later": [], "squads_per_team": None}
        first, *later = found
        return {"options": first["options"], "match": first["match"], "later": later, "rounds": None}

    def _fitting(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """The settings with metrics and a rule for ties that the format has.

        Where format and results are as before, nothing changes. Otherwise chosen metrics stay as far as they
        fit, unless they were the former format’s own.
        """
        names = ("format", "options")
        before, now = (tuple(each[name] for name in names) for each in (self.current, wanted))
        if before[0] == now[0] and default_metrics(*before) == default_metrics(*now):
            return wanted
        metrics = tuple(wanted["metrics"])
        try:
            scoring = Ruleset.from_json(wanted["ruleset"]).scoring
        except Refusal:
            scoring = None
        if metrics == default_metrics(*before) or not set(metrics) <= set(
            metrics_of(now[0], scoring, now[1])
        ):
            wanted["metrics"] = list(default_metrics(*now))
        if wanted["tie_policy"] not in tie_policies_of(now[0]):
            wanted["tie_policy"] = next(iter(tie_policies_of(now[0])))
        return wanted


class NewTournamentForm(SettingsForm):
    """A tournament's name and settings."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)

    field_order = ("name",)

    def __init__(self, settings: TournamentSettings, data: Any = None) -> None:
        super().__init__(data=data, settings=settings)
        # What is usual hangs on the format, which is chosen in the same form.
        self.fields["metrics"] = metrics_field(required=False)
        self.initial["metrics"] = []

    def settings(self) -> dict[str, Any]:
        """The settings as they were filled in; where no metrics were, those that are usual for the format."""
        wanted = super().settings()
        return wanted | {
            "metrics": wanted["metrics"] or list(default_metrics(wanted["format"], wanted["options"]))
        }


class RulesPreviewForm(NewTournamentForm):
    """The settings of a tournament as they are filled in, before they are stored."""

    def __init__(self, settings: TournamentSettings, data: Any) -> None:
        super().__init__(settings, data)
        # The sheet doesn't show it, and it may be filled in last.
        del self.fields["name"]
        # A tournament that is there may have more than a new one is offered.
        places = max(_PLACES, len(settings.metrics))
        self.fields["metrics"] = metrics_field(places, required=False)


def reason_field() -> forms.ChoiceField:
    """Why something is decided or corrected: facts keep a code, since free text could hold a name."""
    return forms.ChoiceField(
        label=gettext_lazy("Reason"), choices=[("", gettext_lazy("choose")), *REASONS.items()]
    )


class ReasonForm(forms.Form):
    """Only the reason."""

    reason = reason_field()


class AdjustForm(CompletedForm):
    """Points for a team, or for a squad where squads are ranked, by decision."""

    team = forms.ChoiceField(label=gettext_lazy("Team"))
    points = WholeNumberField(
        -MOST_POINTS,
        MOST_POINTS,
        label=gettext_lazy("Points"),
        help_text=gettext_lazy("Below zero they are taken away."),
    )
    reason = reason_field()

    def __init__(self, ranked: Iterable[RankedContestant], data: Any = None) -> None:
        super().__init__(data)
        self.ranked = {str(each.pk): each for each in ranked}
        self.fields["team"].choices = [(pk, each.name) for pk, each in self.ranked.items()]

    def whose(self) -> RankedContestant:
        """Whose points they are."""
        return self.ranked[self.cleaned_data["team"]]
