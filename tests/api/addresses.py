"""Every address of the API with a method: who may call it, and a body that it takes."""

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.urls import reverse

from ledger.models import Receipt
from ledger.receipts import make_receipt
from people.models import Event
from tests.support.festival import Festival
from tests.support.zips import unpacked

ROLES = (
    "public",
    # The organizer's tokens: for reading, for results, for everything; the last two at one event alone.
    "reader",
    "results",
    "organizer",
    "of this event",
    "of another event",
    # Another event's organizer, by a token for everything, and an operator in a session.
    "stranger",
    "operator",
    # Phones of this event and of another one.
    "waiting phone",
    "phone",
    "foreign phone",
    # What opened this event once.
    "revoked phone",
    "phone of the past",
    "revoked token",
    "token of the past",
)
ENDED = frozenset({"revoked phone", "phone of the past", "revoked token", "token of the past"})
EVERYBODY = frozenset(ROLES) - ENDED
ORGANIZER = frozenset({"organizer", "of this event"})
READERS = frozenset({"reader", "results"})
PHONE = frozenset({"phone", "results"}) | ORGANIZER
# A token for reading belongs to the organizer too: it reads what the organizer reads.
DESK = ORGANIZER | READERS
PHONES = frozenset({"waiting phone", "phone", "foreign phone"})
# For what belongs to no event a token of one event is nobody's.
WRITERS = frozenset({"organizer", "stranger", "operator"})
ACCOUNTS = WRITERS | READERS


@dataclass(frozen=True)
class Call:
    """One method of one address; `admits` are the roles that aren't refused by who they are."""

    method: str
    name: str
    argument: str
    admits: frozenset[str]
    body: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.name}"


def get(name: str, argument: str, admits: frozenset[str] = EVERYBODY) -> Call:
    """A reading call."""
    return Call("GET", name, argument, admits)


def post(name: str, argument: str, admits: frozenset[str], /, **body: Any) -> Call:
    """A writing call."""
    return Call("POST", name, argument, admits, body)


CALLS = [
    get("schema", ""),
    get("caller", ""),
    get("tokens", "", ACCOUNTS),
    post("tokens", "", frozenset({"operator"}), name="prova"),
    post("token-revocation", "token", frozenset({"operator"})),
    get("formats", ""),
    get("metrics", ""),
    get("events", ""),
    post("events", "", WRITERS, name="Palio", starts_on="2026-09-05"),
    get("event-templates", ""),
    post("event-copy", "event", frozenset({"organizer"}), name="Palio", starts_on="2027-09-04"),
    get("event", "event"),
    Call("PATCH", "event", "event", ORGANIZER, {"place": "Piazza"}),
    get("exports", "event"),
    get("export-file", "event"),
    get("archive", "event", DESK),
    post("archives", "", WRITERS),
    get("teams", "event"),
    post("teams", "event", ORGANIZER, name="Torre"),
    get("team", "team"),
    Call("PATCH", "team", "team", ORGANIZER, {"emblem": "T"}),
    Call("DELETE", "team", "team", ORGANIZER),
    get("entries", "event"),
    post(
        "entries",
        "event",
        ORGANIZER,
        team="team",
        last_name="Rossi",
        first_name="Ada",
        birth_date="2016-05-01",
    ),
    get("entry", "entry"),
    Call("PATCH", "entry-person", "entry", ORGANIZER, {"shows_name": True}),
    post("entry-withdrawal", "entry", ORGANIZER),
    post("entry-absence", "entry", ORGANIZER),
    post("entry-reinstatement", "entry", ORGANIZER),
    post("import-preview", "event", ORGANIZER, file="Y29nbm9tZQ=="),
    post("import", "event", ORGANIZER, file="Y29nbm9tZQ==", digest="x"),
    get("referees", "event", DESK),
    post("referees", "event", ORGANIZER, first_name="Ugo"),
    get("referee", "referee", DESK),
    get("pairings", "event", DESK),
    post("pairings", "event", EVERYBODY - READERS, referee="referee"),
    get("pairing", "pairing", DESK),
    post("pairing-admission", "pairing", ORGANIZER),
    post("pairing-revocation", "pairing", ORGANIZER),
    post("pairing-replacement", "pairing", ORGANIZER, by=str(uuid4())),
    get("current-pairing", "", PHONES),
    post("current-pairing-admission", "", PHONES, pin="000000"),
    post("day-pin", "event", ORGANIZER),
    get("announcements", "event"),
    post(
        "announcements",
        "event",
        ORGANIZER,
        texts={"it": "La merenda è pronta"},
        shown_until="2026-09-05T15:40:00+02:00",
    ),
    post("announcement-end", "announcement", ORGANIZER),
    get("tables", "event"),
    post("tables", "event", ORGANIZER, number=77),
    get("table", "table"),
    post("table-code", "table", ORGANIZER),
    get("table-matches", "table"),
    get("tournaments", "event"),
    post("tournaments", "event", ORGANIZER, name="Secondo"),
    get("tournament", "tournament"),
    Call("PUT", "settings", "tournament", ORGANIZER, {"settings": {}}),
    get("draw-preview", "tournament", DESK),
    post("draw", "tournament", ORGANIZER, seed="abc"),
    get("draw-edit-preview", "tournament", DESK),
    post(
        "draw-edit",
        "tournament",
        ORGANIZER,
        one="0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11",
        other="0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b12",
        reason="organizer-decision",
    ),
    post("publish", "tournament", ORGANIZER),
    post("lots", "tournament", ORGANIZER),
    post("play-offs", "tournament", ORGANIZER, orders=[]),
    post("adjustments", "tournament", ORGANIZER, team="team", points=1, reason="misconduct"),
    post("close", "tournament", ORGANIZER),
    post("reopen", "tournament", ORGANIZER, reason="typing-error"),
    get("clock", "tournament"),
    post("clock-start", "tournament", ORGANIZER),
    post("clock-pause", "tournament", ORGANIZER),
    post("clock-resume", "tournament", ORGANIZER),
    post("clock-add", "tournament", ORGANIZER, seconds=60),
    Call("PUT", "clock-length", "tournament", ORGANIZER, {"seconds": 600}),
    post("clock-bell", "tournament", ORGANIZER),
    post("clock-away", "tournament", ORGANIZER),
    post("match-call", "match", ORGANIZER),
    post("match-call-end", "match", ORGANIZER),
    get("rounds", "tournament"),
    get("next-round-preview", "tournament", DESK),
    post("next-round", "tournament", ORGANIZER),
    get("new-plan-preview", "tournament", DESK),
    post("new-plan", "tournament", ORGANIZER),
    get("changed-rounds", "tournament", DESK),
    post("redraw-rounds", "tournament", ORGANIZER, reason="typing-error"),
    post(
        "placements",
        "tournament",
        ORGANIZER,
        places=[{"squad": "0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11", "place": 1}],
    ),
    get("stage", "tournament"),
    get("next-stage-preview", "tournament", DESK),
    post("next-stage", "tournament", ORGANIZER, seed="abc"),
    post("next-stage-lots", "tournament", ORGANIZER),
    post("stage-end", "tournament", ORGANIZER),
    post("next-stage-play-off", "tournament", ORGANIZER, order=[]),
    get("changed-stage", "tournament", DESK),
    post("redraw-stage", "tournament", ORGANIZER, reason="typing-error"),
    get("squads", "tournament"),
    post(
        "squads",
        "tournament",
        ORGANIZER,
        entries=["0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11"],
    ),
    post("squad-removal", "squad", ORGANIZER, reason="withdrawn"),
    post("squad-return", "squad", ORGANIZER),
    post("squad-bye", "squad", ORGANIZER, round=2),
    post("squad-bye-withdrawal", "squad", ORGANIZER, round=2),
    post("team-removal", "tournament", ORGANIZER, reason="withdrawn", team=str(uuid4())),
    post("team-return", "tournament", ORGANIZER, team=str(uuid4())),
    get("timetable", "event"),
    Call("PATCH", "timetable", "event", ORGANIZER, {"rest": 5}),
    get("timetable-conflicts", "event", DESK),
    post("timetable-delay", "event", ORGANIZER, since="2026-09-05T14:00:00+02:00", minutes=5),
    post("timetable-undo", "event", ORGANIZER),
    post("timetable-clear", "event", ORGANIZER),
    get("timetable-work", "event", DESK),
    post("timetable-work", "event", ORGANIZER),
    post("timetable-work-stop", "event", ORGANIZER),
    post("timetable-work-keep", "event", ORGANIZER),
    post("timetable-work-remedy", "event", ORGANIZER, change="tables", amount=1),
    get("match-place", "match"),
    Call("PATCH", "match-place", "match", ORGANIZER, {"is_locked": True}),
    post("match-swap", "match", ORGANIZER, other="0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11"),
    post("squad-forfeits", "squad", ORGANIZER),
    post(
        "squad-substitution",
        "squad",
        ORGANIZER,
        reason="no-show",
        entry="0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11",
        reserve="0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b12",
    ),
    get("matches", "tournament"),
    get("match", "match"),
    get("game", "game"),
    get("game-legal", "game", PHONE | {"reader"}),
    get("game-log", "game"),
    post("game-log", "game", PHONE, entries="entries"),
    get("game-log-file", "game"),
    get("game-notation", "game"),
    post("game-log-file", "game", PHONE),
    post("game-result", "game", PHONE, winner_seat=0),
    post("game-forfeit", "game", PHONE, winner_team="team"),
    post("correction-preview", "game", PHONE, line=2, replacement=[], reason="typing-error"),
    get("confirmations", "tournament", PHONE | {"reader"}),
    post(
        "confirmations",
        "tournament",
        ORGANIZER,
        results=[{"game": "0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11", "version": 2}],
    ),
    post("game-confirmation", "game", PHONE, expected_version=2),
    post("game-dispute", "game", PHONE, expected_version=2, reason="not-over"),
    post("game-settlement", "game", ORGANIZER, expected_version=2, outcome="kept"),
    post("corrections", "game", PHONE, line=2, replacement=[], reason="typing-error"),
    get("standings", "tournament"),
    get("standings-versions", "tournament"),
    get("outlook", "tournament"),
    get("palio", "event"),
    Call("PUT", "palio", "event", ORGANIZER, {"rules": {}}),
    post("palio-jokers", "event", ORGANIZER, team="team", discipline=str(uuid4())),
    post("palio-joker-withdrawal", "event", ORGANIZER, team="team", discipline=str(uuid4())),
    post("palio-placements", "event", ORGANIZER, discipline=str(uuid4()), places=[]),
    post("palio-lots", "event", ORGANIZER),
    get("palio-standings", "event"),
    get("receipts", "event", DESK),
    post("receipts", "event", ORGANIZER),
    get("receipt", "event"),
    get("history", "event", DESK),
    get("changes", "event"),
    get("webhooks", "event", DESK),
    post("webhooks", "event", ORGANIZER, url="https://example.org/", kinds=["result.entered"]),
    get("webhook", "webhook", DESK),
    get("webhook-deliveries", "webhook", DESK),
    post("webhook-pause", "webhook", ORGANIZER),
    post("webhook-resume", "webhook", ORGANIZER),
    post("webhook-secret", "webhook", ORGANIZER),
    post("webhook-test", "webhook", ORGANIZER),
    post("webhook-replay", "webhook", ORGANIZER, since="2026-09-05T14:00:00+02:00"),
    post("webhook-removal", "webhook", ORGANIZER),
    post("verification", "event", ORGANIZER),
]


def id_of(festival: Festival, argument: str) -> Any:
    """The id that an address names."""
    match argument:
        case "team":
            return festival.teams[0].pk
        case "game":
            return festival.game.game_id
        case "token":
            return uuid4()
    return getattr(festival, argument).pk


_FILES = ("archives", "game-log-file")
WRITING = [call for call in CALLS if call.method in ("POST", "PUT", "PATCH") and call.name not in _FILES]
"""The calls that take a body in JSON."""


def address(call: Call, festival: Festival) -> str:
    """The path of a call."""
    arguments = {f"{call.argument}_id": id_of(festival, call.argument)} if call.argument else {}
    if call.name == "stage":
        arguments["number"] = 1
    if call.name == "receipt":
        arguments["root"] = root_of(festival.event)
    if call.name == "export-file":
        arguments["table"] = "matches"
    return reverse(f"api:{call.name}", kwargs=arguments)


def root_of(event: Any) -> str:
    """A receipt of the event's, made if there is none; of an event that isn't there, any."""
    found = Receipt.objects.filter(scope=event.pk).first()
    if found is None and isinstance(event, Event):
        found = make_receipt(event.pk)
    return found.root if found else "0" * 64


def body_of(call: Call, festival: Festival) -> dict[str, Any]:
    """The call's body with the festival's ids in it."""
    body = dict(call.body)
    for name in ("team", "winner_team"):
        if body.get(name) == "team":
            body[name] = str(festival.teams[0].pk)
    if body.get("referee") == "referee":
        body["referee"] = str(festival.referee.pk)
    if body.get("entries") == "entries":
        body["entries"] = [{"id": str(uuid4()), "event": {"type": "dealer_named", "seat": 0}}]
    return body


def told(answer: Any) -> str:
    """All that an answer tells: its body, read to the end, and what is in it if that is packed."""
    body = b"".join(answer) if answer.streaming else answer.content
    if answer.get("Content-Type") == "application/zip":
        body = b"\n".join(unpacked(body).values())
    return str(body.decode())
