"""Places through the day, of a tournament and of the palio: drawn, and as a table."""

from django.http import Http404, HttpRequest, HttpResponse

from publishing.place_history import PublicDay, day_of_palio, day_of_tournament
from publishing.responses import stamped_page, tournament_page
from publishing.subjects import PageSubject, shows_tournament
from publishing.views.palio import PalioSubject, shows_palio
from tournaments.queries.palio import disciplines


@shows_tournament
def tournament_day(request: HttpRequest, subject: PageSubject) -> HttpResponse:
    """Round by round; five queries at most."""
    if not subject.is_shown:
        raise Http404
    day = day_of_tournament(subject)
    context = {"day": day, "here": "standings"}
    return tournament_page(request, subject, "day", day_stamp(subject.base, day), lambda: context)


@shows_palio
def palio_day(request: HttpRequest, subject: PalioSubject) -> HttpResponse:
    """Discipline by discipline; nine queries at most."""
    day = palio_day_of(subject)
    stamp = day_stamp(subject.looks, day)
    return stamped_page(request, subject.event, stamp, "publishing/day.html", lambda: {"day": day})


def palio_day_of(subject: PalioSubject) -> PublicDay | None:
    """The day of a palio; eight queries at most."""
    subject.palio.event = subject.event
    return day_of_palio(subject.event, disciplines(subject.palio))


def day_stamp(base: str, day: PublicDay | None) -> str:
    """What the page stands on: places alone, so that most results leave it as it is."""
    return f"{base} {day.seen if day else None}"
