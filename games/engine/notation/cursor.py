"""A place in a text that is being read, and the refusal that names it by line and column."""

import re
from typing import Final, NoReturn

from games.engine.phrases import Phrase
from games.engine.refusals import Refusal
from games.engine.words import mark

_BLANK = re.compile(r"(?:[ \t\r\n]+|;[^\n]*|\([^()]*\))*")
_ITEM = re.compile(r"[^\s,;()\[\]]+")
_LONGEST: Final = 40
"""So many characters of what was found are shown."""


class Cursor:
    """Goes through a text from its beginning to its end; `place` counts characters from 0.

    Blanks are spaces, tabs and line ends; remarks are `( … )` and `; …` up to the end of the line.
    """

    __slots__ = ("place", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def skip_blanks(self) -> None:
        """Go on to the next token, over blanks and remarks; refuses a remark that nobody closed."""
        found = _BLANK.match(self.text, self.place)
        if found is not None:
            self.place = found.end()
        if self.text.startswith("(", self.place):
            self.wrong(mark("this remark has no end: ( … ) is closed, and holds no other parenthesis"))

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.place == len(self.text)

    @property
    def at_token_end(self) -> bool:
        """Whether a token can end here: before a blank, a remark, or nothing."""
        return self.at_end or self.text[self.place] in " \t\r\n;("

    def sees(self, mark: str) -> bool:
        """Whether the text goes on with this mark."""
        return self.text.startswith(mark, self.place)

    def take(self, mark: str) -> bool:
        """Go over a mark, if the text goes on with it."""
        if not self.text.startswith(mark, self.place):
            return False
        self.place += len(mark)
        return True

    def need(self, mark: str) -> None:
        """Go over a mark that has to stand here."""
        if not self.take(mark):
            self.expected("{mark}", mark=mark)

    def match(self, pattern: re.Pattern[str]) -> str | None:
        """Go over what a pattern matches here, and give it; None where it doesn't."""
        found = pattern.match(self.text, self.place)
        if found is None:
            return None
        self.place = found.end()
        return found[0]

    def end_token(self) -> None:
        """Refuse whatever clings to a token that is complete."""
        if not self.at_token_end:
            self.expected(mark("a space after what is complete"))

    def expected(self, template: str, place: int | None = None, **values: object) -> NoReturn:
        """Refuse what stands here (or at `place`): something else was expected."""
        found = self._found(self.place if place is None else place)
        self.wrong(
            mark("expected {expected}, not {found}"), place, expected=Phrase(template, values), found=found
        )

    def wrong(self, template: str, place: int | None = None, **values: object) -> NoReturn:
        """Refuse what stands here (or at `place`), and say why."""
        self.refuse(Phrase(template, values), place)

    def refuse(self, problem: Phrase, place: int | None = None, *, type: str | None = None) -> NoReturn:
        """Refusal `malformed` with the line, and the column in its message, of here or of `place`."""
        line, column = self.line_and_column(self.place if place is None else place)
        raise Refusal(
            "malformed", "column {column}: {problem}", line=line, type=type, column=column, problem=problem
        )

    def line_and_column(self, place: int) -> tuple[int, int]:
        """Both counted from 1; columns in characters."""
        before = self.text[:place]
        return before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1

    def _found(self, place: int) -> str | Phrase:
        if place >= len(self.text):
            return Phrase("the end of the text", {})
        if self.text[place] in " \t\r\n":
            return Phrase("a blank", {})
        found = _ITEM.match(self.text, place)
        text = ascii(self.text[place] if found is None else found[0])
        return text if len(text) <= _LONGEST else text[: _LONGEST - 4] + "…" + text[-1]
