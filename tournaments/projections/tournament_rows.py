"""From a tournament's decisions to its rows: one function for each type of decision.

The same functions run when a decision is made and when everything is built again.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from games.models import Seat
from ledger.entries import StoredFact
from tournaments.facts import earlier, stages
from tournaments.facts.reasons import FREE_SEAT, PLAN_REASONS
from tournaments.models import DrawnRound, Match, Squad, Stage, Tournament
from tournaments.projections.drawn_rows import (
    GameRow,
    MatchRow,
    SquadRow,
    remove_matches,
    remove_stages,
    swap_places,
    write_games,
    write_matches,
    write_squads,
    write_stage,
)


def project(tournament: Tournament, fact: StoredFact) -> None:
    """Bring the tournament's rows from before this decision to after it."""
    fact = earlier.as_current(fact)
    PROJECT[fact.type](tournament, {**fact.body, "recorded_at": fact.recorded_at})
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
    squads = create_squads(stage, body["squads"])
    create_rounds(tournament, stage, body["rounds"], body["rounds_before"], squads)
    if body["number"] == 1:
        tournament.status = Tournament.Status.DRAWN


def _round_drawn(tournament: Tournament, body: dict[str, Any]) -> None:
    stage = tournament.stages.get(pk=UUID(body["stage"]))
    create_rounds(tournament, stage, body["rounds"], stage.rounds_before())


def _rounds_redrawn(tournament: Tournament, body: dict[str, Any]) -> None:
    stage = tournament.stages.get(pk=UUID(body["stage"]))
    before = stage.rounds_before()
    replace_rounds(tournament, stage, body["rounds"], before)
    stage.edits = _edits_after(stage, body, before)
    stage.save(update_fields=["edits"])


def _edits_after(stage: Stage, body: dict[str, Any], before: int) -> list[dict[str, Any]]:
    """The changes of a stage once rounds are others. One that is drawn anew is as it was drawn, and of a new
    plan; one whose free seats are taken stays.
    """
    numbers = [before + each["number"] for each in body["rounds"]]
    told: dict[str, Any] = {"at": body["recorded_at"].isoformat(), "reason": body["reason"]}
    if "for" in body:
        told["squad"] = _squad_told(stage, body["for"])
    if body["reason"] == FREE_SEAT:
        tables = {
            before + each["number"]: match["table"]
            for each in body["rounds"]
            for match in each["matches"]
            if match["slot"] == each["taken"][-1][0]
        }
        seats = [[number, tables[number]] for number in numbers]
        return [*stage.edits, {"rounds": numbers, "seats": seats, **told}]
    plans = [edit["plan"] for edit in stage.edits if "plan" in edit]
    kept = [_without_rounds(edit, numbers) for edit in stage.edits]
    plan = {"rounds": numbers, "plan": max(plans, default=1) + 1, **told}
    return [
        *(edit for edit in kept if edit["rounds"] or "plan" in edit),
        *([plan] if body["reason"] in PLAN_REASONS else []),
    ]


def _without_rounds(edit: dict[str, Any], numbers: Collection[int]) -> dict[str, Any]:
    """What a change still says once these rounds are drawn anew."""
    left = {**edit, "rounds": [number for number in edit["rounds"] if number not in numbers]}
    if "seats" in edit:
        left["seats"] = [seat for seat in edit["seats"] if seat[0] not in numbers]
    return left


def _game_added(tournament: Tournament, body: dict[str, Any]) -> None:
    stage = tournament.stages.get(pk=UUID(body["stage"]))
    add_game(tournament, stage, UUID(body["match"]), body["number"])


def _squad_added(tournament: Tournament, body: dict[str, Any]) -> None:
    stage = tournament.stages.get(pk=UUID(body["stage"]))
    create_squads(stage, [body["squad"]], first=stage.squads.count() + 1)


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
    before = stage.rounds_before()
    numbers = [before + number for number in body["rounds"]]
    one, other = (_squad_told(stage, body[side]) for side in ("one", "other"))
    swap_contestants(tournament, stage, numbers, (UUID(one["id"]), UUID(other["id"])))
    told = {"rounds": numbers, "one": one, "other": other, "reason": body["reason"]}
    stage.edits = [*stage.edits, told]
    stage.save(update_fields=["edits"])


def _absence_noted(tournament: Tournament, body: dict[str, Any]) -> None:
    """The stage knows in which rounds a squad isn't at its table, counted through all stages."""
    stage = tournament.stages.get(pk=UUID(body["stage"]))
    squad = Squad.objects.get(stage=stage, team=UUID(body["team"]), number=body["squad"])
    before = stage.rounds_before()
    stage.absent = {key: rounds for key, rounds in stage.absent.items() if key != str(squad.pk)}
    if body["rounds"]:
        stage.absent[str(squad.pk)] = [before + number for number in body["rounds"]]
    stage.save(update_fields=["absent"])


def _squad_gone(tournament: Tournament, body: dict[str, Any]) -> None:
    """The stage that is on knows who doesn't play on. Standings are computed from the facts."""
    _note_left(tournament, body, body["reason"])


def _squad_back(tournament: Tournament, body: dict[str, Any]) -> None:
    _note_left(tournament, body, None)


def _note_left(tournament: Tournament, body: dict[str, Any], reason: str | None) -> None:
    stage = tournament.stages.order_by("number").last()
    squad = Squad.objects.filter(stage=stage, team=UUID(body["team"]), number=body["squad"]).first()
    if stage is None or squad is None:
        return
    stage.left = {key: why for key, why in stage.left.items() if key != str(squad.pk)}
    if reason is not None:
        stage.left[str(squad.pk)] = reason
    stage.save(update_fields=["left"])


def _squad_told(stage: Stage, named: Mapping[str, Any]) -> dict[str, Any]:
    """A squad that is named by its team and number, with its id."""
    squad = Squad.objects.get(stage=stage, team=UUID(named["team"]), number=named["squad"])
    return {**named, "id": str(squad.pk)}


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
    "absence_noted": _absence_noted,
    "squad_gone": _squad_gone,
    "squad_back": _squad_back,
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


Squads = Mapping[int, SquadRow]
"""The squads of a stage by contestant number."""


def create_squads(stage: Stage, squads: Sequence[Mapping[str, Any]], *, first: int = 1) -> Squads:
    """The squads, which are contestants from number `first` on."""
    rows = {
        at: SquadRow(
            stages.squad_id(stage.pk, at, squad),
            UUID(squad["team"]),
            squad["number"],
            [UUID(entry) for entry in squad["entries"]],
        )
        for at, squad in enumerate(squads, start=first)
    }
    write_squads(stage, list(rows.values()))
    return rows


def create_rounds(
    tournament: Tournament,
    stage: Stage,
    rounds: Sequence[Mapping[str, Any]],
    before: int,
    drawn: Squads | None = None,
) -> None:
    """The matches of rounds, and what the rounds are called; `before` are the rounds of earlier stages.

    `drawn` are the squads, where they are at hand.
    """
    squads = _squads_of(stage) if drawn is None else drawn
    DrawnRound.objects.bulk_create(
        DrawnRound(stage=stage, number=before + each["number"], **_round_columns(each, squads))
        for each in rounds
    )
    write_matches(
        tournament,
        stage,
        [
            match_row(stage.pk, before + each["number"], match, squads)
            for each in rounds
            for match in each["matches"]
            if match["games"]
        ],
    )


def replace_rounds(
    tournament: Tournament, stage: Stage, rounds: Sequence[Mapping[str, Any]], before: int
) -> None:
    """Rounds as they are drawn now: matches that are the same stay, others go and come.

    A match may come in another round than it was in, so all go before any comes.
    """
    squads = _squads_of(stage)
    wanted: list[MatchRow] = []
    for each in rounds:
        number = before + each["number"]
        DrawnRound.objects.update_or_create(stage=stage, number=number, defaults=_round_columns(each, squads))
        wanted += [match_row(stage.pk, number, match, squads) for match in each["matches"]]
    # One that is to be played elsewhere goes and comes too: tables may change places among each other.
    place = ("pk", "round", "drawn_wave", "drawn_table")
    drawn_anew = Match.objects.filter(stage=stage, round__in=[before + each["number"] for each in rounds])
    there = set(drawn_anew.values_list(*place))
    staying = there & {(match.id, match.round, match.wave, match.table) for match in wanted}
    kept = {id_ for id_, *_ in staying}
    remove_matches(id_ for id_, *_ in there - staying)
    write_matches(tournament, stage, [match for match in wanted if match.id not in kept])


def _round_columns(each: Mapping[str, Any], squads: Squads) -> dict[str, Any]:
    """What a round is called, and who has a bye in it."""
    byes = [str(squads[number].id) for number in each["byes"]]
    return {"title": each["title"], "values": each["values"], "byes": byes}


def match_row(stage: UUID, number: int, match: Mapping[str, Any], squads: Mapping[int, SquadRow]) -> MatchRow:
    """A match of a round as it is kept."""
    id_ = stages.id_of_match(stage, match)
    games = [GameRow(stages.game_id(id_, at), at, sides) for at, sides in enumerate(match["games"], start=1)]
    sides = [squads[side] for side in match["sides"]]
    return MatchRow(id_, number, match["wave"], match["table"], sides, games, match["slot"])


def _squads_of(stage: Stage) -> dict[int, SquadRow]:
    """The squads of a stage by contestant number; none of an earlier draw, whose ids don't tell it."""
    kept = SquadRow.by_id(Squad.objects.filter(stage=stage))
    ids = {number: stages.contestant_id(stage.pk, number) for number in range(1, len(kept) + 1)}
    return {number: kept[id_] for number, id_ in ids.items()} if kept.keys() == set(ids.values()) else {}


def swap_contestants(
    tournament: Tournament, stage: Stage, rounds: Sequence[int], pair: tuple[UUID, UUID]
) -> None:
    """Two squads in each other's places in these rounds, byes included; a pair that is another has another
    id, but in an earlier draw.
    """
    numbers = {squad.id: number for number, squad in _squads_of(stage).items()}

    def new_id(match: Match, sides: Sequence[UUID]) -> UUID:
        if not numbers:
            return match.pk
        return stages.match_id(stage.pk, match.slot, [numbers[squad] for squad in sides])

    swap_places(tournament, stage, rounds, pair, new_id)
    instead = {str(pair[0]): str(pair[1]), str(pair[1]): str(pair[0])}
    for each in DrawnRound.objects.filter(stage=stage, number__in=rounds):
        each.byes = [instead.get(squad, squad) for squad in each.byes]
        each.save(update_fields=["byes"])


def add_game(tournament: Tournament, stage: Stage, match: UUID, number: int) -> None:
    """A further game of a match: the sides take turns on the first seat."""
    row = Match.objects.get(pk=match, stage=stage)
    squads = SquadRow.by_id(Squad.objects.filter(sides__match=row))
    sides = [squads[side.squad_id] for side in row.sides.order_by("number")]
    order = [(at + number - 1) % len(sides) for at in range(len(sides))]
    game = GameRow(stages.game_id(match, number), number, order)
    write_games(tournament, [(MatchRow(match, row.round, row.wave, 0, sides, [game]), game)])
