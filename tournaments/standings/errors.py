"""Refusals of pure rules: a code for programs, a template with values for people."""


def gettext_noop(message: str) -> str:
    """Mark a text for the translators' collector; pages translate it, this package stays pure."""
    return message


class PureRefusal(ValueError):  # noqa: N818 - a refusal is an answer, not a fault
    """What pure rules can't do: `code` for programs, `template` (a msgid) and `values` for people.

    A page shows `gettext(error.template) % error.values`; `str(error)` is the same sentence in English.
    """

    def __init__(self, code: str, template: str, **values: int | str) -> None:
        super().__init__(template % values)
        self.code = code
        self.template = template
        self.values = values


class CannotRank(PureRefusal):
    """Results or rules contradict themselves."""
