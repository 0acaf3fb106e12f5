"""A decision that can't be made: what was wrong and what was expected, with a code that doesn't change."""

from typing import Any


class Refused(Exception):  # noqa: N818  # reads as what happened: "raise Refused"
    """Raised by actions and results before anything is stored.

    `code` is stable and kebab-case, `sentence` a (translatable) sentence for people, `params` JSON-able
    details, `status` the HTTP status that fits: 422 for a wrong input, 409 where the present state stands
    against it.
    """

    def __init__(self, code: str, sentence: Any, *, status: int = 409, **params: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.status = status
        self.params = params

    def __str__(self) -> str:
        return str(self.sentence)
