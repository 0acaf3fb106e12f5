"""The overall table: due, computed as often as one likes, built again, verified; and the sums of squads."""

import random
from collections import defaultdict
from fractions import Fraction
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import outbox
from ledger.models import Fact
from tests.support import factories
from tests.support.factories import SEED
from tests.support.palio_days import ACTOR, Day, make_day, newest
from tests.support.rounds_play import play_tables
from tests.support.services.worker import sweep
from tournaments.commands import delete_event
from tournaments.commands.close import close_tournament, reopen_tournament
from tournaments.commands.create_event import event_from_template
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.palio_jokers import play_joker, withdraw_joker
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.commands.ties import draw_overall_lots
from tournaments.facts import outbox_topics, version_seals
from tournaments.models import OtherPlacing, OverallStanding, Palio, PlayedJoker
from tournaments.projections import overall, standings
from tournaments.projections.discipline_places import discipline_ends
from tournaments.projections.overall_inputs import of_teams
from tournaments.projections.rebuild import rebuild
from tournaments.standings import Placing
from tournaments.tasks import compute_overall
from tournaments.verification import verify
from tournaments.verification.row_snapshots import OVERALL, picture


@pytest.fixture
def day(db: None) -> Day:
    """A day with jokers played and withdrawn, places corrected, a reopening, rules changed, lots."""
    day = make_day(tie_policy="lots", metrics=["total"])
    one, two, _three = day.teams
    play_joker(day.palio, ACTOR, one, day.race)
    play_joker(day.palio, ACTOR, two, day.cards.pk)
    withdraw_joker(day.palio, ACTOR, two, day.cards.pk)
    day.run("Superiore", "Centro")
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    overall.compute(day.palio.pk)
    reopen_tournament(day.cards, ACTOR, "late-information")
    standings.compute(day.cards.pk)
    overall.compute(day.palio.pk)
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    day.finish(day.dice, "Centro", "Inferiore", "Superiore")
    day.run("Superiore", "Inferiore", "Centro", reason="typing-error")
    day.palio.refresh_from_db()
    rules = {**day.palio.rules, "jokers_each": 2}
    for each in rules["disciplines"]:
        each["weight"] = "1/2"
    set_up_palio(day.event, ACTOR, rules, reason="organizer-decision")
    if newest(day.palio).has_open_ties:
        draw_overall_lots(day.palio, ACTOR, "lots")
    return day


def test_overall_table_is_due_after_closing_and_settled_by_computing(db: None) -> None:
    day = make_day()
    assert outbox.pending(outbox_topics.OVERALL) == []
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    assert outbox.pending(outbox_topics.OVERALL) == [day.palio.pk]
    compute_overall(str(day.palio.pk))
    assert outbox.pending(outbox_topics.OVERALL) == []
    assert day.table[0] == (1, "Superiore", "30")


def test_overall_table_of_a_lost_message_is_computed_by_the_sweep(db: None) -> None:
    day = make_day()
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    sweep()

    assert outbox.pending(outbox_topics.OVERALL) == []
    assert day.table[0] == (1, "Superiore", "30")


def test_overall_table_is_not_due_by_results_of_a_running_tournament(db: None) -> None:
    day = make_day()
    game = factories.games_of(day.cards)[0]
    from tests.support.computed_tournaments import sides_of, win

    win(game, sides_of(game)[0])

    assert outbox.pending(outbox_topics.OVERALL) == []


def test_overall_table_computed_twice_adds_nothing(day: Day) -> None:
    before = day.palio.overall_versions.count()
    for _ in range(3):
        compute_overall(str(day.palio.pk))
    assert day.palio.overall_versions.count() == before


def test_palio_that_was_only_ever_decided_verifies(day: Day) -> None:
    assert [str(wrong) for wrong in verify.verify(day.event)] == []


def test_palio_built_again_is_the_same(day: Day) -> None:
    before = picture(day.palio, OVERALL)
    assert all(before.values())
    rebuild(day.event)
    assert picture(day.palio, OVERALL) == before
    OverallStanding.objects.all().delete()
    PlayedJoker.objects.all().delete()
    OtherPlacing.objects.all().delete()
    Palio.objects.update(rules={}, teams=[], version=0)
    rebuild()
    assert picture(day.palio, OVERALL) == before


def test_overall_table_final_without_receipt_stays_as_it_is(day: Day) -> None:
    last = newest(day.palio)
    before = day.palio.overall_versions.get(number=last.number - 1)
    heads = last.standings | {str(day.palio.pk): last.head}
    last.seal = version_seals.seal(before.seal, day.palio.pk, last.number, last.computed_at, heads, "")
    last.receipt = ""
    last.save()
    stored = picture(day.palio, OVERALL)

    rebuild(day.event)

    assert last.is_final
    assert picture(day.palio, OVERALL) == stored
    assert [str(wrong) for wrong in verify.verify(day.event)] == []


def test_palio_joker_whose_row_is_gone_is_found(day: Day) -> None:
    """That an altered column of any row is found is in `test_tampering`."""
    assert PlayedJoker.objects.all().delete() != (0, {})
    assert [str(wrong) for wrong in verify.verify(day.event)] != []


def test_overall_table_s_movement_follows_a_correction_of_a_discipline(db: None) -> None:
    day = make_day()
    day.run("Superiore", "Centro", "Inferiore")
    overall.compute(day.palio.pk)
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    overall.compute(day.palio.pk)
    day.run("Inferiore", "Centro", "Superiore", reason="typing-error")
    version = overall.compute(day.palio.pk)

    assert version is not None
    before, _now = discipline_ends(version)
    then = {each.who: each.place for each in before.standings}
    assert {row.team_id: row.place + (row.movement or 0) for row in version.rows.all()} == then
    moved = dict(version.rows.values_list("team__name", "movement"))
    assert moved == {"Inferiore": 0, "Centro": 0, "Superiore": 0}


def test_event_with_a_palio_is_deleted_whole(day: Day) -> None:
    delete_event.delete_event(day.event)
    assert not Palio.objects.exists()
    assert not Fact.objects.filter(stream=day.palio.pk).exists()


# The sums of squads


TEAMS = [uuid4() for _ in range(4)]


def test_team_placings_of_one_row_stay_as_they_are() -> None:
    rows = [(TEAMS[0], 1, Fraction(30)), (TEAMS[1], 1, Fraction(30)), (TEAMS[2], 3, None)]
    assert of_teams(rows) == [Placing(*row) for row in rows]


def test_team_placings_of_several_rows_have_their_sum_and_place_by_it() -> None:
    one, two, three, four = TEAMS
    rows = [
        (one, 1, Fraction(30)),
        (two, 2, Fraction(20)),
        (two, 3, Fraction(10)),
        (three, 4, Fraction(5)),
        (one, 5, Fraction(0)),
        (three, 6, Fraction(0)),
        (four, 7, None),
        (four, 8, Fraction(0)),
    ]
    assert of_teams(rows) == [
        Placing(one, 1, Fraction(30)),
        Placing(two, 1, Fraction(30)),
        Placing(three, 3, Fraction(5)),
        Placing(four, 4, None),
    ]


def test_palio_adds_up_what_the_players_of_a_team_took_at_tables(db: None) -> None:
    event = event_from_template("tables", factories.make_account(), "Festa", factories.DAY)
    for team, entries in zip(event.teams.order_by("number"), (3, 4, 5), strict=True):
        factories.make_entries(team, entries)
    (tournament,) = event.tournaments.all()
    make_draw(tournament, ACTOR, SEED)
    publish_draw(tournament, ACTOR)
    play_tables(tournament, random.Random(13))
    close_tournament(tournament, ACTOR)
    palio = Palio.objects.get(event=event)

    overall.compute(palio.pk)

    placed = tournament.standings_versions.latest("number").rows.values_list("team_id", "placement_points")
    sums: dict[UUID, Fraction] = defaultdict(Fraction)
    for team_id, points in placed:
        sums[team_id] += Fraction(points)
    # Twelve players share what twelve places are worth: 20 + 19 + … + 9.
    assert sum(sums.values()) == sum(range(9, 21))
    rows = newest(palio).rows.order_by("place")
    assert {row.team_id: Fraction(dict(row.metrics)["total"]) for row in rows} == sums
    assert [row.place for row in rows] == [
        1 + sum(other > sums[row.team_id] for other in sums.values()) for row in rows
    ]


@given(
    st.lists(
        st.tuples(st.sampled_from(TEAMS), st.integers(1, 9), st.fractions(0, 30, max_denominator=3)),
        max_size=12,
    )
)
def test_team_placings_give_every_team_one_result_and_lose_no_point(
    rows: list[tuple[UUID, int, Fraction]],
) -> None:
    found = of_teams(rows)
    assert sorted(placing.team for placing in found) == sorted({team for team, *_ in rows})
    assert sum(placing.points or 0 for placing in found) == sum(points for *_, points in rows)
