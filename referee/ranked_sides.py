"""Ranked sides at a table: the form’s fields, and what the entries of a page leave to be worked out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.engine.places import only_first, places_of
from people.models import Team
from referee.batches import SentBatch, UnreadableBatchError
from referee.bell_count import BellCount
from referee.table_game import TableGame
from tournaments.commands import results


@dataclass(frozen=True, slots=True)
class RankedSide:
    """A side as it is asked for: its number, who sits for it, its team, and the place filled in.

    `told` is who sits for it where no banner stands beside: without the team it may be like another one's.
    `is_absent`: it was noted that it isn't there.
    """

    number: int
    name: str
    told: str
    team: Team
    place: str = ""
    is_absent: bool = False


def ranked_sides(found: TableGame, query: Mapping[str, str]) -> list[RankedSide]:
    """The sides of a game in the order of their seats; `query` fills in `places-0`, ….

    Of a side with several seats they are named together.
    """
    sides, absent = len(found.match_game.sides), found.match.absent_sides()
    return [
        RankedSide(
            side,
            " · ".join(found.seat_names[side::sides]),
            " · ".join(found.people.names[side::sides]),
            found.seat_teams[side],
            "" if side in absent else query.get(f"places-{side}", ""),
            side in absent,
        )
        for side in range(sides)
    ]


def places_by_bell(counted: BellCount, sides: int) -> dict[str, int]:
    """The places of sides as the cards give them that were counted at the bell, as fields of the form.

    Of those with the fewest cards the points decide, where they were asked; all others who are level share.
    """
    held: list[list[tuple[int, int]]] = [[] for _ in range(sides)]
    for hand in counted.hands:
        held[hand.seat % sides].append((int(hand.cards), int(hand.points or 0)))
    # Who has left the table comes last.
    places = places_of([(not hands, tuple(sorted(hands))) for hands in held])
    return {f"places-{side}": place for side, place in enumerate(places)}


def completed(found: TableGame, batch: SentBatch) -> SentBatch:
    """A batch with what its ends leave to be worked out, where a game ranks its sides.

    These are the places that points give, those of every seat of a side, and who has won.
    """
    absent = batch.absent or frozenset()
    if not absent <= {*range(len(found.match_game.sides))}:
        raise UnreadableBatchError("sides of this table in absent")
    if not found.ranks_sides:
        return batch
    entries = tuple((id_, _completed(found, event, absent)) for id_, event in batch.entries)
    return replace(batch, entries=entries)


def _completed(found: TableGame, event: dict[str, Any], absent: frozenset[int]) -> dict[str, Any]:
    if event.get("type") != "game_closed" or event.get("winner") is not None or event.get("team"):
        return event
    seats, sides = len(found.seat_teams), len(found.match_game.sides)
    came = [side for side in range(sides) if side not in absent]
    at = [seat for seat in range(seats) if seat % sides not in absent]
    by_side, scores = _by_number(event.get("places"), came), _by_number(event.get("scores"), at)
    if by_side is not None:
        by_side |= dict.fromkeys(absent, 1 + len(came))
        places = results.places_of_seats(by_side, seats)
    elif scores is not None and "places" not in event and event.get("reason") in ("result", "time"):
        places = results.places_by_points(found.state.ruleset, scores)
        places |= {seat: 1 + len(at) for seat in range(seats) if seat not in at}
    else:
        return event
    by_text = {str(seat): place for seat, place in places.items()}
    return {**event, "winner": only_first(places), "places": by_text}


def _by_number(given: object, numbers: Sequence[int]) -> dict[int, int] | None:
    """The whole numbers that are given for each of these sides or seats; None for anything else."""
    if not isinstance(given, Mapping) or set(given) != set(map(str, numbers)):
        return None
    if not all(type(each) is int for each in given.values()):
        return None
    return {int(number): each for number, each in given.items()}
