"""An archive with the ids of others' rows, streams or draws is refused, and changes nothing of theirs.

For each safeguard there is a twin that shows what the archive does without it.
"""

import io
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.utils import translation

from games.models import Game, Seat
from ledger.errors import OtherStreamError
from people.actors import Actor
from people.models import Event, Pairing
from people.refusals import Refused
from tests.support import factories
from tests.tournaments.archive.forging import forged
from tournaments.commands import decision_recording, results
from tournaments.commands.draw import make_draw
from tournaments.commands.set_up import change_settings
from tournaments.facts import foreign_stage_ids, stages, taken_ids
from tournaments.models import Match, Place, Stage, Tournament
from tournaments.projections.rebuild import rebuild
from tournaments.transfer.archive import intake
from tournaments.transfer.archive.intake import take_in
from tournaments.verification import verify
from tournaments.verification.row_snapshots import picture

pytestmark = pytest.mark.django_db
COMMAND = Actor.command()


@pytest.fixture
def victim() -> Tournament:
    """A palio that is about to begin; its public stage's id is known to everybody."""
    return factories.drawn_tournament(factories.make_event(slug="vittima"))


@pytest.fixture
def own() -> Tournament:
    """The attacker's own tournament, of the same size."""
    return factories.drawn_tournament(factories.make_event(slug="aggressore"))


@pytest.fixture
def account() -> Actor:
    """Somebody who may set up events."""
    return Actor.of_account(factories.make_account())


def stage_of(tournament: Tournament) -> UUID:
    return Stage.objects.get(tournament=tournament).pk


def unchecked() -> Any:
    """Archives taken in, and rows built, without a look at whose the ids are."""
    off = ExitStack()
    off.enter_context(mock.patch.object(intake, "_refuse_ids_of_others"))
    off.enter_context(mock.patch.object(foreign_stage_ids, "check_stage"))
    return off


def unverified() -> Any:
    """The same, and without a look at what came of it."""
    off = unchecked()
    off.enter_context(mock.patch.object(verify, "verify", return_value=iter(())))
    return off


def why_refused(archive: bytes, actor: Actor) -> str:
    """The reason for which it is unfit; no event is here that wasn't."""
    before = set(Event.objects.values_list("pk", flat=True))
    with translation.override("en"), pytest.raises(Refused) as caught:
        take_in(io.BytesIO(archive), actor, slug="altro")
    assert set(Event.objects.values_list("pk", flat=True)) == before
    assert (caught.value.code, caught.value.status) == ("archive-unfit", 422)
    return str(caught.value)


def test_forged_stage_id_of_another_event_is_refused(
    victim: Tournament, own: Tournament, account: Actor
) -> None:
    before = picture(victim)
    archive = forged(own.event, {stage_of(own): stage_of(victim)})

    assert "an id in it is that of something else here" in why_refused(archive, account)
    assert picture(victim) == before


def test_rebuild_refuses_forged_stage_id_even_where_the_intake_lets_it_through(
    victim: Tournament, own: Tournament, account: Actor
) -> None:
    before = picture(victim)
    archive = forged(own.event, {stage_of(own): stage_of(victim)})

    with mock.patch.object(intake, "_refuse_ids_of_others"):
        assert "CannotRebuildError" in why_refused(archive, account)
    assert picture(victim) == before


def test_twin_forged_stage_id_wipes_another_draw_without_the_checks(
    victim: Tournament, own: Tournament, account: Actor
) -> None:
    archive = forged(own.event, {stage_of(own): stage_of(victim)})

    with unchecked():
        take_in(io.BytesIO(archive), account, slug="altro")

    assert Match.objects.filter(stage__tournament=victim).count() == 0


def test_rebuild_and_verify_name_a_stage_that_two_tournaments_have_drawn(
    victim: Tournament, own: Tournament, account: Actor, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = stage_of(victim)
    archive = forged(own.event, {stage_of(own): stage})
    with unchecked():
        evil = take_in(io.BytesIO(archive), account, slug="altro").event
    before = picture(evil.tournaments.get())

    with translation.override("en"):
        found = [str(wrong) for wrong in verify.verify(victim.event)]
    with pytest.raises(SystemExit):
        call_command("rebuild", "vittima")

    assert any(f"has drawn its stage {stage}, too" in each for each in found)
    assert f"has drawn its stage {stage}, too" in capsys.readouterr().err
    assert picture(evil.tournaments.get()) == before


def test_forged_stage_id_of_a_draw_that_was_replaced_is_refused(own: Tournament, account: Actor) -> None:
    victim = factories.drawn_tournament(factories.make_event(slug="vittima"), published=False)
    old = stage_of(victim)
    change_settings(victim, COMMAND, {"rounds": 1})
    make_draw(victim, COMMAND, "another")
    assert stage_of(victim) != old
    archive = forged(own.event, {stage_of(own): old})

    assert "another event has drawn a stage of it" in why_refused(archive, account)
    with unchecked():
        take_in(io.BytesIO(archive), account, slug="altro")
    with pytest.raises(Exception, match="DrawnElsewhereError"):
        rebuild(victim.event)


def _tournament_id(victim: Tournament, own: Tournament) -> dict[UUID, UUID]:
    game = factories.games_of(victim)[5].game_id
    return {own.pk: game}


def _team_id(victim: Tournament, own: Tournament) -> dict[UUID, UUID]:
    return {own.event.teams.all()[0].pk: factories.matches_of(victim)[0].pk}


def _event_id(victim: Tournament, own: Tournament) -> dict[UUID, UUID]:
    return {own.event.pk: victim.pk}


@pytest.mark.parametrize("ids", [_tournament_id, _team_id, _event_id])
def test_forged_id_of_any_row_of_another_event_is_refused(
    ids: Callable[[Tournament, Tournament], dict[UUID, UUID]],
    victim: Tournament,
    own: Tournament,
    account: Actor,
) -> None:
    archive = forged(own.event, ids(victim, own))

    assert "an id in it is that of something else here" in why_refused(archive, account)


def test_twin_forged_archive_seizes_the_stream_of_a_game_without_the_check(
    victim: Tournament, own: Tournament, account: Actor
) -> None:
    game = factories.games_of(victim)[5]
    archive = forged(own.event, {own.pk: game.game_id})

    with unchecked():
        take_in(io.BytesIO(archive), account, slug="altro")

    with pytest.raises(OtherStreamError):
        results.enter_result(game, COMMAND, seat=0)


def coming_game(stage: UUID) -> UUID:
    """The id of a game of a round that isn't drawn yet, as anybody can work it out."""
    return stages.game_id(stages.match_id(stage, "7", (1, 2)), 1)


def test_forged_tournament_with_the_id_of_a_coming_game_is_refused_but_to_operators(
    victim: Tournament, own: Tournament, account: Actor
) -> None:
    archive = forged(own.event, {own.pk: coming_game(stage_of(victim))})

    assert "tournaments.Tournament: an id of the form of a game’s" in why_refused(archive, account)
    assert take_in(io.BytesIO(archive), COMMAND, slug="altro").is_new


def test_forged_phone_with_the_id_of_a_coming_game_is_refused(
    victim: Tournament, own: Tournament, account: Actor
) -> None:
    phone, _secret = factories.make_pairing(own.event)
    archive = forged(own.event, {phone.pk: coming_game(stage_of(victim))})

    assert "people.Pairing: an id of the form of a game’s" in why_refused(archive, account)
    with unchecked():
        taken = take_in(io.BytesIO(archive), account, slug="altro").event
    assert Pairing.objects.get(event=taken).pk == coming_game(stage_of(victim))


def test_forged_timetable_place_of_another_tournaments_match_is_refused(
    victim: Tournament, own: Tournament, account: Actor
) -> None:
    match = factories.matches_of(own)[0]
    coming = stages.match_id(stage_of(victim), "7", (1, 2))
    Place.objects.create(
        match_id=uuid4(),
        tournament=own,
        begins_at=own.created_at,
        minutes=5,
        table=match.table,
        changed_at=own.created_at,
    )
    placed = Place.objects.get(tournament=own).pk
    archive = forged(own.event, {placed: coming})

    assert "which it never drew" in why_refused(archive, account)
    with unverified():
        take_in(io.BytesIO(archive), account, slug="altro")
    assert Place.objects.filter(pk=coming).exists()


def substitution(victim: Tournament) -> Callable[[dict[str, Any]], object]:
    """A change of a fact that names a game and a player of another event."""
    seat = Seat.objects.filter(game__group=victim.pk).order_by("game", "number")[0]

    def edit(fact: dict[str, Any]) -> None:
        if fact["type"] == "entry_substituted":
            fact["body"]["games"] = [str(seat.game_id)]
            fact["body"]["out"] = str(seat.entry)

    return edit


def test_forged_substitution_leaves_the_seats_of_other_events(victim: Tournament, account: Actor) -> None:
    own = factories.drawn_tournament(factories.make_event(slug="aggressore"), 3, 2)
    stage = Stage.objects.get(tournament=own)
    squad = stage.squads.order_by("team__number", "number")[0]
    out = squad.members.get(position=1).entry
    into = factories.make_entry(squad.team, 9)
    decision_recording.decide(
        own,
        "entry_substituted",
        {
            "stage": str(stage.pk),
            "team": str(squad.team_id),
            "squad": squad.number,
            "out": str(out.pk),
            "in": str(into.pk),
            "reason": "organizer-decision",
            "games": [],
        },
        COMMAND,
    )
    before = list(Seat.objects.filter(game__group=victim.pk).order_by("pk").values_list("entry", flat=True))

    archive = forged(own.event, edit=substitution(victim))
    take_in(io.BytesIO(archive), account, slug="altro")

    after = list(Seat.objects.filter(game__group=victim.pk).order_by("pk").values_list("entry", flat=True))
    assert after == before


def test_forged_further_game_of_another_events_match_is_refused(own: Tournament, account: Actor) -> None:
    victim = factories.drawn_tournament(factories.make_event(slug="vittima"), format="round_robin")
    tournament = factories.drawn_tournament(factories.make_event(slug="rotondo"), format="round_robin")
    stage = Stage.objects.get(tournament=tournament)
    match = factories.matches_of(tournament)[0]
    decision_recording.decide(
        tournament,
        "game_added",
        {"stage": str(stage.pk), "match": str(match.pk), "number": 2},
        COMMAND,
    )
    theirs = factories.matches_of(victim)[0]
    games = Game.objects.filter(group=victim.pk).count()

    def edit(fact: dict[str, Any]) -> None:
        if fact["type"] == "game_added":
            fact["body"]["match"] = str(theirs.pk)

    archive = forged(tournament.event, edit=edit)

    assert "CannotRebuildError" in why_refused(archive, account)
    assert theirs.match_games.count() == 1
    assert Game.objects.filter(group=victim.pk).count() == games


def test_ids_of_games_have_a_form_that_no_random_id_has(victim: Tournament) -> None:
    ids = [game.game_id for game in factories.games_of(victim)]
    ids += [match.pk for match in factories.matches_of(victim)]

    assert all(map(taken_ids.is_derived, ids))
    assert not any(map(taken_ids.is_derived, [uuid4(), victim.pk, stage_of(victim)]))
