"""From a tournament's decisions to its rows: one function for each type of decision.

The same functions run when a decision is made and when everything is built again.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from games.models import Seat
from ledger.entries import StoredFact
from tournaments.facts import earlier
from tournaments.models import DrawnRound, Squad, Stage, Tournament
from tournaments.projections.drawn_rows import remove_stages, write_stage
from tournaments.projections.rounds import rows


def project(tournament: Tournament, fact: StoredFact) -> None:
    """Bring the tournament's rows from before this decision to after it."""
    fact = earlier.as_current(fact)
    PROJECT[fact.type](tournament, fact.body)
    tournament.version = fact.sequence
    tournament.save(update_fields=["settings", "status", "version"])


def _set_up(tournament: Tournament, body: dict[str, Any]) -> None:
    tournament.settings = body["settings"]
    if tournament.status == Tournament.Status.DRAWN:
        # What was drawn under other settings doesn't hold any more.
        remove_stages(tournament)
        tournament.status = Tournament.Status.SET_UP


def _stage_drawn(tournament: Tournament, body: dict[str, Any]) -> None:
    remove_stages(tournament, first=body["number"])
    columns = {name: body[name] for name in ("number", "format", "seed", "method", "options", "match")}
    stage = write_stage(tournament, id=UUID(body["stage"]), **columns)
    squads = rows.create_squads(stage, body["squads"])
    rows.create_rounds(tournament, stage, body["rounds"], body["rounds_before"], squads)
    if body["number"] == 1:
        tournament.status = Tournament.Status.DRAWN


def _round_drawn(tournament: Tournament, body: dict[str, Any]) -> None:
    stage = tournament.stages.get(pk=UUID(body["stage"]))
    rows.create_rounds(tournament, stage, body["rounds"], _rounds_before(stage))


def _rounds_redrawn(tournament: Tournament, body: dict[str, Any]) -> None:
    stage = tournament.stages.get(pk=UUID(body["stage"]))
    before = _rounds_before(stage)
    rows.replace_rounds(tournament, stage, body["rounds"], before)
    # A round that is drawn anew is as it was drawn.
    anew = {before + each["number"] for each in body["rounds"]}
    stage.edits = [edit for edit in stage.edits if anew.isdisjoint(edit["rounds"])]
    stage.save(update_fields=["edits"])


def _game_added(tournament: Tournament, body: dict[str, Any]) -> None:
    stage = tournament.stages.get(pk=UUID(body["stage"]))
    rows.add_game(tournament, stage, UUID(body["match"]), body["number"])


def _squad_added(tournament: Tournament, body: dict[str, Any]) -> None:
    stage = tournament.stages.get(pk=UUID(body["stage"]))
    rows.create_squads(stage, [body["squad"]], first=stage.squads.count() + 1)


def _entry_substituted(tournament: Tournament, body: dict[str, Any]) -> None:
    """The place in the squad, and the seats of the games that weren't begun then."""
    out, into = UUID(body["out"]), UUID(body["in"])
    stage = tournament.stages.get(pk=UUID(body["stage"]))
    squad = Squad.objects.get(stage=stage, team=UUID(body["team"]), number=body["squad"])
    squad.members.filter(entry=out).update(entry=into)
    games = [UUID(game) for game in body["games"]]
    Seat.objects.filter(game__in=games, game__group=tournament.pk, entry=out).update(entry=into)


def _draw_edited(tournament: Tournament, body: dict[str, Any]) -> None:
    """Two squads change places in some rounds, and the stage says so."""
    stage = tournament.stages.get(pk=UUID(body["stage"]))
    before = _rounds_before(stage)
    numbers = [before + number for number in body["rounds"]]
    one, other = (
        Squad.objects.get(stage=stage, team=UUID(body[side]["team"]), number=body[side]["squad"]).pk
        for side in ("one", "other")
    )
    rows.swap_contestants(tournament, stage, numbers, (one, other))
    told = {
        "rounds": numbers,
        "one": {**body["one"], "id": str(one)},
        "other": {**body["other"], "id": str(other)},
        "reason": body["reason"],
    }
    stage.edits = [*stage.edits, told]
    stage.save(update_fields=["edits"])


def _rounds_before(stage: Stage) -> int:
    """How many rounds the stages before have."""
    earlier = DrawnRound.objects.filter(stage__tournament=stage.tournament, stage__number__lt=stage.number)
    return earlier.count()


def _becomes(status: Tournament.Status) -> Callable[[Tournament, dict[str, Any]], None]:
    def change(tournament: Tournament, body: dict[str, Any]) -> None:
        tournament.status = status

    return change


def _only_standings(tournament: Tournament, body: dict[str, Any]) -> None:
    """Lots, play-offs, adjusted points and who is gone are read when standings are computed; no row depends
    on them.
    """


PROJECT: dict[str, Callable[[Tournament, dict[str, Any]], None]] = {
    "tournament_set_up": _set_up,
    "stage_drawn": _stage_drawn,
    "round_drawn": _round_drawn,
    "rounds_redrawn": _rounds_redrawn,
    "stage_ended": _only_standings,
    "game_added": _game_added,
    "squad_added": _squad_added,
    "bye_requested": _only_standings,
    "bye_request_withdrawn": _only_standings,
    "squad_gone": _only_standings,
    "squad_back": _only_standings,
    "team_gone": _only_standings,
    "team_back": _only_standings,
    "entry_substituted": _entry_substituted,
    "draw_edited": _draw_edited,
    "placements_entered": _only_standings,
    "draw_published": _becomes(Tournament.Status.PUBLISHED),
    "lots_drawn": _only_standings,
    "play_off_decided": _only_standings,
    "points_adjusted": _only_standings,
    "tournament_closed": _becomes(Tournament.Status.CLOSED),
    "tournament_reopened": _becomes(Tournament.Status.PUBLISHED),
}
