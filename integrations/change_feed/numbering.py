"""Putting what has happened in an event into one order.

Writers leave no trace in the feed: a fact gets its number only after its commit, from whoever asks for the
feed or delivers it. So recording costs nothing more, tables don't queue behind each other, and no number is
ever given to something that others can't see yet. If writers drew numbers themselves, from a sequence of the
database, these would become visible in the order of the commits, not of the numbers. Who has read up to 8
would never see a 7 that is committed later.

What is new is found by comparing heads with marks. A head is that of a stream, or the newest version of a
tournament's standings or of the palio's table. Its mark is how far it was numbered. Who numbers holds the
lock of the event's `Feed`, so numbers appear in their order and without gaps. Once given they never change.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import Game
from integrations.change_feed import kinds
from integrations.models import Change, Feed, FeedMark
from ledger.models import Fact, Stream
from people import device_admissions
from people.models import Event
from tournaments.facts.earlier import told_type
from tournaments.models import Match, OverallVersion, StandingsVersion, Tournament

PORTION = 5000
"""How many facts are numbered in one transaction: bounds memory, and how long a reader waits."""
UNTOLD = device_admissions.STREAM_KIND
"""Streams of this kind have no place in the feed: who was let in as whom is the organizers' affair."""
_AT_ONCE = 100
"""Streams of which new facts are asked in one statement."""

_GAME, _MATCH, _TOURNAMENT, _PALIO = "game", "match", "tournament", "palio"
_FACTS, _STANDINGS, _OVERALL = FeedMark.Source.FACTS, FeedMark.Source.STANDINGS, FeedMark.Source.OVERALL
# What comes first of what happened in the same microsecond.
_FACT_RANK, _RESULT_RANK, _VERSION_RANK, _AFTER_VERSION = range(4)


def last_number(event: Event) -> int:
    """Number what is new in an event, a portion at most, and return the number of the last change."""
    if _is_behind(event):
        return number_portion(event)
    return Feed.objects.filter(event=event).values_list("last", flat=True).first() or 0


def number_all(event: Event) -> int:
    """Number everything that is new in an event, portion by portion; the number of the last change."""
    last = last_number(event)
    while _is_behind(event):
        last = number_portion(event)
    return last


def _is_behind(event: Event) -> bool:
    return (
        _streams(event).exists() or _standings_versions(event).exists() or _overall_versions(event).exists()
    )


def _streams(event: Event) -> QuerySet[Stream]:
    """Streams with facts that have no number yet."""
    rows = Stream.objects.filter(scope=event.pk, head_sequence__gt=0).exclude(kind=UNTOLD)
    return rows.exclude(_reached(_FACTS, "pk", "head_sequence"))


def _standings_versions(event: Event) -> QuerySet[StandingsVersion]:
    rows = StandingsVersion.objects.filter(tournament__event=event)
    return rows.exclude(_reached(_STANDINGS, "tournament_id", "number"))


def _overall_versions(event: Event) -> QuerySet[OverallVersion]:
    rows = OverallVersion.objects.filter(palio__event=event)
    return rows.exclude(_reached(_OVERALL, "palio_id", "number"))


def _reached(source: FeedMark.Source, subject: str, count: str) -> Exists:
    marks = FeedMark.objects.filter(source=source, subject=OuterRef(subject), reached__gte=OuterRef(count))
    return Exists(marks)


@transaction.atomic
def number_portion(event: Event) -> int:
    """Give the next numbers, to `PORTION` facts at most; the number of the last change."""
    feed = _locked(event)
    facts, is_all = _new_facts(event)
    until = None if is_all or not facts else facts[-1].at
    portion = _Portion(event, facts, _new_versions(event, until))
    changes = portion.changes()
    for number, change in enumerate(changes, start=feed.last + 1):
        change.number = number
    Change.objects.bulk_create(changes, batch_size=500)
    portion.keep_marks()
    feed.last += len(changes)
    feed.save(update_fields=["last"])
    return feed.last


def _locked(event: Event) -> Feed:
    """The feed's row, locked until the transaction ends; made where nobody has asked for it before."""
    rows = Feed.objects.select_for_update(no_key=True).filter(event=event)
    found = rows.first()
    if found is None:
        Feed.objects.bulk_create([Feed(event=event)], ignore_conflicts=True)
        found = rows.get()
    return found


class ToldFact(NamedTuple):
    """A fact, as far as the feed tells of it."""

    id: UUID
    stream: UUID
    stream_kind: str
    sequence: int
    type: str
    at: datetime

    def columns(self, tournament: UUID | None, format: str = "") -> dict[str, Any]:
        """What a change says of it, but for its number and its time. `format`: the tournament's, if
        a stage was drawn.
        """
        return {
            "kind": kinds.kind_of_fact(self.stream_kind, told_type(self.type, format)),
            "type": self.type,
            "tournament": tournament,
            "subject_kind": self.stream_kind,
            "subject": self.stream,
            "version": self.sequence,
        }


class _NewVersion(NamedTuple):
    source: FeedMark.Source
    subject: UUID
    number: int
    at: datetime
    kinds: tuple[str, ...]


FACT_COLUMNS = ("id", "stream_id", "stream__kind", "sequence", "type", "recorded_at")
"""The columns of facts that make a `ToldFact`."""


def version_columns(source: str, subject: UUID, number: int, kind: str) -> dict[str, Any]:
    """What a change says of a version, but for its number and its time."""
    is_overall = source == _OVERALL
    return {
        "kind": kind,
        "type": "",
        "tournament": None if is_overall else subject,
        "subject_kind": _PALIO if is_overall else _TOURNAMENT,
        "subject": subject,
        "version": number,
    }


def _new_facts(event: Event) -> tuple[list[ToldFact], bool]:
    """Facts without a number in the order in which they were recorded, each stream's in its own; whether
    these are all that there are.
    """
    mark = FeedMark.objects.filter(source=_FACTS, subject=OuterRef("pk")).values("reached")[:1]
    behind = _streams(event).annotate(reached=Coalesce(Subquery(mark), 0))
    spans = list(behind.values_list("pk", "reached", "head_sequence"))
    if sum(head - reached for _, reached, head in spans) > PORTION:
        return _oldest_facts(event), False
    found: list[ToldFact] = []
    for start in range(0, len(spans), _AT_ONCE):
        wanted = Q()
        for stream, reached, head in spans[start : start + _AT_ONCE]:
            wanted |= Q(stream=stream, sequence__gt=reached, sequence__lte=head)
        rows = Fact.objects.filter(wanted).order_by("stream", "sequence")
        found += [ToldFact._make(row) for row in rows.values_list(*FACT_COLUMNS)]
    return _in_order(found), True


def _oldest_facts(event: Event) -> list[ToldFact]:
    """A portion of those without a number, the oldest first."""
    mark = FeedMark.objects.filter(source=_FACTS, subject=OuterRef("stream_id")).values("reached")[:1]
    rows = (
        Fact.objects.filter(stream__scope=event.pk)
        .exclude(stream__kind=UNTOLD)
        .annotate(reached=Coalesce(Subquery(mark), 0))
        .filter(sequence__gt=F("reached"))
    )
    columns = (*FACT_COLUMNS, "reached")
    oldest = rows.order_by("recorded_at", "stream", "sequence").values_list(*columns)[:PORTION]
    next_ones: dict[UUID, int] = {}
    found = []
    for *values, reached in sorted(oldest, key=lambda row: (row[1], row[3])):
        fact = ToldFact._make(values)
        # A clock that was put back may have left the one before among the younger ones.
        if fact.sequence == next_ones.get(fact.stream, reached + 1):
            next_ones[fact.stream] = fact.sequence + 1
            found.append(fact)
    if not found:
        by_stream = rows.order_by("stream", "sequence").values_list(*FACT_COLUMNS)[:PORTION]
        found = [ToldFact._make(row) for row in by_stream]
    return _in_order(found)


def _in_order(by_stream: Sequence[ToldFact]) -> list[ToldFact]:
    """By time, but never against the order of a stream, whatever the clock did; each with a time to match."""
    latest: dict[UUID, datetime] = {}
    placed = []
    for fact in by_stream:
        latest[fact.stream] = max(fact.at, latest.get(fact.stream, fact.at))
        placed.append((latest[fact.stream], fact.stream, fact.sequence, fact))
    placed.sort(key=lambda each: each[:3])
    return [fact._replace(at=at) for at, _stream, _sequence, fact in placed]


def _new_versions(event: Event, until: datetime | None) -> list[_NewVersion]:
    """Versions without a number, those of a subject in their order; up to a moment, where one is given."""
    found = []
    standings = _standings_versions(event).order_by("tournament", "number")
    overall = _overall_versions(event).order_by("palio", "number")
    if until is not None:
        standings, overall = standings.filter(computed_at__lte=until), overall.filter(computed_at__lte=until)
    before = StandingsVersion.objects.filter(tournament=OuterRef("tournament"), number=OuterRef("number") - 1)
    rows = standings.annotate(before=Coalesce(Subquery(before.values("rounds_played")[:1]), 0))
    for tournament, number, at, played, earlier in rows.values_list(
        "tournament_id", "number", "computed_at", "rounds_played", "before"
    ):
        told = (kinds.STANDINGS, *([kinds.ROUND_CLOSED] if played > earlier else []))
        found.append(_NewVersion(_STANDINGS, tournament, number, at, told))
    was = OverallVersion.objects.filter(palio=OuterRef("palio"), number=OuterRef("number") - 1)
    tables = overall.annotate(was_final=Coalesce(Subquery(was.values("is_final")[:1]), False))
    for palio, number, at, is_final, was_final in tables.values_list(
        "palio_id", "number", "computed_at", "is_final", "was_final"
    ):
        told = (kinds.PALIO_COMPUTED, *([kinds.PALIO_FINAL] if is_final and not was_final else []))
        found.append(_NewVersion(_OVERALL, palio, number, at, told))
    return found


@dataclass(slots=True)
class _Portion:
    """What is numbered in one transaction."""

    event: Event
    facts: Sequence[ToldFact]
    versions: Sequence[_NewVersion]
    _marks: dict[tuple[str, UUID], FeedMark] = field(default_factory=dict)
    _formats: dict[UUID, str] = field(default_factory=dict)

    def changes(self) -> list[Change]:
        """The changes in their order, still without numbers; five queries, six where a stage was drawn."""
        self._marks = self._known_marks()
        drawn = {fact.stream for fact in self.facts if fact.type == "stage_drawn"}
        rows = Tournament.objects.filter(pk__in=drawn).order_by()
        self._formats = dict(rows.values_list("pk", "settings__format"))
        tournaments = self._tournaments()
        ends = {fact.stream: fact for fact in self.facts}
        for stream, fact in ends.items():
            mark = self._mark(_FACTS, stream)
            mark.reached = max(fact.sequence, mark.reached)
            mark.tournament = tournaments.get(stream, mark.tournament)
        placed = [((fact.at, _FACT_RANK), self._of_fact(fact)) for fact in self.facts]
        games = [stream for stream, fact in ends.items() if fact.stream_kind == _GAME]
        for game in _rows_of(games):
            told = self._result(game, ends[game.pk])
            placed += [((ends[game.pk].at, _RESULT_RANK), told)] if told else []
        latest: dict[UUID, datetime] = {}
        for version in self.versions:
            latest[version.subject] = at = max(version.at, latest.get(version.subject, version.at))
            self._mark(version.source, version.subject).reached = version.number
            for rank, kind in enumerate(version.kinds, start=_VERSION_RANK):
                placed.append(((at, rank), self._of_version(version, kind)))
        # Sorting keeps what came in the same moment as it is: each stream in its own order.
        placed.sort(key=lambda each: each[0])
        return [change for _place, change in placed]

    def keep_marks(self) -> None:
        """Store how far everything is numbered now."""
        FeedMark.objects.bulk_create(
            self._marks.values(),
            batch_size=500,
            update_conflicts=True,
            unique_fields=["subject", "source"],
            update_fields=["reached", "tournament", "outcome", "was_over"],
        )

    def _known_marks(self) -> dict[tuple[str, UUID], FeedMark]:
        subjects = {fact.stream for fact in self.facts} | {each.subject for each in self.versions}
        rows = FeedMark.objects.filter(subject__in=subjects)
        return {(row.source, row.subject): row for row in rows}

    def _mark(self, source: FeedMark.Source, subject: UUID) -> FeedMark:
        key = (source.value, subject)
        if key not in self._marks:
            self._marks[key] = FeedMark(event=self.event, source=source, subject=subject, reached=0)
        return self._marks[key]

    def _tournaments(self) -> dict[UUID, UUID]:
        """The tournament that each stream belongs to; of those that belong to none, nothing."""
        of_kind: dict[str, set[UUID]] = {_GAME: set(), _MATCH: set(), _TOURNAMENT: set()}
        for fact in self.facts:
            of_kind.setdefault(fact.stream_kind, set()).add(fact.stream)
        found: dict[UUID, UUID | None] = {stream: stream for stream in of_kind[_TOURNAMENT]}
        found |= dict(Game.objects.filter(pk__in=of_kind[_GAME]).values_list("pk", "group"))
        matches = Match.objects.filter(pk__in=of_kind[_MATCH])
        found |= dict(matches.values_list("pk", "stage__tournament_id"))
        return {stream: tournament for stream, tournament in found.items() if tournament is not None}

    def _of_fact(self, fact: ToldFact) -> Change:
        tournament = self._mark(_FACTS, fact.stream).tournament
        columns = fact.columns(tournament, self._formats.get(fact.stream, ""))
        return Change(id=fact.id, event=self.event, at=fact.at, **columns)

    def _result(self, game: Game, last: ToldFact) -> Change | None:
        """What has become of a game's result since it was told last. A row that has gone on already is told
        with the facts by which it did.
        """
        if game.version != last.sequence:
            return None
        mark = self._mark(_FACTS, game.pk)
        now = outcome_digest(game)
        if has_told(mark, game):
            mark.outcome = now
            return None
        if not now:
            kind = kinds.RESULT_WITHDRAWN
        else:
            kind = kinds.RESULT_CORRECTED if mark.was_over else kinds.RESULT_ENTERED
        mark.outcome, mark.was_over = now, True
        return Change(
            id=uuid5(game.pk, f"result {game.version}"),
            event=self.event,
            kind=kind,
            type=game.closed_by,
            at=last.at,
            tournament=mark.tournament,
            subject_kind=_GAME,
            subject=game.pk,
            version=game.version,
        )

    def _of_version(self, version: _NewVersion, kind: str) -> Change:
        columns = version_columns(version.source, version.subject, version.number, kind)
        id_ = uuid5(version.subject, f"{kind} {version.number}")
        return Change(id=id_, event=self.event, at=version.at, **columns)


def _rows_of(games: Iterable[UUID]) -> QuerySet[Game]:
    ended = ("version", "is_over", "closed_by", "winner_seat", "winner_team", "figures")
    return Game.objects.filter(pk__in=list(games)).only(*ended).order_by("pk")


def outcome_digest(game: Game) -> str:
    """A digest of how a game ended; empty while it goes on."""
    return _digest(game, game.figures) if game.is_over else ""


def has_told(mark: FeedMark, game: Game) -> bool:
    """Whether a mark's outcome is that of a game. In marks of earlier versions there are no cards left."""
    if not game.is_over:
        return mark.outcome == ""
    before = game.figures and {name: value for name, value in game.figures.items() if name != "cards"}
    return mark.outcome in (_digest(game, game.figures), _digest(game, before))


def _digest(game: Game, figures: Mapping[str, Any] | None) -> str:
    ended = [game.closed_by, game.winner_seat, str(game.winner_team), figures]
    return hashlib.sha256(json.dumps(ended, sort_keys=True).encode()).hexdigest()
