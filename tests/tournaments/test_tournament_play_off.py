"""Play-offs: recorded by the organizer, decide ties, corrected with a reason, refused where none is due."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import translation

from people.actors import Actor
from people.refusals import Refused
from tests.support import factories
from tests.support.soundness import assert_sound
from tournaments.commands import results
from tournaments.commands.close import close_tournament
from tournaments.commands.decision_recording import Caller
from tournaments.commands.ties import decide_play_off, draw_lots, play_offs
from tournaments.models import Tournament
from tournaments.projections import standings
from tournaments.queries.standings import standings_table

# What is computed from rows hangs on no database: what reads and writes them is tried on both.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ACTOR = Actor.command()


def tied_tournament(**settings: Any) -> Tournament:
    """Three teams, played to its end with every team equal."""
    given = {"tie_policy": "play_off", **settings}
    tournament = factories.drawn_tournament(factories.make_event(), 3, 3, **given)
    for game in factories.games_of(tournament):
        results.enter_result(game, ACTOR, seat=0)
    return tournament


def teams_of(tournament: Tournament) -> list[UUID]:
    return [team.pk for team in tournament.event.teams.order_by("number")]


def table(tournament: Tournament) -> list[tuple[UUID, int, str]]:
    standings.compute(tournament.pk)
    shown = standings_table(tournament)
    assert shown is not None
    return [(row.team_id, row.place, row.placement_points) for row in shown.rows]


def refusal(act: Any) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def test_play_off_is_waited_for_until_it_is_entered() -> None:
    tournament = tied_tournament()
    one, two, three = teams_of(tournament)
    assert table(tournament) == [(one, 1, ""), (two, 1, ""), (three, 1, "")]
    assert [(tie.teams, tie.order, tie.is_open) for tie in play_offs(tournament)] == [
        ((one, two, three), None, True)
    ]
    with translation.override("it"), pytest.raises(Refused) as refused:
        close_tournament(tournament, ACTOR)
    assert refused.value.code == "tie-unresolved"
    assert "spareggio" in str(refused.value)
    decide_play_off(tournament, ACTOR, [[three, one, two]])
    assert table(tournament) == [(three, 1, "30"), (one, 2, "20"), (two, 3, "10")]
    assert [(tie.order, tie.is_open) for tie in play_offs(tournament)] == [((three, one, two), False)]
    assert close_tournament(tournament, ACTOR).status == "closed"


def test_play_off_is_corrected_with_a_reason() -> None:
    tournament = tied_tournament()
    one, two, three = teams_of(tournament)
    decide_play_off(tournament, ACTOR, [[three, one, two]])
    assert refusal(lambda: decide_play_off(tournament, ACTOR, [[one, two, three]])) == "reason-needed"
    assert refusal(lambda: decide_play_off(tournament, ACTOR, [[one, two, three]], "so")) == "unknown-reason"
    decide_play_off(tournament, ACTOR, [[one, two, three]], "typing-error")
    assert [team for team, *_ in table(tournament)] == [one, two, three]


def test_play_off_order_must_name_all_who_are_level() -> None:
    tournament = tied_tournament()
    one, two, three = teams_of(tournament)
    wrong: list[list[list[UUID]]] = [
        [],
        [[]],
        [[one, two]],
        [[one, two, three, three]],
        [[one, two, uuid4()]],
        [[one, two, three], [one, two, three]],
    ]
    before = tournament.version
    assert {
        refusal(lambda orders=orders: decide_play_off(tournament, ACTOR, orders)) for orders in wrong
    } == {"wrong-order"}
    tournament.refresh_from_db()
    assert tournament.version == before


def test_play_off_before_the_end_without_a_tie_or_by_lots_is_refused() -> None:
    early = factories.drawn_tournament(factories.make_event(), tie_policy="play_off")
    assert refusal(lambda: decide_play_off(early, ACTOR, [teams_of(early)])) == "games-open"
    for policy in ("same", "lots"):
        other = tied_tournament(tie_policy=policy)
        assert refusal(lambda other=other: decide_play_off(other, ACTOR, [teams_of(other)])) == "no-tie"
    tied = tied_tournament()
    assert refusal(lambda: draw_lots(tied, ACTOR)) == "play-off-wanted"


def test_play_off_as_a_metric_decides_whatever_places_are_worth() -> None:
    tournament = tied_tournament(tie_policy="same", metrics=["points", "play_off"])
    one, two, three = teams_of(tournament)
    assert [(tie.order, tie.is_open) for tie in play_offs(tournament)] == [(None, False)]
    decide_play_off(tournament, ACTOR, [[two, three, one]])
    assert table(tournament) == [(two, 1, "30"), (three, 2, "20"), (one, 3, "10")]


def test_play_off_sent_twice_is_one_decision() -> None:
    tournament = tied_tournament()
    order = [teams_of(tournament)]
    key = uuid4()
    versions = [decide_play_off(tournament, Caller(ACTOR, client_id=key), order).version for _ in range(2)]

    assert versions[0] == versions[1]
    assert [tie.order for tie in play_offs(tournament)] == [tuple(order[0])]


def test_play_off_is_rebuilt_from_its_facts() -> None:
    tournament = tied_tournament()
    one, two, three = teams_of(tournament)
    decide_play_off(tournament, ACTOR, [[three, one, two]])
    decide_play_off(tournament, ACTOR, [[two, one, three]], "typing-error")
    close_tournament(tournament, ACTOR)

    assert_sound(tournament)
