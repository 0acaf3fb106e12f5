"""Projected rows of a palio as comparable values."""

from tournaments.models import Palio
from tournaments.verification import row_snapshots


def picture(palio: Palio) -> row_snapshots.Picture:
    """All projected rows of a palio as comparable values."""
    return row_snapshots.picture(palio, row_snapshots.OVERALL)
