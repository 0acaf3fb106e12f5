"""What earlier versions of the service have stored verifies for good: `data/earlier/`."""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import connection

from config.backups.restoring import pointing_at
from integrations.models import Change, Delivery
from integrations.webhooks.registration import body_of
from ledger import entries, needed_code_version, read
from ledger import verify as verify_ledger
from ledger.entries import encoding_of
from ledger.findings import FindingCode as Code
from ledger.hashing import Encoding
from ledger.models import Fact, Stream
from ledger.triggers import remove_triggers
from people.actors import Actor
from people.models import Account, Event, Try
from people.refusals import Refused
from tests.support import factories
from tests.support.worlds import remembered
from tests.tournaments.earlier import (
    EARLIER,
    FESTIVAL,
    at,
    is_standings,
    list_changed_standings,
    list_differences,
    read_answers,
    rebuild_rows,
    request_answers,
    unpack_database,
    upgraded,
)
from tournaments.commands import results
from tournaments.facts import version_seals
from tournaments.models import MatchGame, Stage, StandingsVersion
from tournaments.projections import standings
from tournaments.transfer.archive import intake
from tournaments.transfer.archive.export import export_event
from tournaments.verification import verify

DATABASES = {
    # Its rows lack what later projections have.
    "2026-11-20-c73a8a0": {Encoding.WITHOUT_CLIENT: 72},
    "2026-11-22-a171f98": {Encoding.WITHOUT_CLIENT: 107},
    "2026-11-22-4e30b87": {Encoding.WITHOUT_NUMBER: 107},
}
ARCHIVES = {
    "2026-11-22-8aa02f4": {Encoding.WITHOUT_CLIENT: 107},
    "2026-11-22-4e30b87": {Encoding.WITHOUT_NUMBER: 107},
    "2026-11-24-f7ec39a": {Encoding.NUMBERED: 107},
    FESTIVAL: {Encoding.NUMBERED: 1303},
}

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)

sqlite_only = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="the databases are SQLite's")


UpToDate = Callable[[str], Path]


@pytest.fixture(scope="module")
def _upgraded_once() -> dict[str, Path]:
    """Databases of earlier versions that were brought up to date, by their names."""
    return {}


@pytest.fixture
def up_to_date(
    _upgraded_once: dict[str, Path],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: Any,
) -> UpToDate:
    """Make a copy of the database of an earlier version as it is once it was brought up to date."""

    def copy(name: str) -> Path:
        if name not in _upgraded_once:
            path = unpack_database(name, tmp_path_factory.mktemp("earlier"))
            with django_db_blocker.unblock(), upgraded(path):
                _upgraded_once[name] = path
        return Path(shutil.copy(_upgraded_once[name], tmp_path))

    return copy


def take_in(name: str) -> intake.TakenIn:
    """Take in the archive of an earlier version, for a new account."""
    with (EARLIER / f"{name}.archive").open("rb") as file:
        return intake.take_in(file, Actor.command(), organizer=Account.objects.create_user("organizer"))


def take_in_festival() -> intake.TakenIn:
    """Take in the festival, which `remembered` knows by this function."""
    return take_in(FESTIVAL)


def take_in_unsealed() -> intake.TakenIn:
    """Take in an archive from before standings had a seal."""
    return take_in("2026-11-22-8aa02f4")


def raw_facts(path: Path) -> list[tuple[Any, ...]]:
    """The rows of facts as they are in the file, whatever the version."""
    with closing(sqlite3.connect(path)) as file:
        return file.execute(
            f"SELECT {', '.join(read.COLUMNS)} FROM ledger_fact ORDER BY id"
        ).fetchall()  # columns of our own


def encodings() -> dict[Encoding | None, int]:
    """How many stored facts have which encoding."""
    return Counter(encoding_of(fact) for fact in read.stored_facts(Fact.objects.all()))


def findings() -> list[str]:
    return [str(wrong) for wrong in verify.verify()]


def enter_results(place: int) -> None:
    """Enter the result of a game that wasn't begun."""
    games = MatchGame.objects.filter(game__version=0, match__stage__tournament__status="published")
    game = games.filter(match__table__isnull=False).order_by("match__round", "pk")[place]
    results.enter_result(game, Actor.command(), seat=0)
    standings.compute(game.match.stage.tournament_id)


def newest() -> Encoding | None:
    """The encoding of the fact that was recorded last."""
    return encoding_of(read.stored_facts(Fact.objects.order_by("-recorded_at", "-sequence")[:1])[0])


def test_earlier_version_files_are_all_verified_here() -> None:
    kept = {path.name for path in EARLIER.iterdir()}
    assert kept == {
        *(f"{name}.sqlite3.xz" for name in DATABASES),
        *(f"{name}.archive" for name in ARCHIVES),
        f"{FESTIVAL}.sqlite3.xz",
        f"{FESTIVAL}-answers.json.xz",
        # Of PostgreSQL: tests/config/test_restore.py.
        "2026-11-22-4e30b87.backup",
    }


@sqlite_only
@pytest.mark.parametrize("name", DATABASES)
def test_earlier_version_s_database_verifies_and_goes_on(
    name: str, up_to_date: UpToDate, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> None:
    stored = raw_facts(unpack_database(name, tmp_path_factory.mktemp("stored")))
    path = up_to_date(name)

    with django_db_blocker.unblock(), pointing_at(path):
        assert findings() == []
        assert (encodings(), needed_code_version.needed()) == (DATABASES[name], 1)
        # The version before might still run beside, or be started again: facts are as it writes them.
        enter_results(0)
        assert newest() is Encoding.WITHOUT_NUMBER
        call_command("finish_update", stdout=StringIO())
        enter_results(1)
        assert (newest(), needed_code_version.needed()) == (Encoding.NUMBERED, needed_code_version.KNOWN)
        assert findings() == []

    assert [row for row in raw_facts(path) if row in set(stored)] == stored


@sqlite_only
def test_twin_earlier_rows_that_are_not_built_again_differ_from_the_facts(
    tmp_path: Path, django_db_blocker: Any
) -> None:
    path = unpack_database("2026-11-20-c73a8a0", tmp_path)
    with (
        mock.patch("config.management.commands.migrate.rebuild_outdated"),
        django_db_blocker.unblock(),
        upgraded(path),
    ):
        assert findings() != []


@sqlite_only
def test_twin_earlier_facts_read_as_altered_without_their_encoding(
    up_to_date: UpToDate, django_db_blocker: Any
) -> None:
    with (
        django_db_blocker.unblock(),
        pointing_at(up_to_date("2026-11-22-a171f98")),
        mock.patch.object(entries, "ENCODINGS", tuple(each for each in Encoding if each > 1)),
    ):
        altered = sum(finding.wrong is Code.ALTERED for finding in verify_ledger.verify())
    assert altered == DATABASES["2026-11-22-a171f98"][Encoding.WITHOUT_CLIENT]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "values", [{"text": '{"type":"game_closed"}'}, {"type": "noted"}, {"recorded_at": LONG_AGO}]
)
def test_earlier_version_s_altered_fact_is_found(values: dict[str, Any]) -> None:
    remembered(take_in_unsealed)
    stream = Stream.objects.filter(kind="game", head_sequence=2).order_by("pk")[0].pk
    remove_triggers(connection)
    Fact.objects.filter(stream=stream, sequence=2).update(**values)

    found = [(each.wrong, each.stream, each.sequence) for each in verify_ledger.check_streams()]

    assert found == [(Code.ALTERED, stream, 2)]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ARCHIVES)
def test_earlier_version_s_archive_comes_in_and_verifies(name: str, tmp_path: Path) -> None:
    taken = remembered(take_in_festival) if name == FESTIVAL else take_in(name)
    assert (taken.is_new, findings(), encodings()) == (True, [], ARCHIVES[name])

    again = tmp_path / "again.archive"
    with again.open("wb") as file:
        export_event(taken.event, file, with_people=True)
    with again.open("rb") as file:
        assert not intake.take_in(file, Actor.command()).is_new


@pytest.mark.django_db
def test_earlier_version_s_festival_taken_in_has_the_same_standings() -> None:
    remembered(take_in_festival)
    recorded = read_answers(FESTIVAL)
    tables = {
        address: answer
        for address, answer in recorded.by_address.items()
        if is_standings(address) and not address.endswith("/versions/")
    }

    with at(recorded.now):
        answers = request_answers(tables, factories.make_token(Account.objects.get())[1])

    assert len(tables) == 14
    assert list_differences(tables, answers) == []


@pytest.mark.django_db
def test_twin_earlier_archive_of_an_unknown_encoding_is_refused() -> None:
    known = tuple(each for each in Encoding if each > 1)
    with (
        mock.patch.object(entries, "ENCODINGS", known),
        (EARLIER / "2026-11-22-8aa02f4.archive").open("rb") as file,
        pytest.raises(Refused) as refusal,
    ):
        intake.take_in(file, Actor.command())
    assert refusal.value.code == "archive-unreadable"
    assert not Event.objects.exists()


# A festival with tournaments of every format


@sqlite_only
@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.long)])
def test_earlier_version_s_festival_has_the_same_answers(
    step: int, up_to_date: UpToDate, django_db_blocker: Any
) -> None:
    """Its rows are built again first. All standings are asked for, and every sixth address or all."""
    recorded = read_answers(FESTIVAL)
    asked = {
        address: answer
        for place, (address, answer) in enumerate(recorded.by_address.items())
        if place % step == 0 or is_standings(address)
    }

    with django_db_blocker.unblock(), pointing_at(up_to_date(FESTIVAL)), at(recorded.now):
        rebuild_rows()
        answers = request_answers(asked, factories.make_token(Account.objects.get())[1])

    assert list_differences(asked, answers) == []


@sqlite_only
def test_earlier_version_s_festival_verifies(up_to_date: UpToDate, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock(), pointing_at(up_to_date(FESTIVAL)):
        assert (findings(), encodings()) == ([], ARCHIVES[FESTIVAL])


@sqlite_only
def test_earlier_version_s_tries_count_at_the_same_rate_limits(
    up_to_date: UpToDate, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any
) -> None:
    path = unpack_database(FESTIVAL, tmp_path_factory.mktemp("stored"))
    with closing(sqlite3.connect(path)) as file:
        stored = file.execute("SELECT brake, whose FROM people_try ORDER BY id").fetchall()

    with django_db_blocker.unblock(), pointing_at(up_to_date(FESTIVAL)):
        tries = list(Try.objects.order_by("pk").values_list("limit", "whose"))

    assert (tries, len(tries)) == (stored, 2)


@sqlite_only
def test_earlier_version_s_festival_knows_who_left_its_stages(
    up_to_date: UpToDate, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock(), pointing_at(up_to_date(FESTIVAL)):
        gone = [left for left in Stage.objects.values_list("left", flat=True) if left]

    assert [list(left.values()) for left in gone] == [["disqualified"]]


@sqlite_only
def test_earlier_version_s_festival_told_programs_what_they_would_be_told(
    up_to_date: UpToDate, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock(), pointing_at(up_to_date(FESTIVAL)):
        sent = list(Delivery.objects.values_list("message", "kind", "body"))
        changes = Change.objects.in_bulk([message for message, _kind, _body in sent])
        again = [
            (message, changes[message].kind, body_of(changes[message])) for message, _kind, _body in sent
        ]

    assert sent == again
    assert {kind for _message, kind, _body in sent} == {
        *("result.entered", "result.corrected", "draw.published"),
        *("points.adjusted", "tournament.closed", "palio.final"),
    }


def test_earlier_version_comparison_accepts_no_changed_or_missing_standing() -> None:
    address = "/api/v1/tournaments/1/standings/"
    before = {address: {"rows": [{"place": 1, "points": "3"}]}, "/en/": "a word"}

    def changes(row: dict[str, Any]) -> list[str]:
        return list_changed_standings(before, {address: {"rows": [row]}, "/en/": "another"})

    assert changes({"place": 1, "points": "3", "new": 0}) == []
    assert changes({"place": 2, "points": "3"}) == [f"{address} rows 0 place: 1 -> 2"]
    assert changes({"place": 1}) == [f"{address} rows 0 points: 3 -> (missing)"]
    assert list_changed_standings(before, {address: {"rows": []}}) != []
    assert list_changed_standings(before, {}) != []


# Versions of the standings had no seal


@pytest.mark.django_db
def test_standings_versions_without_a_seal_are_of_the_first_encoding() -> None:
    remembered(take_in_unsealed)
    assert set(StandingsVersion.objects.values_list("seal", flat=True)) == {""}

    version = StandingsVersion.objects.order_by("tournament", "number")[0]
    StandingsVersion.objects.filter(pk=version.pk).update(heads={})

    assert any("seal" in wrong.column for wrong in verify.verify())


@pytest.mark.django_db
def test_seal_that_was_taken_off_is_found_by_looking_at_the_facts() -> None:
    with (EARLIER / "2026-11-22-4e30b87.archive").open("rb") as file:
        intake.take_in(file, Actor.command())
    unsealed = StandingsVersion.objects.update(seal="")

    assert [wrong.column for wrong in verify.verify()].count("seal") == unsealed
    with mock.patch.object(version_seals, "may_lack_seal", return_value=True):
        assert [wrong.column for wrong in verify.verify()].count("seal") == 0
