"""The messages of webhooks as the description has them: one for each kind, with its headers and its payload.

`integrations.webhooks.registration` makes the payloads, `integrations.webhooks.signing` the headers; a test
sends each kind and compares it with this.
"""

from typing import Any

from django.utils import translation

from games.engine.translations import SOURCE_LANGUAGE
from integrations.change_feed import kinds
from integrations.webhooks.registration import KINDS, TEST

MATCH, GAME, TOURNAMENT, PALIO = "match", "game", "tournament", "palio"
SUBJECTS = {
    kinds.RESULT_ENTERED: GAME,
    kinds.RESULT_CORRECTED: GAME,
    kinds.RESULT_WITHDRAWN: GAME,
    "result.confirmed": MATCH,
    "result.disputed": MATCH,
    "dispute.settled": MATCH,
    kinds.PALIO_DECISION: PALIO,
    kinds.PALIO_COMPUTED: PALIO,
    kinds.PALIO_FINAL: PALIO,
}
"""What a kind is about; all others are about a tournament."""

_SIGNATURE = "v1,[A-Za-z0-9+/]{43}="
_UUID = {"type": "string", "format": "uuid"}
_HEADERS = (
    (
        "webhook-id",
        {"type": "string", "pattern": "^msg_[0-9a-f]{32}$"},
        "The message’s id: the same each time that it is sent. Note those that you had.",
    ),
    (
        "webhook-timestamp",
        {"type": "integer", "minimum": 0},
        "When this try was made, in seconds since 1970. Refuse what is older than five minutes.",
    ),
    (
        "webhook-signature",
        {"type": "string", "pattern": f"^{_SIGNATURE}( {_SIGNATURE})*$"},
        "For each secret that is good, `v1,` and the base64 of the HMAC-SHA256 of "
        "`{webhook-id}.{webhook-timestamp}.{body}`; divided by blanks. The key is what follows `whsec_` in "
        "the secret, decoded from base64.",
    ),
)


def name_of_payload(kind: str) -> str:
    """The component that describes the payload of a kind: `ResultEnteredMessage` of `result.entered`."""
    return "".join(word.capitalize() for word in kind.split(".")) + "Message"


def webhooks() -> dict[str, Any]:
    """The section `webhooks` of the description."""
    with translation.override(SOURCE_LANGUAGE):
        words = {kind: str(KINDS[kind]) for kind in KINDS} | {TEST: "a test that an organizer asked for"}
    return {kind: {"post": _operation(kind, said)} for kind, said in words.items()}


def components() -> dict[str, Any]:
    """The schemas of all payloads, by their names."""
    subjects = {subject: f"{subject.capitalize()}Subject" for subject in (GAME, MATCH, TOURNAMENT, PALIO)}
    found: dict[str, Any] = {
        name: _object(f"The {subject} that a change is about.", kind=_constant(subject), id=_UUID)
        for subject, name in subjects.items()
    }
    for subject, name in subjects.items():
        found[_name_of_data(subject)] = _data_of_change(subject, name)
    found[_name_of_data(TEST)] = _object("What a test says.", event=_event(), changes=_feed())
    for kind in (*KINDS, TEST):
        data = _name_of_data(TEST if kind == TEST else SUBJECTS.get(kind, TOURNAMENT))
        found[name_of_payload(kind)] = _object(
            f"The payload of a message of the kind `{kind}`.",
            type=_constant(kind),
            timestamp={
                "type": "string",
                "format": "date-time",
                "description": "When it was recorded or computed; of a test, when it was asked for.",
            },
            data={"$ref": f"#/components/schemas/{data}"},
        )
    return found


def _operation(kind: str, said: str) -> dict[str, Any]:
    return {
        "operationId": f"webhook_{kind.replace('.', '_')}",
        "summary": f"{said[0].upper()}{said[1:]}",
        "description": "Sent to webhooks that were registered for this kind."
        if kind != TEST
        else "Sent once, whatever the webhook was registered for.",
        "tags": ["webhooks"],
        "parameters": [
            {"name": name, "in": "header", "required": True, "schema": schema, "description": text}
            for name, schema, text in _HEADERS
        ],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": {"$ref": f"#/components/schemas/{name_of_payload(kind)}"}}
            },
        },
        "security": [],
        "responses": {
            "2XX": {"description": "Taken. Answer within ten seconds, and work afterwards."},
            "410": {"description": "Nothing more is wanted: the webhook is disabled."},
            "default": {
                "description": "Not taken: it is sent again after a pause, and those behind it wait. "
                "`Retry-After` in seconds is heeded."
            },
        },
    }


def _data_of_change(subject: str, name: str) -> dict[str, Any]:
    return _object(
        f"What a change of a {subject} says: ids and where to read more, no names.",
        event=_event(),
        cursor={"type": "string", "description": "Its place in the change feed."},
        change={**_UUID, "description": "The id that it has in the change feed."},
        fact_type={
            "type": "string",
            "description": "The fact’s type; of a result how the game ended; else empty.",
        },
        tournament={"type": "null", "description": "The palio belongs to none."}
        if subject == PALIO
        else {**_UUID, "description": "The tournament that it belongs to."},
        subject={"$ref": f"#/components/schemas/{name}"},
        version={
            "type": "integer",
            "description": "The fact’s sequence in its stream, the version of the game’s log, or the number "
            "of the standings.",
        },
        url={"type": "string", "format": "uri-reference", "description": "Where to read more."},
        changes=_feed(),
    )


def _name_of_data(subject: str) -> str:
    return "TestData" if subject == TEST else f"{subject.capitalize()}ChangeData"


def _event() -> dict[str, Any]:
    return {**_UUID, "description": "The event."}


def _feed() -> dict[str, Any]:
    return {"type": "string", "format": "uri-reference", "description": "The event’s change feed."}


def _constant(value: str) -> dict[str, Any]:
    return {"type": "string", "const": value}


def _object(description: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "required": list(properties),
        "properties": properties,
    }
