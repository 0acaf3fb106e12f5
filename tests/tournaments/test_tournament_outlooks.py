"""What is still open, as stored: after the standings, never in their way, and the same however often."""

from itertools import product
from typing import Any
from unittest import mock

import pytest
from django.conf import settings

from people.actors import Actor
from tests.support import factories
from tests.support.computed_tournaments import enter, sides_of
from tests.support.writes import rolled_back
from tournaments.commands import results
from tournaments.commands.adjust import adjust_points
from tournaments.commands.close import close_tournament
from tournaments.models import MatchGame, Outlook, Tournament
from tournaments.projections import outlooks, standings
from tournaments.projections.rebuild import rebuild
from tournaments.projections.standings_inputs import as_entered
from tournaments.queries.outlook import outlook_table
from tournaments.standings.outlook import OutlookMethod, compute_outlook
from tournaments.tasks import compute_outlooks

# What is computed from rows hangs on no database: what reads and writes them is tried on both.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ACTOR = Actor.command()


@pytest.fixture
def tournament() -> Tournament:
    """Three teams of two singles: six games, none of them played."""
    tournament = factories.drawn_tournament(factories.make_event(), 3, 2)
    standings.compute(tournament.pk)
    return tournament


def win(game: MatchGame, *names: str) -> None:
    """The first of these teams that plays in the game wins it; nothing is computed."""
    enter(game, min(sides_of(game), key=lambda team: names.index(team.name)))


def play(tournament: Tournament, games: int, *names: str) -> None:
    """So many games more are won by whoever comes first in the names, and the standings follow."""
    still_open = [game for game in factories.games_of(tournament) if not game.game.is_over]
    for game in still_open[:games]:
        win(game, *names)
    standings.compute(tournament.pk)


ORDER = ("Superiore", "Centro", "Inferiore")


def stored(tournament: Tournament) -> dict[str, Any]:
    """The row as it is stored."""
    return dict(Outlook.objects.values().get(pk=tournament.pk))


def places(tournament: Tournament) -> list[tuple[str, tuple[int, ...]]]:
    """Each team with the places it can still come to."""
    table = outlook_table(tournament)
    assert table is not None
    return [(row.team.name, outlook.places) for row, outlook in table.contestants]


def test_outlook_before_the_first_game_leaves_everything_open(tournament: Tournament) -> None:
    compute_outlooks()
    assert places(tournament) == [(name, (1, 2, 3)) for name in ORDER]
    row = stored(tournament)
    assert (row["number"], row["open_games"], row["method"], row["samples"], row["seed"]) == (
        1,
        6,
        "exact",
        0,
        "",
    )
    assert not row["first_is_decided"]


def test_outlook_has_exactly_the_places_that_can_be_played(tournament: Tournament) -> None:
    play(tournament, 3, *ORDER)
    compute_outlooks()
    table = outlook_table(tournament)
    assert table is not None
    assert (table.open_games, table.is_newest, table.is_settled) == (3, True, False)
    still_open = [game for game in factories.games_of(tournament) if not game.game.is_over]
    played = set()
    for winners in product(*map(sides_of, still_open)):
        with rolled_back():
            for game, winner in zip(still_open, winners, strict=True):
                enter(game, winner)
            version = standings.compute(tournament.pk)
            assert version is not None
            played |= set(version.rows.values_list("team__name", "place"))
    assert {(name, place) for name, all_of in places(tournament) for place in all_of} == played


def test_outlook_at_the_end_is_settled(tournament: Tournament) -> None:
    play(tournament, 6, *ORDER)
    close_tournament(tournament, ACTOR)
    compute_outlooks()
    table = outlook_table(tournament)

    assert table is not None
    assert (table.open_games, table.is_settled, table.first_is_decided) == (0, True, True)
    assert places(tournament) == [("Superiore", (1,)), ("Centro", (2,)), ("Inferiore", (3,))]


def test_outlook_stays_open_while_lots_are_to_be_drawn() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), 3, 1, tie_policy="lots")
    for game in factories.games_of(tournament):
        enter(game, sides_of(game)[0])
    standings.compute(tournament.pk)
    compute_outlooks()
    table = outlook_table(tournament)

    assert table is not None
    assert (table.open_games, table.is_settled) == (0, False)
    assert places(tournament) == [(name, (1, 2, 3)) for name in ORDER]


def test_outlook_counts_points_by_decision(tournament: Tournament) -> None:
    last = tournament.event.teams.get(number=3)
    adjust_points(tournament, ACTOR, last, -9, "misconduct")
    standings.compute(tournament.pk)
    compute_outlooks()

    assert dict(places(tournament))["Inferiore"] == (3,)


def test_outlook_computed_twice_is_the_same(tournament: Tournament) -> None:
    play(tournament, 3, *ORDER)
    compute_outlooks()
    before = stored(tournament)
    assert outlooks.pending() == []
    compute_outlooks()
    assert outlooks.compute(tournament.pk) is not None
    assert stored(tournament) == before


def test_outlook_is_computed_of_the_newest_version_only(tournament: Tournament) -> None:
    for _ in range(3):
        play(tournament, 1, *ORDER)
    with mock.patch.object(outlooks, "compute_outlook", wraps=compute_outlook) as asked:
        compute_outlooks()
    assert asked.call_count == 1
    assert stored(tournament)["number"] == tournament.standings_versions.count()


def test_outlook_of_an_older_version_that_comes_late_is_dropped(tournament: Tournament) -> None:
    """A slow worker has looked ahead from version 1 while another one stored version 2."""

    def slow(*args: Any, **kwargs: Any) -> Any:
        found = compute_outlook(*args, **kwargs)
        with mock.patch.object(outlooks, "compute_outlook", compute_outlook):
            play(tournament, 2, *ORDER)
            outlooks.compute(tournament.pk)
        return found

    with mock.patch.object(outlooks, "compute_outlook", slow):
        outlooks.compute(tournament.pk)
    row = stored(tournament)
    assert (row["number"], row["open_games"]) == (2, 4)


def test_outlook_waits_for_results_that_the_standings_do_not_have_yet(tournament: Tournament) -> None:
    """Otherwise an outlook would go on from a version and from more than it knows. The task doesn't begin."""
    win(factories.games_of(tournament)[0], *ORDER)
    outlooks.compute(tournament.pk)
    with mock.patch.object(outlooks, "compute") as computed:
        compute_outlooks()
    assert (Outlook.objects.exists(), computed.called) == (False, False)
    assert outlooks.pending() == [tournament.pk]
    standings.compute(tournament.pk)
    compute_outlooks()
    assert stored(tournament)["open_games"] == 5


def test_outlook_waits_for_a_version_that_comes_in_between(tournament: Tournament) -> None:
    """Results are read, then somebody computes from newer ones: nothing of both is mixed."""

    def meanwhile(of: Tournament) -> Any:
        entered = as_entered(of)
        play(tournament, 1, *ORDER)
        return entered

    with mock.patch.object(outlooks, "as_entered", meanwhile):
        outlooks.compute(tournament.pk)
    assert not Outlook.objects.exists()


def test_outlook_does_not_wait_for_a_log_that_goes_on_without_a_result(tournament: Tournament) -> None:
    results.write_log(factories.games_of(tournament)[0], ACTOR, [(None, {"type": "dealer_named", "seat": 0})])
    compute_outlooks()
    assert stored(tournament)["number"] == 1


def test_outlook_of_an_unpublished_draw_is_not_computed() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), 3, 2, published=False)
    standings.compute(tournament.pk)
    compute_outlooks()

    assert outlooks.compute(tournament.pk) is None
    assert not Outlook.objects.exists()


def test_outlook_that_fails_keeps_no_other_waiting(
    tournament: Tournament, caplog: pytest.LogCaptureFixture
) -> None:
    other = factories.drawn_tournament(factories.make_event(), 3, 2)
    standings.compute(other.pk)
    real = outlooks.compute

    def fails(tournament_id: Any) -> Any:
        if tournament_id == tournament.pk:
            raise ValueError("by design")
        return real(tournament_id)

    with mock.patch.object(outlooks, "compute", fails):
        compute_outlooks()

    assert [row.pk for row in Outlook.objects.all()] == [other.pk]
    assert [record.getMessage() for record in caplog.records] == [
        f"What is still open in {tournament.pk} can't be told."
    ]


def test_outlook_task_is_on_the_schedule() -> None:
    assert settings.CELERY_BEAT_SCHEDULE["compute-outlooks"]["task"] == compute_outlooks.name


def test_outlook_by_samples_is_repeated() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), 8, 3, tables=8)
    standings.compute(tournament.pk)
    compute_outlooks()
    before = stored(tournament)
    assert (before["method"], before["samples"], before["seed"]) == (
        OutlookMethod.SAMPLED,
        200,
        f"{str(tournament.pk)[:8]}-1",
    )
    for team in before["teams"]:
        assert sum(samples for _place, samples in team["seen"]) == 200
    rebuild(tournament.event)
    assert not Outlook.objects.exists()
    compute_outlooks()
    assert stored(tournament) == before


def test_outlook_that_cannot_be_foreseen_is_told_apart(tournament: Tournament) -> None:
    with mock.patch.object(outlooks, "foresee", return_value=None):
        compute_outlooks()
    table = outlook_table(tournament)

    assert table is not None
    assert (table.can_be_told, table.is_settled, table.open_games, table.contestants) == (False, False, 6, ())
    assert outlooks.pending() == []


@pytest.mark.parametrize("teams", [3, 8])
def test_outlook_has_a_fixed_number_of_queries(teams: int, django_assert_num_queries: Any) -> None:
    tournament = factories.drawn_tournament(factories.make_event(), teams, 2, tables=8)
    standings.compute(tournament.pk)
    with django_assert_num_queries(13):
        outlooks.compute(tournament.pk)
    with django_assert_num_queries(3):
        outlook_table(tournament)
