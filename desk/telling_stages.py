"""The settings of stages that are drawn round by round, in words."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.formats.catalogue import FormatOption, OneOf, Points
from tournaments.formats.elimination import MOST_CONTESTANTS
from tournaments.formats.match_kind import LENGTHS
from tournaments.formats.points import POINTS
from tournaments.formats.stages import BestOfPlace, FirstOfEachGroup, FirstOverall
from tournaments.settings.stage import StageSettings
from tournaments.settings.tournament import TournamentSettings


def stages_told(settings: TournamentSettings) -> list[tuple[str, str]]:
    """Each stage with its format, match and options; who takes part, and who draws."""
    found = []
    for number, stage in enumerate(settings.stages(), start=1):
        name = _("How they meet") if number == 1 else _("And then")
        found.append((name, "; ".join(stage_told(stage))))
    squads = settings.squads_per_team
    found.append((_("Squads of each team"), _("all") if squads is None else str(squads)))
    found.append(
        (
            _("The next round is drawn"),
            _("by itself, when the results are in") if settings.draws_itself else _("by the desk"),
        )
    )
    return found


def stage_told(stage: StageSettings) -> Iterator[str]:
    """What a stage is, in a few words each."""
    yield _(stage.choice.name)
    yield from _going_on(stage)
    if not stage.choice.adds_points and stage.choice.key != "by_hand":
        yield _(LENGTHS[stage.match["length"]].name) % {"games": stage.match["games"]}
    for option in stage.choice.options:
        value = stage.options[option.key]
        if option.key == "seeded" and value == MOST_CONTESTANTS:
            yield _("seeded by their places")
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
