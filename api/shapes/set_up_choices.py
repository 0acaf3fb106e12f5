"""Shapes of the choices at set-up: formats with their options, kinds of match, metrics."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Shape
from tournaments.formats.catalogue import FORMATS
from tournaments.formats.choice import FormatChoice
from tournaments.formats.match_lengths import LENGTHS, MOST_GAMES
from tournaments.formats.options import FormatOption, OneOf, PlacePoints, Points, WholeOption, YesNo
from tournaments.formats.points import POINTS
from tournaments.settings.tournament import (
    every_metric,
    every_tie_policy,
    metrics_of,
    tie_policies_of,
)


class NamedShape(Shape):
    """Something that can be chosen."""

    key = serializers.CharField(help_text="The word for programs; never changes.")
    name = serializers.CharField()
    explanation = serializers.CharField()


@extend_schema_field({"type": ["integer", "string"], "description": "A whole number or a word."})
class OptionValueField(serializers.JSONField):
    """What one option can be."""


@extend_schema_field({"type": ["integer", "string", "boolean", "null"]})
class OptionDefaultField(serializers.JSONField):
    """What an option is where nothing is chosen."""


class OptionValueShape(Shape):
    """One of the values of an option."""

    value = OptionValueField()
    name = serializers.CharField()


class FormatOptionShape(NamedShape):
    """What can be chosen in a format; what has no meaning for its kind is null."""

    kind = serializers.ChoiceField(["whole", "points", "yes_no", "one_of", "place_points"])
    default = OptionDefaultField()
    fewest = serializers.IntegerField(allow_null=True)
    most = serializers.IntegerField(allow_null=True)
    or_none = serializers.BooleanField(help_text="Null can be given too: it leaves the number to the format.")
    values = OptionValueShape(many=True, allow_null=True)


class FormatShape(NamedShape):
    """A format that a tournament or a later stage can have."""

    is_by_round = serializers.BooleanField(
        help_text="Drawn round by round; else a draw of mini-tournaments, which is whole from the start."
    )
    all_at_once = serializers.BooleanField(
        help_text="Results play no part in who meets whom: all rounds are drawn together."
    )
    is_played = serializers.BooleanField(help_text="There are games; else only the places are entered.")
    is_decisive = serializers.BooleanField(help_text="A match needs a winner.")
    has_places = serializers.BooleanField(help_text="The format itself says who is where, no metric does.")
    adds_points = serializers.BooleanField(
        help_text="A match is one game, whose points add up, of as many as sit at a table."
    )
    options = FormatOptionShape(many=True)
    metrics = serializers.ListField(
        child=serializers.CharField(), help_text="The keys of those that can order it."
    )
    default_metrics = serializers.ListField(child=serializers.CharField())
    tie_policies = serializers.ListField(child=serializers.CharField(), help_text="Their keys.")


class FormatsShape(Shape):
    """All formats, and what a match can be in those that are drawn round by round."""

    formats = FormatShape(many=True)
    match_lengths = NamedShape(many=True, help_text="N stands for the number of games.")
    most_games = serializers.IntegerField(help_text="The most that `games` of a match can be.")


class MetricTextShape(NamedShape):
    """A metric: one way to compare teams or squads."""

    abbreviation = serializers.CharField()
    highest_first = serializers.BooleanField()
    formats = serializers.ListField(
        child=serializers.CharField(), help_text="The keys of the formats that it can order."
    )


class MetricsShape(Shape):
    """All metrics and rules for ties."""

    metrics = MetricTextShape(many=True)
    tie_policies = NamedShape(many=True)


def formats_row() -> dict[str, Any]:
    """All formats, those of mini-tournaments first."""
    return {
        "formats": [_format_row(each) for each in FORMATS.values()],
        "match_lengths": [
            {"key": key, "name": _with_n(text.name), "explanation": _with_n(text.explanation)}
            for key, text in LENGTHS.items()
        ],
        "most_games": MOST_GAMES,
    }


def metrics_row() -> dict[str, Any]:
    """All metrics in the order in which they are offered."""
    return {
        "metrics": [
            {
                **_named(key, metric),
                "abbreviation": _(metric.abbreviation),
                "highest_first": metric.highest_first,
                "formats": [each for each in FORMATS if key in metrics_of(each)],
            }
            for key, metric in every_metric().items()
        ],
        "tie_policies": [_named(key, text) for key, text in every_tie_policy().items()],
    }


def _named(key: str, what: Any) -> dict[str, Any]:
    return {"key": str(key), "name": _(what.name), "explanation": _(what.explanation)}


def _with_n(template: str) -> str:
    return _(template).replace("%(games)d", "N")


def _format_row(choice: FormatChoice) -> dict[str, Any]:
    return {
        **_named(choice.key, choice),
        "is_by_round": choice.is_by_round,
        "all_at_once": choice.is_predetermined,
        "is_played": choice.is_played,
        "is_decisive": choice.is_decisive,
        "has_places": choice.has_places,
        "adds_points": choice.adds_points,
        "options": [_option_row(option) for option in choice.own_options],
        "metrics": list(metrics_of(choice.key)),
        "default_metrics": list(choice.default_metrics),
        "tie_policies": [str(key) for key in tie_policies_of(choice.key)],
    }


_KINDS: Final = {
    WholeOption: "whole",
    Points: "points",
    OneOf: "one_of",
    YesNo: "yes_no",
    PlacePoints: "place_points",
}


def _option_row(option: FormatOption) -> dict[str, Any]:
    kind = option.kind
    values: Mapping[Any, str] | None = None
    if isinstance(kind, OneOf):
        values = kind.values
    elif isinstance(kind, Points):
        values = POINTS
    return {
        **_named(option.key, option),
        "kind": _KINDS[type(kind)],
        "default": option.default,
        "fewest": kind.fewest if isinstance(kind, WholeOption) else None,
        "most": kind.most if isinstance(kind, WholeOption) else None,
        "or_none": isinstance(kind, PlacePoints) or (isinstance(kind, WholeOption | Points) and kind.or_none),
        "values": None
        if values is None
        else [{"value": value, "name": _(name)} for value, name in values.items()],
    }
