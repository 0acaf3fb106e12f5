"""Stored outlooks: the thin shell around the pure `standings.outlook`.

An outlook is worked out after the standings and apart from them, by a task of its own, and only for the
newest version. So whoever enters a result waits for nothing here.
"""

from uuid import UUID

from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery

from ledger import outbox
from tournaments.facts import earlier, outbox_topics
from tournaments.formats import CannotDraw
from tournaments.models import Outlook, StandingsVersion, Tournament
from tournaments.projections.rebuild import inputs_of
from tournaments.projections.rounds.outlook import can_be_played_out, play_out
from tournaments.projections.standings_inputs import StandingsInputs, TeamInputs, as_entered, inputs
from tournaments.settings.bell import level_end
from tournaments.standings import Tally
from tournaments.standings.outlook import (
    ComputedOutlook,
    all_played,
    compute_outlook,
)

COLUMNS = ("number", "open_games", "method", "samples", "seed", "teams", "first_is_decided")


def pending() -> list[UUID]:
    """The tournaments whose outlook is missing or older than their standings; one query."""
    newest = StandingsVersion.objects.filter(tournament=OuterRef("pk")).order_by("-number")
    return list(
        Tournament.objects.filter(status__in=Tournament.PUBLIC)
        .annotate(newest=Subquery(newest.values("number")[:1]))
        .filter(Q(outlook=None) | Q(outlook__number__lt=F("newest")), newest__isnull=False)
        .order_by("pk")
        .values_list("pk", flat=True)
    )


def compute(tournament_id: UUID) -> Outlook | None:
    """Compute the outlook from the newest standings, and return what is stored then; None if nothing is.

    Locks nothing. Twice, late or in any order it leaves the same row. An outlook only gives way to one from a
    newer version. Where results have come that the standings don't have yet, nothing is stored. The next
    version makes it pending again.
    """
    tournament = Tournament.objects.filter(pk=tournament_id, status__in=Tournament.PUBLIC).first()
    version = _newest(tournament_id)
    if tournament is None or version is None:
        return None
    stored = Outlook.objects.filter(pk=tournament_id).first()
    if stored is not None and stored.number >= version.number:
        return stored
    read_in = current_inputs(tournament, version)
    if read_in is None:
        return stored
    foreseen = _foreseen(tournament, version, read_in)
    with transaction.atomic():
        _store(tournament, foreseen)
        outbox.announce(outbox_topics.SHOWN, tournament.event_id, tournament.pk, version.number)
    return Outlook.objects.filter(pk=tournament_id).first()


def current_inputs(tournament: Tournament, version: StandingsVersion) -> StandingsInputs | None:
    """What the newest version was computed from; None if results have come since. Four queries."""
    entered = as_entered(tournament)
    decisions = earlier.decisions(tournament.pk, until=version.heads[str(tournament.pk)])
    read_in = inputs(decisions, entered.outcomes, entered.confirmed)
    # Every outcome that was read above is either still due, or in a version by now; asked in this order.
    if outbox.take(outbox_topics.STANDINGS, tournament.pk):
        return None
    newest = _newest(tournament.pk)
    return read_in if newest is not None and newest.number == version.number else None


def differing(tournament: Tournament, stored: Outlook) -> str:
    """Return the column of a stored outlook that differs from what follows from the facts.

    "number" where its version of the standings is missing, empty where all is right. The projected rows have
    to be as the facts say.
    """
    version = tournament.standings_versions.filter(number=stored.number).first()
    if version is None:
        return "number"
    [read_in] = inputs_of(tournament, [version])
    expected = _foreseen(tournament, version, read_in)
    return next((name for name in COLUMNS if getattr(stored, name) != getattr(expected, name)), "")


def _newest(tournament_id: UUID) -> StandingsVersion | None:
    return StandingsVersion.objects.filter(tournament=tournament_id).order_by("-number").first()


def _foreseen(tournament: Tournament, version: StandingsVersion, read_in: StandingsInputs) -> Outlook:
    """The row that goes with a version, not yet saved."""
    # Nobody chooses the seed, and who has the version's number can repeat the samples.
    found = foresee(read_in, f"{str(tournament.pk)[:8]}-{version.number}")
    if found is None:
        still_open = sum(result.closed is None for result in read_in.results())
        return Outlook(tournament=tournament, number=version.number, open_games=still_open, teams=[])
    return Outlook(
        tournament=tournament,
        number=version.number,
        open_games=found.open_games,
        method=found.method.value,
        samples=found.samples,
        seed=found.seed,
        teams=[
            {
                "team": str(each.team),
                "places": list(each.places),
                "undecided": list(each.undecided),
                "seen": [list(pair) for pair in each.seen],
            }
            for each in found.teams
        ],
        first_is_decided=is_first_decided(found),
    )


def foresee(read_in: StandingsInputs, seed: str) -> ComputedOutlook[UUID] | None:
    """The places that are still open, by the formats' own ways.

    None where the ends of games don't decide the places (points of deals, places by hand), or where the
    settings allow no draw of the rest. With nothing left to play, the outlook is the standings themselves.
    """
    is_playable = can_be_played_out(read_in.by_round)
    level = level_end(read_in.settings.bell)
    if read_in.is_over() and (read_in.closed or not is_playable):
        return all_played(read_in.rank(), list(read_in.team_of()), is_closed=read_in.closed)
    if isinstance(read_in, TeamInputs):
        tally = Tally.of(
            read_in.teams,
            read_in.results(),
            read_in.adjustments,
            read_in.lots,
            read_in.play_offs,
            ranked_last=read_in.ranked_last(),
        )
        return compute_outlook(tally, read_in.rules(), level=level, seed=seed)
    stages = read_in.planned_stages()
    if not is_playable or any(not stage.choice.is_played for stage in stages):
        return None
    still_open = sum(result.closed is None for result in read_in.results())
    if not read_in.is_all_drawn():
        # A stored row has 0 only where nothing is to come. Readers get the count of `OutlookTable`; this one
        # stays as it was, since `differing` compares it with the rows of earlier releases.
        still_open = max(1, still_open)
    try:
        return play_out(
            read_in.courses,
            stages,
            read_in.rules(),
            read_in.decided(),
            open_games=still_open,
            level=level,
            seed=seed,
        )
    except CannotDraw:
        return None


def is_first_decided(found: ComputedOutlook[UUID]) -> bool:
    """Whether whoever can still be first is first whatever happens."""
    return all(each.is_settled for each in found.teams if 1 in each.places or 1 in each.undecided)


def _store(tournament: Tournament, row: Outlook) -> None:
    """Store a row in place of an older one, if there is none as new; several may try at once."""
    values = {name: getattr(row, name) for name in COLUMNS}
    # Whoever comes second finds the row there, and asks once more whether it is the older one.
    Outlook.objects.bulk_create([row], ignore_conflicts=True)
    Outlook.objects.filter(pk=tournament.pk, number__lt=row.number).update(**values)
