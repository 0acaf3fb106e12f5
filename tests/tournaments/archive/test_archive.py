"""An event's archive: written, taken in again elsewhere, verified and equal; whatever else is refused."""

import io
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.utils import translation

from games.models import Game
from ledger import needed_code_version
from ledger.models import Compatibility
from people.models import Account, Entry, Event, Organizer, Pairing, Person
from people.refusals import Refused
from tests.support import factories
from tests.support.archives import ACTOR, NOTE, archived, everything, files_of, forgotten, played, put_in
from tests.support.faults import put_fault_in
from tests.support.recorded_game import table_log
from tournaments.commands import results
from tournaments.commands.delete_event import delete_event
from tournaments.models import MatchGame, OtherGame, Standing, Table
from tournaments.projections import standings
from tournaments.projections.rebuild import rebuild
from tournaments.transfer.archive import container
from tournaments.transfer.archive.export import snapshot
from tournaments.transfer.archive.rows import KEPT
from tournaments.verification import verify
from tournaments.verification.row_snapshots import picture

pytestmark = pytest.mark.django_db

LEFT_OUT = {
    "config.Heartbeat": "a sign of life of this installation",
    "ledger.Stream": "in files of its own, with its facts",
    "ledger.Fact": "in a file of its own",
    "ledger.Compatibility": "of this database; an archive says its own",
    "ledger.Receipt": "in a file of its own",
    "ledger.OutboxMessage": "work that is due here",
    "ledger.Tombstone": "of events that are gone",
    "games.Game": "projected",
    "games.Seat": "projected",
    "people.Account": "of this installation",
    "people.Organizer": "of this installation",
    "people.ApiToken": "of this installation",
    "people.AuditEntry": "who changed which row here, and what it said of persons",
    "people.PendingErasure": "announced by this installation",
    "people.RecoveryCode": "of this installation",
    "people.SecondFactor": "of this installation",
    "people.ServiceClock": "of this installation",
    "people.StoredAnswer": "of a day",
    "people.Try": "of an hour",
    "tournaments.Call": "of the moment",
    "tournaments.TimetableChange": "what can be taken back here",
    "tournaments.TimetableWork": "work that is under way here",
    "tournaments.Stage": "projected",
    "tournaments.DrawnRound": "projected",
    "tournaments.OldCode": "of this installation's cards",
    "tournaments.Squad": "projected",
    "tournaments.SquadMember": "projected",
    "tournaments.Match": "projected",
    "tournaments.MatchSide": "projected",
    "tournaments.MatchGame": "projected",
    "tournaments.Outlook": "made anew",
    "tournaments.PlayedJoker": "projected",
    "tournaments.OtherPlacing": "projected",
    "tournaments.OverallStanding": "projected",
    "tournaments.Standing": "projected",
    "programs.Feed": "in which order programs here were told",
    "programs.FeedMark": "in which order programs here were told",
    "programs.Change": "in which order programs here were told",
    "programs.Webhook": "whom programs of this installation tell",
    "programs.Delivery": "what this installation has sent",
    "programs.Attempt": "what this installation has sent",
    "publishing.Publication": "made anew",
    "publishing.PublishedPage": "made anew",
}
"""Models that aren't in an archive, and why."""

NAMES = ["Zampognari", "Fischietti", "Mulinacci", "Ortensia"]


def why_not(archive: bytes, **how: Any) -> str:
    """The code with which it is refused; nothing has changed then."""
    before = everything()
    with pytest.raises(Refused) as caught:
        put_in(archive, **how)
    assert everything() == before
    return caught.value.code


def changed(archive: bytes, name: str, change: Callable[[list[Any]], object]) -> bytes:
    """The archive with the lines of one file changed, and a manifest that says so."""
    with container.opened(io.BytesIO(archive)) as packed:
        rows = [json.loads(each) for each in packed.lines(name)]
        about = {key: value for key, value in packed.about.items() if key not in ("format", "version")}
    change(rows)
    content = b"".join(json.dumps(each).encode() + b"\n" for each in rows)
    target = io.BytesIO()
    container.write(target, about, {**files_of(archive), name: content})
    return target.getvalue()


def saying(archive: bytes, **more: Any) -> bytes:
    """The archive with something else in its manifest."""
    with container.opened(io.BytesIO(archive)) as packed:
        about = {key: value for key, value in packed.about.items() if key not in ("format", "version")}
    target = io.BytesIO()
    container.write(target, {**about, **more}, files_of(archive))
    return target.getvalue()


def test_archive_that_needs_a_newer_version_is_refused_as_newer(event_archive: bytes) -> None:
    assert why_not(saying(event_archive, needs=needed_code_version.KNOWN + 1)) == "archive-newer"
    for wrong in (0, "2", None, True):
        assert why_not(saying(event_archive, needs=wrong)) == "archive-unreadable"


def test_archive_taken_in_raises_the_version_that_the_database_needs(event_archive: bytes) -> None:
    Compatibility.objects.update(needs=1)
    assert put_in(event_archive).is_new
    assert needed_code_version.needed() == needed_code_version.KNOWN


@pytest.mark.parametrize("with_people", [True, False])
def test_archive_of_an_event_is_taken_in_as_it_was(with_people: bool) -> None:
    event = played()
    before = archived(event, with_people=with_people)
    pictures = [picture(each) for each in event.tournaments.all()]
    forgotten(event)
    assert not Event.objects.exists()
    organizer = factories.make_account()
    taken = put_in(before, organizer=organizer)
    assert taken.is_new
    assert list(verify.verify(taken.event)) == []
    assert [picture(each) for each in taken.event.tournaments.all()] == pictures
    assert archived(taken.event, with_people=with_people) == before
    assert not taken.event.is_published
    assert Organizer.objects.get(event=taken.event).account == organizer
    assert Pairing.objects.filter(event=taken.event, revoked_at=None).count() == 0
    assert Person.objects.filter(event=taken.event).count() == (6 if with_people else 0)
    assert Entry.objects.filter(team__event=taken.event).count() == 6


def test_archive_has_no_note_or_secret_and_without_people_no_name() -> None:
    event = played()
    codes = list(Table.objects.values_list("code", flat=True))
    hashes = list(Pairing.objects.values_list("secret_hash", flat=True))
    for with_people in (True, False):
        text = b"".join(files_of(archived(event, with_people=with_people)).values()).decode()
        assert [word for word in (NOTE, *codes, *hashes) if word in text] == []
        found = [word for word in NAMES if word in text]
        assert found == (NAMES if with_people else [])


def test_archive_of_the_same_event_is_accepted_and_of_another_state_refused() -> None:
    event = played()
    archive = archived(event)
    before = everything()
    assert put_in(archive).is_new is False
    assert everything() == before
    game = factories.games_of(event.tournaments.get())[5]
    results.enter_result(game, ACTOR, seat=0)
    assert why_not(archive) == "event-differs"
    assert put_in(archived(event)).is_new is False


def test_archive_of_an_event_deleted_for_good_is_refused() -> None:
    event = played()
    archive = archived(event)
    delete_event(event)
    assert why_not(archive) == "event-deleted"


def test_archive_with_a_taken_address_is_refused_until_another_is_chosen() -> None:
    event = played()
    archive = archived(event)
    forgotten(event)
    factories.make_event(slug="palio-antico")
    assert why_not(archive) == "slug-taken"
    assert why_not(archive, slug="Palio Antico") == "invalid-slug"
    assert why_not(archive, slug="desk") == "invalid-slug"
    taken = put_in(archive, slug="palio-ritrovato")
    assert taken.event.slug == "palio-ritrovato"
    assert put_in(archive).is_new is False


def altered_text(facts: list[Any]) -> None:
    facts[3]["text"] = facts[3]["text"].replace('"', "'", 1)


def cut_off(facts: list[Any]) -> None:
    last = max(place for place, fact in enumerate(facts) if fact["stream"] == facts[0]["stream"])
    del facts[last]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("facts.jsonl", altered_text),
        ("facts.jsonl", cut_off),
        ("facts.jsonl", lambda facts: facts[0].update(sequence=2)),
        ("facts.jsonl", lambda facts: facts[0].update(extra=1)),
        ("facts.jsonl", lambda facts: facts[0].update(recorded_at="yesterday")),
        ("facts.jsonl", list.clear),
        ("streams.jsonl", lambda streams: streams[0].update(kind="")),
        ("streams.jsonl", lambda streams: streams[0].update(kind="tavolo")),
        ("streams.jsonl", lambda streams: streams[0].update(kind=[])),
        ("rows/people.event.jsonl", lambda rows: rows[0].update(id="7")),
        ("rows/people.event.jsonl", lambda rows: rows[0].update(starts_on="soon")),
        ("rows/people.event.jsonl", lambda rows: rows[0].update(is_published=True)),
        # What no page or task can reckon with.
        ("rows/people.event.jsonl", lambda rows: rows[0].update(time_zone="Mars/Phobos")),
        ("rows/people.event.jsonl", lambda rows: rows[0].update(language="<b>")),
        ("rows/people.event.jsonl", lambda rows: rows[0].update(ends_on="9999-12-31")),
        ("rows/people.event.jsonl", lambda rows: rows[0].update(starts_on="0001-01-01")),
        ("rows/people.event.jsonl", lambda rows: rows[0].update(min_age=True)),
        ("rows/people.event.jsonl", lambda rows: rows[0].update(name="a\nb")),
        ("rows/tournaments.place.jsonl", lambda rows: rows[0].update(sequence=2**31 - 1)),
        ("rows/people.event.jsonl", lambda rows: rows[0].update(purge_after_days=1.5)),
        (
            "rows/people.entry.jsonl",
            lambda rows: rows[0].update(entered_at="9999-12-31T23:59:59.999999+00:00"),
        ),
        ("rows/people.announcement.jsonl", lambda rows: rows[0].update(id=7)),
        ("rows/people.announcement.jsonl", lambda rows: rows[0].update(texts={"it": 7})),
        ("rows/tournaments.timetable.jsonl", lambda rows: rows[0].update(settings=[])),
        ("rows/tournaments.timetable.jsonl", lambda rows: rows[0].update(settings={"days": "x"})),
        ("rows/people.event.jsonl", lambda rows: rows[0].update(ends_on="1999-01-01")),
        ("rows/people.team.jsonl", lambda rows: rows[0].update(color_one="red")),
        ("rows/people.team.jsonl", lambda rows: rows[1].update(number=rows[0]["number"])),
        ("rows/people.team.jsonl", lambda rows: rows.append(rows[0])),
        ("rows/people.entry.jsonl", lambda rows: rows[0].update(team=rows[0]["id"])),
        ("rows/people.entry.jsonl", list.clear),
        ("rows/people.event.jsonl", lambda rows: rows[0].update(place="a\ud800")),
        ("rows/people.event.jsonl", lambda rows: rows[0].update(place="a\0")),
        ("rows/tournaments.timetable.jsonl", lambda rows: rows[0].update(settings={"a": "\ud800"})),
        ("rows/tournaments.timetable.jsonl", lambda rows: rows[0].update(settings={"a": "\0"})),
        ("rows/tournaments.timetable.jsonl", lambda rows: rows[0].update(settings={"a": math.nan})),
        ("rows/people.person.jsonl", lambda rows: rows[0].update(last_name="")),
        ("rows/people.person.jsonl", lambda rows: rows[0].update(note="di nascosto")),
        ("rows/people.person.jsonl", lambda rows: rows[0].update(first_name=["Ada"])),
        ("rows/tournaments.tournament.jsonl", list.clear),
        ("rows/tournaments.standingsversion.jsonl", lambda rows: rows[0].update(heads=[])),
        ("rows/tournaments.standingsversion.jsonl", lambda rows: rows[-1].update(receipt="0" * 64)),
    ],
)
def test_archive_whose_parts_do_not_fit_is_refused_and_nothing_stored(
    name: str, change: Callable[[list[Any]], object], event_archive: bytes
) -> None:
    assert why_not(changed(event_archive, name, change)) in ("archive-unreadable", "archive-unfit")


def test_archive_line_that_names_a_member_twice_is_refused(event_archive: bytes) -> None:
    rows = files_of(event_archive)["rows/people.team.jsonl"]
    twice = rows.replace(b'"name":', b'"name":"Ortensia","name":', 1)
    about = {
        "event": json.loads(files_of(event_archive)["rows/people.event.jsonl"])["id"],
        "with_people": True,
    }
    target = io.BytesIO()
    container.write(target, about, {**files_of(event_archive), "rows/people.team.jsonl": twice})

    assert why_not(target.getvalue()) == "archive-unreadable"


def test_archive_refusal_is_told_in_italian(event_archive: bytes) -> None:
    twice = changed(event_archive, "rows/people.team.jsonl", lambda rows: rows.append(rows[0]))

    with translation.override("it"), pytest.raises(Refused) as caught:
        put_in(twice)

    assert caught.value.sentence == (
        "Questo non è l’archivio di una manifestazione, o non è intero: "
        "people.Team: due righe con lo stesso id."
    )


KEPT_BYTES: list[bytes] = []


@pytest.fixture
def event_archive() -> bytes:
    """An archive of an event that isn't here; written once, since it is the same for every test."""
    if not KEPT_BYTES:
        event = played()
        KEPT_BYTES.append(archived(event))
        forgotten(event)
    return KEPT_BYTES[0]


def test_archive_does_not_take_over_rows_of_another_event(event_archive: bytes) -> None:
    phone, _ = factories.make_pairing(factories.make_event())

    def takes_over(rows: list[Any]) -> None:
        rows[0]["id"] = str(phone.pk)

    assert why_not(changed(event_archive, "rows/people.pairing.jsonl", takes_over)) == "archive-unfit"


def test_archive_has_every_model_or_leaves_it_out_by_name() -> None:
    own = {
        "config",
        "ledger",
        "games",
        "people",
        "tournaments",
        "programs",
        "publishing",
        "desk",
        "referee",
        "api",
    }
    models = {model._meta.label for model in apps.get_models() if model._meta.app_label in own}
    kept = {kept.model for kept in KEPT}

    assert kept & LEFT_OUT.keys() == set()
    assert kept | LEFT_OUT.keys() == models


def test_archive_has_no_field_that_sounds_like_a_secret() -> None:
    fields = {f"{kept.model}.{field.name}" for kept in KEPT for field in kept.fields()}
    assert [
        name for name in fields if any(word in name for word in ("hash", "secret", "pin", "code", "note"))
    ] == []


def test_archive_command_exports_and_imports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event = played()
    account = Account.objects.get()
    file = tmp_path / "palio.zip"
    call_command("archive", "export", event.slug, str(file), "--with-people")
    assert file.stat().st_mode & 0o077 == 0
    assert "with the names of its people" in capsys.readouterr().out
    call_command("archive", "import", str(file))
    assert "here already" in capsys.readouterr().out
    forgotten(event)
    call_command("archive", "import", str(file), "--slug", "altrove", "--organizer", account.username)
    assert "at /altrove/" in capsys.readouterr().out
    file.write_bytes(b"no zip")
    with pytest.raises(CommandError, match="isn’t an archive"):
        call_command("archive", "import", str(file))
    with pytest.raises(CommandError, match="can't be read"):
        call_command("archive", "import", str(tmp_path / "nowhere.zip"))


def test_archive_has_the_game_that_the_sack_race_is(event_archive: bytes) -> None:
    put_in(event_archive)
    assert OtherGame.objects.get().name == "Corsa"
    assert snapshot(Event.objects.get(), with_people=True)[0]["slug"] == "palio-antico"


@pytest.mark.parametrize("is_faulty", [True, False])
def test_archive_names_a_game_that_can_not_be_followed_and_waits(
    monkeypatch: pytest.MonkeyPatch, *, is_faulty: bool
) -> None:
    tournament = factories.drawn_tournament(factories.make_event())
    game = factories.games_of(tournament)[0]
    results.write_log(game, ACTOR, [(None, event) for event in table_log()])
    archive = archived(tournament.event)
    if is_faulty:
        put_fault_in(monkeypatch)
        rebuild(tournament.event)
    forgotten(tournament.event)

    if is_faulty:
        with (
            translation.override("en"),
            pytest.raises(Refused, match=rf"stream {game.game_id}\): the game is set aside"),
        ):
            put_in(archive)
    else:
        put_in(archive)

    assert Game.objects.filter(pk=game.game_id).exists() is not is_faulty


def log_of(event: Event, *, is_over: bool) -> MatchGame:
    """A game of the event's with its log, to its end or not."""
    game = factories.games_of(event.tournaments.get())[0]
    log = table_log() if is_over else table_log()[:-3]
    results.write_log(game, ACTOR, [(None, logged) for logged in log])
    return game


def counted_of(event: Event) -> list[Any]:
    """All rows of all versions of the standings, and how each game ended."""
    columns = ("version__number", "team", "place", "games_won", "games_played", "metrics", "decided_by")
    standing = Standing.objects.filter(version__tournament__event=event)
    games = Game.objects.filter(scope=event.pk).order_by("pk")
    ended = ("pk", "is_over", "closed_by", "winner_seat", "winner_team", "figures", "is_from_paper")
    return [
        *standing.order_by("version__number", "position").values_list(*columns),
        *games.values_list(*ended),
    ]


@pytest.mark.parametrize("is_over", [True, False])
def test_archive_holds_what_a_game_that_can_not_be_followed_counts(
    monkeypatch: pytest.MonkeyPatch, *, is_over: bool
) -> None:
    event = factories.drawn_tournament(factories.make_event()).event
    game = log_of(event, is_over=is_over)
    standings.compute(event.tournaments.get().pk)
    put_fault_in(monkeypatch)
    rebuild(event)
    archive, counted = archived(event), counted_of(event)
    assert not put_in(archive).is_new
    forgotten(event)

    event = put_in(archive).event

    assert counted_of(event) == counted
    assert [(each.stream, each.is_set_aside) for each in verify.verify(event)] == [(game.game_id, True)]
    assert archived(event) == archive


def test_archive_without_what_a_set_aside_game_counted_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    event = factories.drawn_tournament(factories.make_event()).event
    log_of(event, is_over=True)
    put_fault_in(monkeypatch)
    rebuild(event)
    archive = archived(event)
    forgotten(event)

    without = changed(archive, "set-aside.jsonl", lambda rows: rows.clear())

    assert why_not(without) == "archive-unfit"


@pytest.mark.parametrize(
    "wrong",
    [
        {"is_over": "perhaps"},
        {"closed_by": "a word that is too long"},
        {"version": 3},
        {"game": str(UUID(int=1))},
    ],
)
def test_archive_checks_what_a_set_aside_game_counts(
    monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    event = factories.drawn_tournament(factories.make_event()).event
    log_of(event, is_over=True)
    put_fault_in(monkeypatch)
    rebuild(event)
    archive = archived(event)
    forgotten(event)

    altered = changed(archive, "set-aside.jsonl", lambda rows: rows[0].update(wrong))

    assert why_not(altered) == "archive-unreadable"


def test_archive_holds_a_result_from_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    event = factories.drawn_tournament(factories.make_event()).event
    game = log_of(event, is_over=False)
    put_fault_in(monkeypatch)
    rebuild(event)
    results.enter_result(factories.games_of(event.tournaments.get())[0], ACTOR, seat=1)
    standings.compute(event.tournaments.get().pk)
    archive, counted = archived(event), counted_of(event)
    forgotten(event)

    event = put_in(archive).event

    assert Game.objects.get(pk=game.game_id).is_from_paper
    assert counted_of(event) == counted
    assert list(verify.verify(event)) == []
