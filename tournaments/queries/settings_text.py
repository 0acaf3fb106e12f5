"""A tournament's settings in words: how sides meet, and what decides the order."""

from collections.abc import Iterator
from itertools import chain, repeat

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.formats.catalogue import FormatOption, OneOf, Points
from tournaments.formats.match_kind import LENGTHS
from tournaments.formats.points import POINTS
from tournaments.formats.stages.model import BestOfPlace, FirstOfEachGroup, FirstOverall
from tournaments.settings.stage import StageSettings
from tournaments.settings.tournament import TournamentSettings, every_metric, every_tie_policy


def format_text(settings: TournamentSettings) -> list[tuple[str, str]]:
    """Pairs of a name and its words: how sides meet in each stage, and who takes part."""
    names = chain([_("How they meet")], repeat(_("And then")))
    found = [
        (name, "; ".join(_stage_text(stage))) for name, stage in zip(names, settings.stages(), strict=False)
    ]
    if settings.rounds is not None:
        found.append((_("Rounds"), str(settings.rounds)))
    if "squads_per_team" in settings.choice.asks:
        squads = settings.squads_per_team
        found.append((_("Squads of each team"), _("all") if squads is None else str(squads)))
    return [*found, (_("Players of a team at a table"), str(settings.squad_size))]


def order_text(settings: TournamentSettings) -> list[tuple[str, str]]:
    """Pairs of a name and its words: placement points, the metrics in their order, and the tie policy."""
    return [
        (_("What places are worth"), ", ".join(map(str, settings.scale))),
        (_("What decides the order"), ", ".join(_(every_metric()[key].name) for key in settings.metrics)),
        (_("Who is still level"), _(every_tie_policy()[settings.tie_policy].name)),
    ]


def _stage_text(stage: StageSettings) -> Iterator[str]:
    yield ". ".join(map(_, stage.choice.summary)).rstrip(".")
    yield from _going_on(stage)
    if stage.choice.has_match_choice:
        yield _(LENGTHS[stage.match["length"]].name) % {"games": stage.match["games"]}
    for option in stage.choice.own_options:
        value = stage.options[option.key]
        if value in option.phrases:
            yield _(option.phrases[value])
        elif value is not None:
            yield f"{_(option.name)}: {_value(option, value)}"


def _value(option: FormatOption, value: object) -> str:
    if isinstance(option.kind, OneOf):
        return _(option.kind.values[value])
    if isinstance(option.kind, Points) and isinstance(value, str):
        return POINTS[value]
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)


def _going_on(stage: StageSettings) -> Iterator[str]:
    if stage.qualification is None:
        return
    for rule in stage.qualification.rules:
        match rule:
            case FirstOfEachGroup():
                yield ngettext(
                    "the first of each group goes on", "the first %(count)d of each group go on", rule.count
                ) % {"count": rule.count}
            case BestOfPlace():
                yield _("the best %(count)d of place %(place)d go on") % {
                    "count": rule.count,
                    "place": rule.place,
                }
            case FirstOverall():
                yield ngettext("the first goes on", "the first %(count)d go on", rule.count) % {
                    "count": rule.count
                }
            case _everybody:
                yield _("everybody goes on")
