"""Rules sheets: of a tournament, and of the presets as they are; as pages and on paper."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, pgettext

from games.engine.presets import ABOUT, PRESETS, TITLES
from people.access import anyone, requires
from publishing.responses import page, paper, tournament_page
from publishing.rules import paper_of, sheet_in, sheet_of
from publishing.subjects import PageSubject, shows_tournament


@shows_tournament
def tournament_rules(request: HttpRequest, subject: PageSubject) -> HttpResponse:
    """By which rules a tournament is played; one query. They are no secret before the draw."""

    def context() -> dict[str, Any]:
        return {
            "sheet": sheet_in(subject.tournament),
            "paper": reverse("publishing:rules-paper", args=[subject.event.slug, subject.tournament.slug]),
        }

    return tournament_page(request, subject, "rules", subject.base, context)


@shows_tournament
def tournament_rules_paper(request: HttpRequest, subject: PageSubject) -> HttpResponse:
    """The same as a PDF of A4, to be hung at the tent's pole; one query."""
    tournament = subject.tournament
    where = reverse("publishing:rules", args=[subject.event.slug, tournament.slug])
    over = f"{subject.event.name} · {tournament.name}"
    made = paper_of(sheet_in(tournament), over, _address(request, where))
    return paper(request, subject.event, made, f"{tournament.slug}-{_word()}.pdf")


@requires(anyone)
def presets(request: HttpRequest) -> HttpResponse:
    """The rule sets that there are; no query."""
    listed = [(name, gettext(TITLES[name]), gettext(ABOUT[name])) for name in PRESETS]
    return page(request, None, "publishing/presets.html", {"presets": listed})


@requires(anyone)
def preset(request: HttpRequest, preset: str) -> HttpResponse:
    """One preset, as its document has it; no query."""
    sheet = sheet_of(_known(preset))
    context = {
        "sheet": sheet,
        "about": gettext(ABOUT[preset]),
        "paper": reverse("publishing:preset-paper", args=[preset]),
    }
    return page(request, None, "publishing/rules.html", context)


@requires(anyone)
def preset_paper(request: HttpRequest, preset: str) -> HttpResponse:
    """The same as a PDF of A4; no query."""
    sheet = sheet_of(_known(preset))
    made = paper_of(sheet, "", _address(request, reverse("publishing:preset", args=[preset])))
    return paper(request, None, made, f"{preset}-{_word()}.pdf")


def _known(preset: str) -> str:
    if preset not in PRESETS:
        raise Http404
    return preset


def _address(request: HttpRequest, path: str) -> str:
    """An address as one types it from a sheet of paper."""
    return f"{urlsplit(settings.PUBLIC_ADDRESS).netloc or request.get_host()}{path}"


def _word() -> str:
    """What a saved file is called, in the reader's language."""
    return pgettext("name of a file", "rules")
