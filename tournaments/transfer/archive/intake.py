"""Taking an archive in: checked before anything is stored, built again, verified, all or nothing."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from typing import IO, Any
from uuid import UUID
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import slug_re
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import logbook
from games.models import Game
from ledger import needed_code_version
from ledger.entries import StoredFact
from ledger.errors import LedgerError
from ledger.hashing import GENESIS, microseconds, receipt_root
from ledger.models import Receipt, Tombstone
from ledger.receipts import sealed_heads
from ledger.stream_import import check_archive, import_stream
from people import audit, device_admissions
from people.actors import Actor, ActorKind
from people.events import RESERVED_SLUGS
from people.models import Account, Event, Organizer
from people.moment_parsing import has_year
from people.refusals import Refused
from tournaments.commands import decision_recording
from tournaments.facts import foreign_stage_ids, matches, taken_ids
from tournaments.projections.rebuild import rebuild
from tournaments.queries.timetable.problem import settings_of
from tournaments.transfer.archive import container
from tournaments.transfer.archive.container import BadArchiveError, Container
from tournaments.transfer.archive.export import FACTS, RECEIPTS, SET_ASIDE, STREAMS, snapshot
from tournaments.transfer.archive.rows import KEPT, KeptModel, loaded, objects
from tournaments.verification import verify

_BATCH = 500
KINDS = {
    decision_recording.STREAM_KIND: "tournaments.Tournament",
    decision_recording.PALIO_STREAM_KIND: "tournaments.Palio",
    matches.STREAM_KIND: "",
    logbook.STREAM_KIND: "",
    device_admissions.STREAM_KIND: "people.Pairing",
}
"""The kinds of streams that there are, and the model whose rows they are about, where it is kept."""
_EVENT_FILE = KEPT[0].file
_VERSIONS = frozenset({"tournaments.StandingsVersion", "tournaments.OverallVersion"})
_FACT = frozenset(StoredFact._fields)
_HASH = re.compile("[0-9a-f]{64}")
_SUBJECTS = tuple(model for model in KINDS.values() if model)


@dataclass(frozen=True, slots=True)
class TakenIn:
    """The event of an archive; `is_new` is False if it was here already, just as it is in the archive."""

    event: Event
    is_new: bool


@dataclass(frozen=True, slots=True)
class _Archive:
    """An archive that fits together. Its rows and facts stay in the file until they are stored.

    `known`: ids by model. `kinds`: the kind of each stream. `stages`: those that its facts draw. `counted`:
    what the games count that couldn't be followed where it was written.
    """

    packed: Container
    event: UUID
    slug: str
    needs: int
    with_people: bool
    known: Mapping[str, Set[Any]]
    kinds: Mapping[UUID, str]
    stages: Set[UUID]
    receipts: Sequence[Receipt]
    counted: Mapping[UUID, Game]

    def rows(self, kept: KeptModel) -> Iterator[Any]:
        """The rows of a model."""
        return loaded(kept, objects(self.packed.lines(kept.file)), self.known)


def take_in(
    source: IO[bytes], actor: Actor, *, organizer: Account | None = None, slug: str | None = None
) -> TakenIn:
    """Take the event of an archive in, under another address if one is given; unpublished, and its phones
    shut out.

    Raises `Refused` for whatever isn't a whole archive of an event that can be built again and verified, or
    that can't be here. Nothing is stored then.
    """
    try:
        with container.opened(source) as packed:
            return _taken_in(_checked(packed), actor, organizer, slug)
    except BadArchiveError as error:
        raise _refused(
            "archive-unreadable", _("This isn’t an archive of an event, or not a whole one: %(why)s."), error
        ) from error


def _taken_in(archive: _Archive, actor: Actor, organizer: Account | None, slug: str | None) -> TakenIn:
    if Tombstone.objects.filter(scope=archive.event).exists():
        raise Refused(
            "event-deleted", _("This event was deleted here for good; its archive isn’t taken in again.")
        )
    there = Event.objects.filter(pk=archive.event).first()
    if there is not None:
        return _compared(there, archive)
    chosen = _free_slug(slug or archive.slug)
    try:
        with transaction.atomic():
            _refuse_ids_of_others(archive, actor)
            event = _store(archive, chosen)
            _build(event, archive.counted)
            needed_code_version.rise(archive.needs)
            # Whatever the databases check only at the end.
            connection.check_constraints()
            if organizer is not None:
                audit.create(Organizer(event=event, account=organizer), actor, event.pk)
            audit.keep([audit.created(event, actor, event.pk)])
    except (BadArchiveError, IntegrityError, LedgerError, ValidationError) as error:
        raise _refused(
            "archive-unfit", _("What is in this archive can’t be stored here: %(why)s."), error
        ) from error
    return TakenIn(event, True)


def _refuse_ids_of_others(archive: _Archive, actor: Actor) -> None:
    """Raise BadArchiveError if the archive gives its own rows or streams an id that is anything else's here,
    or will be.

    Facts can name any id, and hashes that fit prove nothing of whose it is.

    Ids of squads, matches and games follow from their stage's, so theirs are among these. Nothing else may
    have one of their form, unless an operator takes the archive in: an earlier version accepted such keys.
    """
    ids = {id_ for known in archive.known.values() for id_ in known if isinstance(id_, UUID)}
    if any(taken_ids.taken(ids | archive.kinds.keys() | archive.stages)):
        raise BadArchiveError(_("an id in it is that of something else here"))
    if foreign_stage_ids.drawn_in_other_events(archive.event, archive.stages):
        raise BadArchiveError(_("another event has drawn a stage of it"))
    if actor.kind is not ActorKind.COMMAND:
        for model in _SUBJECTS:
            if any(taken_ids.is_derived(id_) for id_ in archive.known[model]):
                raise BadArchiveError(f"{model}: " + _("an id of the form of a game’s"))


def _refused(code: str, sentence: str, error: Exception) -> Refused:
    if isinstance(error, IntegrityError | LedgerError):
        # What a database says of a row may hold what stands in it, and the ledger speaks English.
        why = _("something in it is here already")
    else:
        why = " ".join(error.messages) if isinstance(error, ValidationError) else str(error)
    return Refused(code, sentence % {"why": why[:200].rstrip(".")}, status=422)


def _checked(packed: Container) -> _Archive:
    """The archive, checked without the database: rows by their fields, chains, hashes, receipts.

    Raises BadArchiveError for what doesn't fit together.
    """
    event_id, with_people = _uuid(packed.about.get("event")), packed.about.get("with_people")
    if not isinstance(with_people, bool):
        raise BadArchiveError(_("%(name)s in its manifest") % {"name": "with_people"})
    needs = packed.about.get("needs", 1)
    if type(needs) is not int or needs < 1:
        raise BadArchiveError(_("%(name)s in its manifest") % {"name": "needs"})
    if needs > needed_code_version.KNOWN:
        raise Refused(
            "archive-newer",
            _("A newer version of the service wrote this archive; take it in with that one or a later one."),
            status=422,
            needs=needs,
            known=needed_code_version.KNOWN,
        )
    expected = {kept.file for kept in KEPT if with_people or not kept.is_personal}
    if set(packed.files) - {STREAMS, FACTS, RECEIPTS, SET_ASIDE} - expected:
        raise BadArchiveError(_("files in it that aren’t known"))
    known: dict[str, set[Any]] = {}
    slug = ""
    sealed_by: dict[str, set[str]] = {}
    for kept in KEPT:
        ids: set[Any] = set()
        for row in loaded(kept, objects(packed.lines(kept.file)), known):
            if row.pk in ids:
                raise BadArchiveError(f"{kept.model}: " + _("two rows with the same id"))
            ids.add(row.pk)
            if kept.model == "people.Event":
                slug = row.slug
                _check_event(row)
            if kept.model in _VERSIONS:
                sealed_by.setdefault(kept.model, set()).add(row.receipt)
        known[kept.model] = ids
    if known["people.Event"] != {event_id}:
        raise BadArchiveError(_("it doesn’t hold exactly one event"))
    kinds, hashes, stages = _chains(packed, known)
    receipts = _receipts(packed, event_id, hashes)
    roots = {"", *(receipt.root for receipt in receipts)}
    for model, named in sealed_by.items():
        if not named <= roots:
            raise BadArchiveError(f"{model}: " + _("a receipt that was never made"))
    counted = _counted(packed, kinds)
    return _Archive(packed, event_id, slug, needs, with_people, known, kinds, stages, receipts, counted)


def _counted(packed: Container, kinds: Mapping[UUID, str]) -> dict[UUID, Game]:
    """What each game counts that couldn't be followed: rows that hold nothing else."""
    found: dict[UUID, Game] = {}
    for values in objects(packed.lines(SET_ASIDE)):
        game = _uuid(values.pop("game", None))
        if kinds.get(game) != logbook.STREAM_KIND or game in found:
            raise BadArchiveError(_("a game that is set aside"))
        try:
            found[game] = logbook.counted_row(game, values)
        except (ValueError, ValidationError) as error:
            raise BadArchiveError(_("what a game counts that is set aside")) from error
    return found


def _check_event(event: Event) -> None:
    """Raise BadArchiveError for a place or a language that pages can't be made for here."""
    if event.time_zone not in available_timezones():
        raise BadArchiveError(_("the time zone “%(zone)s” isn’t known here") % {"zone": event.time_zone})
    if event.language not in dict(settings.LANGUAGES):
        raise BadArchiveError(
            _("the language “%(language)s” isn’t known here") % {"language": event.language}
        )


def _chains(
    packed: Container, known: Mapping[str, Set[Any]]
) -> tuple[dict[UUID, str], dict[UUID, list[str]], set[UUID]]:
    """Each stream’s kind and its facts’ hashes: whole to its head, chained, about something there is; and the
    stages that are drawn in them.
    """
    kinds: dict[UUID, str] = {}
    heads: dict[UUID, tuple[object, object]] = {}
    for each in objects(packed.lines(STREAMS)):
        stream, kind = _uuid(each.get("id")), each.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            raise BadArchiveError(_("the kind of a stream"))
        if KINDS[kind] and stream not in known[KINDS[kind]]:
            raise BadArchiveError(_("the kind of a stream"))
        kinds[stream], heads[stream] = kind, (each.get("sequence"), each.get("hash"))
    hashes: dict[UUID, list[str]] = {}
    stages: set[UUID] = set()
    for stream, facts in _streams(packed):
        if stream in hashes or stream not in kinds:
            raise BadArchiveError(_in_stream(stream, _("its place in the file")))
        found: list[str] = []
        finding = next(check_archive(stream, _noted(facts, found, stages)), None)
        if finding is not None:
            raise BadArchiveError(_in_stream(stream, str(finding)))
        if heads[stream] != (len(found), found[-1]):
            raise BadArchiveError(_in_stream(stream, _("its head")))
        hashes[stream] = found
    if kinds.keys() != hashes.keys():
        raise BadArchiveError(_("a stream without facts"))
    return kinds, hashes, stages


def _streams(packed: Container) -> Iterator[tuple[UUID, Iterator[StoredFact]]]:
    """The facts of one stream after the other, as they are in the file."""
    return groupby(map(_fact, objects(packed.lines(FACTS))), key=lambda fact: fact.stream)


def _noted(facts: Iterable[StoredFact], hashes: list[str], stages: set[UUID]) -> Iterator[StoredFact]:
    """The facts, while their hashes are added to a list, and the stages that they draw to a set."""
    for fact in facts:
        hashes.append(fact.hash)
        if fact.type in foreign_stage_ids.DRAWN:
            stages.add(_stage(fact))
        yield fact


def _stage(fact: StoredFact) -> UUID:
    try:
        return _uuid(fact.body["stage"])
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise BadArchiveError(_("the id of a stage")) from error


def _fact(values: Mapping[str, Any]) -> StoredFact:
    if values.keys() != _FACT:
        raise BadArchiveError(_("a fact with other fields"))
    texts = [values[name] for name in ("type", "text", "previous_hash", "hash", "client_digest")]
    sequence = values["sequence"]
    if not all(isinstance(text, str) for text in texts) or type(sequence) is not int:
        raise BadArchiveError(_("a field of a fact"))
    if len(values["type"]) > 64 or len(values["client_digest"]) > 64 or not 0 < sequence < 2**31:
        raise BadArchiveError(_("a field of a fact"))
    if not _HASH.fullmatch(values["previous_hash"]) or not _HASH.fullmatch(values["hash"]):
        raise BadArchiveError(_("the hash of a fact"))
    client_id = values["client_id"]
    read = {
        "id": _uuid(values["id"]),
        "stream": _uuid(values["stream"]),
        "recorded_at": _moment(values["recorded_at"]),
        "client_id": None if client_id is None else _uuid(client_id),
    }
    return StoredFact(**{**values, **read})


def _receipts(packed: Container, event_id: UUID, hashes: Mapping[UUID, Sequence[str]]) -> list[Receipt]:
    """The receipts, each chained to the one before, true to itself and to the facts that it sealed."""
    found: list[Receipt] = []
    previous = GENESIS
    for number, values in enumerate(objects(packed.lines(RECEIPTS)), start=1):
        if set(values) != {"number", "previous_root", "root", "heads", "made_at"}:
            raise BadArchiveError(_("a receipt with other fields"))
        heads, made_at = values["heads"], _moment(values["made_at"])
        if values["number"] != number or values["previous_root"] != previous or not isinstance(heads, str):
            raise BadArchiveError(_in_receipt(number, _("its number or what precedes it")))
        root = receipt_root(previous, event_id, number, heads, microseconds(made_at))
        if values["root"] != root:
            raise BadArchiveError(_in_receipt(number, _("its root")))
        try:
            sealed = sealed_heads(heads)
        except (ValueError, TypeError, AttributeError) as error:
            raise BadArchiveError(_in_receipt(number, _("its heads"))) from error
        for head in sealed:
            stream = hashes.get(head.stream, ())
            if not 0 < head.sequence <= len(stream) or stream[head.sequence - 1] != head.hash:
                raise BadArchiveError(_in_receipt(number, _("what it sealed")))
        found.append(
            Receipt(
                scope=event_id,
                number=number,
                previous_root=previous,
                root=root,
                heads=heads,
                made_at=made_at,
            )
        )
        previous = root
    return found


def _in_stream(stream: UUID, what: str) -> str:
    return _("stream %(stream)s: %(what)s") % {"stream": stream, "what": what}


def _in_receipt(number: int, what: str) -> str:
    return _("receipt %(number)d: %(what)s") % {"number": number, "what": what}


def _uuid(value: object) -> UUID:
    try:
        return UUID(str(value))
    except ValueError as error:
        raise BadArchiveError(_("an id")) from error


def _moment(value: object) -> datetime:
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise BadArchiveError(_("a time")) from error
    if found.tzinfo is None or not has_year(found):
        raise BadArchiveError(_("a time without its zone, or of a year that isn’t taken"))
    return found


def _compared(there: Event, archive: _Archive) -> TakenIn:
    """The same event is here: told if it is just as in the archive, but for its address; else refused."""
    with transaction.atomic():
        _about, files = snapshot(there, with_people=archive.with_people)
        # What is due is computed by who has to.
        transaction.set_rollback(True)
    event_file = files.pop(_EVENT_FILE)
    here = [_without_slug(row) for row in objects(event_file.split(b"\n"))]
    archived = [_without_slug(row) for row in objects(archive.packed.lines(_EVENT_FILE))]
    same = {name: container.described(content) for name, content in files.items()} == {
        name: each for name, each in archive.packed.files.items() if name != _EVENT_FILE
    }
    if here == archived and same:
        return TakenIn(there, False)
    raise Refused(
        "event-differs",
        _("This event is here already as “%(name)s”, and not as it is in the archive. Nothing was changed.")
        % {"name": there.name},
    )


def _without_slug(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "slug"}


def _free_slug(slug: str) -> str:
    is_slug = slug_re.match(slug) and slug == slug.lower()
    if not is_slug or len(slug) > 60 or slug in RESERVED_SLUGS:
        raise Refused("invalid-slug", _("An address has small letters, digits and hyphens."), status=422)
    if Event.objects.filter(slug=slug).exists():
        raise Refused(
            "slug-taken",
            _("Another event has the address “%(slug)s”; choose another one.") % {"slug": slug},
            slug=slug,
        )
    return slug


def _store(archive: _Archive, slug: str) -> Event:
    """All rows and facts as they are."""
    for kept in KEPT:
        rows = archive.rows(kept)
        while batch := list(islice(rows, _BATCH)):
            _finished(kept, batch, archive.event, slug)
            _create(kept, batch)
    for stream, facts in _streams(archive.packed):
        import_stream(archive.kinds[stream], archive.event, tuple(facts))
    Receipt.objects.bulk_create(archive.receipts, batch_size=_BATCH)
    return Event.objects.get(pk=archive.event)


def _finished(kept: KeptModel, rows: Sequence[Any], event: UUID, slug: str) -> None:
    """What stays behind gets a value of its own here."""
    for row in rows:
        match kept.model:
            case "people.Event":
                row.slug = slug
            case "people.Pairing":
                # No secret has this hash, so no phone gets in by it.
                row.secret_hash = device_admissions.archived_secret(row)
                row.revoked_at = timezone.now()
            case "tournaments.Tournament":
                row.settings = {}
            case "tournaments.Palio":
                row.rules = {}
            case "tournaments.StandingsVersion":
                row.games_played = row.games_total = row.rounds_played = 0
            case "tournaments.OverallVersion":
                row.decided = row.total = 0
        if getattr(row, "event_id", event) != event:
            raise BadArchiveError(f"{kept.model}: " + _("a row of another event"))


def _create(kept: KeptModel, rows: list[Any]) -> None:
    """Insert them, with the times at which they were made."""
    stamped = [field for field in kept.fields() if getattr(field, "auto_now_add", False)]
    times = [[getattr(row, field.attname) for field in stamped] for row in rows]
    kept.of._default_manager.bulk_create(rows)
    if stamped:
        for row, values in zip(rows, times, strict=True):
            for field, value in zip(stamped, values, strict=True):
                setattr(row, field.attname, value)
        kept.of._default_manager.bulk_update(rows, [field.name for field in stamped])


def _build(event: Event, counted: Mapping[UUID, Game]) -> None:
    """Build all projections, and verify everything that is stored of the event by then.

    What the archive says that games `counted` holds where the engine can't follow them here either.
    """
    try:
        with transaction.atomic():
            settings_of(event)
            rebuild(event, counted)
            found = verify.verify(event)
            wrong = next((each for each in found if not (each.is_set_aside and each.stream in counted)), None)
    except Exception as error:
        # Facts whose hashes fit can still say anything, so whatever stands in the way is the reason.
        raise BadArchiveError(
            _("it can’t be built from its facts (%(error)s)") % {"error": type(error).__name__}
        ) from error
    if wrong is not None:
        raise BadArchiveError(str(wrong))
