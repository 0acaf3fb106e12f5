"""Draws: equal numbers, the same anywhere from the same seed, made again only before publication."""

from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import call_command

from ledger import read
from ledger.errors import ClientIdReusedError, ConflictError
from people.actors import Actor
from people.models import Entry
from people.refusals import Refused
from tests.support import factories
from tournaments.commands.decision_recording import Caller
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.set_up import change_settings, create_tournament
from tournaments.formats.mini_tournament_format import MiniTournament
from tournaments.models import Match, Tournament
from tournaments.projections.standings_inputs import courses_now
from tournaments.queries import matches
from tournaments.queries.first_stage_draws import kept_draw, preview_draw
from tournaments.verification import verify

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


def pairings(tournament: Tournament) -> list[list[tuple[int, list[int]]]]:
    """The sides of every match, by numbers alone: what a draw says wherever it is made."""
    return [
        [(side.team.number, [entry.number for entry in side.entries]) for side in match.sides]
        for match in matches.load_matches(Match.objects.filter(stage__tournament=tournament))
    ]


def test_draw_takes_the_smallest_team_s_number_and_lets_the_latest_wait() -> None:
    event = factories.make_event()
    for entries in (14, 12, 9):
        factories.make_entries(factories.make_team(event), entries)
    seen = preview_draw(factories.make_tournament(event), "palio-2022")
    assert [(len(team.playing), [entry.number for entry in team.reserves]) for team in seen.field.teams] == [
        (9, [10, 11, 12, 13, 14]),
        (9, [10, 11, 12]),
        (9, []),
    ]


def test_withdrawn_entry_is_not_drawn() -> None:
    event = factories.make_event()
    teams = factories.make_field(event, 3, 3)
    Entry.objects.filter(team=teams[0], number=1).update(status=Entry.Status.WITHDRAWN)
    seen = preview_draw(factories.make_tournament(event), "x")

    assert [[entry.number for entry in team.playing] for team in seen.field.teams] == [[2, 3], [1, 2], [1, 2]]


def test_draw_preview_stores_nothing() -> None:
    event = factories.make_event()
    factories.make_field(event, 3, 3)
    tournament = factories.make_tournament(event)
    preview_draw(tournament)
    tournament.refresh_from_db()

    assert (tournament.version, tournament.status, tournament.stages.count()) == (1, "set_up", 0)


def test_draw_is_the_same_from_the_same_seed_in_another_installation() -> None:
    drawn = []
    for _ in range(2):
        event = factories.make_event()
        factories.make_field(event, 3, 5)
        tournament = factories.make_tournament(event)
        make_draw(tournament, ACTOR, "palio-2022")
        drawn.append(pairings(tournament))
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == 20


def test_draw_made_again_replaces_the_former() -> None:
    event = factories.make_event()
    factories.make_field(event, 3, 5)
    tournament = factories.make_tournament(event)
    make_draw(tournament, ACTOR, "first")

    first = pairings(tournament)
    make_draw(tournament, ACTOR, "second")

    assert pairings(tournament) != first
    assert tournament.stages.get().seed == "second"
    assert [fact.type for fact in read.facts(tournament.pk)] == [
        "tournament_set_up",
        "stage_drawn",
        "stage_drawn",
    ]


def test_published_draw_is_not_made_again() -> None:
    tournament = factories.drawn_tournament(factories.make_event())
    with pytest.raises(Refused) as refused:
        make_draw(tournament, ACTOR, "another")
    assert (refused.value.code, refused.value.params["current"]) == ("wrong-status", "published")


def test_draw_is_published_once() -> None:
    tournament = factories.drawn_tournament(factories.make_event())
    with pytest.raises(Refused) as refused:
        publish_draw(tournament, ACTOR)
    assert refused.value.code == "wrong-status"


def test_settings_that_change_drop_an_unpublished_draw() -> None:
    event = factories.make_event()
    tournament = factories.drawn_tournament(event, published=False)
    change_settings(tournament, ACTOR, {"format": "duel"})
    tournament.refresh_from_db()

    assert (tournament.status, tournament.stages.count()) == ("set_up", 0)


def test_settings_after_publication_change_with_a_reason_but_not_the_draw() -> None:
    tournament = factories.drawn_tournament(factories.make_event())
    with pytest.raises(Refused) as fixed:
        change_settings(tournament, ACTOR, {**tournament.settings, "tables": 2}, reason="typing-error")
    with pytest.raises(Refused) as silent:
        change_settings(tournament, ACTOR, {**tournament.settings, "scale": [3, 2, 1]})

    changed = change_settings(
        tournament, ACTOR, {**tournament.settings, "scale": [3, 2, 1]}, reason="organizer-decision"
    )

    assert (fixed.value.code, silent.value.code) == ("fixed-after-publication", "reason-needed")
    assert (changed.status, changed.settings["scale"]) == ("published", [3, 2, 1])


def test_draw_that_cannot_be_made_says_why() -> None:
    event = factories.make_event()
    factories.make_field(event, 2, 3)
    with pytest.raises(Refused) as refused:
        preview_draw(factories.make_tournament(event))
    assert (refused.value.code, refused.value.status, refused.value.params["why"]) == (
        "cannot-draw",
        422,
        "teams",
    )


def test_team_without_entries_cannot_be_drawn() -> None:
    event = factories.make_event()
    factories.make_field(event, 2, 3)
    factories.make_team(event)

    with pytest.raises(Refused) as refused:
        preview_draw(factories.make_tournament(event))

    assert refused.value.params["why"] == "too_few_entries"
    assert str(refused.value).startswith("Iscritti di “")


def test_draw_request_sent_twice_is_one_draw_and_one_answer() -> None:
    event = factories.make_event()
    factories.make_field(event, 3, 3)
    tournament = factories.make_tournament(event)
    key = uuid4()
    first = make_draw(tournament, Caller(ACTOR, client_id=key), "seed")
    publish_draw(tournament, ACTOR)
    again = make_draw(tournament, Caller(ACTOR, client_id=key), "seed")
    assert first == again
    with pytest.raises(ClientIdReusedError):
        make_draw(tournament, Caller(ACTOR, client_id=key), "another")


def test_draw_seed_of_the_longest_length_is_kept_and_a_longer_one_refused() -> None:
    event = factories.make_event()
    factories.make_field(event, 3, 3)
    tournament = factories.make_tournament(event)
    assert make_draw(tournament, ACTOR, "x" * 80).seed == "x" * 80
    with pytest.raises(Refused) as refused:
        make_draw(tournament, ACTOR, "x" * 81)
    assert refused.value.params["why"] == "seed"


def test_draw_from_an_old_page_is_a_conflict() -> None:
    event = factories.make_event()
    factories.make_field(event, 3, 3)
    tournament = factories.make_tournament(event)
    make_draw(tournament, Caller(ACTOR, expected_version=1), "seed")

    with pytest.raises(ConflictError) as conflict:
        make_draw(tournament, Caller(ACTOR, expected_version=1), "seed")

    assert conflict.value.current_version == 2


def test_tournaments_of_one_name_have_different_addresses() -> None:
    event = factories.make_event()
    slugs = [create_tournament(event, ACTOR, "Palio di Uno", {}).slug for _ in range(3)]
    assert slugs == ["palio-di-uno", "palio-di-uno-2", "palio-di-uno-3"]


def test_decisions_name_no_person() -> None:
    tournament = factories.drawn_tournament(factories.make_event())
    texts = " ".join(fact.text for fact in read.facts(tournament.pk))
    assert factories.LAST_NAME not in texts
    assert factories.FIRST_NAME not in texts


def test_squads_of_three_sit_alternately() -> None:
    event = factories.make_event()
    factories.make_field(event, 3, 6)
    tournament = factories.drawn_tournament(event, squad_size=3)
    for match_game in factories.games_of(tournament):
        teams = [seat.team for seat in match_game.game.seats.all()]
        assert len(teams) == 6
        assert teams[0::2] == [teams[0]] * 3
        assert teams[1::2] == [teams[1]] * 3
        assert teams[0] != teams[1]


@pytest.mark.parametrize(("format_", "plan"), [("triangle", "N6_lam4_T10"), ("duel", "circle")])
def test_draw_of_an_earlier_version_is_repeated_by_its_own_method(
    monkeypatch: pytest.MonkeyPatch, format_: str, plan: str
) -> None:
    event = factories.make_event(slug="palio")
    factories.make_field(event, 6, 2)
    tournament = create_tournament(event, ACTOR, "Torneo", {"format": format_, "rounds": 5})
    with monkeypatch.context() as earlier:
        earlier.setattr(MiniTournament, "methods", lambda self, field: ("tendone-sha256-1",))
        make_draw(tournament, ACTOR, "palio-2022")
        publish_draw(tournament, ACTOR)
    out = StringIO()

    call_command("draw", "palio", tournament.slug, "--kept", stdout=out)

    made = next(fact.body for fact in read.facts(tournament.pk) if fact.type == "stage_drawn")
    assert (made["method"], made["plan"]) == ("tendone-sha256-1", plan)
    assert "The same as the draw that is kept." in out.getvalue()
    assert "--method tendone-sha256-1" in out.getvalue()
    assert list(verify.verify(event)) == []
    assert kept_draw(tournament, courses_now(tournament)[0]).inputs is not None
    new = preview_draw(tournament, "palio-2022").draw
    assert (new.method, new.plan) != (made["method"], made["plan"])
