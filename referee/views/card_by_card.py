"""A whole game, event by event: the page offers what is legal and nothing else."""

from django.http import HttpResponse, HttpResponseBase

from games.engine import Refusal
from people.models import Team
from referee.game_decorators import leads_to_entry
from referee.offers import offer
from referee.pages import TableRequest, page
from referee.table_game import TableGame
from referee.tap_steps import TapStep
from referee.views.game_result import about


@leads_to_entry
def cards(request: TableRequest, found: TableGame) -> HttpResponseBase:
    """What may happen next; choices made so far stand in the address."""
    return cards_page(request, found)


def cards_page(
    request: TableRequest, found: TableGame, refusal: Refusal | None = None, status: int = 200
) -> HttpResponse:
    """The page of a game's cards; with a refusal, why the last tap changed nothing and what is expected."""
    # A form's answer begins again from the first step.
    query = dict(request.GET.lists()) if request.method in ("GET", "HEAD") else {}
    step = TapStep() if found.state.over else offer(found.state, found.people, found.seat_teams, query)
    context = {
        **about(found),
        "step": step,
        "last": found.last,
        **typed_in(found, step),
        "why": found.why(refusal),
    }
    return page(request, "cards", context, status)


def typed_in(found: TableGame, step: TapStep) -> dict[str, list[tuple[int, str, Team]]]:
    """The seats of which a step asks something that is typed in."""
    return {"hand_seats": found.seated(step.hands)}
