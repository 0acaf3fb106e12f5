"""Positions written down with their counts, many in one text, for whoever has an engine to prove.

A position begins with a line `## title`; then come, one a line,

    ruleset JSON            a preset's name or an object, as in `game_opened`
    seats N
    seed N
    pack CARD CARD …        optional: the cards on top of the first pack
    kin 0-1 2-3 …           optional: the seats that are related
    then {…}                optional, repeated: events from the first card on; a draw needs no cards
    moves DEPTH COUNT       repeated: what is expected, for a profile and a depth
    all DEPTH COUNT

and lines that begin with `# ` are remarks. See `docs/development/perft.md`.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from games.engine.cards import COLOR, Card
from games.engine.jsonl import parse_line
from games.engine.ruleset import Ruleset
from tests.games.engine.perft.counts import PROFILES, Position


@dataclass(slots=True)
class PerftEntry:
    """One position as it is written down, with its title's line; `counts` are (profile, depth, count)."""

    line: int
    title: str
    ruleset: Any = None
    seats: int = 0
    seed: int = 0
    pack: tuple[Card, ...] = ()
    kin: tuple[tuple[int, int], ...] = ()
    then: list[str] = field(default_factory=list)
    counts: list[tuple[str, int, int]] = field(default_factory=list)

    def position(self) -> Position:
        """The position itself; Refusal where the rule set, the pack or an event can't be."""
        ruleset = Ruleset.from_json(self.ruleset)
        position = Position.start(ruleset, self.seats, self.seed, pack=self.pack, kin=self.kin or None)
        for text in self.then:
            position = position.after(parse_line(text))
        return position


def read_corpus(text: str) -> list[PerftEntry]:
    """All positions of a corpus; ValueError, with the line, for one that can't be read."""
    entries: list[PerftEntry] = []
    for number, line in _lines(text):
        try:
            if line.startswith("## "):
                entries.append(PerftEntry(number, line[3:]))
            elif not entries:
                raise ValueError("a position begins with its title, `## …`")
            else:
                _read_into(entries[-1], line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"line {number}: {line!r} can't be read: {error}") from None
    for entry in entries:
        if entry.ruleset is None or not entry.seats:
            raise ValueError(f"line {entry.line}: {entry.title!r} needs a `ruleset` and `seats`")
    return entries


def read_pack(text: str) -> tuple[Card, ...]:
    """Cards with blanks between them; ValueError for what is none."""
    for card in text.split():
        if card not in COLOR:
            raise ValueError(f"{card} is no card such as R7, GS, BR, Y+2, W or W+4")
    return tuple(text.split())


def read_kin(text: str) -> tuple[tuple[int, int], ...]:
    """Pairs such as `0-1 2-3`; ValueError for what is none."""
    pairs = [pair.split("-") for pair in text.split()]
    return tuple((int(one), int(other)) for one, other in pairs)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("# "):
            yield number, line


def _read_into(entry: PerftEntry, line: str) -> None:
    word, _, rest = line.partition(" ")
    if word == "ruleset":
        entry.ruleset = json.loads(rest)
    elif word == "seats":
        entry.seats = int(rest)
    elif word == "seed":
        entry.seed = int(rest)
    elif word == "pack":
        entry.pack = read_pack(rest)
    elif word == "kin":
        entry.kin = read_kin(rest)
    elif word == "then":
        entry.then.append(rest)
    elif word in PROFILES:
        depth, count = map(int, rest.split())
        entry.counts.append((word, depth, count))
    else:
        raise ValueError("expected ruleset, seats, seed, pack, kin, then, moves or all")
