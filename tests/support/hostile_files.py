"""Files with bytes changed, cut or put in."""

import io
import random
from collections.abc import Callable
from contextlib import suppress
from datetime import date

from games.engine import Refusal, Ruleset, parse_log, print_log, replay
from games.engine.bots import play_random_game
from people.input_problems import BadInputError
from people.intake.rows import IntakeRules
from people.intake.sheet_reading import Options, look_at, read_sheet
from tests.support.workbooks import workbook
from tournaments.transfer.archive import container

RULES = IntakeRules(day=date(2026, 9, 5), min_age=7, max_age=14, teams=())


ROWS = [
    ["cognome", "nome", "data di nascita", "contrada"],
    ["Rossi", "Ada", "01/05/2016", "Torre"],
    ["Bianchi", "Ugo", "2015-02-03", "Torre"],
]


def read_list(data: bytes) -> None:
    """Read as a list of people, for choosing columns and for entering."""
    options = Options(mapping={}, with_notes=True)
    for reader in (lambda: look_at(data, options), lambda: read_sheet(data, RULES, options)):
        with suppress(BadInputError):
            reader()


def read_archive(data: bytes) -> None:
    """Read as an event's archive."""
    with suppress(container.BadArchiveError), container.opened(io.BytesIO(data)) as found:
        for name in found.files:
            for _line in found.lines(name):
                pass


def read_log(data: bytes) -> None:
    """Read as a game's log, and replay what was read."""
    with suppress(Refusal):
        replay(parse_log(data))


CSV = "\n".join(";".join(row) for row in ROWS).encode()


GAME = play_random_game(Ruleset.from_json("palio"), 2, seed=1)


LOG = print_log(GAME).encode()


def archive() -> bytes:
    """A small archive of ours."""
    made = io.BytesIO()
    container.write(made, {"event": "x"}, {"rows.jsonl": b'{"a": 1}\n', "facts.jsonl": b"{}\n"})
    return made.getvalue()


WORKBOOK, ARCHIVE = workbook(*ROWS), archive()

FILES: dict[str, tuple[bytes, Callable[[bytes], None]]] = {
    "list": (CSV, read_list),
    "workbook": (WORKBOOK, read_list),
    "archive": (ARCHIVE, read_archive),
    "log": (LOG, read_log),
}


PUT_IN = [
    *(
        b"\x00",
        b'"',
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"[" * 2000,
        b'{"a":' * 2000,
        b"9" * 5000,
    ),
    *(b"1e999", b"NaN", b"\r\n" * 50, b";" * 500, "’".encode(), b"PK\x03\x04", b"]]>", b"&a;"),
]


def changed(data: bytes, seed: int) -> bytes:
    """The file with one to four changes."""
    chance = random.Random(seed)
    made = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(made) + 1)
        end = min(len(made), at + chance.choice((1, 1, 8, 64, 4096)))
        match chance.randrange(4):
            case 0:
                made[at:end] = bytes(each ^ chance.randrange(256) for each in made[at:end])
            case 1:
                del made[at:end]
            case 2:
                made[at:at] = made[at:end]
            case 3:
                made[at:at] = chance.choice(PUT_IN)
    return bytes(made)
