"""A tournament's settings in words: how sides meet, and what decides the order."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, repeat

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rendering.text.numbers import bent_by, ordinal, spoken
from tournaments.formats.match_lengths import LENGTHS
from tournaments.formats.options import FormatOption, OneOf, Points, YesNo
from tournaments.formats.points import POINTS
from tournaments.formats.stages.model import BestOfPlace, FirstOfEachGroup, FirstOverall
from tournaments.formats.table_result import ResultKind
from tournaments.formats.tables.format import RoundsAtTables
from tournaments.formats.tables.scale import points_of_places
from tournaments.formats.tables.sizes import FEWEST_SEATS
from tournaments.settings.bell import BELL_RULES
from tournaments.settings.stage import StageSettings
from tournaments.settings.tournament import TournamentSettings, every_metric, every_tie_policy


def format_text(settings: TournamentSettings) -> list[tuple[str, str]]:
    """Pairs of a name and its words: how sides meet in each stage, and who takes part."""
    names = chain([_("How they meet")], repeat(_("And then")))
    found: list[tuple[str, str]] = []
    for name, stage in zip(names, settings.stages(), strict=False):
        form = stage.format()
        if isinstance(form, RoundsAtTables):
            found.append((name, ". ".join([*_summary(stage), *_going_on(stage), *_seating_text(form)])))
            found.extend(_at_tables_text(form))
        else:
            found.append((name, "; ".join(_stage_text(stage))))
    if settings.rounds is not None:
        found.append((_("Rounds"), str(settings.rounds)))
    if "squads_per_team" in settings.choice.asks:
        squads = settings.squads_per_team
        found.append((_("Squads of each team"), _("all") if squads is None else str(squads)))
    return [*found, (_("Players of a team at a table"), str(settings.squad_size))]


def bell_text(settings: TournamentSettings) -> str:
    """What is done with who is level when the bell rings, in each stage that does another thing."""
    return ". ".join(dict.fromkeys(_level_at_bell(settings.bell, stage) for stage in settings.stages()))


def _level_at_bell(bell: str, stage: StageSettings) -> str:
    kind = stage.format().result_kind
    if kind is ResultKind.POINTS:
        return _("Everybody has the points of the cards they hold")
    if kind is ResultKind.PLACES and bell != "one_more_card":
        return _("They share the place")
    return str(BELL_RULES[bell])


def order_text(settings: TournamentSettings) -> list[tuple[str, str]]:
    """Pairs of a name and its words: placement points, the metrics in their order, and the tie policy."""
    return [
        (_("What places in the standings are worth"), ", ".join(map(str, settings.scale))),
        (_("What decides the order"), ", ".join(_(every_metric()[key].name) for key in settings.metrics)),
        (_("Who is still level"), _(every_tie_policy()[settings.tie_policy].name)),
    ]


def _stage_text(stage: StageSettings) -> Iterator[str]:
    yield ". ".join(_summary(stage))
    yield from _going_on(stage)
    if stage.choice.has_match_choice:
        yield _(LENGTHS[stage.match["length"]].name) % {"games": stage.match["games"]}
    for option in stage.choice.own_options:
        value = stage.options[option.key]
        if value in option.phrases:
            yield _(option.phrases[value])
        elif isinstance(option.kind, YesNo) and value in option.kind.words:
            yield _(option.kind.words[value])
        elif value is not None:
            yield f"{_(option.name)}: {_value(option, value)}"


def _summary(stage: StageSettings) -> Iterator[str]:
    return (_(text).rstrip(".") for text in stage.choice.summary)


def _seating_text(form: RoundsAtTables) -> Iterator[str]:
    if len(_table_sizes(form)) > 1:
        yield _("A table has %(seats)d seats; where numbers don’t divide, some have %(fewer)d") % {
            "seats": form.seats,
            "fewer": form.seats - 1,
        }
    else:
        yield _("A table has %(seats)d seats") % {"seats": form.seats}
    if form.teams_apart:
        yield _("Two of one team meet only where it can't be avoided.").rstrip(".")


def _at_tables_text(form: RoundsAtTables) -> Iterator[tuple[str, str]]:
    """How many rounds there are, and what a table and a round without one give."""
    yield _("Rounds"), str(form.rounds_for(0))
    if not form.by_places:
        yield _("Points at a table"), _("those of the cards left in hand; the fewest is best")
        mean = _("as many points as the others had in that round on average")
    else:
        for size in _table_sizes(form):
            name = _("Points at a table of %(seats)d") % {"seats": size}
            yield name, ", ".join(_points_of_places(form.scale_of(size)))
        second = points_of_places(form.place_points, (1, 2, 2, *range(4, form.seats + 1)))[1]
        yield (
            _("Who shares a place"),
            _("has the mean of those points: two who are second at a table of %(seats)d have %(points)s each")
            % {"seats": form.seats, "points": spoken(str(second))},
        )
        (points,) = form.unplayed_points
        mean = _("%(points)s, the mean") % {"points": _points(points)}
    if form.sits_out:
        told = _("where not all can sit, some do in turn, and have %(mean)s")
    else:
        told = _("nobody by the draw; who asks for it has %(mean)s")
    yield _("Who sits out"), told % {"mean": mean}
    yield _("A table that is broken off"), _("gives each %(mean)s") % {"mean": mean}


def _table_sizes(form: RoundsAtTables) -> range:
    """The sizes of tables that can occur, larger ones first."""
    return range(form.seats, max(FEWEST_SEATS, form.seats - 1) - 1, -1)


def _points_of_places(scale: Sequence[Fraction]) -> Iterator[str]:
    for place, points in enumerate(scale, 1):
        yield f"{ordinal(place)}\N{NO-BREAK SPACE}{_points(points)}"


def _points(points: Fraction) -> str:
    number = str(points)
    return ngettext("%(count)s point", "%(count)s points", bent_by(number)) % {"count": spoken(number)}


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
