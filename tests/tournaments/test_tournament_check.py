"""Verify finds what was altered; rebuild gives the same rows."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from unittest import mock
from uuid import UUID

import pytest
from django.utils import timezone, translation

from games.models import Game, Seat
from ledger import outbox, read
from ledger.models import Fact
from people.actors import Actor
from people.models import Event
from tests.support import factories
from tests.support.ledger_tables import without_triggers
from tournaments.commands import results
from tournaments.commands.adjust import adjust_points
from tournaments.commands.close import close_tournament, reopen_tournament
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.set_up import change_settings
from tournaments.commands.ties import draw_lots
from tournaments.facts import outbox_topics
from tournaments.models import Match, MatchGame, Squad, Standing, StandingsVersion, Tournament
from tournaments.projections import standings
from tournaments.projections.rebuild import rebuild
from tournaments.verification import verify
from tournaments.verification.row_snapshots import picture

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


def made() -> Tournament:
    """Played with everything that a tournament can have: a correction, an adjustment, lots, and closed."""
    event = factories.make_event()
    factories.make_field(event, 3, 2)
    tournament = factories.drawn_tournament(event, tie_policy="lots")
    games = factories.games_of(tournament)
    for game in games:
        results.enter_result(game, ACTOR, seat=0)
        standings.compute(tournament.pk)
    for winner in (1, 0):
        line = Game.objects.get(pk=games[0].game_id).version
        right = {"type": "game_closed", "reason": "result", "winner": winner}
        results.correct(games[0], ACTOR, line, [right], "wrong-winner")
        standings.compute(tournament.pk)
    team = event.teams.get(number=3)
    adjust_points(tournament, ACTOR, team, -1, "misconduct")
    standings.compute(tournament.pk)
    adjust_points(tournament, ACTOR, team, 1, "organizer-decision")
    draw_lots(tournament, ACTOR, "lots")
    return close_tournament(tournament, ACTOR)


@pytest.fixture(scope="module")
def kept(committed: None) -> UUID:
    """One for all tests of this module that don't commit."""
    return made().pk


@pytest.fixture
def tournament(kept: UUID, db: None) -> Tournament:
    """As it was made."""
    return Tournament.objects.get(pk=kept)


@pytest.fixture
def going_on() -> Tournament:
    """One game is over, and another goes on: something has been entered since the standings."""
    tournament = factories.drawn_tournament(factories.make_event(), 3, 3, ruleset="palio")
    over, open_game = factories.games_of(tournament)[:2]
    results.enter_result(over, ACTOR, seat=0)
    standings.compute(tournament.pk)
    results.write_log(open_game, ACTOR, [(None, {"type": "dealer_named", "seat": 0})])
    return tournament


def test_verify_finds_nothing_in_what_was_only_played(tournament: Tournament) -> None:
    assert [str(wrong) for wrong in verify.verify()] == []
    assert [str(wrong) for wrong in verify.verify(tournament.event)] == []


def test_rebuild_gives_the_same_rows(tournament: Tournament) -> None:
    before = picture(tournament)
    assert rebuild(tournament.event) == 1
    assert picture(tournament) == before


def test_rebuild_brings_back_projections_that_are_gone(tournament: Tournament) -> None:
    before = picture(tournament)
    Standing.objects.all().delete()
    MatchGame.objects.all().delete()
    Game.objects.all().delete()
    Match.objects.all().delete()
    Squad.objects.all().delete()
    rebuild()

    assert picture(tournament) == before


def test_verify_accepts_a_draw_made_anew_with_other_teams_and_rounds() -> None:
    event = factories.make_event()
    factories.make_field(event, 3, 2)
    tournament = factories.make_tournament(event, rounds=1)
    make_draw(tournament, ACTOR, "first")
    standings.compute(tournament.pk)
    factories.make_entries(factories.make_team(event), 2)
    change_settings(tournament, ACTOR, {"format": "duel", "rounds": 2})
    make_draw(tournament, ACTOR, "second")
    standings.compute(tournament.pk)
    tournament = publish_draw(tournament, ACTOR)
    standings.compute(tournament.pk)
    assert [str(wrong) for wrong in verify.verify(event)] == []
    before = picture(tournament)
    rebuild(event)
    assert picture(tournament) == before


def test_verify_accepts_a_result_that_is_still_to_be_computed(tournament: Tournament) -> None:
    reopen_tournament(tournament, ACTOR, "typing-error")
    versions = tournament.standings_versions.count()

    assert [str(wrong) for wrong in verify.verify(tournament.event)] == []
    assert tournament.standings_versions.count() == versions
    assert outbox.pending(outbox_topics.STANDINGS) == [tournament.pk]


def test_verify_accepts_a_game_that_is_being_written_down(going_on: Tournament) -> None:
    """What changes no outcome makes nothing due: there is no version of it, and none is missing."""
    assert outbox.pending(outbox_topics.STANDINGS) == []
    assert [str(wrong) for wrong in verify.verify()] == []
    before = picture(going_on)
    rebuild(going_on.event)
    standings.compute(going_on.pk)
    assert picture(going_on) == before


def test_verify_finds_a_result_that_is_hidden_from_computing(going_on: Tournament) -> None:
    results.enter_result(factories.games_of(going_on)[1], ACTOR, seat=0)
    outbox.settle(outbox.take(outbox_topics.STANDINGS, going_on.pk))
    standings.compute(going_on.pk)
    with translation.override("en"):
        found = [str(wrong) for wrong in verify.verify()]
    where = f"{going_on.name} (tournament {going_on.pk}): the standings"
    assert sorted(found) == [
        f"{where} of the day: the row version 2 is missing",
        f"{where}: the row version 2, Centro is missing",
        f"{where}: the row version 2, Inferiore is missing",
        f"{where}: the row version 2, Superiore is missing",
    ]
    rebuild(going_on.event)
    assert [str(wrong) for wrong in verify.verify()] == []


def test_verify_accepts_a_game_written_while_it_is_read(tournament: Tournament) -> None:
    reopen_tournament(tournament, ACTOR, "typing-error")
    first = Game.objects.filter(group=tournament.pk).order_by("pk")[0]
    game = MatchGame.objects.get(game=first)
    entered: list[bool] = []
    texts_of = read.texts_of

    def after_a_correction(games: Iterable[UUID]) -> Iterator[tuple[UUID, list[str]]]:
        if not entered:
            entered.append(True)
            results.correct(game, ACTOR, first.version, [], "typing-error")
        return texts_of(games)

    with mock.patch.object(read, "texts_of", after_a_correction):
        wrong = list(verify.verify(tournament.event))

    assert Game.objects.get(pk=game.game_id).version == first.version + 1
    assert [str(each) for each in wrong] == []


def test_verify_accepts_a_tournament_that_begins_while_streams_are_read(tournament: Tournament) -> None:
    entered: list[bool] = []
    owners = verify._owners

    def before_another_one(events: Iterable[Event]) -> Any:
        found = owners(events)
        if not entered:
            entered.append(True)
            factories.make_tournament(tournament.event, name="Pinella")
        return found

    with mock.patch.object(verify, "_owners", before_another_one):
        assert [str(each) for each in verify.verify(tournament.event)] == []

    assert Tournament.objects.get(name="Pinella").version == 1


def a_moment(tournament: Tournament) -> None:
    game = Game.objects.filter(group=tournament.pk)[0]
    Game.objects.filter(pk=game.pk).update(changed_at=timezone.now())


def the_standings(tournament: Tournament) -> None:
    StandingsVersion.objects.filter(tournament=tournament).order_by("-number")[0].delete()


def a_standing(tournament: Tournament) -> None:
    Standing.objects.filter(version__tournament=tournament, place=1).update(placement_points="31")


def a_version(tournament: Tournament) -> None:
    StandingsVersion.objects.filter(tournament=tournament).update(games_played=0)


def a_winner(tournament: Tournament) -> None:
    game = Game.objects.filter(group=tournament.pk)[0]
    other = game.seats.exclude(number=game.winner_seat or 0)[0]
    Game.objects.filter(pk=game.pk).update(winner_team=other.team, winner_seat=other.number)


def a_seat(tournament: Tournament) -> None:
    seat = Seat.objects.filter(game__group=tournament.pk, number=0)[0]
    other = Seat.objects.filter(game__group=tournament.pk).exclude(entry=seat.entry)[0]
    Seat.objects.filter(pk=seat.pk).update(entry=other.entry)


def the_settings(tournament: Tournament) -> None:
    Tournament.objects.update(settings={**tournament.settings, "scale": [50, 20, 10]})


def the_rules_of_a_game(tournament: Tournament) -> None:
    Game.objects.filter(pk=Game.objects.filter(group=tournament.pk)[0].pk).update(ruleset="classic")


def rows_of_each_kind(tournament: Tournament) -> None:
    """All together; that each altered column is found by itself is in `test_tampering`."""
    for alter in (a_moment, a_standing, a_version, a_winner, a_seat, the_settings, the_rules_of_a_game):
        alter(tournament)


@pytest.mark.parametrize("alter", [rows_of_each_kind, the_standings], ids=lambda each: each.__name__)
def test_verify_finds_an_altered_row_and_rebuild_mends_it(
    tournament: Tournament, alter: Callable[[Tournament], None]
) -> None:
    alter(tournament)
    assert list(verify.verify(tournament.event)) != []
    rebuild(tournament.event)
    assert [str(wrong) for wrong in verify.verify(tournament.event)] == []


@pytest.mark.django_db(transaction=True)
@translation.override("en")
def test_verify_finds_and_names_an_altered_fact() -> None:
    tournament = made()
    game = factories.games_of(tournament)[1]
    with without_triggers():
        fact = Fact.objects.get(stream_id=game.game_id, sequence=2)
        Fact.objects.filter(pk=fact.pk).update(text=fact.text.replace('"winner":0', '"winner":1'))
    wrong = [each.where for each in verify.verify(tournament.event)]

    assert f"round 1, table 1, game 2 (stream {game.game_id}), fact 2" in wrong
    assert f"round 1, table 1, game 2 (stream {game.game_id})" in wrong


@pytest.mark.django_db(transaction=True)
@translation.override("en")
def test_verify_finds_a_game_whose_log_is_not_legal() -> None:
    tournament = made()
    game = factories.games_of(tournament)[1]
    with without_triggers():
        Fact.objects.filter(stream_id=game.game_id, sequence=1).delete()
    told = {each.where: each.what for each in verify.verify(tournament.event)}
    with translation.override("it"):
        in_italian = {each.what for each in verify.verify(tournament.event)}
    where = f"round 1, table 1, game 2 (stream {game.game_id})"

    assert told[where] == (
        "the stored log is not legal: line 1: "
        "The end of the game can't come now: expected the opening of the game."
    )
    assert [each for each in in_italian if each.startswith("il registro salvato non rispetta")] == [
        "il registro salvato non rispetta le regole: riga 1: "
        "La chiusura della partita non può venire adesso: si aspetta l'apertura della partita."
    ]
    assert told[f"Torneo (tournament {tournament.pk})"].startswith("it can't be built again")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            "the stored state breaks direction (direction is 2 in phase over). "
            "Play goes one way or the other, clockwise until the first card is turned.",
        ),
        (
            "it",
            "lo stato salvato non rispetta direction (direction is 2 in phase over). "
            "Si gioca in un senso o nell'altro, in senso orario finché non si gira la prima carta.",
        ),
    ],
)
def test_verify_finds_and_names_a_stored_state_that_breaks_an_invariant(
    tournament: Tournament, language: str, told: str
) -> None:
    row = Game.objects.filter(group=tournament.pk).order_by("pk")[0]
    assert isinstance(row.snapshot, dict)
    Game.objects.filter(pk=row.pk).update(snapshot={**row.snapshot, "direction": 2})
    with translation.override(language):
        found = [wrong.what for wrong in verify.verify(tournament.event) if str(row.pk) in wrong.where]
    assert found[-1] == told
    # A sound state that isn't this game's breaks nothing; it is only told that it differs.
    Game.objects.filter(pk=row.pk).update(snapshot={**row.snapshot, "direction": -1})
    with translation.override(language):
        assert [wrong.what for wrong in verify.verify(tournament.event) if str(row.pk) in wrong.where] == [
            found[0]
        ]


@translation.override("en")
def test_verify_finds_a_stored_state_that_cannot_be_read(tournament: Tournament) -> None:
    row = Game.objects.filter(group=tournament.pk).order_by("pk")[0]
    assert isinstance(row.snapshot, dict)
    Game.objects.filter(pk=row.pk).update(snapshot={**row.snapshot, "seats": 3})
    found = [wrong.what for wrong in verify.verify(tournament.event) if str(row.pk) in wrong.where]
    assert found[0] == "the stored state differs from the replayed log"
    assert found[1].startswith("the stored state can't be read: TypeError(")
