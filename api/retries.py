"""Retries with the same `Idempotency-Key`: the call is done once, and answered alike each time.

They are for calls that record no fact: a fact stores the caller's key itself, in the ledger, for ever.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import DatabaseError, transaction
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from ledger.errors import LedgerError
from people import stored_answers
from people.actors import Actor
from people.models import Event, StoredAnswer

REPLAYED = "Idempotency-Replayed"
"""The header that says that an answer was given before."""


def answer_once(
    actor: Actor, event: Event | None, request: Request, key: UUID, call: Callable[[], Response]
) -> Response:
    """The answer of a call, or the one that was given to the same call before.

    Only successes are remembered. A refused call can store something all the same, such as a wrong try. That
    stays, as it does without a key. Raises ClientIdReusedError where the key belongs to another call.
    """
    said = said_by(request)
    refusal: Exception | None = None
    with transaction.atomic():
        row, is_new = stored_answers.claim(actor, key, said, event)
        if not is_new:
            return answer_again(row, key)
        try:
            answer = call()
        except (DatabaseError, LedgerError):
            # These leave the transaction, which is rolled back.
            raise
        except Exception as error:
            row.delete()
            refusal = error
        else:
            stored_answers.store(row, key, answer.status_code, written(answer))
    if refusal is not None:
        raise refusal
    return answer


def said_by(request: Request) -> bytes:
    """What makes two calls the same: the address with its parameters, and what the body says."""
    sent = request.data
    file: Any = sent.get("file") if isinstance(sent, dict) else None
    if hasattr(file, "read"):
        body = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
    elif isinstance(file, bytes):
        body = hashlib.sha256(file).hexdigest()
    else:
        body = json.dumps(sent, sort_keys=True)
    return f"{request.get_full_path()}\n{body}".encode()


def written(answer: Response) -> str:
    """An answer as it is stored."""
    data = json.loads(JSONRenderer().render(answer.data)) if answer.data is not None else None
    tag = answer.headers.get("ETag")
    return json.dumps({"data": data, "tag": tag, "type": answer.content_type})


def answer_again(row: StoredAnswer, key: UUID) -> Response:
    """The answer that was given before."""
    stored: dict[str, Any] = json.loads(stored_answers.read(row, key))
    headers = {REPLAYED: "true"} | ({"ETag": stored["tag"]} if stored["tag"] else {})
    return Response(stored["data"], row.status, headers=headers, content_type=stored["type"])
