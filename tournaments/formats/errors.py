"""Refusals of draws."""


def gettext_noop(message: str) -> str:
    """Mark a text for the translators' collector; pages translate it, this package stays pure."""
    return message


class CannotDraw(ValueError):  # noqa: N818 - reads as what happened: "raise CannotDraw"
    """The input doesn't allow this draw: `code` for programs, `template` (a msgid) and `values` for people.

    A page shows `gettext(error.template) % error.values`; `str(error)` is the same sentence in English.
    """

    def __init__(self, code: str, template: str, **values: int | str) -> None:
        super().__init__(template % values)
        self.code = code
        self.template = template
        self.values = values
