"""Refusals of draws."""

from tournaments.standings.errors import PureRefusal, gettext_noop

__all__ = ["CannotDraw", "gettext_noop"]


class CannotDraw(PureRefusal):
    """The input doesn't allow this draw."""
