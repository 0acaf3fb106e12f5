"""What the database's owner changes behind the service's back is found, and named by its stream or row.

With the triggers gone every table can be written. Alterations that don't touch each other are made together
and verified once: building everything again is what takes time.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

import pytest
from django.db import connection, models, transaction
from django.utils import timezone, translation

from games.models import Game, Seat
from ledger import deletion, entries, read
from ledger import verify as verify_ledger
from ledger.append import insert_facts
from ledger.entries import Chain, NewFact
from ledger.findings import FindingCode as Code
from ledger.hashing import CURRENT, GENESIS, microseconds, receipt_root
from ledger.models import Fact, OutboxMessage, Receipt, Stream, Tombstone
from ledger.receipts import check_receipt, heads_text, make_receipt, sealed_heads
from ledger.triggers import remove_triggers
from people.actors import Actor
from people.models import Entry, Event, Team
from tests.support import factories
from tests.support.palio_days import make_day
from tournaments.commands import results
from tournaments.commands.confirm import confirm, dispute
from tournaments.commands.palio_jokers import play_joker
from tournaments.facts import outbox_topics, version_seals
from tournaments.models import (
    Match,
    OverallStanding,
    OverallVersion,
    SquadMember,
    Standing,
    StandingsVersion,
    Table,
    Tournament,
)
from tournaments.projections import overall, standings
from tournaments.projections.rebuild import rebuild
from tournaments.verification import row_snapshots, verify

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
CHAR_FIELDS = (models.CharField, models.TextField)


def phone(event: Event) -> Actor:
    pairing, _secret = factories.make_pairing(event)
    return Actor.of_pairing(pairing)


@pytest.fixture(scope="module")
def kept(committed: None) -> UUID:
    """A day with all that is projected: a joker, a race, a discipline that is decided, a round robin of which
    results are confirmed and disputed, each with its versions; and an event that was deleted.
    """
    gone = factories.make_event()
    stream = Stream.objects.create(id=uuid4(), kind="game", scope=gone.pk)
    read_facts = Chain(stream.pk, 0, GENESIS, timezone.now())
    read_facts.add(NewFact("noted", {"n": 1}))
    insert_facts(read_facts.facts)
    Stream.objects.filter(pk=stream.pk).update(head_sequence=1, head_hash=read_facts.hash)
    deletion.delete_scope(gone.pk)
    gone.delete()
    day = make_day(jokers_each=1)
    play_joker(day.palio, ACTOR, day.teams[0], day.race)
    day.run("Superiore", "Centro", "Inferiore")
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    overall.compute(day.palio.pk)
    day.finish(day.dice, "Centro", "Superiore", "Inferiore")
    overall.compute(day.palio.pk)
    rounds = factories.drawn_tournament(
        day.event, name="Giostra", format="round_robin", confirmation="second_person"
    )
    one, other = phone(day.event), phone(day.event)
    games = factories.games_of(rounds)
    for game in games[:3]:
        version = results.enter_result(game, one, seat=0, client_id=uuid4()).version
        if game is games[1]:
            dispute(game, other, "wrong-winner", expected_version=version)
        else:
            confirm(game, other, expected_version=version)
        standings.compute(rounds.pk)
    make_receipt(day.event.pk)
    assert [str(wrong) for wrong in verify.verify()] == []
    return day.event.pk


@pytest.fixture
def event(kept: UUID, db: None) -> Iterator[Event]:
    """The event, its facts unguarded; whatever is done to it is undone."""
    with translation.override("en"), transaction.atomic():
        remove_triggers(connection)
        yield Event.objects.get(pk=kept)
        transaction.set_rollback(True)


def another(field: Any, value: Any) -> Any:
    """A value that the column can hold and that isn't this one."""
    if field.is_relation or isinstance(field, models.UUIDField):
        return uuid4()
    if isinstance(field, models.BooleanField):
        return not value
    if isinstance(field, models.JSONField):
        if field.name in ("heads", "standings"):
            return {**value, max(value): value[max(value)] + 50}
        return {**value, "altered": 1} if isinstance(value, dict) else ["altered"]
    if isinstance(field, models.DateTimeField):
        return (value or timezone.now()) + timedelta(microseconds=1)
    if isinstance(field, CHAR_FIELDS):
        return "f" * (field.max_length or 9) if value != "f" * (field.max_length or 9) else "e"
    return (value or 0) + 50


def alter(row: Any, field: Any) -> None:
    """Write another value into a column, past everything that the service does."""
    value = another(field, getattr(row, field.attname))
    assert type(row)._default_manager.filter(pk=row.pk).update(**{field.attname: value}) == 1


TABLE = Table._meta.label

# A row of each projected table, one that others don't hang on where there is such a one.
PROJECTED = {kind.model: kind for kind in (*row_snapshots.KINDS.values(), *row_snapshots.OVERALL.values())}
# Reference columns of tables that hold projected ones as well; what they say is changed at the desk.
REFERENCE = {
    "tournaments.Tournament": {"id", "event", "slug", "name", "created_at"},
    "tournaments.Palio": {"id", "event", "created_at"},
}
# Ids that are made up anew whenever a row is built, and that nothing else names.
MADE_UP = {
    *("SquadMember", "DrawnRound", "MatchSide", "MatchGame", "PlayedJoker", "OtherPlacing"),
    *("OverallStanding", "Standing"),
}


# Of a version, what can't be computed again.
SEALED = {"id", "number", "computed_at", "heads", "receipt", "seal", "head", "standings"}
VERSIONS = (StandingsVersion, OverallVersion)


def columns_of(model: type[models.Model]) -> list[Any]:
    """The columns that facts decide: all but those of reference, and ids that mean nothing."""
    left_out = REFERENCE.get(model._meta.label, set())
    is_made_up = model.__name__ in MADE_UP or model is Seat
    return [
        field
        for field in model._meta.concrete_fields
        if field.name not in left_out
        and not (field.primary_key and is_made_up)
        and not (model in VERSIONS and field.name in SEALED)
    ]


ROUNDS = max(len(columns_of(model)) for model in PROJECTED)


def a_row(event: Event, model: type[models.Model], kind: row_snapshots.Kind) -> Any:
    """One that was projected from facts of the event."""
    rows: Any = model._default_manager.order_by("pk")
    if kind.of not in ("pk", "group", "game__group"):
        rows = rows.filter(**{f"{kind.of}__event": event})
    if model in (Game, Tournament):
        rows = rows.filter(version__gt=0)
    row = rows.last()
    assert row is not None, model
    return row


def altered_rows(event: Event, place: int) -> dict[str, str]:
    """Alter the column at this place in a row of each projected table; which column in which model."""
    rows = {
        model: (a_row(event, model, kind), columns_of(model)[place])
        for model, kind in PROJECTED.items()
        if place < len(columns_of(model))
    }
    for row, column in rows.values():
        alter(row, column)
    return {model._meta.label: column.name for model, (_row, column) in rows.items()}


@pytest.mark.parametrize("place", range(ROUNDS))
def test_altered_column_of_each_projected_table_is_found_and_named(event: Event, place: int) -> None:
    made = altered_rows(event, place)
    told = list(verify.verify())
    named = {(wrong.model, wrong.column) for wrong in told}
    # A column that says whose row it is makes the row another's: then it is missing where it should be.
    unseen = [(model, column) for model, column in made.items() if not named & {(model, column), (model, "")}]

    assert unseen == [], [wrong.what for wrong in told if not wrong.model]


@pytest.mark.parametrize("name", sorted(SEALED))
def test_altered_column_that_cannot_be_recomputed_breaks_the_seal(event: Event, name: str) -> None:
    newest: dict[Any, Any] = {
        StandingsVersion: StandingsVersion.objects.filter(tournament__name="Giostra")
        .order_by("number")
        .last(),
        OverallVersion: OverallVersion.objects.order_by("number").last(),
    }
    made = []
    for model, row in newest.items():
        if name in {field.name for field in model._meta.concrete_fields}:
            alter(row, model._meta.get_field(name))
            made.append(model)
    named = {(wrong.model, wrong.column) for wrong in verify.verify(event)}
    # Nothing names a version by its id but its rows.
    rows: dict[Any, Any] = {StandingsVersion: Standing, OverallVersion: OverallStanding}
    seen = [
        (rows[model]._meta.label, "") in named if name == "id" else (model._meta.label, "seal") in named
        for model in made
    ]

    assert seen == [True] * len(made)


def test_altered_column_of_a_fact_is_found_at_its_place(event: Event) -> None:
    facts = list(Fact.objects.filter(client_id__isnull=False).order_by("-stream", "-sequence"))
    others = list(Fact.objects.filter(client_id__isnull=True).order_by("-stream", "-sequence"))
    streams: set[UUID] = set()
    expected = {}
    fields = {field.name: field for field in Fact._meta.concrete_fields}
    for name, field in fields.items():
        of = facts if name.startswith("client") else others
        row = next(each for each in of if each.stream_id not in streams and each.sequence > 1)
        streams.add(row.stream_id)
        alter(row, field)
        expected[name] = (row.stream_id, row.sequence)
    told = {(wrong.stream, wrong.sequence) for wrong in verify.verify()}

    assert {name for name, place in expected.items() if place not in told} == set()


def test_altered_facts_gone_swapped_or_put_in_are_named_by_their_stream(event: Event) -> None:
    games = list(
        Stream.objects.filter(kind="game", head_sequence__gte=2, scope=event.pk).values_list("pk", flat=True)
    )
    last, first, swapped, added, all_gone, forged = games[:6]
    Fact.objects.filter(stream=last, sequence=2).delete()
    Fact.objects.filter(stream=first, sequence=1).delete()
    for old, new in ((1, 99), (2, 1), (99, 2)):
        Fact.objects.filter(stream=swapped, sequence=old).update(sequence=new)
    end = read.facts(added)[-1]
    # A line that fits, and a head that wasn't moved.
    link = Chain(added, end.sequence, end.hash, end.recorded_at)
    link.add(NewFact("event_voided", {"line": 2, "reason": "typing-error", "type": "event_voided"}))
    insert_facts(link.facts)
    Fact.objects.filter(stream=all_gone).delete()
    end = read.facts(forged)[-1]
    link = Chain(forged, end.sequence, GENESIS, end.recorded_at)
    link.add(NewFact("noted", {}))
    insert_facts(link.facts)
    decisions = Tournament.objects.filter(event=event, name="Giostra").get().pk
    Fact.objects.filter(stream=decisions, sequence=2).delete()
    named = {wrong.stream for wrong in verify.verify(event)}

    assert {last, first, swapped, added, all_gone, forged, decisions} <= named


def test_stream_cut_at_its_end_with_its_head_moved_back_is_named(event: Event) -> None:
    """Nothing of the chain is missing then: rows that were computed from more, and receipts, say so."""
    stream = Stream.objects.filter(kind="game", head_sequence__gte=2, scope=event.pk)[0]
    Fact.objects.filter(stream=stream, sequence=stream.head_sequence).delete()
    end = read.facts(stream.pk)[-1]
    Stream.objects.filter(pk=stream.pk).update(head_sequence=end.sequence, head_hash=end.hash)
    wrong = [each for each in verify.verify(event) if each.stream == stream.pk]

    assert [each.what for each in wrong if "row is at version" in each.what] != []
    assert [each.what for each in wrong if "receipt" in each.what] != []


def test_altered_column_of_a_stream_is_found(event: Event) -> None:
    streams = iter(Stream.objects.filter(kind="game", head_sequence__gte=2, scope=event.pk))
    altered = {}
    for field in Stream._meta.concrete_fields:
        row = next(streams)
        alter(row, field)
        altered[field.name] = row.pk
    named = {wrong.stream for wrong in verify.verify()}

    assert {name for name, stream in altered.items() if stream not in named} == set()


def test_stream_that_is_gone_with_all_its_facts_is_named(event: Event) -> None:
    tournament = Tournament.objects.filter(event=event, name="Giostra").get()
    match = Match.objects.filter(stage__tournament=tournament, version__gt=0)[0]
    game = Game.objects.filter(group=tournament.pk, version__gt=0)[0]
    for stream in (match.pk, game.pk, tournament.pk):
        Fact.objects.filter(stream=stream).delete()
        Stream.objects.filter(pk=stream).delete()
    named = {wrong.stream for wrong in verify.verify(event)}

    assert {match.pk, game.pk, tournament.pk} <= named


def test_stream_that_nothing_refers_to_is_named(event: Event) -> None:
    stray = uuid4()
    Stream.objects.create(id=stray, kind="game", scope=event.pk)
    link = Chain(stray, 0, GENESIS, timezone.now())
    link.add(NewFact("game_opened", {"type": "game_opened"}))
    insert_facts(link.facts)
    Stream.objects.filter(pk=stray).update(head_sequence=1, head_hash=link.hash)
    elsewhere = uuid4()
    Stream.objects.create(id=uuid4(), kind="game", scope=elsewhere)

    assert [str(wrong) for wrong in verify.verify()][1:] == [
        f"stream {stray}: nothing refers to its facts, of which there are 1",
        f"event {elsewhere}: it isn't here, and 1 stream of it is",
    ]


@pytest.mark.parametrize("model", [Receipt, Tombstone])
def test_altered_column_of_a_receipt_or_tombstone_is_found(event: Event, model: type[models.Model]) -> None:
    for field in model._meta.concrete_fields:
        # A number that only tells rows apart.
        if isinstance(field, models.BigAutoField):
            continue
        with transaction.atomic():
            alter(model._default_manager.order_by("pk")[0], field)
            told = [str(wrong) for wrong in verify_ledger.verify()]
            transaction.set_rollback(True)
        assert len(told) > 1, field.name


def test_rows_that_are_gone_or_put_in_are_named(event: Event) -> None:
    version = StandingsVersion.objects.filter(tournament__name="Giostra").order_by("-number")[0]
    row = Standing.objects.filter(version=version).order_by("position")[0]
    called = f"{row.team.short_name} {row.squad.number}" if row.squad else ""
    row.delete()
    seat = Seat.objects.filter(game__group=version.tournament_id, number=1)[0]
    Seat.objects.create(game=seat.game, number=7, entry=seat.entry, team=seat.team)
    Standing.objects.filter(version__number=version.number - 1, position=1).update(place=2)
    models_ = ("tournaments.Standing", "games.Seat")
    told = [wrong.what for wrong in verify.verify(event) if wrong.model in models_]

    assert f"the standings: the row version {version.number}, {called} is missing" in told
    assert [each for each in told if each.startswith("who sits where: the row round ")] != []
    assert [each for each in told if each.endswith("place is 2, and by the facts 1")]


def test_row_of_reference_that_contradicts_the_facts_is_named(event: Event) -> None:
    """Whose somebody is stands in facts, too; how somebody is called doesn't."""
    other = factories.make_event()
    match = Match.objects.filter(stage__tournament__event=event)[0]
    member = SquadMember.objects.filter(squad__stage__tournament__event=event)[0]
    team = Team.objects.filter(event=event).exclude(pk=member.squad.team_id)[0]
    Entry.objects.filter(pk=member.entry_id).update(team=team, number=99)
    Table.objects.filter(pk=match.table_id).update(event=other, number=88)
    Entry.objects.filter(team__event=event).exclude(pk=member.entry_id).update(status=Entry.Status.WITHDRAWN)
    Team.objects.filter(pk=team.pk).update(name="Altra contrada")
    of, own = team.short_name, member.squad.team.short_name

    assert [str(wrong) for wrong in verify.verify(event) if wrong.model in ("people.Entry", TABLE)] == [
        f"entry {of} 99: by the facts it belongs to “{own}”, and its row says “{of}”",
        f"table 88: by the facts it belongs to “{event.name}”, and its row says “{other.name}”",
    ]


def test_outbox_row_can_be_invented_and_not_be_hidden(event: Event) -> None:
    """Without its due row a result would never count: then the standings aren't what the facts say."""
    tournament = Tournament.objects.filter(event=event, name="Giostra").get()
    OutboxMessage.objects.create(
        topic=outbox_topics.STANDINGS, group=tournament.pk, stream=uuid4(), sequence=7
    )
    assert [wrong.where for wrong in verify.verify(event)] == ["the ledger"]
    game = factories.games_of(tournament)[0]
    right = {"type": "game_closed", "reason": "result", "winner": 1}
    version = results.correct(game, phone(event), 2, [right], "typing-error").version
    confirm(game, phone(event), expected_version=version)
    # Late isn't wrong.
    assert [wrong.where for wrong in verify.verify(event)] == ["the ledger"]
    OutboxMessage.objects.all().delete()
    assert "tournaments.StandingsVersion" in {wrong.model for wrong in verify.verify(event)}


@pytest.mark.parametrize("number", [1, 2])
def test_standings_version_that_is_gone_is_named(event: Event, number: int) -> None:
    tournament = Tournament.objects.filter(event=event, name="Giostra").get()
    StandingsVersion.objects.filter(tournament=tournament, number=number).delete()
    assert f"Giostra, version {number + 1} of the standings: the version before it is missing" in {
        str(wrong) for wrong in verify.verify(event)
    }


def rewritten(event: Event) -> None:
    """Turn a winner round and make everything fit: hashes, ids, heads, receipts, seals and projections."""
    tournament = event.tournaments.get(name="Carte")
    for stream in Stream.objects.filter(pk__in=Game.objects.filter(group=tournament.pk, version__gte=2))[:1]:
        stored = read.facts(stream.pk)
        facts = []
        hash_ = GENESIS
        for fact in stored:
            link = Chain(stream.pk, fact.sequence - 1, hash_, fact.recorded_at)
            body = fact.body
            if body["type"] == "game_closed":
                body["winner"] = 1 if body.get("winner") == 0 else 0
                body["reason"] = "result"
                body.pop("team", None)
            made = link.add(NewFact(fact.type, body))
            hash_ = made.hash
            facts.append(made)
        Fact.objects.filter(stream=stream).delete()
        insert_facts(facts)
        Stream.objects.filter(pk=stream.pk).update(head_hash=hash_)
    roots = {}
    before = GENESIS
    for receipt in Receipt.objects.filter(scope=event.pk).order_by("number"):
        heads = [
            head._replace(hash=read.facts(head.stream, until=head.sequence)[-1].hash)
            for head in sealed_heads(receipt.heads)
        ]
        text = heads_text(heads)
        root = receipt_root(before, event.pk, receipt.number, text, microseconds(receipt.made_at))
        Receipt.objects.filter(pk=receipt.pk).update(previous_root=before, root=root, heads=text)
        roots[receipt.root] = before = root
    for each in event.tournaments.all():
        seal = version_seals.FIRST
        for version in StandingsVersion.objects.filter(tournament=each).order_by("number"):
            receipt_ = roots.get(version.receipt, "")
            seal = version_seals.seal(
                seal, each.pk, version.number, version.computed_at, version.heads, receipt_
            )
            StandingsVersion.objects.filter(pk=version.pk).update(receipt=receipt_, seal=seal)
    seal = version_seals.FIRST
    for whole in OverallVersion.objects.order_by("number"):
        receipt_ = roots.get(whole.receipt, "")
        heads_ = {**whole.standings, str(whole.palio_id): whole.head}
        seal = version_seals.seal(seal, whole.palio_id, whole.number, whole.computed_at, heads_, receipt_)
        OverallVersion.objects.filter(pk=whole.pk).update(receipt=receipt_, seal=seal)
    rebuild(event)


def test_rewritten_history_is_found_by_a_receipt_kept_elsewhere(event: Event) -> None:
    kept = Receipt.objects.filter(scope=event.pk).order_by("number")
    on_paper = [(each.number, each.root) for each in kept]
    before = row_snapshots.picture(event.tournaments.get(name="Carte"))
    rewritten(event)
    assert row_snapshots.picture(event.tournaments.get(name="Carte")) != before
    # But for the guard, which is off.
    assert [wrong.where for wrong in verify.verify(event)] == ["the ledger"]
    last = Receipt.objects.filter(scope=event.pk).order_by("-number")[0]
    assert (last.number, last.root) != on_paper[-1]
    assert [each.wrong for each in check_receipt(last, on_paper[-1][1])] == [Code.RECEIPT_PRINTED]


def a_client_id(event: Event) -> None:
    alter(Fact.objects.filter(client_id__isnull=False)[0], Fact._meta.get_field("client_id"))


def a_place(event: Event) -> None:
    alter(Standing.objects.order_by("pk")[0], Standing._meta.get_field("place"))


def a_moment(event: Event) -> None:
    alter(StandingsVersion.objects.all()[0], StandingsVersion._meta.get_field("computed_at"))


def a_kind(event: Event) -> None:
    alter(Stream.objects.filter(kind="game", head_sequence=2)[0], Stream._meta.get_field("kind"))


@pytest.mark.parametrize(
    ("alteration", "off"),
    [
        (a_client_id, (entries, "encoding_of", lambda _fact: CURRENT)),
        (a_place, (verify, "differences", lambda *_pictures: ())),
        (a_moment, (verify, "_wrong_seals", lambda *_versions: ())),
        (a_kind, (verify, "_wrong_streams", lambda *_streams: ())),
    ],
    ids=["hashes", "rows", "seals", "streams"],
)
def test_twin_alteration_is_not_found_without_its_safeguard(
    event: Event, alteration: Callable[[Event], None], off: tuple[Any, str, Any]
) -> None:
    alteration(event)
    assert len(list(verify.verify(event))) > 1
    with mock.patch.object(*off):
        assert [wrong.where for wrong in verify.verify(event)] == ["the ledger"]
