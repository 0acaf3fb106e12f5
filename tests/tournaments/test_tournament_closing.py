"""Closing: refused while games are open or a tie that matters is unresolved; then final, with a receipt."""

import pytest

from ledger.models import Receipt
from ledger.receipts import check_receipt
from people.actors import Actor
from people.refusals import Refused
from tests.support import factories
from tournaments.commands import results
from tournaments.commands.close import close_tournament, reopen_tournament
from tournaments.commands.set_up import change_settings
from tournaments.commands.ties import draw_lots
from tournaments.models import Tournament
from tournaments.projections import standings
from tournaments.queries.standings import standings_table

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


def tied_tournament(policy: str) -> Tournament:
    """Played to its end with every team equal: in each mini-tournament everybody wins once."""
    tournament = factories.drawn_tournament(factories.make_event(), 3, 3, tie_policy=policy)
    for game in factories.games_of(tournament):
        results.enter_result(game, ACTOR, seat=0)
    return tournament


def points(tournament: Tournament) -> list[str]:
    standings.compute(tournament.pk)
    table = standings_table(tournament)
    assert table is not None
    return [row.placement_points for row in table.rows]


def test_closing_while_games_are_open_is_refused() -> None:
    tournament = factories.drawn_tournament(factories.make_event())
    with pytest.raises(Refused) as refused:
        close_tournament(tournament, ACTOR)
    all_games = len(factories.games_of(tournament))
    assert (refused.value.code, refused.value.params["open"]) == ("games-open", all_games)


@pytest.mark.parametrize(
    ("policy", "shared"), [("same", ["30", "30", "30"]), ("average", ["20", "20", "20"])]
)
def test_closing_shares_the_points_of_a_tie(policy: str, shared: list[str]) -> None:
    tournament = tied_tournament(policy)
    assert close_tournament(tournament, ACTOR).status == "closed"
    assert points(tournament) == shared


def test_closing_waits_until_a_tie_that_matters_is_broken() -> None:
    tournament = tied_tournament("lots")
    assert points(tournament) == ["", "", ""]
    with pytest.raises(Refused) as refused:
        close_tournament(tournament, ACTOR)
    assert refused.value.code == "tie-unresolved"
    draw_lots(tournament, ACTOR, "lots-2022")
    assert points(tournament) == ["30", "20", "10"]
    assert close_tournament(tournament, ACTOR).status == "closed"


def test_lots_are_the_same_for_the_same_seed() -> None:
    orders = []
    for _ in range(2):
        tournament = tied_tournament("lots")
        draw_lots(tournament, ACTOR, "lots-2022")
        standings.compute(tournament.pk)
        table = standings_table(tournament)
        assert table is not None
        orders.append([row.team.number for row in table.rows])
    assert orders[0] == orders[1]


def test_lots_without_a_tie_or_before_the_end_are_refused() -> None:
    open_ended = factories.drawn_tournament(factories.make_event(), tie_policy="lots")
    with pytest.raises(Refused) as too_early:
        draw_lots(open_ended, ACTOR)
    tournament = tied_tournament("same")

    with pytest.raises(Refused) as needless:
        draw_lots(tournament, ACTOR)

    assert (too_early.value.code, needless.value.code) == ("games-open", "no-tie")


def test_closing_is_possible_once_a_tie_is_shared_by_decision() -> None:
    tournament = tied_tournament("lots")
    change_settings(
        tournament, ACTOR, {**tournament.settings, "tie_policy": "average"}, reason="organizer-decision"
    )
    assert close_tournament(tournament, ACTOR).status == "closed"


def test_closing_makes_the_standings_final_and_seals_them() -> None:
    tournament = tied_tournament("same")
    close_tournament(tournament, ACTOR)
    table = standings_table(tournament)
    assert table is not None
    assert table.version.is_final
    receipt = Receipt.objects.get(root=table.version.receipt)
    assert list(check_receipt(receipt)) == []


def test_reopening_with_a_reason_lets_results_be_corrected() -> None:
    tournament = tied_tournament("same")
    close_tournament(tournament, ACTOR)
    with pytest.raises(Refused):
        reopen_tournament(tournament, ACTOR, "just because")
    reopen_tournament(tournament, ACTOR, "late-information")
    game = factories.games_of(tournament)[0]
    right = {"type": "game_closed", "reason": "result", "winner": 1}
    results.correct(game, ACTOR, 2, [right], "wrong-winner")
    close_tournament(tournament, ACTOR)

    assert sorted(points(tournament)) != ["30", "30", "30"]
