"""The stored timetable: it lies over the draw, survives its being built again, and can be taken back."""

from collections.abc import Callable
from datetime import datetime, time, timedelta
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command

from ledger.errors import ConflictError
from people.actors import Actor
from people.models import AuditEntry, Event
from people.refusals import Refused
from tests.support import factories
from tests.support.soundness import assert_sound
from tournaments.commands import results
from tournaments.commands import timetable as actions
from tournaments.commands.draw import make_draw
from tournaments.models import Match, MatchGame, Place, Timetable, Tournament
from tournaments.projections import standings
from tournaments.projections.rebuild import rebuild
from tournaments.queries import matches as match_queries
from tournaments.queries.match_views import match_on
from tournaments.queries.timetable.match_starts import hours, hours_of_event
from tournaments.queries.timetable.problem import read
from tournaments.scheduling.bounds import refuted
from tournaments.verification import verify

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
ROME = ZoneInfo("Europe/Rome")


def at(clock: str) -> datetime:
    """A moment of the day of the event."""
    return datetime.combine(factories.DAY, time.fromisoformat(clock), ROME)


@pytest.fixture
def tournament() -> Tournament:
    """Three teams of four, two tables: two waves a round, half an hour and a break of five minutes each."""
    return factories.drawn_tournament(factories.make_event(), entries=4, tables=2, rounds=2)


def listed(tournament: Tournament) -> list[tuple[int, int, int, str]]:
    """Each match's round, wave, table and hour, in the order of play."""
    found = hours(tournament)
    return [
        (each.round, each.wave, each.table.number, f"{found[each.id].begins_at.astimezone(ROME):%H:%M}")
        for each in match_queries.load_matches(Match.objects.filter(stage__tournament=tournament))
    ]


def match_at(tournament: Tournament, round: int, wave: int, table: int) -> Match:
    """A match by where it was drawn."""
    rows = Match.objects.filter(stage__tournament=tournament).select_related("stage__tournament__event")
    return rows.get(round=round, drawn_wave=wave, drawn_table=table)


DRAWN = [
    (1, 1, 1, "14:00"),
    (1, 1, 2, "14:00"),
    (1, 2, 1, "14:35"),
    (1, 2, 2, "14:35"),
    (2, 1, 1, "15:10"),
    (2, 1, 2, "15:10"),
    (2, 2, 1, "15:45"),
    (2, 2, 2, "15:45"),
]


def test_timetable_that_is_not_stored_follows_the_waves(tournament: Tournament) -> None:
    assert listed(tournament) == DRAWN
    assert hours_of_event(tournament.event) == hours(tournament)


def test_timetable_moves_one_match_and_leaves_the_others(tournament: Tournament) -> None:
    factories.make_table(tournament.event, 3)
    actions.change_place(match_at(tournament, 1, 1, 2), ACTOR, begins_at=at("14:10"), table=3)
    assert listed(tournament) == [
        (1, 1, 1, "14:00"),
        (1, 2, 3, "14:10"),
        (1, 3, 1, "14:35"),
        (1, 3, 2, "14:35"),
        *DRAWN[4:],
    ]


def test_timetable_survives_rebuild_and_verify_knows_it(tournament: Tournament) -> None:
    actions.swap_matches(match_at(tournament, 1, 1, 2), match_at(tournament, 2, 2, 1), ACTOR)
    before, places = listed(tournament), list(Place.objects.values())
    standings.compute(tournament.pk)
    assert_sound(tournament)
    rebuild(tournament.event)
    assert (listed(tournament), list(Place.objects.values())) == (before, places)
    # The twin: a table that neither draw nor timetable say.
    Match.objects.filter(stage__tournament=tournament, round=1).update(wave=7)
    altered = {(wrong.model, wrong.column) for wrong in verify.verify(tournament.event)}
    assert altered == {("tournaments.Match", "wave")}


def test_timetable_swap_is_found_by_the_phones_of_a_table(tournament: Tournament) -> None:
    first, later = match_at(tournament, 1, 1, 1), match_at(tournament, 2, 2, 2)
    actions.swap_matches(first, later, ACTOR)
    one, two = tournament.event.tables.order_by("number")

    assert [match_queries.table_matches(one)[0].id, match_queries.table_matches(two)[-1].id] == [
        later.pk,
        first.pk,
    ]
    assert match_on(match_queries.table_matches(one)) == match_queries.match_view(later.pk)


def test_timetable_changes_are_undone_one_after_the_other(tournament: Tournament) -> None:
    match = match_at(tournament, 1, 1, 1)
    actions.change_place(match, ACTOR, begins_at=at("13:00"))
    actions.change_place(match, ACTOR, is_locked=True)
    actions.undo_change(tournament.event, ACTOR)
    assert Place.objects.get(pk=match.pk).is_locked is False
    assert listed(tournament)[0] == (1, 1, 1, "13:00")
    actions.undo_change(tournament.event, ACTOR)
    assert (listed(tournament), Place.objects.count()) == (DRAWN, 0)
    with pytest.raises(Refused) as refused:
        actions.undo_change(tournament.event, ACTOR)
    assert refused.value.code == "nothing-to-undo"
    assert Timetable.objects.get().version == 4


def test_timetable_change_that_cannot_be_is_refused_and_not_stored(tournament: Tournament) -> None:
    event = tournament.event
    match, other = match_at(tournament, 1, 1, 1), match_at(tournament, 1, 1, 2)
    own = factories.make_referee(event, team=event.teams.get(number=1))
    guest = factories.make_referee(factories.make_event())
    for game in match_games(other):
        results.enter_result(game, ACTOR, seat=0)
    refusals: dict[str, Callable[[], object]] = {
        "table-taken": lambda: actions.change_place(match, ACTOR, begins_at=at("14:20")),
        "unknown-table": lambda: actions.change_place(match, ACTOR, table=9),
        "own-team": lambda: actions.change_place(match, ACTOR, referee=own.pk),
        "unknown-referee": lambda: actions.change_place(match, ACTOR, referee=guest.pk),
        "match-over": lambda: actions.swap_matches(match, other, ACTOR),
    }
    actions.change_place(match, ACTOR, is_locked=True)
    before = list(Place.objects.values())
    for code, change in refusals.items():
        with pytest.raises(Refused) as refused:
            change()
        assert refused.value.code == code
    assert list(Place.objects.values()) == before
    with pytest.raises(ConflictError):
        actions.change_place(match, ACTOR, is_locked=False, expected_version=0)


def match_games(match: Match) -> list[MatchGame]:
    """The games of a match."""
    return list(match.match_games.order_by("number"))


def test_timetable_changes_are_in_the_audit_trail(tournament: Tournament) -> None:
    match = match_at(tournament, 2, 2, 2)
    referee = factories.make_referee(tournament.event)
    actions.keep_places(
        tournament.event, ACTOR, {match.pk: actions.At(at("18:00"), 30, match.table_id, referee.pk)}
    )
    actions.change_place(match, ACTOR, begins_at=at("18:05"))
    actions.change_place(match, ACTOR, referee=None)
    rows = AuditEntry.objects.filter(model="place").order_by("at")

    assert [(row.action, row.row_id, row.is_seen) for row in rows] == [
        ("created", match.pk, True),
        ("changed", match.pk, True),
        ("changed", match.pk, False),
    ]
    assert rows[2].changes["referee"] == [str(referee.pk), None]


def test_timetable_of_a_new_draw_is_that_of_the_waves() -> None:
    event = factories.make_event()
    tournament = factories.drawn_tournament(event, entries=4, tables=2, rounds=2, published=False)
    actions.change_place(match_at(tournament, 1, 1, 1), ACTOR, begins_at=at("13:00"))
    make_draw(tournament, ACTOR, "another seed")

    assert listed(tournament) == DRAWN
    assert read(event).placements == ()


def test_timetable_settings_are_checked_and_kept(tournament: Tournament) -> None:
    event: Event = tournament.event
    changed = actions.set_timetable(event, ACTOR, {"tables": 3, "rest": 10})
    assert (changed.settings["tables"], changed.settings["rest"], changed.settings["changeover"]) == (
        3,
        10,
        5,
    )
    wrongs: list[dict[str, object]] = [
        {"tables": 0},
        {"days": []},
        {"nothing": 1},
        {"is_judged": 1},
        {"rounds": "any"},
    ]
    for wrong in wrongs:
        with pytest.raises(Refused) as refused:
            actions.set_timetable(event, ACTOR, wrong)
        assert refused.value.code == "invalid-settings"


def test_timetable_problem_is_the_day_in_minutes(tournament: Tournament) -> None:
    given = read(tournament.event, anew=True)

    assert [(each.start, each.end) for each in given.problem.hall.windows] == [(14 * 60, 20 * 60)]
    assert given.problem.hall.tables == ("1", "2")
    assert {each.minutes for each in given.problem.meetings} == {30}
    assert {len(each.people) for each in given.problem.meetings} == {3}
    assert given.ruler.moment(14 * 60) == at("14:00")
    assert given.ruler.minute(at("14:00") + timedelta(seconds=59)) == 14 * 60


def test_timetable_command_works_a_timetable_out_and_keeps_it(tournament: Tournament) -> None:
    out = StringIO()
    call_command("timetable", tournament.event.slug, "--seconds=1", stdout=out)
    *matches, now, proposed = out.getvalue().splitlines()
    assert (len(matches), Place.objects.count()) == (8, 0)
    end = f"{factories.DAY}T14:15+00:00"
    assert now == f"now: ends {end}, longest wait 75 minutes, 4 starts, 0 clashes"
    assert proposed == f"proposed: ends {end}, longest wait 75 minutes, 4 starts, 0 clashes"
    call_command("timetable", tournament.event.slug, "--seconds=1", "--keep", stdout=out)
    assert (out.getvalue().splitlines()[-1], Place.objects.count()) == ("Kept: 8 matches.", 8)
    actions.set_timetable(tournament.event, ACTOR, {"days": [{"day": 1, "begins": "14:00", "ends": "15:00"}]})
    with pytest.raises(CommandError, match="Enough would be: "):
        call_command("timetable", tournament.event.slug, "--seconds=1")


def test_timetable_keeps_what_is_played_and_puts_nothing_before_what_is_over(
    tournament: Tournament,
) -> None:
    """At a rehearsal, on another day, play says how late it is; nothing has a place in a timetable yet."""
    over, on = (match_at(tournament, 1, 2, table) for table in (1, 2))
    for game in factories.games_of(tournament):
        if game.match.round == 1 and (game.match != on or game.number == 1):
            results.enter_result(game, ACTOR, seat=0)
    before = hours(tournament)

    given = read(tournament.event, anew=True, now=at("14:00") - timedelta(days=1))

    meetings = given.problem.by_key
    pin = meetings[str(on.pk)].pinned
    assert pin is not None
    assert (pin.table, given.ruler.moment(pin.start)) == ("2", before[on.pk].begins_at)
    later = {meetings[key].not_before for key in meetings.keys() - {str(on.pk)}}
    assert later == {given.ruler.minute(before[over.pk].ends_at) + 1}


def test_timetable_s_rest_of_the_day_fits_while_a_match_is_being_played(tournament: Tournament) -> None:
    game = factories.games_of(tournament)[0]
    results.enter_result(game, ACTOR, seat=0)

    given = read(tournament.event, anew=True, now=at("14:20"))

    playing = given.problem.by_key[str(game.match_id)]
    assert (playing.is_begun, playing.not_before) == (True, None)
    assert refuted(given.problem) is None
