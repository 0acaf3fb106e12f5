"""From the facts of a stage to its rows."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from tournaments.facts import stages
from tournaments.models import DrawnRound, Match, Squad, Stage, Tournament
from tournaments.projections.drawn_rows import (
    GameRow,
    MatchRow,
    SquadRow,
    remove_matches,
    swap_places,
    write_games,
    write_matches,
    write_squads,
)

Squads = Mapping[int, SquadRow]
"""The squads of a stage by contestant number."""


def create_squads(stage: Stage, squads: Sequence[Mapping[str, Any]], *, first: int = 1) -> Squads:
    """The squads, which are contestants from number `first` on."""
    rows = {at: _squad(stage.pk, at, squad) for at, squad in enumerate(squads, start=first)}
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
    """Rounds as they are drawn now: matches that are the same stay, others go and come."""
    squads = _squads_of(stage)
    for each in rounds:
        number = before + each["number"]
        DrawnRound.objects.update_or_create(stage=stage, number=number, defaults=_round_columns(each, squads))
        wanted = [match_row(stage.pk, number, match, squads) for match in each["matches"]]
        # One that is to be played elsewhere goes and comes too: tables may change places among each other.
        there = set(
            Match.objects.filter(stage=stage, round=number).values_list("pk", "drawn_wave", "drawn_table")
        )
        staying = there & {(match.id, match.wave, match.table) for match in wanted}
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


def _squad(stage: UUID, number: int, body: Mapping[str, Any]) -> SquadRow:
    entries = [UUID(entry) for entry in body["entries"]]
    return SquadRow(stages.squad_id(stage, number, body), UUID(body["team"]), body["number"], entries)


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
