"""`explain FILE`: a game in words, one line an event, as a volunteer can check it against memory."""

import argparse
import os
import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from games.engine.command.files import REFUSED, REPLAYED, UNREADABLE, lines_of, number_of_lines
from games.engine.events import Event, GameOpened
from games.engine.jsonl import parse_lines
from games.engine.refusals import Refusal, sentence
from games.engine.telling import Names, Teller, card_words, say

LANGUAGES: Final = ("it", "en")

_REFUSED: Final = {"it": "Rifiutata: {code}", "en": "Refused: {code}"}
_REFUSED_THIS: Final = {"it": "Rifiutata ({code}): {said}", "en": "Refused ({code}): {said}"}
_RULE: Final = {"it": "Regola: {rule}", "en": "Rule: {rule}"}
_UNREADABLE: Final = {"it": "{path} non si può leggere: {why}", "en": "{path} can't be read: {why}"}


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    command.add_argument("file", type=Path, metavar="FILE", help="a game log, *.jsonl")
    command.add_argument(
        "--language",
        choices=LANGUAGES,
        default=language_of_terminal(),
        help="default: that of LC_ALL, LC_MESSAGES or LANG; Italian where they name none",
    )
    command.add_argument("--until", type=number_of_lines, metavar="N", help="read the first N lines only")


def language_of_terminal() -> str:
    """The language that the environment names, as far as there are texts in it."""
    values = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next((value for value in values if value), "").partition(".")[0]
    return "it" if name in ("", "C", "POSIX") or name.startswith("it") else "en"


def run(options: argparse.Namespace) -> int:
    """Tell the game line by line as it is read, and at the end why it was refused if it was."""
    try:
        file = options.file.open("rb")
    except OSError as error:
        told = _UNREADABLE[options.language].format(path=options.file, why=error.strerror)
        print(told, file=sys.stderr)
        return UNREADABLE
    with file:
        lines = lines_of(file)
        return _explain(lines if options.until is None else islice(lines, options.until), options.language)


def _explain(lines: Iterator[bytes], language: str) -> int:
    teller = Teller(language, is_open=True)
    event: Event | None = None
    try:
        for number, event in enumerate(parse_lines(lines), start=1):
            _print(f"{number:>4}  {teller.add(event)}")
            # Should the next line be unreadable, it isn't this event that is refused.
            event = None
    except Refusal as refusal:
        for number, text in enumerate(_why(refusal, event, teller)):
            _print(f"{'' if number else refusal.line:>4}  {text}")
        return REFUSED
    return REPLAYED


def _print(text: str) -> None:
    # UTF-8, whatever the terminal is set to, and at once: the log may still be growing.
    sys.stdout.buffer.write(f"{text}\n".encode())
    sys.stdout.buffer.flush()


def _why(refusal: Refusal, event: Event | None, teller: Teller) -> Iterator[str]:
    """A refusal: its code, what the event said, what was expected, and the rule behind it."""
    language = teller.language
    names = Names.of_log(event) if isinstance(event, GameOpened) and not teller.names.seats else teller.names
    if event is None:
        yield _REFUSED[language].format(code=refusal.code)
    else:
        yield _REFUSED_THIS[language].format(code=refusal.code, said=say(event, language, names))
    yield refusal.expected(
        language,
        seat=partial(names.seat, language=language),
        card=partial(card_words, language=language),
    )
    rule = sentence(refusal.code, language)
    if refusal.rule is not None:
        rule += " " + teller.moment.ruleset.told(refusal.rule, language)
    yield _RULE[language].format(rule=rule)
