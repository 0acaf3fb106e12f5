"""The rules sheet of what is filled in, before any of it is stored."""

from django.http import HttpResponse
from django.utils.translation import get_language

from desk.forms.rules import RulesForm
from desk.page import organizer_post, page
from games.engine import Ruleset
from games.engine.rules_sheet import rules_sheet
from people.access import EventRequest


@organizer_post
def preview(request: EventRequest) -> HttpResponse:
    """How the players will read the rules of the form; what can't be played is refused. Stores nothing."""
    form = RulesForm(request.POST)
    if not form.is_valid():
        return page(request, "desk/rules_preview.html", {"form": form}, 422)
    ruleset = Ruleset.from_json(form.ruleset())
    sheet = rules_sheet(ruleset, get_language() or "it", form.cleaned_data["bell"] or None)
    return page(request, "desk/rules_preview.html", {"sheet": sheet})
