"""Standings: due with the result, woken after commit, swept, and the same however often computed."""

from collections.abc import Callable
from datetime import timedelta
from unittest import mock
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ledger import outbox
from ledger.models import Receipt
from ledger.receipts import sealed_heads
from people.actors import Actor
from people.refusals import Refused
from tests.support import factories
from tests.support.rounds_play import open_games, published, turn_around
from tests.support.services.worker import sweep
from tests.support.soundness import assert_sound
from tournaments.commands import results
from tournaments.commands.adjust import adjust_points
from tournaments.commands.close import close_tournament, reopen_tournament
from tournaments.commands.draw import publish_draw
from tournaments.commands.ties import draw_lots
from tournaments.facts import outbox_topics, version_seals
from tournaments.models import MatchGame, StandingsVersion, Tournament
from tournaments.projections import standings
from tournaments.projections.round_end_places import RoundCourse, places_at_ends, rounds_played
from tournaments.projections.standings_inputs import Entered, StandingsInputs, as_entered
from tournaments.queries import matches
from tournaments.queries.standings import newest_tables, standings_table
from tournaments.tasks import compute_standings
from tournaments.verification import verify

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


@pytest.fixture
def tournament() -> Tournament:
    return factories.drawn_tournament(factories.make_event(), 3, 3)


def table(tournament: Tournament) -> list[tuple[int, str, int, str]]:
    """Place, team, games won and placement points, first place first."""
    found = standings_table(tournament)
    assert found is not None
    return [(row.place, row.team.name, row.games_won, row.placement_points) for row in found.rows]


def win_for(game: MatchGame, *names: str) -> None:
    """Enter a win for the first of these teams that plays in the game."""
    teams = dict(game.match.stage.tournament.event.teams.values_list("pk", "name"))
    seats = {teams[seat.team]: seat.number for seat in game.game.seats.all()}
    results.enter_result(game, ACTOR, seat=next(seats[name] for name in names if name in seats))


def test_standings_have_order_points_and_placement_points(tournament: Tournament) -> None:
    for game in factories.games_of(tournament):
        win_for(game, "Superiore", "Centro", "Inferiore")
    compute_standings(str(tournament.pk))
    games = len(factories.games_of(tournament))
    assert table(tournament) == [
        (1, "Superiore", games * 2 // 3, "30"),
        (2, "Centro", games // 3, "20"),
        (3, "Inferiore", 0, "10"),
    ]


@pytest.mark.postgresql
def test_standings_lock_the_tournament_and_not_its_event(tournament: Tournament) -> None:
    with CaptureQueriesContext(connection) as asked:
        compute_standings(str(tournament.pk))
    locking = [each["sql"] for each in asked if " FOR NO KEY UPDATE" in each["sql"]]
    assert any("tournaments_tournament" in sql for sql in locking)
    # What is joined is locked as well, unless the rows to lock are named.
    joined = [sql for sql in locking if 'JOIN "people_event"' in sql]
    assert [sql for sql in joined if " FOR NO KEY UPDATE OF " not in sql] == []


def test_standings_computed_twice_add_nothing(tournament: Tournament) -> None:
    win_for(factories.games_of(tournament)[0], "Superiore", "Centro")
    for _ in range(3):
        compute_standings(str(tournament.pk))
    assert StandingsVersion.objects.filter(tournament=tournament).count() == 1


def test_standings_are_due_after_a_result_and_settled_by_computing(tournament: Tournament) -> None:
    compute_standings(str(tournament.pk))
    assert outbox.pending(outbox_topics.STANDINGS) == []
    win_for(factories.games_of(tournament)[0], "Superiore", "Centro")
    assert outbox.pending(outbox_topics.STANDINGS) == [tournament.pk]
    compute_standings(str(tournament.pk))
    assert outbox.pending(outbox_topics.STANDINGS) == []


def test_standings_are_not_due_after_what_changes_no_outcome(tournament: Tournament) -> None:
    compute_standings(str(tournament.pk))
    game = factories.games_of(tournament)[0]
    results.write_log(game, ACTOR, [(None, {"type": "dealer_named", "seat": 0})])
    assert outbox.pending(outbox_topics.STANDINGS) == []


def test_standings_worker_is_woken_after_commit_and_not_before(
    tournament: Tournament, django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    with mock.patch.object(compute_standings, "apply_async") as send:
        with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
            win_for(factories.games_of(tournament)[0], "Superiore", "Centro")
            send.assert_not_called()
        send.assert_called_once_with((str(tournament.pk),), {})


def test_standings_of_a_lost_message_are_computed_by_the_sweep(tournament: Tournament) -> None:
    win_for(factories.games_of(tournament)[0], "Superiore", "Centro")
    sweep()
    assert outbox.pending(outbox_topics.STANDINGS) == []
    assert StandingsVersion.objects.filter(tournament=tournament).count() == 1


def test_standings_that_cannot_be_computed_keep_no_other_waiting(tournament: Tournament) -> None:
    win_for(factories.games_of(tournament)[0], "Superiore", "Centro")
    other = factories.drawn_tournament(factories.make_event(), 3, 3)
    win_for(factories.games_of(other)[0], "Superiore", "Centro")

    def broken(of: Tournament) -> Entered:
        if of == tournament:
            raise RuntimeError("a broken tournament")
        return as_entered(of)

    with mock.patch.object(standings, "as_entered", broken):
        sweep()

    assert outbox.pending(outbox_topics.STANDINGS) == [tournament.pk]
    assert StandingsVersion.objects.get().tournament == other


def test_standings_of_an_unpublished_draw_are_not_computed() -> None:
    drawn = factories.drawn_tournament(factories.make_event(), 3, 3, published=False)
    assert standings.compute(drawn.pk) is None
    assert outbox.pending(outbox_topics.STANDINGS) == []
    publish_draw(drawn, ACTOR)
    assert standings.current(drawn).games_played == 0


def test_standings_stay_due_when_computing_fails(tournament: Tournament) -> None:
    win_for(factories.games_of(tournament)[0], "Superiore", "Centro")

    @transaction.atomic
    def killed_before_commit() -> None:
        standings.compute(tournament.pk)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        killed_before_commit()
    assert outbox.pending(outbox_topics.STANDINGS) == [tournament.pk]


def test_standings_version_has_the_heads_it_was_computed_from(tournament: Tournament) -> None:
    game = factories.games_of(tournament)[0]
    win_for(game, "Superiore", "Centro")
    version = standings.compute(tournament.pk)

    assert version is not None
    assert version.heads == {str(tournament.pk): 3, str(game.game_id): 2}


def test_standings_are_given_as_they_stood_at_a_moment(tournament: Tournament) -> None:
    games = factories.games_of(tournament)
    win_for(games[0], "Superiore", "Centro")
    standings.compute(tournament.pk)
    moment = timezone.now()
    for game in games[1:]:
        win_for(game, "Inferiore", "Centro")
    standings.compute(tournament.pk)

    then = standings_table(tournament, at=moment)
    before = standings_table(tournament, at=moment - timedelta(days=1))

    assert then is not None
    assert (then.version.number, then.version.games_played, before) == (1, 1, None)


def test_receipt_is_made_when_a_round_is_complete(tournament: Tournament) -> None:
    games = factories.games_of(tournament)
    first_round = [game for game in games if game.match.round == 1]
    for game in first_round[:-1]:
        win_for(game, "Superiore", "Centro")
        standings.compute(tournament.pk)
    assert Receipt.objects.count() == 0
    win_for(first_round[-1], "Superiore", "Centro")
    version = standings.compute(tournament.pk)
    assert version is not None
    assert (version.rounds_played, version.receipt) == (1, Receipt.objects.get().root)


def test_movement_is_told_since_the_last_complete_round(tournament: Tournament) -> None:
    games = factories.games_of(tournament)
    for game in games:
        if game.match.round == 1:
            win_for(game, "Superiore", "Centro")
    standings.compute(tournament.pk)
    for game in games:
        if game.match.round == 2:
            win_for(game, "Inferiore", "Centro")
    standings.compute(tournament.pk)
    found = standings_table(tournament)
    assert found is not None
    moved = {row.team.name: row.movement for row in found.rows}
    assert moved == {"Superiore": 0, "Inferiore": 2, "Centro": -1}


def play_round(tournament: Tournament, number: int, *names: str) -> None:
    """Enter a win for the first of these teams in each game of a round; the standings follow."""
    for game in factories.games_of(tournament):
        if game.match.round == number:
            win_for(game, *names)
    standings.compute(tournament.pk)


def test_result_corrected_after_a_round_makes_another_receipt(tournament: Tournament) -> None:
    play_round(tournament, 1, "Superiore", "Centro")
    first = standings.current(tournament)

    turn_around(factories.games_of(tournament)[0])
    corrected = standings.current(tournament)

    assert (corrected.rounds_played, corrected.games_played) == (1, first.games_played)
    receipt = Receipt.objects.get(root=corrected.receipt)
    sealed = {str(head.stream): head.sequence for head in sealed_heads(receipt.heads)}
    assert corrected.receipt != first.receipt
    assert sealed == corrected.heads


def test_result_corrected_once_the_next_round_is_drawn_makes_another_receipt() -> None:
    tournament = published(6, 1, format="swiss")
    games = open_games(tournament)
    for game in games:
        results.enter_result(game, ACTOR, seat=0)
    sweep()
    drawn = standings.current(tournament)
    assert (drawn.rounds_played, drawn.receipt, len(open_games(tournament))) == (1, "", 3)

    turn_around(games[0])

    corrected = standings.current(tournament)
    roots = list(Receipt.objects.order_by("number").values_list("root", flat=True))
    assert (corrected.rounds_played, len(roots), corrected.receipt) == (1, 2, roots[-1])


def test_result_corrected_in_the_next_round_makes_no_receipt(tournament: Tournament) -> None:
    play_round(tournament, 1, "Superiore", "Centro")
    games = factories.games_of(tournament)
    win_for(next(game for game in games if game.match.round == 2), "Superiore", "Centro")
    standings.compute(tournament.pk)

    turn_around(games[0])
    version = standings.current(tournament)

    assert (version.rounds_played, version.receipt, Receipt.objects.count()) == (1, "", 1)


def test_points_adjusted_after_a_round_make_no_receipt(tournament: Tournament) -> None:
    play_round(tournament, 1, "Superiore", "Centro")
    adjust_points(tournament, ACTOR, tournament.event.teams.get(name="Inferiore"), -2, "misconduct")

    version = standings.current(tournament)

    assert (version.rounds_played, version.receipt, Receipt.objects.count()) == (1, "", 1)


def test_movement_is_told_since_the_corrected_end_of_the_round(tournament: Tournament) -> None:
    play_round(tournament, 1, "Superiore", "Centro")
    for game in factories.games_of(tournament):
        if game.match.round == 1:
            turn_around(game)
    places = dict(standings.current(tournament).rows.values_list("team__name", "place"))
    assert places == {"Inferiore": 1, "Centro": 2, "Superiore": 3}

    win_for(
        next(game for game in factories.games_of(tournament) if game.match.round == 2), "Inferiore", "Centro"
    )
    standings.compute(tournament.pk)

    for found in (
        standings_table(tournament),
        newest_tables(tournament.event)[tournament.pk],
    ):
        assert found is not None
        assert {row.team.name: row.place + (row.movement or 0) for row in found.rows} == places


def compared_places(version: StandingsVersion) -> dict[str, int]:
    """The places that those of a version are compared with."""
    return {row.team.name: row.place + (row.movement or 0) for row in version.rows.select_related("team")}


def test_movement_is_compared_with_the_same_round_after_lots_and_closing() -> None:
    tournament = factories.drawn_tournament(
        factories.make_event(), 3, 2, rounds=2, metrics=["points"], tie_policy="lots"
    )
    play_round(tournament, 1, "Superiore", "Centro")
    first = {"Superiore": 1, "Centro": 2, "Inferiore": 3}

    play_round(tournament, 2, "Inferiore", "Centro")
    tied = standings.current(tournament)
    draw_lots(tournament, ACTOR, "lots")
    decided = standings.current(tournament)
    close_tournament(tournament, ACTOR)
    closed = standings.current(tournament)
    reopen_tournament(tournament, ACTOR, reason="wrong-winner")
    reopened = standings.current(tournament)

    assert [row.place for row in tied.rows.all()] == [1, 1, 1]
    for version in (tied, decided, closed, reopened):
        assert compared_places(version) == first
    assert [str(wrong) for wrong in verify.verify(tournament.event)] == []


def test_movement_is_compared_with_the_same_round_after_points_by_decision(tournament: Tournament) -> None:
    play_round(tournament, 1, "Superiore", "Centro")
    first = dict(standings.current(tournament).rows.values_list("team__name", "place"))
    play_round(tournament, 2, "Inferiore", "Centro")

    adjust_points(tournament, ACTOR, tournament.event.teams.get(name="Centro"), 9, "misconduct")
    version = standings.current(tournament)

    assert compared_places(version) == first
    assert version.rows.get(team__name="Centro").movement == 1


def test_movement_is_compared_with_the_same_round_once_the_next_is_drawn() -> None:
    tournament = published(6, 1, format="swiss")
    for _round in range(2):
        for game in open_games(tournament):
            results.enter_result(game, ACTOR, seat=0)
        sweep()

    drawn = standings.current(tournament)

    first, _second = places_at_ends(tournament, rounds_played(drawn))
    assert (drawn.receipt, len(open_games(tournament))) == ("", 3)
    assert {row.squad_id: row.place + (row.movement or 0) for row in drawn.rows.all()} == {
        each.who: each.place for each in first.standings
    }
    assert any(row.movement for row in drawn.rows.all())


def test_movement_follows_a_correction_of_a_round_once_the_next_is_on(tournament: Tournament) -> None:
    play_round(tournament, 1, "Superiore", "Centro")
    win_for(
        next(game for game in factories.games_of(tournament) if game.match.round == 2), "Inferiore", "Centro"
    )
    standings.compute(tournament.pk)
    for game in factories.games_of(tournament):
        if game.match.round == 1:
            turn_around(game)
    version = standings.current(tournament)

    (end,) = places_at_ends(tournament, rounds_played(version))
    then = {each.who: each.place for each in end.standings}
    assert {row.team_id: row.place + (row.movement or 0) for row in version.rows.all()} == then
    assert sorted(then.values()) == [1, 2, 3]
    assert version.rows.get(team__name="Superiore").movement == 0

    play_round(tournament, 2, "Inferiore", "Centro")
    version = standings.current(tournament)
    assert version.receipt
    assert {row.team_id: row.place + (row.movement or 0) for row in version.rows.all()} == then


def test_earlier_round_is_ranked_anew_once_it_was_corrected_alone(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_round(tournament, 1, "Superiore", "Centro")
    places = dict(standings.current(tournament).rows.values_list("team", "place"))
    ranked_anew: list[StandingsInputs] = []

    def places_before(_course: RoundCourse, read_in: StandingsInputs) -> dict[UUID, int]:
        ranked_anew.append(read_in)
        return {}

    monkeypatch.setattr(RoundCourse, "places_before", places_before)
    games = factories.games_of(tournament)

    for game in [game for game in games if game.match.round == 2][:2]:
        win_for(game, "Inferiore", "Centro")
        version = standings.current(tournament)
        assert {row.team_id: row.place + (row.movement or 0) for row in version.rows.all()} == places
    assert ranked_anew == []

    turn_around(next(game for game in games if game.match.round == 1))
    standings.compute(tournament.pk)
    assert len(ranked_anew) == 1


def test_corrected_version_stored_without_receipt_stays_as_it_is(tournament: Tournament) -> None:
    play_round(tournament, 1, "Superiore", "Centro")
    before = standings.current(tournament)
    turn_around(factories.games_of(tournament)[0])
    last = standings.current(tournament)
    last.seal = version_seals.seal(before.seal, tournament.pk, last.number, last.computed_at, last.heads, "")
    last.receipt = ""
    last.round_ends = {**(last.round_ends or {}), "is_at_end": False}
    last.save()

    assert_sound(tournament)


def test_points_adjusted_with_a_reason_count(tournament: Tournament) -> None:
    team = tournament.event.teams.get(name="Inferiore")
    adjust_points(tournament, ACTOR, team, -2, "misconduct")
    standings.compute(tournament.pk)
    found = standings_table(tournament)

    assert found is not None
    assert {row.team.name: dict(row.metrics)["points"] for row in found.rows} == {
        "Superiore": "0",
        "Centro": "0",
        "Inferiore": "-2",
    }


@pytest.mark.parametrize(
    ("points", "reason", "code"), [(0, "misconduct", "wrong-points"), (1, "because", "unknown-reason")]
)
def test_points_adjustment_that_is_wrong_is_refused(
    tournament: Tournament, points: int, reason: str, code: str
) -> None:
    with pytest.raises(Refused) as refused:
        adjust_points(tournament, ACTOR, tournament.event.teams.get(number=1), points, reason)
    assert refused.value.code == code


def test_standings_cost_the_same_queries_for_three_and_for_sixteen_teams() -> None:
    costs = []
    for teams in (3, 16):
        tournament = factories.drawn_tournament(factories.make_event(), teams, 2)
        for game in factories.games_of(tournament)[:6]:
            results.enter_result(game, ACTOR, seat=0)
        standings.compute(tournament.pk)
        with CaptureQueriesContext(connection) as captured:
            standings_table(tournament)
            matches.rounds(tournament)
        costs.append(len(captured))
    assert costs[0] == costs[1]
