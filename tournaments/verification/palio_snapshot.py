"""Projected rows of a palio as comparable values."""

from tournaments import pictures
from tournaments.models import Palio


def picture(palio: Palio) -> pictures.Picture:
    """All projected rows of a palio as comparable values."""
    return pictures.picture(palio, pictures.OVERALL)
