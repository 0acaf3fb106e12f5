"""Views of a table's kit and of the page that works without a network."""

import hashlib
import json

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from people.access import anyone, requires
from referee.access import at_table
from referee.offline_kit import table_kit
from referee.pages import TableRequest, page
from referee.phone_files import shell_context


@at_table()
@require_safe
def kit(request: TableRequest) -> HttpResponseBase:
    """The kit as JSON; whoever names its ETag is told that nothing has changed.

    A phone that has no token to send with asks for one by the header `Tendone-Token`, and gets it in the same
    one. Unasked, its cookie could take the place of that of a page that is fetched at the same time.
    """
    body = json.dumps(table_kit(request), ensure_ascii=False, default=list).encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    answer = HttpResponse(body, content_type="application/json")
    answer["ETag"] = etag
    answer["Cache-Control"] = "private, no-cache"
    given = get_conditional_response(request, etag, None, answer) or answer
    if "Tendone-Token" in request.headers:
        given["Tendone-Token"] = get_token(request)
    return given


@requires(anyone)
@require_safe
def offline(request: HttpRequest) -> HttpResponseBase:
    """The templates of which a phone's script makes pages without a network.

    It is the same for everybody and holds nothing of an event: that comes from the phone itself.
    """
    return page(request, "offline", shell_context())
