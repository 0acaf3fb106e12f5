"""verify: a change feed as stored, compared with the facts and versions of which it tells.

What a feed leaves open isn't a fault: what has no number yet, and in which order different streams were
numbered. A feed that is removed whole can't be told from one that nobody has asked for.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import logbook
from games.models import Game
from games.outcome import Outcome
from integrations.change_feed import kinds
from integrations.change_feed.numbering import FACT_COLUMNS, UNTOLD, ToldFact, has_told, version_columns
from integrations.models import Change, Feed, FeedMark
from ledger.models import Fact, Stream
from people.models import Event
from tournaments.models import Match, OverallVersion, StandingsVersion
from tournaments.verification.messages import Wrong, column_called
from tournaments.verification.verify import MOST_TOLD

_MODEL = Change._meta.label
_RESULTS = frozenset({kinds.RESULT_ENTERED, kinds.RESULT_CORRECTED, kinds.RESULT_WITHDRAWN})


class _Found(NamedTuple):
    """What is wrong with a change; with the feed itself where `number` is 0."""

    number: int
    what: str
    column: str = ""


def wrong_changes(event: Event) -> Iterator[Wrong]:
    """What is wrong with an event's feed."""
    try:
        listed = _found(event)
        # Again: where there was no row to lock, somebody may have begun the feed in between.
        listed = sorted(set(listed) & set(_found(event))) if listed else []
    except Exception as error:
        # Facts that were tampered with can be anything, so whatever stands in the way is the finding.
        what = _("it can't be compared with the facts: %(error)s") % {"error": error}
        yield Wrong(_("the change feed"), what, event.pk, model=_MODEL)
        return
    found = iter(listed)
    for each in islice(found, MOST_TOLD):
        where = _("the change feed")
        if each.number:
            where = _("the change feed, change %(number)d") % {"number": each.number}
        yield Wrong(where, each.what, event.pk, model=_MODEL, column=each.column)
    if rest := sum(1 for _each in found):
        more = ngettext("%(count)d more difference", "%(count)d more differences", rest) % {"count": rest}
        yield Wrong(_("the change feed"), more, event.pk, model=_MODEL)


def _differing(told: Change, column: str, expected: object) -> _Found:
    """A column of a change that isn't as the facts say."""
    values = {"column": column_called(column), "stored": getattr(told, column), "expected": expected}
    what = _("%(column)s is %(stored)s, and by the facts %(expected)s") % values
    return _Found(told.number, what, column)


@transaction.atomic
def _found(event: Event) -> list[_Found]:
    # Nobody numbers anything meanwhile.
    feed = Feed.objects.select_for_update(no_key=True).filter(event=event).first()
    return list(_Stored(event, feed).wrong())


class _Stored:
    """A feed beside what there is to tell."""

    def __init__(self, event: Event, feed: Feed | None) -> None:
        self.event, self.last = event, feed.last if feed else 0
        self.told = list(Change.objects.filter(event=event).order_by("number"))
        self.marks = {(row.source, row.subject): row for row in FeedMark.objects.filter(event=event)}
        self.unknown = {row.id: row for row in self.told}

    def wrong(self) -> Iterator[_Found]:
        """Everything that is wrong, in no order."""
        yield from self._wrong_numbers()
        yield from self._wrong_marks()
        yield from self._wrong_facts()
        yield from self._wrong_versions()
        yield from self._wrong_results()
        for row in self.unknown.values():
            yield _Found(row.number, _("there is no fact or version of which it tells"))

    def _wrong_numbers(self) -> Iterator[_Found]:
        numbers = {row.number for row in self.told}
        for number in range(1, max((self.last, *numbers)) + 1):
            if number not in numbers:
                yield _Found(number, _("it is missing"))
        if numbers and max(numbers) > self.last:
            values = {"last": max(numbers), "stored": self.last}
            yield _Found(0, _("it goes up to %(last)d, and says that it ends at %(stored)d") % values, "last")

    def _wrong_marks(self) -> Iterator[_Found]:
        """Marks beyond what there is to tell, or of another tournament than their subject."""
        facts = Stream.objects.filter(scope=self.event.pk).values_list("pk", "head_sequence")
        standings = StandingsVersion.objects.filter(tournament__event=self.event).order_by("number")
        overall = OverallVersion.objects.filter(palio__event=self.event).order_by("number")
        last: dict[str, dict[UUID, int]] = {
            FeedMark.Source.FACTS.value: dict(facts),
            FeedMark.Source.STANDINGS.value: dict(standings.values_list("tournament_id", "number")),
            FeedMark.Source.OVERALL.value: dict(overall.values_list("palio_id", "number")),
        }
        tournaments = self._rows()
        for (source, subject), mark in self.marks.items():
            if mark.reached > last.get(source, {}).get(subject, 0):
                yield _Found(
                    0, _("it says of %(subject)s more than there is") % {"subject": subject}, "reached"
                )
            right = tournaments.get(subject)
            if source == FeedMark.Source.FACTS.value and right is not None and mark.tournament != right:
                what = _("it says of %(subject)s another tournament") % {"subject": subject}
                yield _Found(0, what, "tournament")

    def _reached(self, source: FeedMark.Source, subject: UUID) -> int:
        mark = self.marks.get((source.value, subject))
        return mark.reached if mark else 0

    def _wrong_facts(self) -> Iterator[_Found]:
        """Each fact up to the mark of its stream is told once, in its stream's order."""
        tournaments = self._tournaments()
        rows = Fact.objects.filter(stream__scope=self.event.pk).exclude(stream__kind=UNTOLD)
        before: tuple[UUID, int, datetime] | None = None
        for row in rows.order_by("stream", "sequence").values_list(*FACT_COLUMNS):
            fact = ToldFact._make(row)
            latest, number = fact.at, 0
            if before is not None and before[0] == fact.stream:
                number, latest = before[1], max(fact.at, before[2])
            if fact.sequence <= self._reached(FeedMark.Source.FACTS, fact.stream):
                expected = fact.columns(tournaments.get(fact.stream))
                told = self.unknown.pop(fact.id, None)
                if told is not None and kinds.is_told_right(expected["kind"], told.kind):
                    expected["kind"] = told.kind
                yield from self._compared(told, expected, (fact.at, latest), number)
                number = told.number if told else number
            before = (fact.stream, number, latest)

    def _tournaments(self) -> dict[UUID, UUID]:
        """The tournament of each stream, as far as it belongs to one."""
        marked = ((row.subject, row.tournament) for row in self.marks.values())
        return {
            subject: tournament for subject, tournament in marked if tournament is not None
        } | self._rows()

    def _rows(self) -> dict[UUID, UUID]:
        """The same of the rows that there are now."""
        found = {pk: pk for pk in self.event.tournaments.values_list("pk", flat=True)}
        games = Game.objects.filter(scope=self.event.pk).exclude(group=None)
        found |= {pk: group for pk, group in games.values_list("pk", "group") if group is not None}
        matches = Match.objects.filter(stage__tournament__event=self.event)
        return found | dict(matches.values_list("pk", "stage__tournament_id"))

    def _wrong_versions(self) -> Iterator[_Found]:
        """Each version up to the mark of its subject is told, and what ended with it."""
        standings = StandingsVersion.objects.filter(tournament__event=self.event)
        columns = ("tournament_id", "number", "computed_at", "rounds_played")
        yield from self._versions(
            FeedMark.Source.STANDINGS,
            list(standings.order_by("tournament", "number").values_list(*columns)),
            kinds.STANDINGS,
            kinds.ROUND_CLOSED,
        )
        overall = OverallVersion.objects.filter(palio__event=self.event).order_by("palio", "number")
        yield from self._versions(
            FeedMark.Source.OVERALL,
            list(overall.values_list("palio_id", "number", "computed_at", "is_final")),
            kinds.PALIO_COMPUTED,
            kinds.PALIO_FINAL,
        )

    def _versions(
        self, source: FeedMark.Source, rows: Sequence[tuple[Any, ...]], always: str, at_end: str
    ) -> Iterator[_Found]:
        before: tuple[UUID, int, datetime, int] | None = None
        for subject, version, at, ended in rows:
            number, latest, was = 0, at, 0
            if before is not None and before[0] == subject:
                number, latest, was = before[1], max(at, before[2]), before[3]
            for kind in (always, *([at_end] if ended > was else [])):
                if version > self._reached(source, subject):
                    continue
                expected = version_columns(source, subject, version, kind)
                told = self.unknown.pop(uuid5(subject, f"{kind} {version}"), None)
                yield from self._compared(told, expected, (at, latest), number)
                number = told.number if told else number
            before = (subject, number, latest, int(ended))

    def _compared(
        self, told: Change | None, expected: dict[str, Any], moments: tuple[datetime, datetime], after: int
    ) -> Iterator[_Found]:
        """A change beside what it tells of, which happened between two moments and after another change."""
        if told is None:
            yield _Found(0, _("“%(kind)s” of %(subject)s, version %(version)d, is missing") % expected)
            return
        for column, value in expected.items():
            if getattr(told, column) != value:
                yield _differing(told, column, value)
        if not moments[0] <= told.at <= moments[1]:
            yield _Found(told.number, _("it has another moment than what it tells of"), "at")
        if told.number <= after:
            yield _Found(told.number, _("it comes before what happened earlier"), "number")

    def _wrong_results(self) -> Iterator[_Found]:
        """What is told of games' results follows from their logs, and the last is how they stand."""
        of_game: dict[UUID, list[Change]] = defaultdict(list)
        for row in self.told:
            if row.id in self.unknown and row.kind in _RESULTS:
                of_game[row.subject].append(row)
        games = {row.pk: row for row in Game.objects.filter(scope=self.event.pk).defer("snapshot")}
        moments = {(row.subject, row.version): row.at for row in self.told if row.kind == kinds.LOG}
        for game in sorted(games.keys() | of_game.keys()):
            yield from self._results(game, games.get(game), of_game.get(game, []), moments)

    def _results(
        self,
        game: UUID,
        row: Game | None,
        told: Sequence[Change],
        moments: dict[tuple[UUID, int], datetime],
    ) -> Iterator[_Found]:
        last, was_over = Outcome(), False
        history: list[tuple[int, Outcome]] | None = None
        for each in told:
            if each.id != uuid5(game, f"result {each.version}"):
                continue
            del self.unknown[each.id]
            if row is not None and each.version == row.version:
                outcome = Outcome.of_row(row)
            else:
                history = logbook.outcomes(game) if history is None else history
                outcome = logbook.outcome_at(history, each.version)
            right = kinds.RESULT_CORRECTED if was_over else kinds.RESULT_ENTERED
            right = right if outcome.is_over else kinds.RESULT_WITHDRAWN
            if outcome == last:
                yield _Found(each.number, _("nothing of the result changed then"))
            if each.kind != right:
                yield _differing(each, "kind", right)
            if (each.type, each.subject_kind) != (outcome.closed_by, "game"):
                yield _Found(each.number, _("how the game ended is otherwise in its log"), "type")
            if each.at != moments.get((game, each.version)):
                yield _Found(each.number, _("it has another moment than what it tells of"), "at")
            last, was_over = outcome, True
        reached = self._reached(FeedMark.Source.FACTS, game)
        if row is not None and row.version == reached and Outcome.of_row(row) != last:
            what = _("how the game %(game)s ended isn't told as it is") % {"game": game}
            yield _Found(0, what)
        mark = self.marks.get((FeedMark.Source.FACTS.value, game))
        if mark is not None and row is not None and not self._is_right(mark, row, last, was_over):
            yield _Found(
                0, _("it says otherwise how the game %(game)s was told last") % {"game": game}, "outcome"
            )

    @staticmethod
    def _is_right(mark: FeedMark, row: Game, last: Outcome, was_over: bool) -> bool:
        """Whether a mark's outcome is that of the game when it was told last."""
        if Outcome.of_row(row) == last and not has_told(mark, row):
            return False
        return (mark.was_over, bool(mark.outcome)) == (was_over, last.is_over)
