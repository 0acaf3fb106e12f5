"""A table of wrong inputs: each is refused with its code, and nothing is stored."""

import base64
import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.api.stored import everything
from tests.support import factories
from tests.support.festival import Festival, make_festival

pytestmark = pytest.mark.django_db

ID = "0b5f8c1e-58f0-4c0e-9a53-0a2a1d0a7b11"


@dataclass(frozen=True)
class Wrong:
    """One wrong call. `{event}` and the like in the address and body stand for the festival's ids."""

    what: str
    method: str
    address: str
    body: Any
    status: int
    code: str
    field: str | None = None
    as_phone: bool = False


def wrong(what: str, call: str, body: Any, status: int, code: str, field: str | None = None) -> Wrong:
    """A row; `call` is a method and an address."""
    method, address = call.split()
    return Wrong(what, method, address, body, status, code, field)


def event(type: str, **fields: Any) -> dict[str, Any]:
    """A batch of one log event."""
    return {"entries": [{"id": ID, "event": {"type": type, **fields}}]}


def many(key: str, levels: int) -> str:
    """A deeply nested body."""
    return "{" + f'"{key}":' + "[" * levels + "]" * levels + "}"


def file(text: str, encoding: str = "utf-8") -> str:
    """A file's bytes as base64."""
    return base64.b64encode(text.encode(encoding)).decode()


HEADER = "cognome;nome;data di nascita;contrada\n"
TEAMS, ENTRIES = "POST events/{event}/teams/", "POST events/{event}/entries/"
LOG, RESULT, FORFEIT = "POST games/{game}/log/", "POST games/{game}/result/", "POST games/{game}/forfeit/"
CORRECT, PREVIEW_CORRECTION = "POST games/{game}/corrections/", "POST games/{game}/corrections/preview/"
ASK = "POST events/{event}/pairings/"
SETTINGS, DRAW = "PUT tournaments/{open}/settings/", "POST tournaments/{open}/draw/"
ADJUST, NEW_TOURNAMENT = "POST tournaments/{tournament}/adjustments/", "POST events/{event}/tournaments/"
IMPORT, PREVIEW_IMPORT = "POST events/{event}/import/", "POST events/{event}/import/preview/"
NEW_EVENT, TOKENS = "POST events/", "POST tokens/"

PERSON = {"team": "{team}", "last_name": "Rossi", "first_name": "Ada", "birth_date": "2016-05-01"}
NEW = {"name": "Palio", "starts_on": "2026-09-05"}
INVALID = "invalid-input"


def settings(**chosen: Any) -> dict[str, Any]:
    """A body of settings."""
    return {"settings": chosen}


# A body as bytes goes out as it is; anything else as JSON.
BODIES = [
    wrong("no JSON", TEAMS, b"name=Torre", 400, "malformed-json"),
    wrong("half an object", TEAMS, b'{"name": "Torre"', 400, "malformed-json"),
    wrong("two objects", TEAMS, b'{"name": "A"}{"name": "B"}', 400, "malformed-json"),
    wrong("a list", TEAMS, b'[{"name": "Torre"}]', 400, "not-an-object"),
    wrong("a text", TEAMS, b'"Torre"', 400, "not-an-object"),
    wrong("null", TEAMS, b"null", 400, "not-an-object"),
    wrong("a key twice", TEAMS, b'{"name": "A", "name": "B"}', 400, "duplicate-key"),
    wrong("a key twice inside", SETTINGS, b'{"settings": {"tables": 1, "tables": 2}}', 400, "duplicate-key"),
    wrong(
        "not a number", NEW_TOURNAMENT, b'{"name": "T", "settings": {"tables": NaN}}', 400, "malformed-json"
    ),
    wrong(
        "infinity", NEW_TOURNAMENT, b'{"name": "T", "settings": {"tables": -Infinity}}', 400, "malformed-json"
    ),
    wrong(
        "an overflow",
        NEW_TOURNAMENT,
        b'{"name": "T", "settings": {"tables": 1e999}}',
        400,
        "number-too-large",
    ),
    wrong(
        "a huge number",
        "POST events/{event}/tables/",
        b'{"number": 9007199254740993}',
        400,
        "number-too-large",
    ),
    wrong(
        "5,000 digits",
        "POST events/{event}/tables/",
        b'{"number": ' + b"9" * 5000 + b"}",
        400,
        "number-too-large",
    ),
    wrong("not UTF-8", TEAMS, b'{"name": "Citt\xe0"}', 400, "malformed-json"),
    wrong("a null character", TEAMS, b'{"name": "To\\u0000rre"}', 400, "null-character"),
    wrong("a null character in a key", TEAMS, b'{"name": "Torre", "a\\u0000b": 1}', 400, "null-character"),
    wrong("half a surrogate pair", TEAMS, b'{"name": "\\ud83d"}', 400, "malformed-json"),
    wrong("that twice as a key", TEAMS, b'{"\\ud800": 1, "\\ud800": 2}', 400, "malformed-json"),
    wrong("a null character twice as a key", TEAMS, b'{"\\u0000": 1, "\\u0000": 2}', 400, "null-character"),
    wrong("that twice, without an account", ASK, b'{"\\ud800": 1, "\\ud800": 2}', 400, "malformed-json"),
    wrong("deep nesting", LOG, many("entries", 60).encode(), 400, "too-deep"),
    wrong("nesting beyond the reader", LOG, many("entries", 100_000).encode(), 400, "too-deep"),
    wrong("too much", TEAMS, b'{"name": "' + b"x" * (5 * 1024 * 1024) + b'"}', 413, "too-large"),
    wrong("nothing at all", TEAMS, b"", 422, INVALID, "name"),
]

ROWS = [
    # Events
    wrong("an event without a name", NEW_EVENT, {"starts_on": "2026-09-05"}, 422, INVALID, "name"),
    wrong("a blank name", NEW_EVENT, {**NEW, "name": "   "}, 422, INVALID, "name"),
    wrong("a number as a name", NEW_EVENT, {**NEW, "name": 5}, 422, INVALID, "name"),
    wrong("a name too long", NEW_EVENT, {**NEW, "name": "x" * 121}, 422, INVALID, "name"),
    wrong("a day that isn't", NEW_EVENT, {**NEW, "starts_on": "2026-02-30"}, 422, INVALID, "starts_on"),
    wrong("an Italian date", NEW_EVENT, {**NEW, "starts_on": "05/09/2026"}, 422, INVALID, "starts_on"),
    wrong("a date without dashes", NEW_EVENT, {**NEW, "starts_on": "20260905"}, 422, INVALID, "starts_on"),
    wrong(
        "a date with an hour", NEW_EVENT, {**NEW, "starts_on": "2026-09-05T14:00"}, 422, INVALID, "starts_on"
    ),
    wrong("a number as a date", NEW_EVENT, {**NEW, "starts_on": 20260905}, 422, INVALID, "starts_on"),
    wrong("an end before the start", NEW_EVENT, {**NEW, "ends_on": "2026-09-04"}, 422, INVALID, "ends_on"),
    wrong("a time zone that isn't", NEW_EVENT, {**NEW, "time_zone": "Mars/Base"}, 422, INVALID, "time_zone"),
    wrong("a language that isn't", NEW_EVENT, {**NEW, "language": "xx"}, 422, INVALID, "language"),
    wrong(
        "ages the wrong way round", NEW_EVENT, {**NEW, "min_age": 14, "max_age": 7}, 422, INVALID, "min_age"
    ),
    wrong("a negative age", NEW_EVENT, {**NEW, "min_age": -1}, 422, INVALID, "min_age"),
    wrong("an age as a text", NEW_EVENT, {**NEW, "min_age": "7"}, 422, INVALID, "min_age"),
    wrong("yes for true", NEW_EVENT, {**NEW, "is_practice": "yes"}, 422, INVALID, "is_practice"),
    wrong("1 for true", NEW_EVENT, {**NEW, "is_practice": 1}, 422, INVALID, "is_practice"),
    wrong("an unknown field", NEW_EVENT, {**NEW, "colour": "red"}, 422, INVALID, "colour"),
    wrong("an id that one can't set", NEW_EVENT, {**NEW, "id": ID}, 422, INVALID, "id"),
    wrong("null for a name", "PATCH events/{event}/", {"name": None}, 422, INVALID, "name"),
    wrong("a word for no team", "PATCH events/{event}/", {"team_word": "clan"}, 422, INVALID, "team_word"),
    wrong("a PIN set by hand", "PATCH events/{event}/", {"day_pin": "1234"}, 422, INVALID, "day_pin"),
    # Teams
    wrong("a team without a name", TEAMS, {}, 422, INVALID, "name"),
    wrong("a name that is taken", TEAMS, {"name": "superiore"}, 409, "name-taken", "name"),
    wrong("a name without letters", TEAMS, {"name": "---"}, 422, INVALID, "name"),
    wrong("a colour by name", TEAMS, {"name": "Torre", "color_one": "red"}, 422, INVALID, "color_one"),
    wrong("a colour of 3 digits", TEAMS, {"name": "Torre", "color_two": "#abc"}, 422, INVALID, "color_two"),
    wrong("a division that isn't", TEAMS, {"name": "Torre", "division": "spiral"}, 422, INVALID, "division"),
    wrong("a long emblem", TEAMS, {"name": "Torre", "emblem": "TTT"}, 422, INVALID, "emblem"),
    wrong("a team's number", "PATCH teams/{team}/", {"number": 9}, 422, INVALID, "number"),
    wrong("another's name", "PATCH teams/{team}/", {"name": "Centro"}, 409, "name-taken", "name"),
    wrong("a team in use", "DELETE teams/{team}/", {}, 409, "team-in-use"),
    # Entries
    wrong("no person at all", ENTRIES, {"team": "{team}"}, 422, INVALID, "last_name"),
    wrong("no team", ENTRIES, {**PERSON, "team": None}, 422, INVALID, "team"),
    wrong("a team's name as its id", ENTRIES, {**PERSON, "team": "Superiore"}, 422, INVALID, "team"),
    wrong("a number as an id", ENTRIES, {**PERSON, "team": 12}, 422, INVALID, "team"),
    wrong("an id without dashes", ENTRIES, {**PERSON, "team": ID.replace("-", "")}, 422, INVALID, "team"),
    wrong("another event's team", ENTRIES, {**PERSON, "team": "{other_team}"}, 422, INVALID, "team"),
    wrong("no such team", ENTRIES, {**PERSON, "team": ID}, 422, INVALID, "team"),
    wrong("too young", ENTRIES, {**PERSON, "birth_date": "2022-01-01"}, 422, INVALID, "birth_date"),
    wrong("too old", ENTRIES, {**PERSON, "birth_date": "1990-01-01"}, 422, INVALID, "birth_date"),
    wrong(
        "born after the event", ENTRIES, {**PERSON, "birth_date": "2027-01-01"}, 422, INVALID, "birth_date"
    ),
    wrong("a name of digits", ENTRIES, {**PERSON, "last_name": "123"}, 422, INVALID, "last_name"),
    wrong("a control character", ENTRIES, {**PERSON, "first_name": "A\x07da"}, 422, INVALID, "first_name"),
    wrong("a list as a name", ENTRIES, {**PERSON, "first_name": ["Ada"]}, 422, INVALID, "first_name"),
    wrong("consent as a text", ENTRIES, {**PERSON, "shows_name": "true"}, 422, INVALID, "shows_name"),
    wrong("a number of one's own", ENTRIES, {**PERSON, "number": 1}, 422, INVALID, "number"),
    wrong("entered already", ENTRIES, "{entered}", 409, "already-entered"),
    wrong(
        "a wrong correction", "PATCH entries/{entry}/person/", {"birth_date": "x"}, 422, INVALID, "birth_date"
    ),
    wrong("a team in a correction", "PATCH entries/{entry}/person/", {"team": ID}, 422, INVALID, "team"),
    wrong("a body for withdrawing", "POST entries/{entry}/withdraw/", {"why": "ill"}, 422, INVALID, "why"),
    # Files
    wrong("no file", PREVIEW_IMPORT, {}, 422, INVALID, "file"),
    wrong("no base64", PREVIEW_IMPORT, {"file": "cognome;nome"}, 422, INVALID, "file"),
    wrong("an empty file", PREVIEW_IMPORT, {"file": ""}, 422, INVALID),
    wrong("a spreadsheet", PREVIEW_IMPORT, {"file": base64.b64encode(b"PK\x03\x04").decode()}, 422, INVALID),
    wrong("a PDF", PREVIEW_IMPORT, {"file": base64.b64encode(b"%PDF-1.7").decode()}, 422, INVALID),
    wrong("missing columns", PREVIEW_IMPORT, {"file": file("nome;contrada\nAda;Centro\n")}, 422, INVALID),
    wrong(
        "an open quote", PREVIEW_IMPORT, {"file": file(HEADER + '"Rossi;Ada;2016-05-01;Centro')}, 422, INVALID
    ),
    wrong(
        "a column that isn't there",
        PREVIEW_IMPORT,
        {"file": file(HEADER), "mapping": {"note": "allergie"}},
        422,
        INVALID,
    ),
    wrong(
        "an unknown field of a mapping",
        PREVIEW_IMPORT,
        {"file": file(HEADER), "mapping": {"age": "x"}},
        422,
        INVALID,
        "mapping.age",
    ),
    wrong(
        "another event's team for a file",
        PREVIEW_IMPORT,
        {"file": file(HEADER), "team": "{other_team}"},
        422,
        INVALID,
        "team",
    ),
    wrong("no digest", IMPORT, {"file": file(HEADER)}, 422, INVALID, "digest"),
    wrong(
        "another digest",
        IMPORT,
        {"file": file(HEADER + "Rossi;Ada;2016-05-01;Centro\n"), "digest": "0" * 64},
        409,
        "preview-changed",
    ),
    # Referees and phones
    wrong(
        "a referee without a name",
        "POST events/{event}/referees/",
        {"first_name": ""},
        422,
        INVALID,
        "first_name",
    ),
    wrong(
        "a referee of another event's team",
        "POST events/{event}/referees/",
        {"first_name": "Ugo", "team": "{other_team}"},
        422,
        INVALID,
        "team",
    ),
    wrong("a phone for nobody", "POST events/{event}/pairings/", {}, 422, INVALID, "referee"),
    wrong(
        "a phone for another event's referee",
        "POST events/{event}/pairings/",
        {"referee": "{other_referee}"},
        404,
        "not-found",
    ),
    wrong("a revoked phone", "POST pairings/{revoked}/admit/", {}, 409, "pairing-revoked"),
    # Tables
    wrong("table 0", "POST events/{event}/tables/", {"number": 0}, 422, INVALID, "number"),
    wrong("half a table", "POST events/{event}/tables/", {"number": 1.5}, 422, INVALID, "number"),
    wrong("true as a number", "POST events/{event}/tables/", {"number": True}, 422, INVALID, "number"),
    wrong("a table twice", "POST events/{event}/tables/", {"number": 1}, 409, "number-taken"),
    # Settings
    wrong(
        "no such format",
        SETTINGS,
        settings(format="swiss-cheese"),
        422,
        "invalid-settings",
        "settings.format",
    ),
    wrong("six in a squad", SETTINGS, settings(squad_size=6), 422, "invalid-settings", "settings.squad_size"),
    wrong("no rounds", SETTINGS, settings(rounds=0), 422, "invalid-settings", "settings.rounds"),
    wrong("rounds as a text", SETTINGS, settings(rounds="3"), 422, "invalid-settings", "settings.rounds"),
    wrong("no tables", SETTINGS, settings(tables=0), 422, "invalid-settings", "settings.tables"),
    wrong("true tables", SETTINGS, settings(tables=True), 422, "invalid-settings", "settings.tables"),
    wrong("25 o'clock", SETTINGS, settings(starts_at="25:00"), 422, "invalid-settings", "settings.starts_at"),
    wrong(
        "a game of no time",
        SETTINGS,
        settings(minutes_per_game=0),
        422,
        "invalid-settings",
        "settings.minutes_per_game",
    ),
    wrong(
        "an unknown metric", SETTINGS, settings(metrics=["luck"]), 422, "invalid-settings", "settings.metrics"
    ),
    *(
        wrong(what, SETTINGS, settings(metrics=[key]), 422, "invalid-settings", "settings.metrics")
        for what, key in {"a list as a metric": ["points"], "an object as a metric": {}}.items()
    ),
    wrong(
        "an hour in Hindi",
        SETTINGS,
        settings(starts_at="1२:00"),
        422,
        "invalid-settings",
        "settings.starts_at",
    ),
    wrong(
        "a metric twice",
        SETTINGS,
        settings(metrics=["points", "points"]),
        422,
        "invalid-settings",
        "settings.metrics",
    ),
    wrong("a rising scale", SETTINGS, settings(scale=[10, 20]), 422, "invalid-settings", "settings.scale"),
    wrong(
        "a rule for ties that isn't",
        SETTINGS,
        settings(tie_policy="fight"),
        422,
        "invalid-settings",
        "settings.tie_policy",
    ),
    wrong("no such preset", SETTINGS, settings(ruleset="poker"), 422, "invalid-settings", "settings.ruleset"),
    wrong(
        "no such rule",
        SETTINGS,
        settings(ruleset={"preset": "palio", "jokers": 3}),
        422,
        "invalid-settings",
        "settings.ruleset",
    ),
    wrong(
        "a penalty without measure",
        SETTINGS,
        settings(ruleset={"preset": "palio", "uno_penalty": 10**9}),
        422,
        "invalid-settings",
        "settings.ruleset",
    ),
    wrong(
        "rules against each other",
        SETTINGS,
        settings(ruleset={"preset": "palio", "scoring": "elimination"}),
        422,
        "invalid-settings",
        "settings.ruleset",
    ),
    wrong("an unknown setting", SETTINGS, settings(colour="red"), 422, "invalid-settings", "settings.colour"),
    wrong("settings as a list", SETTINGS, {"settings": []}, 422, INVALID, "settings"),
    wrong("no settings", SETTINGS, {}, 422, INVALID, "settings"),
    wrong("an old version", SETTINGS, {**settings(tables=2), "expected_version": 0}, 409, "version-conflict"),
    wrong(
        "a version below none",
        SETTINGS,
        {**settings(), "expected_version": -1},
        422,
        INVALID,
        "expected_version",
    ),
    wrong(
        "a version as a text",
        SETTINGS,
        {**settings(), "expected_version": "1"},
        422,
        INVALID,
        "expected_version",
    ),
    wrong("no such reason", SETTINGS, {**settings(), "reason": "because"}, 422, "unknown-reason"),
    wrong(
        "settings after publication",
        "PUT tournaments/{tournament}/settings/",
        settings(squad_size=2),
        409,
        "fixed-after-publication",
    ),
    wrong(
        "no reason after publication",
        "PUT tournaments/{tournament}/settings/",
        settings(tables=6, scale=[3, 2, 1]),
        422,
        "reason-needed",
    ),
    # Tournaments and draws
    wrong("a tournament without a name", NEW_TOURNAMENT, {"name": " "}, 422, INVALID, "name"),
    wrong("a status of one's own", NEW_TOURNAMENT, {"name": "T", "status": "closed"}, 422, INVALID, "status"),
    wrong("no seed", DRAW, {}, 422, INVALID, "seed"),
    wrong("an empty seed", DRAW, {"seed": ""}, 422, INVALID, "seed"),
    wrong("a seed with blanks", DRAW, {"seed": " abc"}, 422, "cannot-draw"),
    wrong("a seed nobody can type", DRAW, {"seed": "a\tb"}, 422, "cannot-draw"),
    wrong("a long seed", DRAW, {"seed": "x" * 81}, 422, INVALID, "seed"),
    wrong("a draw twice", "POST tournaments/{tournament}/draw/", {"seed": "abc"}, 409, "wrong-status"),
    wrong("nothing to publish", "POST tournaments/{open}/publish/", {}, 409, "wrong-status"),
    wrong("a draw without a field", "POST tournaments/{empty}/draw/", {"seed": "abc"}, 422, "cannot-draw"),
    wrong("a preview without a field", "GET tournaments/{empty}/draw/preview/", None, 422, "cannot-draw"),
    wrong(
        "a preview's long seed",
        "GET tournaments/{open}/draw/preview/?seed=" + "x" * 81,
        None,
        422,
        INVALID,
        "seed",
    ),
    wrong("lots too early", "POST tournaments/{tournament}/lots/", {}, 409, "games-open"),
    wrong("no points", ADJUST, {"team": "{team}", "points": 0, "reason": "misconduct"}, 422, "wrong-points"),
    wrong(
        "half a point",
        ADJUST,
        {"team": "{team}", "points": 0.5, "reason": "misconduct"},
        422,
        INVALID,
        "points",
    ),
    wrong(
        "a flood of points",
        ADJUST,
        {"team": "{team}", "points": 1001, "reason": "misconduct"},
        422,
        INVALID,
        "points",
    ),
    wrong(
        "points for another event's team",
        ADJUST,
        {"team": "{other_team}", "points": 1, "reason": "misconduct"},
        422,
        INVALID,
        "team",
    ),
    wrong("points without a reason", ADJUST, {"team": "{team}", "points": 1}, 422, INVALID, "reason"),
    wrong(
        "a reason in one's own words",
        ADJUST,
        {"team": "{team}", "points": 1, "reason": "Ada rude"},
        422,
        "unknown-reason",
    ),
    wrong("closing with open games", "POST tournaments/{tournament}/close/", {}, 409, "games-open"),
    wrong(
        "reopening what is open",
        "POST tournaments/{tournament}/reopen/",
        {"reason": "typing-error"},
        409,
        "wrong-status",
    ),
    # Formats drawn round by round
    *(
        wrong(what, SETTINGS, settings(**chosen), 422, "invalid-settings", f"settings.{field}")
        for what, field, chosen in (
            ("options as a list", "options", {"format": "swiss", "options": []}),
            ("an option that isn't", "options", {"format": "swiss", "options": {"luck": 1}}),
            ("an option's wrong value", "options", {"format": "swiss", "options": {"rounds": 0}}),
            ("a text as a yes", "options", {"format": "swiss", "options": {"rematches": "yes"}}),
            ("options for another format", "options", {"options": {"rounds": 3}}),
            ("a match as a text", "match", {"format": "swiss", "match": "best_of"}),
            ("a length that isn't", "match", {"format": "swiss", "match": {"length": "long", "games": 3}}),
            ("a match of no games", "match", {"format": "swiss", "match": {"length": "best_of", "games": 0}}),
            ("half a match", "match", {"format": "swiss", "match": {"length": "best_of", "games": 2.5}}),
            (
                "a match without end",
                "match",
                {"format": "swiss", "match": {"length": "first_to", "games": 99}},
            ),
            ("a later stage as an object", "later", {"format": "swiss", "later": {}}),
            ("a later stage as a text", "later", {"format": "swiss", "later": ["swiss"]}),
            ("a later stage's unknown field", "later", {"format": "swiss", "later": [{"x": 1}]}),
            ("a later stage without a format", "later", {"format": "swiss", "later": [{}]}),
            (
                "nobody who goes on",
                "later",
                {"format": "swiss", "later": [{"format": "swiss", "qualification": {"first_overall": -1}}]},
            ),
            (
                "too many stages",
                "later",
                {"format": "swiss", "later": [{"format": "swiss"}] * 4},
            ),
            ("rounds of mini-tournaments for a knockout", "rounds", {"format": "swiss", "rounds": 3}),
            ("no squads of a team", "squads_per_team", {"format": "swiss", "squads_per_team": 0}),
            ("drawing itself by a word", "draws_itself", {"format": "swiss", "draws_itself": "yes"}),
            ("another format's metric", "metrics", {"format": "swiss", "metrics": ["mini_tournaments"]}),
            ("a knockout by points", "ruleset", {"format": "table_elimination"}),
        )
    ),
    wrong(
        "a round where there are none", "POST tournaments/{tournament}/next-round/", {}, 404, "not-by-round"
    ),
    wrong(
        "a stage where there are none",
        "POST tournaments/{tournament}/next-stage/",
        {"seed": "a"},
        404,
        "not-by-round",
    ),
    wrong("a stage without a seed", "POST tournaments/{swiss}/next-stage/", {}, 422, INVALID, "seed"),
    wrong(
        "a stage's long seed",
        "POST tournaments/{swiss}/next-stage/",
        {"seed": "x" * 81},
        422,
        INVALID,
        "seed",
    ),
    wrong(
        "a stage that doesn't follow", "POST tournaments/{swiss}/next-stage/", {"seed": "a"}, 409, "no-stage"
    ),
    wrong("lots for no stage", "POST tournaments/{swiss}/next-stage/lots/", {}, 409, "no-stage"),
    wrong(
        "no order of a play-off", "POST tournaments/{swiss}/next-stage/play-off/", {}, 422, INVALID, "order"
    ),
    wrong("a round too early", "POST tournaments/{swiss}/next-round/", {}, 422, "cannot-draw"),
    wrong(
        "a round at an old version",
        "POST tournaments/{swiss}/next-round/",
        {"expected_version": -1},
        422,
        INVALID,
        "expected_version",
    ),
    wrong(
        "drawing anew without a reason",
        "POST tournaments/{swiss}/changed-rounds/redraw/",
        {},
        422,
        INVALID,
        "reason",
    ),
    wrong(
        "drawing anew for a mood",
        "POST tournaments/{swiss}/changed-rounds/redraw/",
        {"reason": "mood"},
        422,
        "unknown-reason",
    ),
    wrong(
        "nothing to draw anew",
        "POST tournaments/{swiss}/changed-rounds/redraw/",
        {"reason": "typing-error"},
        409,
        "nothing-moves",
    ),
    wrong("no squad to come", "POST tournaments/{swiss}/squads/", {"entries": []}, 422, INVALID, "entries"),
    wrong("six to come", "POST tournaments/{swiss}/squads/", {"entries": [ID] * 6}, 422, INVALID, "entries"),
    wrong(
        "names to come", "POST tournaments/{swiss}/squads/", {"entries": ["Ada"]}, 422, INVALID, "entries.0"
    ),
    wrong("nobody to come", "POST tournaments/{swiss}/squads/", {"entries": [ID]}, 422, INVALID, "entries.0"),
    wrong(
        "who plays already",
        "POST tournaments/{swiss}/squads/",
        {"entries": ["{entry}"]},
        422,
        "wrong-entries",
    ),
    wrong("leaving without a reason", "POST squads/{squad}/remove/", {}, 422, INVALID, "reason"),
    wrong("leaving for fun", "POST squads/{squad}/remove/", {"reason": "fun"}, 422, "unknown-reason"),
    wrong("coming back from nowhere", "POST squads/{squad}/bring-back/", {}, 409, "not-gone"),
    wrong("a squad that isn't", "POST squads/" + ID + "/remove/", {"reason": "withdrawn"}, 404, "not-found"),
    wrong("places of nobody", "POST tournaments/{swiss}/placements/", {"places": []}, 422, INVALID, "places"),
    wrong(
        "place 0",
        "POST tournaments/{swiss}/placements/",
        {"places": [{"squad": ID, "place": 0}]},
        422,
        INVALID,
        "places.0.place",
    ),
    wrong(
        "places of what is played",
        "POST tournaments/{swiss}/placements/",
        {"places": [{"squad": ID, "place": 1}]},
        409,
        "not-by-hand",
    ),
    wrong("a stage by name", "GET tournaments/{swiss}/stages/first/", None, 404, "not-found"),
    wrong("stage 7", "GET tournaments/{swiss}/stages/7/", None, 404, "no-stage"),
    # Log events
    wrong("an empty batch", LOG, {"entries": []}, 422, INVALID, "entries"),
    wrong("no batch", LOG, {}, 422, INVALID, "entries"),
    wrong(
        "an event without an id",
        LOG,
        {"entries": [{"event": {"type": "pile_reshuffled"}}]},
        422,
        INVALID,
        "entries.0.id",
    ),
    wrong("an id without an event", LOG, {"entries": [{"id": ID}]}, 422, INVALID, "entries.0.event"),
    wrong(
        "an unknown field of an entry",
        LOG,
        {"entries": [{"id": ID, "event": {}, "by": "me"}]},
        422,
        INVALID,
        "entries.0.by",
    ),
    wrong("too large a batch", LOG, {"entries": [{"id": ID, "event": {}}] * 501}, 422, INVALID, "entries"),
    wrong("an event that is none", LOG, {"entries": [{"id": ID, "event": "cards_played"}]}, 422, "malformed"),
    wrong("an event without a type", LOG, event(None), 422, "malformed"),  # type: ignore[arg-type]  # wrong on purpose
    wrong("an unknown type", LOG, event("card_eaten"), 422, "malformed"),
    wrong("an unknown field of an event", LOG, event("dealer_named", seat=0, mood="good"), 422, "malformed"),
    wrong("a missing field", LOG, event("dealer_named"), 422, "malformed"),
    wrong("a seat as a text", LOG, event("dealer_named", seat="0"), 422, "malformed"),
    wrong("a seat that isn't there", LOG, event("dealer_named", seat=9), 422, "malformed"),
    wrong("a negative seat", LOG, event("dealer_named", seat=-1), 422, "malformed"),
    wrong("true as a seat", LOG, event("dealer_named", seat=True), 422, "malformed"),
    wrong("no such card", LOG, event("dealer_cut", cards={"0": "X9", "1": "R1"}), 422, "malformed"),
    wrong("a moment that isn't", LOG, event("dealer_named", seat=0, at="yesterday"), 422, "malformed"),
    wrong("an author who is none", LOG, event("dealer_named", seat=0, by={}), 422, "malformed"),
    wrong("a play before the deal", LOG, event("cards_played", seat=0, cards=["R1"]), 422, "out-of-order"),
    wrong(
        "a second opening's rules",
        LOG,
        event("game_opened", ruleset="classic", seats=[{"name": "a"}, {"name": "b"}]),
        422,
        "malformed",
    ),
    wrong(
        "a third player",
        LOG,
        event("game_opened", ruleset="palio", seats=[{"name": "a"}] * 3),
        422,
        "malformed",
    ),
    wrong("a correction of nothing", LOG, event("event_voided", line=7, reason="typing-error"), 422, "void"),
    wrong(
        "a list as a reason", LOG, event("event_voided", line=2, reason=["typing-error"]), 422, "malformed"
    ),
    wrong("a name as a reason", LOG, event("event_voided", line=2, reason="Ada was wrong"), 422, "malformed"),
    wrong(
        "a version ahead",
        LOG,
        {**event("dealer_named", seat=0), "expected_version": 5},
        409,
        "version-conflict",
    ),
    # Results and corrections
    wrong("a winner who isn't there", RESULT, {"winner_seat": 5}, 422, "malformed"),
    wrong("a seat as a text for a result", RESULT, {"winner_seat": "0"}, 422, INVALID, "winner_seat"),
    wrong("nobody as a result", RESULT, {}, 422, "malformed"),
    wrong("another table's team", RESULT, {"winner_team": "{third_team}"}, 422, "malformed"),
    wrong("another event's winner", RESULT, {"winner_team": "{other_team}"}, 422, "malformed"),
    wrong("no such ending", RESULT, {"winner_seat": 0, "reason": "boredom"}, 422, INVALID, "reason"),
    wrong("a moment that isn't for a result", RESULT, {"winner_seat": 0, "at": "14:00"}, 422, "malformed"),
    wrong(
        "a result at a wrong version",
        RESULT,
        {"winner_seat": 0, "expected_version": 3},
        409,
        "version-conflict",
    ),
    wrong("a forfeit won by nobody", FORFEIT, {}, 422, INVALID, "winner_team"),
    wrong("a forfeit won elsewhere", FORFEIT, {"winner_team": "{other_team}"}, 422, "malformed"),
    wrong(
        "a result before publication",
        "POST games/{drawn_game}/result/",
        {"winner_seat": 0},
        409,
        "draw-not-published",
    ),
    wrong("line 0", CORRECT, {"line": 0, "replacement": [], "reason": "typing-error"}, 422, INVALID, "line"),
    wrong(
        "a line that isn't there",
        CORRECT,
        {"line": 9, "replacement": [], "reason": "typing-error"},
        422,
        "void",
    ),
    wrong("no replacement", CORRECT, {"line": 2, "reason": "typing-error"}, 422, INVALID, "replacement"),
    wrong("a correction without a reason", CORRECT, {"line": 2, "replacement": []}, 422, INVALID, "reason"),
    wrong(
        "a correction's own words",
        PREVIEW_CORRECTION,
        {"line": 2, "replacement": [], "reason": "oops"},
        422,
        "malformed",
    ),
    wrong(
        "a replacement that is none",
        PREVIEW_CORRECTION,
        {"line": 2, "replacement": ["x"], "reason": "typing-error"},
        422,
        "malformed",
    ),
    # Tokens
    wrong("a token for everything", TOKENS, {"name": "x", "scope": "root"}, 403, "account-only"),
    # Addresses and parameters
    wrong("an address that isn't", "GET events/{event}/nowhere/", None, 404, "not-found"),
    wrong("two slashes", "POST events/{event}/teams//", {"name": "Torre"}, 404, "not-found"),
    wrong("an id that isn't one", "GET events/palio/", None, 404, "not-found"),
    wrong("page 0", "GET events/?page=0", None, 422, INVALID, "page"),
    wrong("page minus one", "GET events/?page=-1", None, 422, INVALID, "page"),
    wrong("page two and a half", "GET events/?page=2.5", None, 422, INVALID, "page"),
    wrong("page x", "GET events/{event}/entries/?page=x", None, 422, INVALID, "page"),
    wrong("an empty page", "GET events/?page=", None, 422, INVALID, "page"),
    wrong("the last page by name", "GET events/?page=last", None, 422, INVALID, "page"),
    wrong("page 10^30", "GET events/?page=" + "9" * 30, None, 422, INVALID, "page"),
    wrong("page 10^5010", "GET events/?page=0000000001" + "9" * 5000, None, 422, INVALID, "page"),
    wrong("page of zeros", "GET events/?page=" + "0" * 5000, None, 422, INVALID, "page"),
    wrong(
        "too many rows a page behind zeros",
        "GET events/?page_size=00000000019999999999999",
        None,
        422,
        INVALID,
        "page_size",
    ),
    wrong("an Arabic digit", "GET events/?page=%D9%A1", None, 422, INVALID, "page"),
    wrong("a page beyond the end", "GET events/?page=99", None, 404, "not-found"),
    wrong("a page twice", "GET events/?page=1&page=2", None, 422, INVALID, "page"),
    wrong("no rows a page", "GET events/?page_size=0", None, 422, INVALID, "page_size"),
    wrong("too many rows a page", "GET events/?page_size=201", None, 422, INVALID, "page_size"),
    wrong("rows a page as a word", "GET events/?page_size=all", None, 422, INVALID, "page_size"),
    wrong("an unknown parameter", "GET events/?offset=20", None, 422, INVALID, "offset"),
    wrong("a parameter of a single row", "GET events/{event}/?page=1", None, 422, INVALID, "page"),
    wrong("a team that isn't an id", "GET events/{event}/entries/?team=Centro", None, 422, INVALID, "team"),
    wrong("a status that isn't", "GET events/{event}/entries/?status=ill", None, 422, INVALID, "status"),
    wrong("round 0", "GET tournaments/{tournament}/matches/?round=0", None, 422, INVALID, "round"),
    wrong(
        "a local time",
        "GET tournaments/{tournament}/standings/?at=2026-09-05T15:40:00",
        None,
        422,
        INVALID,
        "at",
    ),
    wrong("a moment in words", "GET tournaments/{tournament}/standings/?at=now", None, 422, INVALID, "at"),
    wrong("a null character in the address", "GET events/?slug=a%00b", None, 422, INVALID),
    wrong("a method that isn't", "DELETE events/{event}/", {}, 405, "method-not-allowed"),
]


@dataclass(frozen=True)
class Stage:
    """The festival with what the table's rows need besides."""

    festival: Festival
    ids: dict[str, str]


@pytest.fixture(scope="module")
def kept(committed: None) -> Stage:
    """Ids for what stands in braces in the table, for all calls of this module."""
    festival, other = make_festival(), make_festival()
    revoked, _secret = factories.make_pairing(festival.event)
    revoked.revoked_at = revoked.asked_at
    revoked.save()
    bare = factories.make_event(festival.organizer)
    seated = set(festival.game.game.seats.values_list("team", flat=True))
    third = next(team for team in festival.teams if team.pk not in seated)
    drawn = factories.drawn_tournament(festival.event, name="Pronto", published=False)
    swiss = factories.drawn_tournament(festival.event, name="A giri", format="swiss")
    ids = {
        "swiss": swiss.pk,
        "squad": swiss.stages.get().squads.order_by("pk")[0].pk,
        "event": festival.event.pk,
        "team": festival.teams[0].pk,
        "third_team": third.pk,
        "entry": festival.entry.pk,
        "tournament": festival.tournament.pk,
        "open": factories.make_tournament(festival.event, "Aperto").pk,
        "empty": factories.make_tournament(bare, "Vuoto").pk,
        "game": festival.game.game_id,
        "drawn_game": factories.games_of(drawn)[0].game_id,
        "revoked": revoked.pk,
        "other_team": other.teams[0].pk,
        "other_referee": other.referee.pk,
    }
    return Stage(festival, {name: str(value) for name, value in ids.items()})


@pytest.fixture
def stage(kept: Stage, db: None) -> Stage:
    """The same, as it was made."""
    return deepcopy(kept)


@pytest.fixture
def festival(stage: Stage) -> Festival:
    """The festival by itself."""
    return stage.festival


def filled(value: Any, stage: Stage) -> Any:
    """A body with ids in place of braces."""
    if isinstance(value, dict):
        return {key: filled(inner, stage) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, stage) for inner in value]
    if value == "{entered}":
        entry = stage.festival.entry
        assert entry.person is not None
        return {
            "team": str(entry.team_id),
            "last_name": entry.person.last_name.upper(),
            "first_name": entry.person.first_name,
            "birth_date": entry.person.birth_date.isoformat(),
        }
    return value.format(**stage.ids) if isinstance(value, str) and "{" in value else value


@pytest.mark.parametrize("row", BODIES + ROWS, ids=lambda row: row.what)
def test_wrong_input_is_refused_and_nothing_is_stored(row: Wrong, stage: Stage, organizer: APIClient) -> None:
    send: Callable[..., Any] = getattr(organizer, row.method.lower())
    address = "/api/v1/" + row.address.format(**stage.ids)
    # That a token was used is noted now and then.
    organizer.get("/api/v1/caller/")
    before = everything()
    if row.body is None:
        answer = send(address)
    elif isinstance(row.body, bytes):
        answer = send(address, row.body, content_type="application/json")
    else:
        text = json.dumps(filled(row.body, stage))
        answer = send(address, text, content_type="application/json")
    assert everything() == before
    assert answer.status_code == row.status
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["code"], problem["status"]) == (row.code, row.status)
    assert problem["type"] == f"urn:tendone:problem:{row.code}"
    assert problem["detail"]
    if row.field is not None:
        assert row.field in [each["field"] for each in problem["problems"]]
        assert all(each["code"] and each["detail"] for each in problem["problems"])


def test_wrong_inputs_are_more_than_a_hundred_and_none_twice() -> None:
    names = [row.what for row in BODIES + ROWS]
    assert len(names) > 100
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        ("application/x-www-form-urlencoded", b"name=Torre"),
        ("multipart/form-data; boundary=x", b"--x--"),
        ("text/plain", b'{"name": "Torre"}'),
        ("application/xml", b"<team/>"),
    ],
)
def test_body_that_is_not_json_is_refused(
    media_type: str, body: bytes, festival: Festival, organizer: APIClient
) -> None:
    address = f"/api/v1/events/{festival.event.pk}/teams/"
    answer = organizer.post(address, body, content_type=media_type)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported-media-type")
    assert festival.event.teams.count() == 3


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (b"", "malformed", 1),
        (b"\n", "malformed", 1),
        (b"not JSON\n", "malformed", 1),
        (b'{"type": "game_opened"}\n', "malformed", 1),
        (b"\xff\xfe", "malformed", 1),
        (b'{"type": "dealer_named", "seat": 0}\n\n', "malformed", 2),
        (
            b'{"type": "dealer_named", "seat": 0}\n{"type": "cards_played", "seat": 0, "cards": ["R1"]}\n',
            "out-of-order",
            3,
        ),
        (b'{"type": "\\ud800"}\n', "malformed", 1),
        (
            b'{"type": "game_closed", "reason": "result", "winner": 0, "scores": {"0": 1%s}}' % (b"0" * 30),
            "malformed",
            1,
        ),
    ],
)
def test_wrong_log_file_is_refused_whole(
    text: bytes, code: str, line: int, festival: Festival, phone: APIClient
) -> None:
    address = f"/api/v1/games/{festival.game.game_id}/log.jsonl"
    answer = phone.post(address, text, content_type="application/x-ndjson")

    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert answer.json()["line"] == line
    assert phone.get(f"/api/v1/games/{festival.game.game_id}/").json()["version"] == 0


def test_idempotency_key_that_is_no_uuid_is_refused(festival: Festival, phone: APIClient) -> None:
    address = f"/api/v1/games/{festival.game.game_id}/result/"
    answer = phone.post(address, {"winner_seat": 0}, headers={"Idempotency-Key": "retry-1"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-idempotency-key")


def test_result_for_a_team_not_at_the_table_is_refused(festival: Festival, phone: APIClient) -> None:
    address = f"/api/v1/games/{festival.game.game_id}/"
    sitting = set(festival.game.game.seats.values_list("team", flat=True))
    strangers = [
        *festival.event.teams.exclude(pk__in=sitting),
        factories.make_team(factories.make_event()),
    ]
    names = ", ".join(sorted(festival.event.teams.filter(pk__in=sitting).values_list("name", flat=True)))
    for team in strangers:
        for answer in (
            phone.post(f"{address}forfeit/", {"winner_team": str(team.pk)}),
            phone.post(f"{address}result/", {"winner_team": str(team.pk), "reason": "time"}),
        ):
            assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
            assert answer.json()["message"] == f"the team that has won must be one at this table: {names}"

    assert phone.get(address).json()["version"] == 0


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": "x", "scope": "root"}, "scope"),
        ({"name": "x", "expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ({"name": "x", "expires_at": "2030-01-01T00:00:00"}, "expires_at"),
        ({"name": "x", "expires_at": "9999-12-31T23:59:59-12:00"}, "expires_at"),
        ({"name": "x", "expires_at": 1893456000}, "expires_at"),
        ({"name": "x", "account": str(uuid4())}, "account"),
    ],
)
def test_wrong_token_is_not_made(body: dict[str, Any], field: str, festival: Festival) -> None:
    browser = APIClient()
    browser.force_login(festival.organizer)
    answer = browser.post("/api/v1/tokens/", body)

    assert answer.status_code == 422
    assert [each["field"] for each in answer.json()["problems"]] == [field]
    assert festival.organizer.tokens.count() == 0


@pytest.mark.parametrize("year", ["0001-01-01", "1899-12-31", "2200-01-01", "9999-12-31"])
def test_years_out_of_range_are_refused_everywhere(year: str, festival: Festival) -> None:
    browser = APIClient()
    browser.force_login(festival.organizer)
    event = f"/api/v1/events/{festival.event.pk}/"
    moment = f"{year}T12:00:00+01:00"
    sent = {
        "starts_on": browser.post("/api/v1/events/", {"name": "Palio", "starts_on": year, "ends_on": year}),
        "begins_at": browser.patch(f"/api/v1/matches/{festival.game.match_id}/place/", {"begins_at": moment}),
        "since": browser.post(f"{event}timetable/delay/", {"since": moment, "minutes": 5}),
        "shown_until": browser.post(f"{event}announcements/", {"text": "x", "shown_until": moment}),
        "expires_at": browser.post("/api/v1/tokens/", {"name": "x", "expires_at": moment}),
    }

    for field, answer in sent.items():
        told = {each["field"]: each.get("expected") or each for each in answer.json().get("problems", [])}
        assert (field, answer.status_code, field in told) == (field, 422, True), answer.json()
        assert "1900" in str(told[field])

    assert browser.patch(event, {"starts_on": year}).status_code == 422
