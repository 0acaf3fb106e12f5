"""Break a tie, of the overall table too: by drawing lots, or by the order of a play-off; both recorded."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from people.refusals import Refused
from tournaments.commands.decision_recording import OpenDecision, command, expect_status
from tournaments.facts.reasons import body_of_reason
from tournaments.formats import METHOD, lot
from tournaments.models import Palio, Squad, Tournament
from tournaments.projections import overall, standings
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.first_stage_draws import new_seed
from tournaments.standings import unresolved_ties
from tournaments.standings.ranking import ties


@command("lots_drawn", Tournament.Status.PUBLISHED)
def draw_lots(decision: OpenDecision, tournament: Tournament, seed: str | None = None) -> None:
    """Draw lots among the teams of every tie that matters; the order drawn decides between them from then on.

    Lots are drawn by the method of the draw (`formats.order`), with the numbers of teams and squads: anybody
    can repeat it. Refused while games are open (the tie may still dissolve), where there is no such tie, and
    where it is broken by a play-off.
    """
    still_open = _open_games(tournament)
    if still_open:
        raise Refused(
            "games-open",
            _("Lots are drawn when all games are played; %(open)d are open.") % {"open": still_open},
            open=still_open,
        )
    tied = unresolved_ties(inputs_now(tournament).rank())
    if not tied:
        raise Refused("no-tie", _("There is no tie that lots have to break."))
    if not _asks(tournament, "lots"):
        raise Refused(
            "play-off-wanted",
            _("By the rule that was set a play-off breaks this tie, not lots: enter how it came out."),
        )
    decision.record(drawn_lots(tied, lot_numbers(tournament), seed))


@command("overall_lots_drawn")
def draw_overall_lots(decision: OpenDecision, palio: Palio, seed: str | None = None) -> None:
    """Draw lots among the teams of every tie of the overall table, by the method of a tournament's lots.

    Refused while a discipline is open (the tie may still dissolve), and where there is no such tie.
    """
    version = overall.compute(palio.pk)
    still_open = 0 if version is None else version.total - version.decided
    if still_open:
        raise Refused(
            "disciplines-open",
            _("Lots are drawn when all disciplines are decided; %(open)d are open.") % {"open": still_open},
            open=still_open,
        )
    tied = overall.open_ties(version) if version is not None else []
    if not tied:
        raise Refused("no-tie", _("There is no tie that lots have to break."))
    numbers = {pk: (number,) for pk, number in palio.event.teams.values_list("pk", "number")}
    decision.record(drawn_lots(tied, numbers, seed))


def drawn_lots(
    ties: Iterable[Iterable[UUID]], numbers: Mapping[UUID, tuple[int, ...]], seed: str | None
) -> dict[str, Any]:
    """The lots of each tie, drawn by these numbers with this seed or a new one, as a fact holds them."""
    chosen = seed or new_seed()
    orders = [sorted(tie, key=lambda one: lot(chosen, *numbers[one])) for tie in ties]
    return {"orders": as_orders(orders), "seed": chosen, "method": METHOD}


def as_orders(orders: Iterable[Iterable[UUID]]) -> list[list[str]]:
    """For each tie the ids in their order, as a fact holds them."""
    return [[str(one) for one in order] for order in orders]


def lot_numbers(tournament: Tournament) -> dict[UUID, tuple[int, int]]:
    """What lots are drawn by: the team's number, and 0 or the squad's number in it."""
    teams = {pk: (number, 0) for pk, number in tournament.event.teams.values_list("pk", "number")}
    squads = Squad.objects.filter(stage__tournament=tournament).values_list("pk", "team__number", "number")
    return teams | {pk: (team, number) for pk, team, number in squads}


@dataclass(frozen=True, slots=True)
class PlayOff:
    """Teams that are level when no play-off and no lots are looked at.

    `order` is that of the play-off among them, the winner first, where one is recorded; without one they
    stand by their numbers in `teams`. `is_open`: their placement points wait for it.
    """

    teams: tuple[UUID, ...]
    order: tuple[UUID, ...] | None
    is_open: bool


def play_offs(tournament: Tournament) -> list[PlayOff]:
    """The ties of a tournament that a play-off can break, first place first; none where its rules ask for no
    play-off.
    """
    if not _asks(tournament, "play_off"):
        return []
    inputs = inputs_now(tournament)
    waiting = {frozenset(tie) for tie in unresolved_ties(inputs.rank())}
    found: dict[frozenset[UUID], PlayOff] = {}
    applied: tuple[tuple[UUID, ...], ...] = ()
    # Where one in a group is decided its winner can be level with somebody of another group.
    while new := [
        tie for tie in ties(replace(inputs, play_offs=applied, lots=()).rank()) if frozenset(tie) not in found
    ]:
        for tie in new:
            recorded = next((order for order in reversed(inputs.play_offs) if set(tie) <= set(order)), None)
            order = None if recorded is None else tuple(team for team in recorded if team in tie)
            found[frozenset(tie)] = PlayOff(tie, order, frozenset(tie) in waiting)
            applied += () if order is None else (order,)
    return list(found.values())


@command("play_off_decided")
def decide_play_off(
    decision: OpenDecision,
    tournament: Tournament,
    orders: Sequence[Sequence[UUID]],
    reason: str | None = None,
) -> None:
    """Record how play-offs came out: for each tie its teams' ids, the winner first.

    Entered again for the same teams it is corrected, and that needs a reason. Refused while games are open
    (the tie may still dissolve), and for an order that isn't of all the teams of one tie.
    """
    check_play_off(tournament, orders, reason)
    decision.record({"orders": as_orders(orders), **body_of_reason(reason)})


def check_play_off(
    tournament: Tournament, orders: Sequence[Sequence[UUID]], reason: str | None = None
) -> None:
    """Raise `Refused` where `decide_play_off` would; changes nothing."""
    expect_status(tournament, Tournament.Status.PUBLISHED)
    still_open = _open_games(tournament)
    if still_open:
        raise Refused(
            "games-open",
            _("A play-off is held when all games are played; %(open)d are open.") % {"open": still_open},
            open=still_open,
        )
    _check_orders(play_offs(tournament), orders, reason)


def _check_orders(ties: Sequence[PlayOff], orders: Sequence[Sequence[UUID]], reason: str | None) -> None:
    if not ties:
        raise Refused("no-tie", _("There is no tie that a play-off has to break."))
    if not orders:
        raise Refused("wrong-order", _("An order of the play-off is missing."), status=422)
    of_teams = {frozenset(tie.teams): tie for tie in ties}
    for order in orders:
        tie = of_teams.pop(frozenset(order), None)
        if tie is None or len(order) != len(tie.teams):
            raise Refused(
                "wrong-order",
                _("The order of a play-off names all the teams that are level, each once, and no others."),
                status=422,
            )
        if tie.order is not None and reason is None:
            raise Refused(
                "reason-needed",
                _("This play-off was entered before; to correct it, say why."),
                status=422,
            )
    body_of_reason(reason)


def _open_games(tournament: Tournament) -> int:
    computed = standings.current(tournament)
    return computed.games_total - computed.games_played


def _asks(tournament: Tournament, metric: str) -> bool:
    """Whether a metric is asked by the tournament's rules, or by its policy for ties."""
    return metric in tournament.settings["metrics"] or tournament.settings["tie_policy"] == metric
