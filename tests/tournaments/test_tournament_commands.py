"""The command line: what it prints, and what it says to a wrong argument."""

import json
import shlex
from contextlib import redirect_stdout
from copy import deepcopy
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from games.models import Game
from ledger.errors import ScopeDeletedError
from ledger.models import Fact, Stream, Tombstone
from ledger.receipts import make_receipt
from people.actors import Actor
from people.models import Entry, Event, Person
from tests.support import factories
from tests.support.rounds_play import open_games, published
from tournaments.commands import results
from tournaments.commands.set_up import create_tournament
from tournaments.formats.command import main as formats_main
from tournaments.models import Match, MatchGame, StandingsVersion, Tournament

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


def run(*arguments: str) -> str:
    output = StringIO()
    call_command(*arguments, stdout=output, stderr=output)
    return output.getvalue()


@pytest.fixture(scope="module")
def kept(committed: None) -> Tournament:
    """Played, for all tests of this module."""
    tournament = factories.drawn_tournament(factories.make_event(slug="palio"), 3, 3)
    for game in factories.games_of(tournament):
        results.enter_result(game, ACTOR, seat=0)
    return tournament


@pytest.fixture
def tournament(kept: Tournament, db: None) -> Tournament:
    """As it was played."""
    return deepcopy(kept)


def test_standings_command_computes_and_prints_json(tournament: Tournament) -> None:
    printed = json.loads(run("standings", "palio", "torneo", "--json"))
    assert [(row["place"], row["placement_points"]) for row in printed["rows"]] == [(1, "30")] * 3
    assert (printed["games_played"], printed["version"]) == (27, 1)


def test_standings_command_prints_a_table(tournament: Tournament) -> None:
    lines = run("standings", "palio", "torneo").splitlines()
    assert [line.split()[:2] for line in lines] == [["1", "Superiore"], ["1", "Centro"], ["1", "Inferiore"]]


@pytest.mark.parametrize(
    "arguments",
    [
        ("standings", "nowhere", "torneo"),
        ("standings", "palio", "nothing"),
        ("standings", "palio", "torneo", "--at", "yesterday"),
        ("standings", "palio", "torneo", "--at", "1999-01-01T00:00"),
        ("draw", "palio", "nothing"),
        ("draw", "palio", "torneo", "--make"),
        ("replay", "not a uuid"),
        ("replay", str(uuid4())),
        ("verify", "nowhere"),
        ("rebuild", "nowhere"),
        ("delete_event", "palio", "--name", "Another"),
    ],
)
def test_wrong_command_argument_is_refused(tournament: Tournament, arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        run(*arguments)


def test_draw_command_repeats_a_draw_from_its_seed(tournament: Tournament) -> None:
    printed = run("draw", "palio", "torneo", "--seed", factories.SEED)
    assert printed.splitlines()[0].startswith(f"method tendone-sha256-1, seed {factories.SEED}, plan ")
    assert sum(line.startswith("round ") for line in printed.splitlines()) == 9


def test_draw_command_repeats_and_compares_the_kept_draw(tournament: Tournament) -> None:
    """Whoever withdraws afterwards is still in it, and what decided it goes anywhere."""
    Entry.objects.filter(team__event=tournament.event, number=1).update(status=Entry.Status.WITHDRAWN)
    lines = run("draw", "palio", "torneo", "--kept").splitlines()
    assert lines[-1] == "The same as the draw that is kept."
    command = (
        "Anywhere: python -m tournaments.formats draw "
        f"--format triangle --seed={factories.SEED} --team 1-3 --team 1-3 --team 1-3 --rounds 3"
    )
    assert lines[-2].startswith(command)
    again = StringIO()
    with redirect_stdout(again):
        assert formats_main(shlex.split(lines[-2])[4:]) == 0
    assert again.getvalue().splitlines() == lines[:-2]


def test_draw_command_says_that_the_kept_draw_is_another_by_now(tournament: Tournament) -> None:
    """Numbers are what a draw is made of; with others, the same seed gives another one."""
    Entry.objects.filter(team__event=tournament.event, number=1).update(number=9)
    with pytest.raises(CommandError, match="The draw that is kept is another one"):
        run("draw", "palio", "torneo", "--kept")


@pytest.fixture
def swiss() -> Tournament:
    """Round 1 of a Swiss of four is played; the next isn't drawn by itself."""
    return after_a_round(published(4, 1, format="swiss", options={"rounds": 3}, draws_itself=False))


def after_a_round(tournament: Tournament) -> Tournament:
    Event.objects.filter(pk=tournament.event_id).update(slug="giostra")
    Tournament.objects.filter(pk=tournament.pk).update(slug="torneo")
    for game in open_games(tournament):
        results.enter_result(game, ACTOR, seat=0)
    return tournament


def test_draw_command_shows_and_draws_the_next_round(swiss: Tournament) -> None:
    shown = run("draw", "giostra", "torneo", "--next").splitlines()
    assert shown[:2] == ["stage 1", f"method tendone-swiss-2, seed {factories.SEED}, format swiss"]
    assert [line.partition(":")[0] for line in shown[2:]] == ["round 2 r2t1", "round 2 r2t2"]
    assert Match.objects.filter(stage__tournament=swiss).count() == 2
    assert run("draw", "giostra", "torneo", "--next", "--make").splitlines() == [*shown, "Drawn."]
    assert Match.objects.filter(stage__tournament=swiss).count() == 4
    with pytest.raises(CommandError, match="2 of them are missing"):
        run("draw", "giostra", "torneo", "--next")


def test_draw_command_repeats_kept_rounds_here_and_anywhere(
    swiss: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("draw", "giostra", "torneo", "--next", "--make")
    lines = run("draw", "giostra", "torneo", "--kept").splitlines()
    assert lines[2:] == ["round 1: the same", "round 2: the same", "The same as the draw that is kept."]
    published_json = run("draw", "giostra", "torneo", "--record")
    again = StringIO()
    monkeypatch.setattr("sys.stdin", StringIO(published_json))
    with redirect_stdout(again):
        assert formats_main(["round", "-"]) == 0
    assert again.getvalue().splitlines()[:3] == lines[1:4]


def test_draw_command_says_that_a_correction_would_draw_otherwise(swiss: Tournament) -> None:
    run("draw", "giostra", "torneo", "--next", "--make")
    game = MatchGame.objects.filter(match__stage__tournament=swiss, match__round=1).first()
    assert game is not None
    right = {"type": "game_closed", "reason": "result", "winner": 1}
    results.correct(game, ACTOR, game.game.version, [right], "wrong-winner")
    with pytest.raises(CommandError, match="drawn otherwise by the results as they are now: 1"):
        run("draw", "giostra", "torneo", "--kept")


def test_draw_command_refuses_kept_before_a_draw_is_made() -> None:
    create_tournament(factories.make_event(slug="giostra"), ACTOR, "Torneo", {})
    with pytest.raises(CommandError, match="No draw is kept"):
        run("draw", "giostra", "torneo", "--kept")


def test_draw_command_prints_a_draw_with_its_report(tournament: Tournament) -> None:
    lines = run("draw", "palio", "torneo", "--seed", "x", "--report").splitlines()
    assert "= Nobody meets the same opponent twice." in lines
    assert sum(line.startswith("entry ") for line in lines) == 9


def test_draw_command_makes_and_publishes_a_draw() -> None:
    event = factories.make_event(slug="giostra")
    factories.make_field(event, 3, 2)
    tournament = create_tournament(event, ACTOR, "Torneo", {})
    run("draw", "giostra", "torneo", "--seed", "x", "--make", "--publish")
    tournament.refresh_from_db()

    assert (tournament.status, tournament.stages.get().seed) == ("published", "x")


def test_replay_command_replays_a_stored_game(tournament: Tournament) -> None:
    game = Game.objects.filter(group=tournament.pk)[0]
    state = json.loads(run("replay", str(game.pk)))

    assert (state["phase"], state["winner"], state["events"]) == ("over", 0, 2)
    assert json.loads(run("replay", str(game.pk), "--until", "1"))["phase"] == "cut"
    assert [json.loads(line)["type"] for line in run("replay", str(game.pk), "--log").splitlines()] == [
        "game_opened",
        "game_closed",
    ]


def test_verify_and_rebuild_commands_print_and_exit_with_their_status(tournament: Tournament) -> None:
    run("standings", "palio", "torneo")
    assert run("verify") == "Everything is as it was recorded.\n"
    assert run("rebuild") == "Tournaments built again: 1.\n"
    StandingsVersion.objects.update(games_played=3)
    with pytest.raises(SystemExit) as ended:
        run("verify", "palio")
    assert ended.value.code == 1


def test_verify_command_compares_a_receipt_that_was_kept(tournament: Tournament, tmp_path: Path) -> None:
    run("standings", "palio", "torneo")
    root = make_receipt(tournament.event_id).root
    results.correct(factories.games_of(tournament)[0], ACTOR, 2, [], "typing-error")
    run("standings", "palio", "torneo")
    in_groups = " ".join(root[start : start + 8] for start in range(0, 64, 8)).upper()
    lines = run("verify", "palio", "--receipt", in_groups).splitlines()
    assert lines[0].startswith(f"Receipt {root[:8]}… (number ")
    assert lines[0].endswith("facts are as they were; 1 more since.")
    assert lines[1:] == ["Everything is as it was recorded."]
    listed = tmp_path / "receipts.txt"
    listed.write_text(f"Ricevuta {root}\nhttps://palio.example/palio/receipts/{'ab' * 32}/\n")
    with pytest.raises(SystemExit):
        run("verify", "--receipts", str(listed))
    with pytest.raises(CommandError, match="is no receipt"):
        run("verify", "--receipt", root[:-1])


def test_delete_event_command_without_a_terminal_needs_the_name(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO())

    with pytest.raises(CommandError, match=r"^Nothing was deleted: .* --name and the event's name\.$"):
        run("delete_event", "palio")

    assert Event.objects.filter(pk=tournament.event_id).exists()


def test_deleted_event_leaves_a_tombstone_and_nothing_else(tournament: Tournament) -> None:
    event = tournament.event
    run("delete_event", "palio", "--name", event.name)
    left = [model.objects.count() for model in (Event, Tournament, Game, Person, Fact, Stream)]
    assert left == [0, 0, 0, 0, 0, 0]
    assert Tombstone.objects.get().scope == event.pk
    factories.make_event(id=event.pk)
    with pytest.raises(ScopeDeletedError):
        create_tournament(Event.objects.get(pk=event.pk), ACTOR, "Torneo", {})
