"""Publishing: pages are written once when something changed, whoever asks for them and how often.

What is due is in the ledger's outbox: standings and outlooks, games that began, changed rows. A page is
written again only if what it stands on has changed. Names and looks are special, since a page from before may
show more than it may now. Such a change withdraws all pages of the event before it is answered. Nothing that
was made before is stored after it. A page that isn't in the store is rendered for each request.
"""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import transaction
from django.db.models import Count, Min, Q
from django.http import Http404
from django.utils import timezone

from games.logbook import BEGUN
from ledger import outbox
from people import public_changes
from people.models import Event
from publishing import page_store
from publishing.models import Publication, PublishedPage
from publishing.page_cache import Page, at_once
from publishing.page_list import ListedPage, list_pages, standings_pages
from publishing.rendering import in_language, render
from publishing.responses import edition
from tournaments.facts import outbox_topics

TOPICS = (public_changes.CHANGED, outbox_topics.SHOWN, BEGUN)
"""What makes pages due."""
FEWEST, AT_ONCE = 2, 6
"""Standings, which everybody waits for, are written by themselves before anything else. So many other pages
at least follow, whatever has become due meanwhile: one that most people look at, and one that has waited
longest. So many at most are stored together.
"""

LOST = timedelta(seconds=5)
"""A worker who was called so long ago, and hasn't begun, may never have heard of it."""
RETRY, RETRY_AT_LEAST = timedelta(seconds=30), timedelta(minutes=10)
"""A page that couldn't be rendered is tried again after `RETRY`. Later it is after as long as it has been
failing, but at least every ten minutes; and at once if what the page stands on has changed.
"""
A_DAY = timedelta(days=1)
"""By so much at most the date at an event, in its time zone, differs from the date here."""

logger = logging.getLogger(__name__)


def withdraw(event_id: UUID) -> None:
    """Take all pages of an event from the store, keep out those that are being made, and have them written
    anew.
    """
    taken = outbox.take(public_changes.LOOKS, event_id)
    with transaction.atomic():
        # One that begins by this very change has nothing to withdraw, but is to be called for.
        _publication(Event.objects.filter(pk=event_id).first())
        publication = _locked(event_id)
        if publication is not None:
            publication.looks += 1
            publication.version += 1
            publication.save(update_fields=["looks", "version"])
            publication.pages.all().delete()
            _clear(publication.event.slug)
        outbox.settle(taken)
        outbox.announce(public_changes.CHANGED, event_id, event_id, 0)


def write_anew() -> None:
    """Have the pages of all events written once more: of what is in the store nothing is known."""
    PublishedPage.objects.all().delete()
    Publication.objects.update(edition="")


def forget(instance: Publication, **_signal: object) -> None:
    """Take the pages of an event from the store that is being deleted, when that is done."""
    slug = instance.event.slug
    transaction.on_commit(lambda: _clear(slug))


def claim_call(event_id: UUID) -> bool:
    """Note that a worker is called for an event; False where one is on the way, or it was never published.

    However many results come in at once, workers have one message of an event to read, and standings don't
    wait behind pages.
    """
    now = timezone.now()
    return bool(Publication.objects.filter(pk=event_id).exclude(_called(now)).update(woken_at=now))


def is_called_for(event_id: UUID) -> bool:
    """Whether a worker was called for an event who hasn't come yet, but still may."""
    return Publication.objects.filter(_called(timezone.now()), pk=event_id).exists()


def _called(now: datetime) -> Q:
    # What a wrong clock has left for a time to come says nothing.
    return Q(woken_at__isnull=False, woken_at__range=(now - LOST, now + LOST))


def publish(event_id: UUID) -> bool:
    """Bring an event's pages up to date; whether there is more to write.

    Pages are written a few at a time, and until something else is due to anybody.

    Twice, late or in any order it leaves the same pages.
    """
    newest = outbox.newest()
    # Whatever comes from now on needs another call.
    Publication.objects.filter(pk=event_id).update(woken_at=None)
    if outbox.take(public_changes.LOOKS, event_id):
        # Whoever changed them has died before they withdrew the pages.
        withdraw(event_id)
    taken = [id_ for topic in TOPICS for id_ in outbox.take(topic, event_id)]
    event = Event.objects.filter(pk=event_id).first()
    publication = _publication(event)
    if event is None or publication is None:
        outbox.settle(taken)
        return False
    with at_once():
        there = _stored(publication)
        old = [page for page in standings_pages(event, publication) if _is_old(page, there)]
        if old and not _store(publication, {page: _made(page) for page in old}):
            return _is_there(event_id)
    with at_once():
        pages = list_pages(event, publication)
        return _write_others(publication, pages, taken, newest)


def _write_others(
    publication: Publication, pages: Sequence[ListedPage], taken: Sequence[int], newest: int
) -> bool:
    """Bring all pages up to date; whether there is more to write.

    A page that becomes due meanwhile (after the row `newest`) interrupts this at once. One that was due
    before interrupts it only when some pages are stored: its rendering may always fail.
    """
    there = _stored(publication)
    gone = there.keys() - {page.path for page in pages}
    old = _by_turns([page for page in pages if _is_old(page, there)], there)
    begun, is_interrupted = 0, False
    while True:
        made: dict[ListedPage, dict[str, Page] | None] = {}
        while old and len(made) < AT_ONCE and not is_interrupted:
            page = old.pop(0)
            made[page] = _made(page)
            begun += 1
            is_interrupted = begun >= FEWEST and outbox.newest() > newest
        if not _store(publication, made, gone, () if old else taken, is_done=not old):
            # Somebody has withdrawn pages, or written newer ones, since this was made.
            return _is_there(publication.pk)
        if not old or is_interrupted or outbox.total() > len(taken):
            return bool(old) or bool(outbox.waiting(TOPICS, publication.pk))
        gone = set()


def _by_turns(old: Sequence[ListedPage], there: Mapping[str, tuple[str, int]]) -> list[ListedPage]:
    """A page that most people look at, and one that has waited longest, by turns.

    However often the first ones change, the last ones come, and none of the first waits for all the others.
    """
    waiting = sorted(old, key=lambda page: there.get(page.path, ("", 0))[1])
    return list(dict.fromkeys(page for pair in zip(old, waiting, strict=True) for page in pair))


def _stored(publication: Publication) -> dict[str, tuple[str, int]]:
    """Stamp and version of each page by its path; the stamp of one that is to be tried again is empty."""
    rows = publication.pages.values_list("path", "stamp", "written", "failing_since", "tried_at")
    return {
        path: ("" if _is_to_be_tried_again(since, tried) else stamp, written)
        for path, stamp, written, since, tried in rows
    }


def _is_old(page: ListedPage, there: Mapping[str, tuple[str, int]]) -> bool:
    return there.get(page.path, ("", 0))[0] != page.stamp


def _is_to_be_tried_again(since: datetime | None, tried: datetime | None) -> bool:
    """Whether a page that has been failing since then, and was tried last at that time, has waited enough."""
    if since is None or tried is None:
        return False
    now = timezone.now()
    # A clock that was set back has left a time to come.
    return now < tried or now - tried >= min(max(RETRY, tried - since), RETRY_AT_LEAST)


@dataclass(frozen=True)
class Failing:
    """Pages of published events that couldn't be rendered: how many, the first one's path, since when.

    `is_everything`: no page at all could be rendered.
    """

    count: int
    first: str | None
    since: datetime | None
    is_everything: bool


def failing() -> Failing:
    """What can't be published at this moment; one query, and another one if that is something."""
    pages = PublishedPage.objects.filter(failing_since__isnull=False, publication__event__is_published=True)
    found = pages.aggregate(count=Count("id"), first=Min("path"), since=Min("failing_since"))
    is_everything = bool(found["count"]) and not PublishedPage.objects.filter(failing_since=None).exists()
    return Failing(**found, is_everything=is_everything)


def _is_there(event_id: UUID) -> bool:
    return Publication.objects.filter(pk=event_id).exists()


def _store(
    publication: Publication,
    made: Mapping[ListedPage, dict[str, Page] | None],
    gone: Collection[str] = (),
    taken: Sequence[int] = (),
    *,
    is_done: bool = False,
) -> bool:
    """Put pages into the store, take others away and settle what was due.

    False, and nothing is changed, if somebody else has written since the publication was read. Pages that are
    None couldn't be rendered.
    """
    with transaction.atomic():
        now = _locked(publication.pk)
        if now is None or now.version != publication.version:
            return False
        now.version += 1
        if gone:
            for path in gone:
                _put(path, {})
            publication.pages.filter(path__in=gone).delete()
        for page, bodies in made.items():
            _put(page.path, bodies or {})
        _note(now, made)
        if is_done:
            now.edition = edition()
            outbox.settle(taken)
        now.save(update_fields=["version", "edition"])
    publication.version = now.version
    return True


def _note(publication: Publication, made: Mapping[ListedPage, dict[str, Page] | None]) -> None:
    """Write down which pages were rendered, also those in which there is nothing for the public, and which
    couldn't be.
    """
    at = timezone.now()
    failed = [page.path for page, bodies in made.items() if bodies is None]
    failing = publication.pages.filter(path__in=failed, failing_since__isnull=False)
    since = dict(failing.values_list("path", "failing_since"))
    PublishedPage.objects.bulk_create(
        [
            PublishedPage(
                publication=publication,
                path=page.path,
                stamp=page.stamp,
                written=publication.version,
                failing_since=since.get(page.path, at) if bodies is None else None,
                tried_at=at,
            )
            for page, bodies in made.items()
        ],
        update_conflicts=True,
        unique_fields=["publication", "path"],
        update_fields=["stamp", "written", "failing_since", "tried_at"],
    )


def events_due() -> list[UUID]:
    """The events whose pages are to be written.

    Something of them is due, or another edition has written their pages. A clock or an announcement can
    change them by itself. A page that couldn't be rendered is to be tried again.
    """
    waiting = [event for topic in (public_changes.LOOKS, *TOPICS) for event in outbox.pending(topic)]
    published = Event.objects.filter(is_published=True)
    other = published.exclude(publication__edition=edition()).values_list("pk", flat=True)
    today = timezone.localdate()
    on = published.filter(starts_on__lte=today + A_DAY, ends_on__gte=today - A_DAY)
    ticking = on.filter(tournaments__clock__started_at__isnull=False).values_list("pk", flat=True)
    # An announcement goes from the pages by itself, too.
    until = timezone.now() - A_DAY
    told = published.filter(announcements__shown_until__gt=until, announcements__taken_back_at=None)
    speaking = told.values_list("pk", flat=True)
    failing = PublishedPage.objects.filter(failing_since__isnull=False, publication__event__in=published)
    tries = failing.values_list("publication", "failing_since", "tried_at")
    failed = [event for event, since, tried in tries if _is_to_be_tried_again(since, tried)]
    return list(dict.fromkeys([*waiting, *other, *ticking, *speaking, *failed]))


def _publication(event: Event | None) -> Publication | None:
    """An event's publication; it begins when the event is published, and stays."""
    if event is None or not event.is_published:
        return Publication.objects.filter(event=event).first() if event else None
    return Publication.objects.get_or_create(event=event)[0]


def _locked(event_id: UUID) -> Publication | None:
    rows = Publication.objects.select_for_update(no_key=True, of=("self",)).select_related("event")
    return rows.filter(pk=event_id).first()


def _clear(slug: str) -> None:
    for path in list(pages_of(slug)):
        page_store.remove(path)


def pages_of(slug: str) -> Iterator[str]:
    """The addresses of all published pages of an event, in all languages."""
    for language, _name in settings.LANGUAGES:
        yield from page_store.published(in_language(f"/{slug}/", language))


def _made(page: ListedPage) -> dict[str, Page] | None:
    """The page by its address in each language; None if it couldn't be rendered.

    It is empty where there is nothing for the public.
    """
    bodies = {}
    for language, _name in settings.LANGUAGES:
        try:
            html = render(page.path, language)
        except Http404:
            html = None
        except SoftTimeLimitExceeded:
            # It says nothing of this page.
            raise
        except Exception:
            # It is rendered for each request, if it can be; the others are published.
            logger.exception("The page %s can't be published.", page.path)
            return None
        if html is None:
            return {}
        bodies[in_language(page.path, language)] = Page.of(html)
    return bodies


def _put(path: str, bodies: dict[str, Page]) -> None:
    """Put a page into the store, or take away what is there."""
    for language, _name in settings.LANGUAGES:
        address = in_language(path, language)
        if address in bodies:
            page_store.put(address, bodies[address])
        else:
            page_store.remove(address)
