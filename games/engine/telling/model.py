"""Parts of a sentence that know what they speak of, so that a page can draw them."""

from dataclasses import dataclass

from games.engine.cards import Card, Color


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence. Where it speaks of something, that stands beside the words for it.

    `card` is a card, with `color` where that was named with a wild; `color` alone is a colour. `seat` is
    whoever sits there, and `team` a team as the log names it.
    """

    text: str
    card: Card | None = None
    color: Color | None = None
    seat: int | None = None
    team: str | None = None


Parts = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or a few short ones: with a capital, a full stop and no line break."""

    parts: Parts

    def __str__(self) -> str:
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class Follow:
    """Something that follows from an event; `kind` is one of `before_and_after.KINDS`."""

    kind: str
    line: Line


@dataclass(frozen=True, slots=True)
class Telling:
    """An event in words: what happened, and what follows from it."""

    happened: Line
    follows: tuple[Follow, ...] = ()

    @property
    def parts(self) -> Parts:
        """All of it, for a page."""
        parts = list(self.happened.parts)
        for follow in self.follows:
            parts += (Part(" "), *follow.line.parts)
        return tuple(parts)

    def __str__(self) -> str:
        return "".join(part.text for part in self.parts)


def as_line(parts: Parts) -> Line:
    """A sentence from its middle: the first letter is made a capital, and a full stop ends it."""
    pieces = [part for part in parts if part.text]
    first, last = pieces[0], pieces[-1]
    # What a person or a team is called begins as it is written.
    if first.seat is None and first.team is None:
        text = first.text[0].upper() + first.text[1:]
        pieces[0] = Part(text, first.card, first.color)
    if last.text[-1] not in ".!?…":
        pieces.append(Part("."))
    return Line(tuple(pieces))


def inside(line: Line) -> Parts:
    """A sentence as it can be quoted: without its full stop."""
    if line.parts and line.parts[-1].text == ".":
        return line.parts[:-1]
    return line.parts
