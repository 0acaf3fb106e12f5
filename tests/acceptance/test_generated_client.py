"""A client that is generated from the committed description runs a palio from end to end."""

import importlib
import re
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from django.core.wsgi import get_wsgi_application
from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType

from games.engine import Ruleset, print_log
from games.engine.bots import play_random_game
from tests.support import factories

DOCS = Path(__file__).parents[2] / "docs" / "reference"
PATIENCE = 120
"""Seconds that the standings may take before the test gives up."""


class Generated:
    """The generated package: operations by their id, models by their name."""

    def __init__(self, package: str, folder: Path) -> None:
        self._package = package
        self.modules = {
            each.stem: each for each in (folder / "api").glob("*/*.py") if each.stem != "__init__"
        }
        self.models: Any = importlib.import_module(f"{package}.models")
        self._client: Any = importlib.import_module(f"{package}.client")
        self.file: Any = importlib.import_module(f"{package}.types").File

    def client(self, **credentials: str) -> Any:
        """A client that talks to this process; with `token` and, for a phone, `prefix` it is somebody's."""
        kind = self._client.AuthenticatedClient if credentials else self._client.Client
        return kind(
            base_url="http://testserver",
            raise_on_unexpected_status=True,
            httpx_args={"transport": httpx.WSGITransport(app=get_wsgi_application())},
            **credentials,
        )

    def operation(self, name: str) -> Callable[..., Any]:
        """The function that makes one call and tells the status with what was answered."""
        tag = self.modules[name].parent.name
        function: Callable[..., Any] = importlib.import_module(
            f"{self._package}.api.{tag}.{name}"
        ).sync_detailed
        return function


class Caller:
    """One of those who call, with what is expected of each answer."""

    def __init__(self, generated: Generated, **credentials: str) -> None:
        self.generated = generated
        self._client = generated.client(**credentials)

    def __call__(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Make a call; a refusal fails the test."""
        status, parsed = self.answer(name, *arguments, **options)
        assert status < 300, parsed
        return parsed

    def answer(self, name: str, *arguments: Any, **options: Any) -> tuple[int, Any]:
        """Make a call, and tell how it went."""
        answer = self.generated.operation(name)(*arguments, client=self._client, **options)
        return int(answer.status_code), answer.parsed


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Generated]:
    """The client, generated once; a warning of the generator fails it."""
    folder = tmp_path_factory.mktemp("generated")
    settings = ConfigFile.load_from_path(DOCS / "openapi-python-client.yaml")
    # No formatter: nobody reads it.
    settings.post_hooks = []
    made = Config.from_sources(
        settings,
        meta_type=MetaType.NONE,
        document_source=DOCS / "openapi.yaml",
        file_encoding="utf-8",
        overwrite=False,
        output_path=folder / "tendone_client",
    )
    assert [f"{each.header} {each.detail}" for each in generate(config=made)] == []
    sys.path.insert(0, str(folder))
    yield Generated("tendone_client", folder / "tendone_client")
    sys.path.remove(str(folder))
    for name in [each for each in sys.modules if each.partition(".")[0] == "tendone_client"]:
        del sys.modules[name]


def test_generated_client_has_each_operation_and_no_numbered_names(generated: Generated) -> None:
    described = re.findall(r"operationId: (?!webhook_)(\w+)", (DOCS / "openapi.yaml").read_text())
    assert set(generated.modules) == set(described)
    names = [name for name in vars(generated.models) if name[0].isupper()]
    assert [name for name in names if re.search(r"Type\d|Item|\d$", name)] == []


@pytest.mark.sqlite
@pytest.mark.usefixtures("embedded_tasks")
def test_generated_client_runs_a_palio(generated: Generated) -> None:
    models = generated.models
    desk = Caller(generated, token=factories.make_token(factories.make_account())[1])
    public = Caller(generated)

    event = desk("events_create", body=models.EventFromRequest(name="Palio", starts_on=date(2026, 9, 5)))
    teams = [
        desk("teams_create", event.id, body=models.NewTeamRequest(name=name))
        for name in ("Superiore", "Centro", "Inferiore")
    ]
    for team in teams:
        person = models.NewEntryRequest(
            team=team.id, last_name="Rossi", first_name=team.name, birth_date=date(2016, 5, 1)
        )
        assert desk("entries_create", event.id, body=person).person.first_name == team.name
    status, twice = desk.answer("teams_create", event.id, body=models.NewTeamRequest(name="Centro"))
    assert (status, type(twice), twice.code) == (409, models.Problem, "name-taken")

    chosen = models.TournamentSettingsChoiceRequest(
        format_=models.FormatEnum.TRIANGLE,
        rounds=1,
        tables=1,
        metrics=[models.MetricsEnum.POINTS],
        tie_policy=models.TiePolicyEnum.LOTS,
    )
    tournament = desk(
        "tournaments_create",
        event.id,
        body=models.NewTournamentRequest(name="Torneo", settings=chosen),
        idempotency_key=str(uuid4()),
    )
    preview = desk("draws_preview", tournament.id, seed="palio")
    assert (preview.matches, preview.games) == (1, 3)
    desk(
        "draws_make", tournament.id, body=models.DrawRequest(seed=preview.seed), idempotency_key=str(uuid4())
    )
    desk("draws_publish", tournament.id, body=models.DecisionRequest())
    assert public.answer("tournaments_read", tournament.id)[0] == 404
    desk("events_change", event.id, body=models.PatchedEventRequest(is_published=True))

    phone = paired_phone(generated, desk, public, event)
    (match,) = public("matches_list", tournament.id).results
    first, second, third = match.games
    play(generated, phone, desk, first, second, third)

    table = standings_when(
        public, tournament, lambda table: [row.games_won for row in table.rows] == [1, 1, 1]
    )
    assert table.version.games_played == 3
    status, refused = desk.answer("tournaments_close", tournament.id, body=models.DecisionRequest())
    assert (status, refused.code) == (409, "tie-unresolved")
    desk("tournaments_draw_lots", tournament.id, body=models.LotsRequest())
    desk("tournaments_close", tournament.id, body=models.DecisionRequest())
    table = standings_when(public, tournament, lambda table: table.version.is_final)
    assert [row.place for row in table.rows] == [1, 2, 3]
    assert [row.placement_points for row in table.rows] == ["30", "20", "10"]

    receipts = desk("receipts_list", event.id).results
    assert table.version.receipt in [each.root_hash for each in receipts]
    assert desk("receipts_verify", event.id).findings == []
    archive = desk("archives_download", event.id)
    assert archive.payload.read(2) == b"PK"


def paired_phone(generated: Generated, desk: Caller, public: Caller, event: Any) -> Caller:
    """A referee's phone that was let in by the day's PIN."""
    models = generated.models
    referee = desk("referees_create", event.id, body=models.NewRefereeRequest(first_name="Ivo"))
    asked = public("pairings_ask", event.id, body=models.AskRequest(referee=referee.id))
    assert asked.admitted_by is None
    phone = Caller(generated, token=asked.secret, prefix="Pairing")
    pin = desk("pairings_set_day_pin", event.id).pin
    admitted = phone("pairings_admit_by_pin", body=models.PinRequest(pin=pin))
    assert admitted.admitted_by == models.AdmittedByEnum.PIN
    return phone


def play(generated: Generated, phone: Caller, desk: Caller, first: Any, second: Any, third: Any) -> None:
    """One game by its cards, one by its result, and one that is corrected; each team wins one."""
    models = generated.models
    log = play_random_game(Ruleset.from_json("palio"), 2, seed=1)
    payload = print_log(log).encode()
    written = phone("games_upload_log", first.id, body=generated.file(payload=payload))
    assert (written.version, written.refusal) == (len(log), None)
    winner = phone("games_read", first.id).winner_team

    def won_by(game: Any, team: Any) -> int:
        return [seat.team for seat in phone("games_read", game.id).seats].index(team)

    # Who wins the second and the third, so that everybody wins one.
    open_to = [[seat.team for seat in phone("games_read", each.id).seats] for each in (second, third)]
    second_winner, last = next(pair for pair in product(*open_to) if len({winner, *pair}) == 3)
    right = models.ResultRequest(winner_team=second_winner, expected_version=0)
    key = str(uuid4())
    once = phone("games_enter_result", second.id, body=right, idempotency_key=key)
    assert phone("games_enter_result", second.id, body=right, idempotency_key=key).version == once.version

    batch = models.BatchRequest(
        expected_version=0,
        entries=[
            models.BatchEntryRequest(id=uuid4(), event=models.DealerNamed(type_="dealer_named", seat=0))
        ],
    )
    assert phone("games_append", third.id, body=batch).accepted == 1
    assert "game_closed" in [option.type_ for option in phone("games_legal", third.id).options]
    wrong = next(team for team in open_to[1] if team != last)
    phone("games_enter_result", third.id, body=models.ResultRequest(winner_team=wrong))
    closed = models.GameClosed(type_="game_closed", reason="result", winner=won_by(third, last))
    correction = models.CorrectionRequest(line=3, replacement=[closed], reason="wrong-winner")
    plan = desk("games_preview_correction", third.id, body=correction)
    assert (plan.before.team, plan.after.team) == (wrong, last)
    assert [type(each) for each in plan.events] == [models.EventVoided, models.GameClosed]
    correction.expected_version = plan.version
    desk("games_correct", third.id, body=correction)
    assert phone("games_read", third.id).winner_team == last


def standings_when(public: Caller, tournament: Any, ready: Callable[[Any], bool]) -> Any:
    """The standings once they are `ready`: a task computes them."""
    started = time.monotonic()
    while True:
        status, table = public.answer("standings_read", tournament.id)
        if status == 200 and ready(table):
            return table
        assert time.monotonic() - started < PATIENCE
        time.sleep(0.05)
