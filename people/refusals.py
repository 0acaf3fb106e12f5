"""Refusals: what can't be done, what was wrong and what was expected, with a code that doesn't change."""

from typing import Any

from django.utils.translation import gettext as _


class Refused(Exception):  # noqa: N818  # reads as what happened: "raise Refused"
    """Raised by commands and queries; nothing of the command is stored.

    `code` is stable and kebab-case, `sentence` a (translatable) sentence for people, `params` JSON-able
    details. `status` is the HTTP status that fits: 422 for a wrong input, 409 where the present state stands
    against it. `wait`: after so many seconds it makes sense to try again; 0 where waiting doesn't help.
    """

    def __init__(self, code: str, sentence: Any, *, status: int = 409, wait: int = 0, **params: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.status = status
        self.wait = wait
        self.params = params

    def __str__(self) -> str:
        return str(self.sentence)


def id_is_taken() -> str:
    """The sentence for the ledger's `OtherStreamError`: something else has the id of what is recorded."""
    return _(
        "Something else at this service has the same id, so nothing can be recorded here. Tell whoever runs "
        "the service."
    )
