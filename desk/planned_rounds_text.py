"""Sentences on rounds planned in advance, when somebody leaves, comes or is back."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.commands.replanned_rounds import (
    RoundsChange,
    after_coming,
    after_leaving,
    kept_rounds,
    with_back,
    with_removed,
)
from tournaments.formats import CannotDraw
from tournaments.projections.rounds.course import StageHistory
from tournaments.queries.round_names import spoken_numbers


def leaving(course: StageHistory, number: int) -> str:
    """What happens to the others' rounds if a contestant leaves; empty where two meet."""
    if not course.choice.adds_points:
        return ""
    if not course.format.replans:
        return _("The others at its table play on among themselves. It isn’t drawn any more.")
    try:
        change = after_leaving(with_removed(course, number))
    except CannotDraw:
        change = None
    if change is None:
        return _("Its seats stay empty: the others at its tables play on among themselves, and nobody moves.")
    return _("Too few would be left at a table.") + " " + anew(change)


def coming_back(course: StageHistory, number: int) -> tuple[str, RoundsChange | None]:
    """What happens in planned rounds if a contestant is back, and what changes there."""
    if kept_rounds(course) == len(course.progress.rounds):
        return _("No round follows in which it could play."), None
    try:
        change = after_coming(with_back(course, number), number)
    except CannotDraw:
        return _("No seat is free for it, and the later rounds can’t be planned anew with it."), None
    if change is None:
        return _("It has its seat in each round that isn’t begun, and nobody moves."), None
    return coming(change, number), change


def coming(change: RoundsChange, number: int) -> str:
    """What happens in planned rounds for somebody who comes."""
    if change.is_new_plan:
        return _("No seat is free in each later round.") + " " + anew(change)
    told = _("round %(round)d, table %(table)d")
    seats = ", ".join(told % {"round": round_, "table": table} for round_, table in change.tables(number))
    return _("It takes a free seat: %(seats)s. Nobody else moves.") % {"seats": seats}


def anew(change: RoundsChange) -> str:
    """Which rounds are planned anew, how many change table, and who meets again for it."""
    numbers = change.numbers()
    rounds = ngettext("Round planned anew: %(rounds)s.", "Rounds planned anew: %(rounds)s.", len(numbers))
    moved = ngettext("%(count)d changes table.", "%(count)d change table.", change.moved)
    told = [rounds % {"rounds": spoken_numbers(numbers)}, moved % {"count": change.moved}]
    before, after = change.met_again
    if before != after:
        again = _("Second meetings in all rounds: %(before)d as they are, %(after)d planned anew.")
        told.append(again % {"before": before, "after": after})
    return " ".join(told)
