"""Verify that nothing was altered: every stream, every game, every projected row, every receipt.

To build rows again see `tournaments.projections.rebuild`.
"""

from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Model, QuerySet, Value
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import logbook
from games.engine import ImpossibleStateError, Refusal, audit, dump, load
from games.models import Game
from games.outcome import Outcome, replayed
from games.stored_log import log_of
from ledger import outbox, read
from ledger import verify as verify_ledger
from ledger.findings import Finding
from ledger.models import Receipt, Stream
from people import device_admissions
from people.models import Event, Pairing
from rendering.text.active_language import reader_language
from tournaments.commands import decision_recording
from tournaments.facts import matches, outbox_topics, version_seals
from tournaments.facts.locks import lock, lock_games
from tournaments.models import (
    Match,
    Outlook,
    OverallVersion,
    Palio,
    Place,
    StandingsVersion,
    Tournament,
)
from tournaments.projections import outlooks, overall, standings
from tournaments.projections.rebuild import palios, rebuild_palio, rebuild_tournament
from tournaments.verification.messages import Wrong, column_called, row_called, value_called, words_of
from tournaments.verification.references import contradictions, dangling
from tournaments.verification.row_snapshots import (
    KINDS,
    OVERALL,
    Difference,
    Kind,
    differences,
    narrowed,
    picture,
)

AT_ONCE = 200
"""The logs of so many games are read at once."""
MOST_TOLD = 20
"""So many rows of a kind are told one by one; of the others, how many there are."""


Row = TypeVar("Row", bound=Model)

FURTHER: list[Callable[[Event], Iterable[Wrong]]] = []
"""What layers above this one have to say of an event; they add themselves when the service starts."""


class Words:
    """What people call the things of an event, as they are stored now: `known`, by id."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def place(self, id_: UUID, what: str) -> str:
        """What it is called, where that is known, and its id."""
        called = self.known.get(str(id_))
        return f"{called} ({what} {id_})" if called else f"{what} {id_}"


def verify(event: Event | None = None) -> Iterator[Wrong]:
    """Everything that is wrong with an event, or with all.

    It looks at chains and receipts, and at the legality of every game. It also looks at projections that
    differ from what the facts say, and at rows of reference that contradict them. Changes nothing.
    """
    words = Words()
    events = [event] if event else (yield from _rows(Event.objects.all(), _("the events")))
    for each in events:
        try:
            words.known |= words_of(each)
        except Exception as error:
            yield _unreadable(error, _("event %(id)s") % {"id": each.pk}, Event)
    for finding in verify_ledger.verify(event.pk if event else None):
        yield _of_ledger(finding, words)
    drawn: set[UUID] = set()
    is_drawn_known = True
    altered: set[UUID] = set()
    tournaments = Tournament.objects.all() if event is None else event.tournaments.all()
    for tournament in (yield from _rows(tournaments.select_related("event"), _("the tournaments"))):
        where = words.place(tournament.pk, _("tournament"))
        versions = StandingsVersion.objects.filter(tournament=tournament)
        yield from _or_unreadable(
            partial(_wrong_seals, tournament, versions, tournament.event_id), where, StandingsVersion
        )
        yield from _or_unreadable(partial(_wrong_games, tournament, words), where, Game)
        of_tournament, is_altered = yield from _wrong_rows(tournament, words)
        if is_altered:
            altered.add(tournament.event_id)
        if of_tournament is None:
            is_drawn_known = False
            continue
        yield from _or_unreadable(partial(_wrong_places, tournament, of_tournament, words), where, Place)
        drawn |= of_tournament
    for palio in (yield from _rows(palios(event), _("the palios"))):
        where = _("palio %(id)s") % {"id": palio.pk}
        tables = OverallVersion.objects.filter(palio=palio)
        yield from _or_unreadable(partial(_wrong_seals, palio, tables, palio.event_id), where, OverallVersion)
        yield from _wrong_palio(palio, words, standings_altered=palio.event_id in altered)
    streams = partial(_wrong_streams, event, drawn if is_drawn_known else None, words)
    yield from _or_unreadable(streams, _("the ledger"), Stream)
    for each in events:
        where = _("event %(id)s") % {"id": each.pk}
        yield from _or_unreadable(partial(_wrong_references, each), where, Event)
        yield from _wrong_devices(each)
        for look in FURTHER:
            yield from _or_unreadable(partial(look, each), where, Event)


def _rows(query: QuerySet[Row], where: str) -> Generator[Wrong, None, list[Row]]:
    """All rows of a query; none if one of them can't be read, which is a finding."""
    try:
        return list(query)
    except Exception as error:
        yield _unreadable(error, where, query.model)
        return []


def _or_unreadable(found: Callable[[], Iterable[Wrong]], where: str, model: type[Model]) -> Iterator[Wrong]:
    """What is found; if a row can't even be read, that, so that whatever comes after is looked at, too."""
    try:
        yield from found()
    except Exception as error:
        yield _unreadable(error, where, model)


def _unreadable(error: Exception, where: str, model: type[Model]) -> Wrong:
    """The finding that a row can't be read: what was altered where it is stored can be anything. Raises an
    error that is about the database itself.
    """
    if not verify_ledger.is_unreadable(error):
        raise error
    what = _("what is stored can't be read: %(error)s") % {"error": error}
    return Wrong(where, what, model=model._meta.label)


def _wrong_places(tournament: Tournament, drawn: Collection[UUID], words: Words) -> Iterator[Wrong]:
    """Rows of the timetable for matches that this tournament has never drawn."""
    placed = Place.objects.filter(tournament=tournament).order_by().values_list("pk", flat=True)
    for match in sorted(set(placed) - set(drawn)):
        where = words.place(tournament.pk, _("tournament"))
        what = _("the timetable has a place for match %(id)s, which it never drew") % {"id": match}
        yield Wrong(where, what, tournament.pk, model=Place._meta.label)


def _wrong_devices(event: Event) -> Iterator[Wrong]:
    """Phones that aren't, by their rows, whose they are by the facts; by ids, without names."""
    try:
        listed = list(device_admissions.altered_columns(event))
    except Exception as error:
        # Facts that were tampered with can be anything, so whatever stands in the way is the finding.
        what = _("whose phones they are can't be read from its facts: %(error)s") % {"error": error}
        yield Wrong(_("event %(id)s") % {"id": event.pk}, what, event.pk, model=Pairing._meta.label)
        return
    for found in listed:
        what = _("%(column)s is %(stored)s, and by the facts %(expected)s") % {
            "column": column_called(found.column),
            "stored": value_called(found.stored, {}),
            "expected": value_called(found.expected, {}),
        }
        where = _("phone “%(word)s” (%(id)s)") % {"word": found.word, "id": found.pairing}
        yield Wrong(where, what, found.pairing, model=Pairing._meta.label, column=found.column)


def _wrong_references(event: Event) -> Iterator[Wrong]:
    yield from contradictions(event)
    yield from dangling(event)


def _of_ledger(finding: Finding, words: Words) -> Wrong:
    if finding.stream is None:
        return Wrong(_("the ledger"), str(finding))
    where = words.place(finding.stream, _("stream"))
    if finding.sequence:
        where = _("%(where)s, fact %(number)d") % {"where": where, "number": finding.sequence}
    return Wrong(where, str(finding), finding.stream, finding.sequence)


def _wrong_games(tournament: Tournament, words: Words) -> Iterator[Wrong]:
    rows = list(Game.objects.filter(group=tournament.pk).order_by("pk"))
    for start in range(0, len(rows), AT_ONCE):
        portion = rows[start : start + AT_ONCE]
        logs = dict(read.texts_of(row.pk for row in portion))
        for row in portion:
            if _what_is_wrong(row, logs.pop(row.pk, ())):
                yield from _still_wrong(row.pk, words)


def _still_wrong(game: UUID, words: Words) -> Iterator[Wrong]:
    """The same of one game with its row locked: somebody may have written between the reading of the rows and
    of their logs.
    """
    with transaction.atomic():
        held = Game.objects.select_for_update(no_key=True).filter(pk=game).first()
        texts = [text for _type, text in read.texts(game)]
        found = _what_is_wrong(held, texts) if held is not None else []
    for what, is_set_aside in found:
        yield Wrong(words.place(game, _("stream")), what, game, is_set_aside=is_set_aside)


def _what_is_wrong(row: Game, texts: Collection[str]) -> list[tuple[str, bool]]:
    """What is wrong with a game, and whether that is only that it is set aside."""
    broken = [(what, False) for what in _broken(row)]
    try:
        against_log = _differs_from_log(row, texts)
    except ImpossibleStateError as fault:
        what = _("the game is set aside, since the engine can't follow its log: line %(line)d: %(what)s")
        return [(what % {"line": fault.line or 0, "what": fault.what}, True), *broken]
    return [*([] if against_log is None else [(against_log, False)]), *broken]


def _differs_from_log(row: Game, texts: Collection[str]) -> str | None:
    """How a row differs from its log; raises `ImpossibleStateError` where the engine can't follow that."""
    try:
        as_replayed = _as_replayed(row, texts)
    except Refusal as refusal:
        place = _("line %(line)d") % {"line": refusal.line} if refusal.line else ""
        why = ": ".join(filter(None, [place, refusal.expected(reader_language())]))
        return _("the stored log is not legal: %(refusal)s") % {"refusal": why}
    if row.version != len(texts):
        versions = {"version": row.version, "lines": len(texts)}
        return (
            ngettext(
                "the row is at version %(version)d, the log has %(lines)d line",
                "the row is at version %(version)d, the log has %(lines)d lines",
                len(texts),
            )
            % versions
        )
    return None if as_replayed else _("the stored state differs from the replayed log")


def _as_replayed(row: Game, texts: Collection[str]) -> bool:
    """Whether a row's state and outcome are those of its log; of a game without one, nothing can be told."""
    if not texts:
        return True
    log = log_of(texts)
    try:
        state, outcome = replayed(log)
        return bool(row.snapshot == dump(state) and Outcome.of_row(row) == outcome)
    except (Refusal, ImpossibleStateError):
        raise
    except Exception:
        # What was altered where it is stored can be anything.
        return False


def _broken(row: Game) -> Iterator[str]:
    """Every invariant of a game that the stored state breaks, whatever its log says."""
    if row.snapshot is None:
        return
    try:
        found = audit(load(row.snapshot))
    except Exception as error:
        # What was altered where it is stored can be anything, so whatever stands in the way is the finding.
        yield _("the stored state can't be read: %(error)r") % {"error": error}
        return
    for broken in found:
        names = {
            "code": broken.code,
            "sentence": broken.sentence(reader_language()),
            "detail": broken.detail,
        }
        yield _("the stored state breaks %(code)s (%(detail)s). %(sentence)s") % names


def _wrong_seals(of: Tournament | Palio, versions: Iterable[Any], event: UUID) -> Iterator[Wrong]:
    """Versions that aren't what was stored when they were computed, and receipts of theirs that are gone."""
    before, last = version_seals.FIRST, 0
    listed = sorted(versions, key=lambda each: each.number)
    named = {each.receipt for each in listed if each.receipt}
    there = set(Receipt.objects.filter(scope=event, root__in=named).values_list("root", flat=True))
    where = of.name if isinstance(of, Tournament) else _("the overall table")
    for version in listed:
        at = _("%(where)s, version %(number)d of the standings") % {"where": where, "number": version.number}
        model = version._meta.label
        if version.number != last + 1:
            yield Wrong(at, _("the version before it is missing"), of.pk, model=model)
        heads = (
            version.heads
            if isinstance(version, StandingsVersion)
            else {**version.standings, str(of.pk): version.head}
        )
        try:
            right = version_seals.seal(
                before, of.pk, version.number, version.computed_at, heads, version.receipt
            )
        except (TypeError, ValueError):
            right = ""
        if version.seal != right and not _is_before_seals(version, before, heads):
            what = _("its moment, what it was computed from or its receipt was altered")
            yield Wrong(at, what, of.pk, model=model, column="seal")
        if version.receipt and version.receipt not in there:
            yield Wrong(at, _("its receipt is missing"), of.pk, model=Receipt._meta.label)
        before, last = version.seal, version.number


def _is_before_seals(
    version: StandingsVersion | OverallVersion, before: str, heads: Mapping[str, int]
) -> bool:
    """Whether a version has no seal because there were none when it was computed."""
    if version.seal or before not in ("", version_seals.FIRST):
        return False
    places = {UUID(stream): number for stream, number in heads.items() if number}
    facts = list(read.facts_at(places))
    return bool(facts) and len(facts) == len(places) and version_seals.may_lack_seal(facts)


def _wrong_rows(
    tournament: Tournament, words: Words
) -> Generator[Wrong, None, tuple[set[UUID] | None, bool]]:
    """Rows that aren't as the facts say, by building them again and rolling back.

    Returns the matches and games that were ever drawn, None where that can't be told, and whether anything is
    wrong.
    """
    where = words.place(tournament.pk, _("tournament"))
    drawn: set[UUID] | None = None
    broken = ""
    with transaction.atomic():
        try:
            lock_games(lock(tournament).pk)
            # A result that nobody has computed from yet is late, not wrong.
            if outbox.take(outbox_topics.STANDINGS, tournament.pk):
                standings.compute(tournament.pk)
            before = picture(tournament)
            outlook = Outlook.objects.filter(tournament=tournament).first()
            drawn = rebuild_tournament(tournament)
            found = list(differences(before, picture(tournament)))
            known = words_of(tournament.event) if found else {}
            foreseen = outlooks.differing(tournament, outlook) if outlook is not None else ""
        except Exception as error:
            # Facts that were tampered with can be anything, so whatever stands in the way is the finding.
            broken = _("it can't be built again from its facts: %(error)s") % {"error": error}
        finally:
            transaction.set_rollback(True)
    if broken:
        yield Wrong(where, broken, tournament.pk)
        return drawn, True
    yield from _told(where, tournament.pk, found, KINDS, {**words.known, **known})
    if foreseen:
        what = _("which places are still open isn't as it follows from the facts (%(column)s)")
        named = {"column": column_called(foreseen)}
        yield Wrong(where, what % named, tournament.pk, model=Outlook._meta.label, column=foreseen)
    return drawn, bool(found or foreseen)


def _wrong_palio(palio: Palio, words: Words, *, standings_altered: bool) -> Iterator[Wrong]:
    """The same for the overall table, from standings as they should be."""
    where = _("palio %(id)s") % {"id": palio.pk}
    with transaction.atomic():
        try:
            lock(palio)
            if outbox.take(outbox_topics.OVERALL, palio.pk):
                overall.compute(palio.pk)
            before = picture(palio, OVERALL)
            for tournament in palio.event.tournaments.all() if standings_altered else ():
                rebuild_tournament(tournament)
            rebuild_palio(palio)
            found = list(differences(before, picture(palio, OVERALL), OVERALL))
        except Exception as error:
            what = _("it can't be built again from its facts: %(error)s") % {"error": error}
            yield Wrong(where, what, palio.pk)
            return
        finally:
            transaction.set_rollback(True)
    yield from _told(where, palio.pk, found, OVERALL, words.known if found else {})


def _told(
    where: str,
    of: UUID,
    found: Iterable[Difference],
    kinds: Mapping[str, Kind],
    words: Mapping[str, str],
) -> Iterator[Wrong]:
    listed = list(found)
    for kind in kinds.values():
        of_kind = (each for each in listed if each.kind is kind)
        for each in islice(of_kind, MOST_TOLD):
            yield Wrong(
                where, _what_differs(each, words), of, model=kind.model._meta.label, column=each.column
            )
        if rest := sum(1 for _each in of_kind):
            what = ngettext(
                "%(rows)s: %(count)d more difference", "%(rows)s: %(count)d more differences", rest
            ) % {"rows": kind.title, "count": rest}
            yield Wrong(where, what, of, model=kind.model._meta.label)


def _what_differs(each: Difference, words: Mapping[str, str]) -> str:
    named = {"rows": each.kind.title, "row": row_called(each, words)}
    if not each.column:
        if each.stored is None:
            return _("%(rows)s: the row %(row)s is missing") % named
        return _("%(rows)s: the row %(row)s is one too many, the facts know of none") % named
    column, stored, expected = narrowed(each.column, each.stored, each.expected)
    values = {
        "column": column_called(column),
        "stored": value_called(stored, words),
        "expected": value_called(expected, words),
    }
    return _("%(rows)s, %(row)s: %(column)s is %(stored)s, and by the facts %(expected)s") % {
        **named,
        **values,
    }


def _wrong_streams(event: Event | None, drawn: set[UUID] | None, words: Words) -> Iterator[Wrong]:
    """Streams that are filed under another kind or event than their subject, and streams without one.

    `drawn` are the matches and games that were ever drawn; None where that can't be told. What is found is
    looked at again: somebody may have written between one reading and the next.
    """
    found = list(_misplaced_streams(event, drawn, words))
    if found:
        still = set(_misplaced_streams(event, drawn, words))
        yield from (each for each in found if each in still)


def _misplaced_streams(event: Event | None, drawn: set[UUID] | None, words: Words) -> Iterator[Wrong]:
    events = [event] if event else list(Event.objects.all())
    here = {each.pk for each in events}
    owners = _owners(events)
    filed = {id_: (kind, scope, version) for id_, kind, scope, version in _streams(event, owners)}
    gone: Counter[UUID] = Counter()
    for id_, (kind, scope, version) in filed.items():
        what, column = "", ""
        if id_ in owners:
            right, event_id, _version = owners[id_]
            if kind != right:
                named = {"kind": kind, "right": right}
                what, column = _("it is filed as “%(kind)s”, and belongs to a “%(right)s”") % named, "kind"
            elif scope != event_id:
                what, column = _("it isn’t filed under its event"), "scope"
        elif scope is not None and scope not in here:
            gone[scope] += 1
        elif scope is not None and version and drawn is not None and id_ not in drawn:
            what = _("nothing refers to its facts, of which there are %(facts)d") % {"facts": version}
        if what:
            where = words.place(id_, _("stream"))
            yield Wrong(where, what, id_, model=Stream._meta.label, column=column)
    for scope, count in gone.items():
        what = ngettext(
            "it isn't here, and %(count)d stream of it is",
            "it isn't here, and %(count)d streams of it are",
            count,
        ) % {"count": count}
        yield Wrong(_("event %(id)s") % {"id": scope}, what, model=Stream._meta.label)
    for id_, (_kind, _event, version) in owners.items():
        if version and id_ not in filed:
            what = _("its facts are gone: it is at version %(version)d") % {"version": version}
            yield Wrong(words.place(id_, _("stream")), what, id_, model=Stream._meta.label)


def _owners(events: Iterable[Event]) -> dict[UUID, tuple[str, UUID | None, int]]:
    """Whose facts streams can hold: the kind, the event and the version of each, by id.

    Of games their logs tell the version, and phones have none.
    """
    of_event, of_match = {"event__in": events}, {"stage__tournament__event__in": events}
    unknown = Value(0)
    rows: tuple[tuple[str, QuerySet[Any], str, str | Value], ...] = (
        (decision_recording.STREAM_KIND, Tournament.objects.filter(**of_event), "event", "version"),
        (decision_recording.PALIO_STREAM_KIND, Palio.objects.filter(**of_event), "event", "version"),
        (matches.STREAM_KIND, Match.objects.filter(**of_match), "stage__tournament__event", "version"),
        (logbook.STREAM_KIND, Game.objects.filter(scope__in=[each.pk for each in events]), "scope", unknown),
        (device_admissions.STREAM_KIND, Pairing.objects.filter(**of_event), "event", unknown),
    )
    return {
        id_: (kind, event, version)
        for kind, each, of, at in rows
        for id_, event, version in each.values_list("pk", of, at)
    }


def _streams(event: Event | None, owners: Mapping[UUID, Any]) -> Iterator[tuple[UUID, str, UUID | None, int]]:
    columns = ("pk", "kind", "scope", "head_sequence")
    if event is None:
        yield from Stream.objects.order_by("pk").values_list(*columns)
        return
    seen = set()
    for row in Stream.objects.filter(scope=event.pk).order_by("pk").values_list(*columns):
        seen.add(row[0])
        yield row
    # One that was filed under another event is found by its subject.
    others = sorted(owners.keys() - seen)
    for start in range(0, len(others), 500):
        portion = others[start : start + 500]
        yield from Stream.objects.filter(pk__in=portion).order_by("pk").values_list(*columns)
