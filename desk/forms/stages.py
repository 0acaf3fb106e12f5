"""The part of a tournament's settings that is about formats drawn round by round: a stage's form fields.

All formats' options stand in the form at once, so that it can be filled in without scripts; only those of the
format that is chosen count. A field's name says whose it is: `swiss_rounds` of the first stage, and of the
stage that follows `then1_swiss_rounds`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from desk.forms.fields import WholeNumberField as WholeField
from tournaments.formats import CannotDraw
from tournaments.formats.catalogue import FORMATS, STAGE_FORMATS, FormatOption, OneOf, Points, WholeOption
from tournaments.formats.elimination.format import MOST_CONTESTANTS
from tournaments.formats.match_kind import MOST_GAMES, Length
from tournaments.formats.points import POINTS
from tournaments.formats.stages.model import Seeding, UnequalGroups
from tournaments.settings.stage import DEFAULT_QUALIFICATION, ONE_GAME, StageSettings

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
_MOST_GOING_ON = 1024
_WHO_GOES_ON = (
    "first_of_each_group",
    "best_count",
    "best_place",
    "first_overall",
    "everybody",
    "seeding",
    "unequal",
)


@dataclass(frozen=True, slots=True)
class Panel:
    """Fields that count only while `chooser` has one of `keys`."""

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
    others = {key: STAGE_FORMATS[key] for key in ("table_elimination", "by_hand")}
    paired = {key: choice for key, choice in STAGE_FORMATS.items() if key not in others}
    teams = {key: choice for key, choice in FORMATS.items() if choice.ranks_teams}
    return [
        (_("Mini-tournaments between teams"), _told(teams)),
        (_("Round by round"), _told(paired)),
        (_("Others"), _told(others)),
    ]


def later_choices() -> list[tuple[str, str]]:
    """The formats of a stage that follows, or none."""
    return [("", _("Nothing: it ends with this.")), *_told(STAGE_FORMATS)]


def _told(formats: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(key, f"{_(each.name)}. {_(each.explanation)}") for key, each in formats.items()]


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
            is_later_seeding = option.key == "seeded" and not first
            value = given.get(option.key, _usual(option, first))
            if is_later_seeding and value == MOST_CONTESTANTS:
                value = None
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


def _usual(option: FormatOption, first: bool) -> Any:
    """What an option is if nobody says: into a knockout after another stage one comes by places."""
    if not first and option.key == "seeded":
        return MOST_CONTESTANTS
    return False if not first and option.key == "apart" else option.default


def _option_field(option: FormatOption, value: Any, *, first: bool) -> forms.Field:
    label, explained = gettext_lazy(option.name), gettext_lazy(option.explanation)
    if isinstance(option.kind, WholeOption):
        help_text = explained
        if option.key == "seeded" and not first:
            help_text = gettext_lazy("Left empty: all, by the places of the stage before.")
        return WholeField(
            option.kind.fewest,
            option.kind.most,
            label=label,
            help_text=help_text,
            initial=value,
            required=False,
        )
    if isinstance(option.kind, Points):
        usual = [("", gettext_lazy("As many as a win"))] if option.kind.or_none else []
        return forms.TypedChoiceField(
            label=label,
            help_text=explained,
            choices=[*usual, *POINTS.items()],
            initial=value or "",
            required=False,
            empty_value=None,
        )
    if isinstance(option.kind, OneOf):
        return forms.TypedChoiceField(
            label=label,
            help_text=explained,
            choices=[(str(key), gettext_lazy(told)) for key, told in option.kind.values.items()],
            coerce=_reader(option.kind),
            initial=str(value),
            required=False,
            empty_value=None,
            widget=forms.RadioSelect,
        )
    return forms.BooleanField(label=label, help_text=explained, initial=value, required=False)


def _reader(kind: OneOf) -> Any:
    values = {str(value): value for value in kind.values}
    return values.__getitem__


def _going_on(prefix: str, asked: Mapping[str, Any] | None) -> dict[str, forms.Field]:
    given: Mapping[str, Any] = DEFAULT_QUALIFICATION if asked is None else asked
    place, count = given.get("best_of_place") or (None, None)
    found: dict[str, forms.Field] = {
        "first_of_each_group": WholeField(
            1,
            _MOST_GOING_ON,
            label=gettext_lazy("The first of each group"),
            help_text=gettext_lazy("How many; empty if they don’t go on by this."),
            initial=given.get("first_of_each_group"),
            required=False,
        ),
        "best_count": WholeField(
            1,
            _MOST_GOING_ON,
            label=gettext_lazy("The best of one place"),
            help_text=gettext_lazy("How many, for example 4 for the four best thirds."),
            initial=count,
            required=False,
        ),
        "best_place": WholeField(
            1,
            _MOST_GOING_ON,
            label=gettext_lazy("Of which place"),
            help_text=gettext_lazy("For example 3 for the best thirds."),
            initial=place,
            required=False,
        ),
        "first_overall": WholeField(
            1,
            _MOST_GOING_ON,
            label=gettext_lazy("The first of all"),
            help_text=gettext_lazy("How many, whatever their group."),
            initial=given.get("first_overall"),
            required=False,
        ),
        "everybody": forms.BooleanField(
            label=gettext_lazy("Everybody goes on"),
            initial=bool(given.get("everybody")),
            required=False,
        ),
        "seeding": forms.ChoiceField(
            label=gettext_lazy("How they are numbered"),
            choices=SEEDINGS,
            initial=given.get("seeding", Seeding.CROSSED.value),
            required=False,
            widget=forms.RadioSelect,
        ),
        "unequal": forms.ChoiceField(
            label=gettext_lazy("Groups of different sizes"),
            choices=UNEQUAL,
            initial=given.get("unequal") or "",
            required=False,
            widget=forms.RadioSelect,
            help_text=gettext_lazy("Asked only where those of different groups are compared."),
        ),
    }
    return {prefix + name: field for name, field in found.items()}


def parts(form: forms.BaseForm, prefix: str, chooser: str, *, first: bool) -> list[Panel]:
    """The panels of a stage: the options of each format, the match, who goes on."""
    found = []
    for key, choice in STAGE_FORMATS.items():
        fields = [form[f"{prefix}{key}_{option.key}"] for option in choice.options]
        if fields:
            found.append(Panel(_(choice.name), chooser, key, fields))
    pairs = [key for key, choice in STAGE_FORMATS.items() if not choice.adds_points and key != "by_hand"]
    match = [form[f"{prefix}match_length"], form[f"{prefix}match_games"]]
    found.append(Panel(_("What a match is"), chooser, " ".join(pairs), match))
    if not first:
        asked = [form[prefix + name] for name in _WHO_GOES_ON]
        found.insert(0, Panel(_("Who goes on"), chooser, " ".join(STAGE_FORMATS), asked))
    return found


def counts(prefix: str, name: str, format_key: str) -> bool:
    """Whether a field of a stage counts, with this format chosen."""
    own = name.removeprefix(prefix)
    owner = next((key for key in STAGE_FORMATS if own.startswith(f"{key}_")), None)
    if owner is not None:
        return owner == format_key
    return format_key in STAGE_FORMATS


def read_stage(prefix: str, given: Mapping[str, Any], format_key: str, *, first: bool) -> dict[str, Any]:
    """A stage as settings take it, from what was filled in."""
    choice = STAGE_FORMATS[format_key]
    options = {option.key: given.get(f"{prefix}{format_key}_{option.key}") for option in choice.options}
    length = given.get(f"{prefix}match_length") or Length.ONE_GAME.value
    if choice.adds_points or format_key == "by_hand":
        length = Length.ONE_GAME.value
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
        }
        name = prefix + fields.get(error.code, "format")
        return name, _(error.template) % error.values
    return None
