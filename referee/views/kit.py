"""What a phone keeps for when there is no network: a table's kit, and the page that works without one."""

import hashlib
import json
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from games.engine.cards import CARDS, COLOR, COLORS, POINTS
from people.access import anyone, requires
from referee.access import at_table
from referee.kit import table_kit
from referee.pages import TableRequest, page
from referee.words import color_word


@at_table()
@require_safe
def kit(request: TableRequest) -> HttpResponseBase:
    """The kit as JSON; whoever names its ETag is told that nothing has changed."""
    body = json.dumps(table_kit(request), ensure_ascii=False, default=list).encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    answer = HttpResponse(body, content_type="application/json")
    answer["ETag"] = etag
    answer["Cache-Control"] = "private, no-cache"
    return get_conditional_response(request, etag, None, answer) or answer


@requires(anyone)
@require_safe
def this_phone(request: HttpRequest) -> HttpResponseBase:
    """What waits on this phone, and the templates of which its script makes pages without a network.

    It holds nothing of an event: everything on it comes from the phone itself.
    """
    return page(request, "this_phone", shell_context())


def shell_context() -> dict[str, Any]:
    """The cards with their points, of which a game is written down without a network: by colour, and the
    wilds.
    """

    def of(color: str | None) -> list[tuple[str, int]]:
        return [(card, POINTS[card]) for card in CARDS if COLOR[card] == color]

    return {"colors": [(color, color_word(color), of(color)) for color in COLORS], "wilds": of(None)}
