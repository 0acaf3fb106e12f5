"""Every address of the API with a method: who may call it, and a body that it takes."""

import io
import zipfile
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.urls import reverse

from ledger.receipts import make_receipt
from tests.api.conftest import Festival

ROLES = ("public", "reader", "stranger", "waiting phone", "phone", "organizer")
EVERYBODY = frozenset(ROLES)
PHONE = frozenset({"phone", "organizer"})
# A token for reading belongs to the organizer too: it reads what the organizer reads.
DESK = frozenset({"reader", "organizer"})
ACCOUNTS = frozenset({"reader", "stranger", "organizer"})


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
    post("tokens", "", frozenset(), name="prova"),
    post("token-revocation", "token", frozenset()),
    get("formats", ""),
    get("metrics", ""),
    get("events", ""),
    post("events", "", frozenset({"stranger", "organizer"}), name="Palio", starts_on="2026-09-05"),
    get("event-templates", ""),
    post("event-copy", "event", frozenset({"organizer"}), name="Palio", starts_on="2027-09-04"),
    get("event", "event"),
    Call("PATCH", "event", "event", frozenset({"organizer"}), {"place": "Piazza"}),
    get("exports", "event"),
    get("export-file", "event"),
    get("archive", "event", DESK),
    post("archives", "", frozenset({"stranger", "organizer"})),
    get("teams", "event"),
    post("teams", "event", frozenset({"organizer"}), name="Torre"),
    get("team", "team"),
    Call("PATCH", "team", "team", frozenset({"organizer"}), {"emblem": "T"}),
    Call("DELETE", "team", "team", frozenset({"organizer"})),
    get("entries", "event"),
    post(
        "entries",
        "event",
        frozenset({"organizer"}),
        team="team",
        last_name="Rossi",
        first_name="Ada",
        birth_date="2016-05-01",
    ),
    get("entry", "entry"),
    Call("PATCH", "entry-person", "entry", frozenset({"organizer"}), {"shows_name": True}),
    post("entry-withdrawal", "entry", frozenset({"organizer"})),
    post("entry-absence", "entry", frozenset({"organizer"})),
    post("entry-reinstatement", "entry", frozenset({"organizer"})),
    post("import-preview", "event", frozenset({"organizer"}), file="Y29nbm9tZQ=="),
    post("import", "event", frozenset({"organizer"}), file="Y29nbm9tZQ==", digest="x"),
    get("referees", "event", DESK),
    post("referees", "event", frozenset({"organizer"}), first_name="Ugo"),
    get("referee", "referee", DESK),
    get("pairings", "event", DESK),
    post("pairings", "event", EVERYBODY - {"reader"}, referee="referee"),
    get("pairing", "pairing", DESK),
    post("pairing-admission", "pairing", frozenset({"organizer"})),
    post("pairing-revocation", "pairing", frozenset({"organizer"})),
    post("pairing-replacement", "pairing", frozenset({"organizer"}), by=str(uuid4())),
    get("current-pairing", "", frozenset({"waiting phone", "phone"})),
    post("current-pairing-admission", "", frozenset({"waiting phone", "phone"}), pin="000000"),
    post("day-pin", "event", frozenset({"organizer"})),
    get("announcements", "event"),
    post(
        "announcements",
        "event",
        frozenset({"organizer"}),
        text_it="La merenda è pronta",
        shown_until="2026-09-05T15:40:00+02:00",
    ),
    post("announcement-end", "announcement", frozenset({"organizer"})),
    get("tables", "event"),
    post("tables", "event", frozenset({"organizer"}), number=77),
    get("table", "table"),
    post("table-code", "table", frozenset({"organizer"})),
    get("table-matches", "table"),
    get("tournaments", "event"),
    post("tournaments", "event", frozenset({"organizer"}), name="Secondo"),
    get("tournament", "tournament"),
    Call("PUT", "settings", "tournament", frozenset({"organizer"}), {"settings": {}}),
    get("draw-preview", "tournament", DESK),
    post("draw", "tournament", frozenset({"organizer"}), seed="abc"),
    post("publish", "tournament", frozenset({"organizer"})),
    post("lots", "tournament", frozenset({"organizer"})),
    post("play-offs", "tournament", frozenset({"organizer"}), orders=[]),
    post("adjustments", "tournament", frozenset({"organizer"}), team="team", points=1, reason="misconduct"),
    post("close", "tournament", frozenset({"organizer"})),
    post("reopen", "tournament", frozenset({"organizer"}), reason="typing-error"),
    get("clock", "tournament"),
    post("clock-start", "tournament", frozenset({"organizer"})),
    post("clock-pause", "tournament", frozenset({"organizer"})),
    post("clock-resume", "tournament", frozenset({"organizer"})),
    post("clock-add", "tournament", frozenset({"organizer"}), seconds=60),
    Call("PUT", "clock-length", "tournament", frozenset({"organizer"}), {"seconds": 600}),
    post("clock-bell", "tournament", frozenset({"organizer"})),
    post("clock-away", "tournament", frozenset({"organizer"})),
    post("match-call", "match", frozenset({"organizer"})),
    post("match-call-end", "match", frozenset({"organizer"})),
    get("rounds", "tournament"),
    get("next-round-preview", "tournament", DESK),
    post("next-round", "tournament", frozenset({"organizer"})),
    get("changed-rounds", "tournament", DESK),
    post("redraw-rounds", "tournament", frozenset({"organizer"}), reason="typing-error"),
    post(
        "placements",
        "tournament",
        frozenset({"organizer"}),
        places=[{"squad": "0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11", "place": 1}],
    ),
    get("stage", "tournament"),
    get("next-stage-preview", "tournament", DESK),
    post("next-stage", "tournament", frozenset({"organizer"}), seed="abc"),
    post("next-stage-lots", "tournament", frozenset({"organizer"})),
    post("next-stage-play-off", "tournament", frozenset({"organizer"}), order=[]),
    get("changed-stage", "tournament", DESK),
    post("redraw-stage", "tournament", frozenset({"organizer"}), reason="typing-error"),
    get("squads", "tournament"),
    post(
        "squads",
        "tournament",
        frozenset({"organizer"}),
        entries=["0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11"],
    ),
    post("squad-removal", "squad", frozenset({"organizer"}), reason="withdrawn"),
    post("squad-return", "squad", frozenset({"organizer"})),
    get("timetable", "event"),
    Call("PATCH", "timetable", "event", frozenset({"organizer"}), {"rest": 5}),
    get("timetable-conflicts", "event", DESK),
    post("timetable-delay", "event", frozenset({"organizer"}), since="2026-09-05T14:00:00+02:00", minutes=5),
    post("timetable-undo", "event", frozenset({"organizer"})),
    post("timetable-clear", "event", frozenset({"organizer"})),
    get("timetable-work", "event", DESK),
    post("timetable-work", "event", frozenset({"organizer"})),
    post("timetable-work-stop", "event", frozenset({"organizer"})),
    post("timetable-work-keep", "event", frozenset({"organizer"})),
    post("timetable-work-remedy", "event", frozenset({"organizer"}), change="tables", amount=1),
    get("match-place", "match"),
    Call("PATCH", "match-place", "match", frozenset({"organizer"}), {"is_locked": True}),
    post("match-swap", "match", frozenset({"organizer"}), other="0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11"),
    post("squad-forfeits", "squad", frozenset({"organizer"})),
    post(
        "squad-substitution",
        "squad",
        frozenset({"organizer"}),
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
        frozenset({"organizer"}),
        results=[{"game": "0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11", "version": 2}],
    ),
    post("game-confirmation", "game", PHONE, expected_version=2),
    post("game-dispute", "game", PHONE, expected_version=2, reason="not-over"),
    post("game-settlement", "game", frozenset({"organizer"}), expected_version=2, outcome="kept"),
    post("corrections", "game", PHONE, line=2, replacement=[], reason="typing-error"),
    get("standings", "tournament"),
    get("standings-versions", "tournament"),
    get("outlook", "tournament"),
    get("palio", "event"),
    Call("PUT", "palio", "event", frozenset({"organizer"}), {"rules": {}}),
    post("palio-jokers", "event", frozenset({"organizer"}), team="team", discipline=str(uuid4())),
    post("palio-joker-withdrawal", "event", frozenset({"organizer"}), team="team", discipline=str(uuid4())),
    post("palio-placements", "event", frozenset({"organizer"}), discipline=str(uuid4()), places=[]),
    post("palio-lots", "event", frozenset({"organizer"})),
    get("palio-standings", "event"),
    get("receipts", "event", DESK),
    post("receipts", "event", frozenset({"organizer"})),
    get("receipt", "event"),
    get("history", "event", DESK),
    post("verification", "event", frozenset({"organizer"})),
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


def address(call: Call, festival: Festival) -> str:
    """The path of a call."""
    arguments = {f"{call.argument}_id": id_of(festival, call.argument)} if call.argument else {}
    if call.name == "stage":
        arguments["number"] = 1
    if call.name == "receipt":
        arguments["root"] = make_receipt(festival.event.pk).root
    if call.name == "export-file":
        arguments["table"] = "matches"
    return reverse(f"api:{call.name}", kwargs=arguments)


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
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            body = b"\n".join(packed.read(name) for name in packed.namelist())
    return str(body.decode())
