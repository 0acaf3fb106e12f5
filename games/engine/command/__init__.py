"""The command line `python -m games.engine VERB …`, without Django or a database; one module a verb.

Exit status: 0, all went well; 1, an event was refused or can't be followed; 2, a file couldn't
be opened; the worst of them.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.engine.command import explain, legal, notation, random, replay, rules
from games.engine.command.files import REPLAYED
from games.engine.phrases import as_sentence


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: what it does in a line, the arguments that it takes, and what runs it and gives a status."""

    name: str
    summary: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


VERBS = (
    Verb("explain", "tell a game in words, one line an event", explain.add_arguments, explain.run),
    Verb("legal", "print what may happen next, one event a line", legal.add_arguments, legal.run),
    Verb("notation", "print each log in notation", notation.add_arguments, notation.run),
    Verb("random", "print a game that bots play", random.add_arguments, random.run),
    Verb("replay", "print the state of each log as one line of JSON", replay.add_arguments, replay.run),
    Verb("rules", "print the rules of a rule set for its players", rules.add_arguments, rules.run),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m games.engine", description="Read, check and tell game logs."
    )
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    for verb in VERBS:
        command = verbs.add_parser(verb.name, help=verb.summary, description=as_sentence(verb.summary))
        verb.add_arguments(command)
        command.set_defaults(run=verb.run)
    options = parser.parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Who reads has had enough (`| head`). What is left in the buffer must not fail at the exit, too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REPLAYED
    return status
