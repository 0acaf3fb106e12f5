"""`explain FILE`: a game in words, one line an event, as a volunteer can check it against memory."""

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from games.engine.command.files import REFUSED, REPLAYED, UNREADABLE, lines_of, number_of_lines
from games.engine.command.language import LANGUAGE_HELP, language_of_terminal
from games.engine.events import Event, GameOpened
from games.engine.jsonl import parse_lines
from games.engine.phrases import Wording
from games.engine.refusals import Refusal, sentence
from games.engine.telling import Names, Teller, card_words, say
from games.engine.translations import languages


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    command.add_argument("file", type=Path, metavar="FILE", help="a game log, *.jsonl")
    command.add_argument(
        "--language", choices=languages(), default=language_of_terminal(), help=LANGUAGE_HELP
    )
    command.add_argument("--until", type=number_of_lines, metavar="N", help="read the first N lines only")


def run(options: argparse.Namespace) -> int:
    """Tell the game line by line as it is read, and at the end why it was refused if it was."""
    try:
        file = options.file.open("rb")
    except OSError as error:
        phrase = Wording(options.language).phrase
        print(phrase("{path} can't be read: {why}", path=options.file, why=error.strerror), file=sys.stderr)
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
    phrase = Wording(language).phrase
    names = Names.of_log(event) if isinstance(event, GameOpened) and not teller.names.seats else teller.names
    if event is None:
        yield phrase("Refused: {code}", code=refusal.code)
    else:
        yield phrase("Refused ({code}): {said}", code=refusal.code, said=say(event, language, names))
    yield refusal.expected(
        language,
        seat=partial(names.seat, language=language),
        card=partial(card_words, language=language),
    )
    rule = sentence(refusal.code, language)
    if refusal.rule is not None:
        rule += " " + teller.moment.ruleset.told(refusal.rule, language)
    yield phrase("Rule: {rule}", rule=rule)
