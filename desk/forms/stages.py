"""The part of a tournament's settings that is about formats drawn round by round: a stage's form fields.

All formats' options stand in the form at once, so that it can be filled in without scripts. Only those of the
format that is chosen count. A field's name says whose it is: `swiss_rounds` of the first stage, and of the
stage that follows `then1_swiss_rounds`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from desk.forms.fields import WholeNumberField as WholeField
from tournaments.formats import CannotDraw
from tournaments.formats.catalogue import FORMATS, STAGE_FORMATS
from tournaments.formats.match_lengths import MOST_GAMES, ONE_GAME, Length
from tournaments.formats.options import MOST_SCALE, FormatOption, OneOf, PlacePoints, Points, WholeOption
from tournaments.formats.points import POINTS
from tournaments.formats.stages.model import Seeding, UnequalGroups
from tournaments.settings.stage import DEFAULT_QUALIFICATION, StageSettings

LENGTHS = {
    Length.ONE_GAME.value: gettext_lazy("One game"),
    Length.BEST_OF.value: gettext_lazy("Best of: fewer games when nobody can be caught any more"),
    Length.FIRST_TO.value: gettext_lazy("First to: they play until somebody has so many points"),
    Length.MINI_TOURNAMENT.value: gettext_lazy("Mini-tournament: all games are played, each worth a point"),
}
SEEDINGS = {
    Seeding.CROSSED.value: gettext_lazy("Crossed: a group’s first meets another group’s second"),
    Seeding.RANKED.value: gettext_lazy("By their results, compared across groups"),
    Seeding.LOTS.value: gettext_lazy("By lot"),
}
UNEQUAL = {
    "": gettext_lazy("Not compared: groups of different sizes are refused"),
    UnequalGroups.AS_THEY_ARE.value: gettext_lazy("As they are"),
    UnequalGroups.WITHOUT_LAST.value: gettext_lazy("Without the results against the last of larger groups"),
}
OPTION_PREFIXES = tuple(f"{key}_" for key in STAGE_FORMATS)
"""What the fields of the first stage's options begin with."""
_MOST_GOING_ON = 1024
_HOW_MANY_GO_ON = {
    "first_of_each_group": (
        gettext_lazy("The first of each group"),
        gettext_lazy("How many; empty if they don’t go on by this."),
    ),
    "best_count": (
        gettext_lazy("The best of one place"),
        gettext_lazy("How many, for example 4 for the four best thirds."),
    ),
    "best_place": (gettext_lazy("Of which place"), gettext_lazy("For example 3 for the best thirds.")),
    "first_overall": (gettext_lazy("The first of all"), gettext_lazy("How many, whatever their group.")),
}
_WHO_GOES_ON = (*_HOW_MANY_GO_ON, "everybody", "seeding", "unequal")


@dataclass(frozen=True, slots=True)
class Panel:
    """Fields that count only while `chooser`, or one of several, has one of `keys`."""

    title: str
    chooser: str
    keys: str
    fields: list[forms.BoundField]


@dataclass(frozen=True, slots=True)
class StagePart:
    """One stage in the form; `fields` come before its panels. It counts while `chooser` has a format that is
    drawn round by round: the field of the stage before.
    """

    title: str
    told: str
    chooser: str
    fields: list[forms.BoundField]
    panels: list[Panel]


def format_choices() -> list[tuple[Any, Any]]:
    """All formats with a sentence each, by kind."""
    by_section = groupby(FORMATS.items(), key=lambda each: each[1].section)
    return [(_(section), explained(dict(choices))) for section, choices in by_section]


def later_choices() -> list[tuple[str, str]]:
    """The formats of a stage that follows, or none."""
    return [("", _("Nothing: it ends with this.")), *explained(STAGE_FORMATS)]


def explained(choices: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Choices by key with their names, and a sentence on each."""
    return [(key, f"{_(each.name)}. {_(each.explanation)}") for key, each in choices.items()]


def stage_fields(
    prefix: str, format_key: str, stage: Mapping[str, Any], *, first: bool
) -> dict[str, forms.Field]:
    """The fields of a stage: all options of all formats, the match, and who comes into it if it isn't the
    first. `stage` has what is set now, if anything is.
    """
    found: dict[str, forms.Field] = {}
    for key, choice in STAGE_FORMATS.items():
        given = stage.get("options") or {} if key == format_key else {}
        for option in choice.options:
            usual = {} if first else choice.after_stage
            value = given.get(option.key, usual.get(option.key, option.default))
            found[f"{prefix}{key}_{option.key}"] = _option_field(option, value, first=first)
    match = {**ONE_GAME, **(stage.get("match") or {})}
    found[f"{prefix}match_length"] = forms.ChoiceField(
        label=gettext_lazy("A match"),
        choices=LENGTHS,
        initial=match["length"],
        required=False,
        widget=forms.RadioSelect,
    )
    found[f"{prefix}match_games"] = WholeField(
        1,
        MOST_GAMES,
        label=gettext_lazy("How many"),
        help_text=gettext_lazy("Best of three: 3. First to two points: 2. A mini-tournament of four: 4."),
        initial=match["games"],
        required=False,
    )
    if not first:
        found |= _going_on(prefix, stage.get("qualification"))
    return found


def _option_field(option: FormatOption, value: Any, *, first: bool) -> forms.Field:
    kind, explained = option.kind, gettext_lazy(option.explanation)
    if option.phrases and not first:
        explained = gettext_lazy("Left empty: all, by the places of the stage before.")
        value = None if value in option.phrases else value
    common: dict[str, Any] = {"label": gettext_lazy(option.name), "help_text": explained, "required": False}
    match kind:
        case WholeOption():
            return WholeField(kind.fewest, kind.most, initial=value, **common)
        case Points():
            usual = [("", gettext_lazy("As many as a win"))] if kind.or_none else []
            return forms.TypedChoiceField(
                choices=[*usual, *POINTS.items()], initial=value or "", empty_value=None, **common
            )
        case PlacePoints():
            return forms.CharField(max_length=MOST_SCALE, initial=value or "", empty_value=None, **common)
        case OneOf():
            return forms.TypedChoiceField(
                choices=[(str(key), gettext_lazy(told)) for key, told in kind.values.items()],
                coerce={str(key): key for key in kind.values}.__getitem__,
                initial=str(value),
                empty_value=None,
                widget=forms.RadioSelect,
                **common,
            )
    return forms.BooleanField(initial=value, **common)


def _going_on(prefix: str, asked: Mapping[str, Any] | None) -> dict[str, forms.Field]:
    given: Mapping[str, Any] = DEFAULT_QUALIFICATION if asked is None else asked
    place, count = given.get("best_of_place") or (None, None)
    numbers = {**given, "best_count": count, "best_place": place}
    found: dict[str, forms.Field] = {
        name: WholeField(
            1, _MOST_GOING_ON, label=label, help_text=told, initial=numbers.get(name), required=False
        )
        for name, (label, told) in _HOW_MANY_GO_ON.items()
    }
    found["everybody"] = forms.BooleanField(
        label=gettext_lazy("Everybody goes on"), initial=bool(given.get("everybody")), required=False
    )
    found["seeding"] = forms.ChoiceField(
        label=gettext_lazy("How they are numbered"),
        choices=SEEDINGS,
        initial=given.get("seeding", Seeding.CROSSED.value),
        required=False,
        widget=forms.RadioSelect,
    )
    found["unequal"] = forms.ChoiceField(
        label=gettext_lazy("Groups of different sizes"),
        choices=UNEQUAL,
        initial=given.get("unequal") or "",
        required=False,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Asked only where those of different groups are compared."),
    )
    return {prefix + name: field for name, field in found.items()}


def parts(form: forms.BaseForm, prefix: str, chooser: str, *, first: bool) -> list[Panel]:
    """The panels of a stage: the options of each format, the match, who goes on."""
    found = []
    for key, choice in STAGE_FORMATS.items():
        fields = [form[f"{prefix}{key}_{option.key}"] for option in choice.options]
        if fields:
            found.append(Panel(_(choice.name), chooser, key, fields))
    pairs = [key for key, choice in STAGE_FORMATS.items() if choice.has_match_choice]
    match = [form[f"{prefix}match_length"], form[f"{prefix}match_games"]]
    found.append(Panel(_("What a match is"), chooser, " ".join(pairs), match))
    if not first:
        asked = [form[prefix + name] for name in _WHO_GOES_ON]
        found.insert(0, Panel(_("Who goes on"), chooser, " ".join(STAGE_FORMATS), asked))
    return found


def counts(own: str, format_key: str) -> bool:
    """Whether a field of a stage, by its own name there, counts with this format chosen."""
    # Of two keys of which one begins with the other the longer one is meant.
    owner = max((key for key in STAGE_FORMATS if own.startswith(f"{key}_")), key=len, default=None)
    return owner == format_key if owner else format_key in STAGE_FORMATS


def read_stage(prefix: str, given: Mapping[str, Any], format_key: str, *, first: bool) -> dict[str, Any]:
    """A stage as settings take it, from what was filled in."""
    choice = STAGE_FORMATS[format_key]
    options = {option.key: given.get(f"{prefix}{format_key}_{option.key}") for option in choice.options}
    length = (choice.has_match_choice and given.get(f"{prefix}match_length")) or Length.ONE_GAME.value
    games = 1 if length == Length.ONE_GAME.value else given.get(f"{prefix}match_games") or 1
    found: dict[str, Any] = {
        "format": format_key,
        # What is left empty is as the format proposes.
        "options": {key: value for key, value in options.items() if value is not None},
        "match": {"length": length, "games": games},
    }
    if not first:
        found["qualification"] = _read_going_on(prefix, given)
    return found


def _read_going_on(prefix: str, given: Mapping[str, Any]) -> dict[str, Any]:
    value = {name: given.get(prefix + name) for name in _WHO_GOES_ON}
    asked: dict[str, Any] = {
        name: value[name] for name in ("first_of_each_group", "first_overall") if value[name]
    }
    if value["best_count"] and value["best_place"]:
        asked["best_of_place"] = [value["best_place"], value["best_count"]]
    if value["everybody"]:
        asked["everybody"] = True
    return {
        **asked,
        "seeding": value["seeding"] or Seeding.CROSSED.value,
        "unequal": value["unequal"] or None,
    }


def wrong(prefix: str, stage: Mapping[str, Any], *, first: bool) -> tuple[str, str] | None:
    """The field at which a stage can't be as it was filled in, and why; None if it holds."""
    try:
        StageSettings.of(
            stage["format"], stage["options"], stage["match"], stage.get("qualification"), first=first
        )
    except CannotDraw as error:
        fields = {
            "match_kind": "match_length",
            "games": "match_games",
            "qualification": "first_of_each_group",
            "points": f"{stage['format']}_win",
            "scale": f"{stage['format']}_scale",
        }
        name = prefix + fields.get(error.code, "format")
        return name, _(error.template) % error.values
    return None
